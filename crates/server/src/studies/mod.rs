//! Open studies: the order of their edits, and the clients that receive them. An edit is in the database
//! before it is sent, so a chapter can leave the memory at any time. Not here: who may edit (`routes::studies`), what an
//! edit does (`lozenge_analysis::tree`).

mod chapters;
mod pgn;
mod presence;
mod seeds;
mod shared;

pub(crate) use chapters::ChapterError;
pub(crate) use pgn::{Export, Import, RULES_TAG, ReadChapter, player_tags, read, write};
use presence::Presence;
pub(crate) use presence::{PresentUser, RemotePlace};
pub(crate) use seeds::id_in;
use seeds::translations;
pub(crate) use shared::RemoteEdits;

use crate::fair_queue::QueueFull;
use crate::heavy::{HeavyError, HeavyKind, HeavyWork};
use crate::places::Places;
use chapters::{Chapters, LoadedChapter};
use lozenge_analysis::tree::{EditedTree, Touch};
use lozenge_explain::Language;
use lozenge_game::ClientAddress;
use lozenge_game::convert;
use lozenge_game::time::now_ms;
use lozenge_live::cluster::Cluster;
use lozenge_live::games::Variants;
use lozenge_store::{EditRow, NewChapterRow, Store, StoreError, StudyOutline, StudyRow, UserRow, write_json};
use lozenge_wire::study::{Edited, StudyEdit, StudyEdits, StudyEvent, StudyTranslation, TreeEdit};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use tokio::sync::{Mutex as AsyncMutex, broadcast};

/// Most edits that are sent at once.
pub(crate) const MAX_EDITS: usize = 50;
/// Most edits of a study that stay in memory for clients that reconnect, and their most bytes.
const RECENT: usize = 500;
const RECENT_BYTES: usize = 256 << 10;
/// Messages that a slow reader may be behind.
const BACKLOG: usize = 256;
/// Edits after which the moves of a chapter are rewritten.
const SNAPSHOT_EVERY: usize = 100;
/// How often edits are applied again after another server's.
const MAX_TRIES: usize = 8;
/// Largest number of a client: JavaScript has no larger whole ones.
const MAX_CLIENT: u64 = 1 << 53;
/// Most sockets of one study.
const MAX_FOLLOWERS: usize = 500;

/// News of a study.
#[derive(Clone, Debug)]
pub(crate) enum StudyMessage {
    /// An edit was applied: the event as JSON.
    Edited(Arc<str>),
    /// More than moves has changed, or the study is gone: the change of this number.
    Changed(u64),
    /// Edits at another server are not known here: chapters have to be read again.
    Missed,
    /// A member is elsewhere, or has left: the event as JSON, for members.
    Where(Arc<str>),
}

/// The edits of an open study.
#[derive(Debug)]
struct EditLog {
    /// Number of the last edit; unknown until it is read from the database.
    seq: Option<u64>,
    /// The last events, and how many bytes they take.
    recent: VecDeque<(u64, Arc<str>)>,
    bytes: usize,
}

impl EditLog {
    fn push(&mut self, seq: u64, text: Arc<str>) {
        self.bytes += text.len();
        self.recent.push_back((seq, text));
        while self.recent.len() > RECENT || self.bytes > RECENT_BYTES {
            let Some((_, oldest)) = self.recent.pop_front() else { return };
            self.bytes -= oldest.len();
        }
    }

    /// The events after one; `None` if some of them are not known any more.
    fn since(&self, seq: u64, after: u64) -> Option<Vec<Arc<str>>> {
        if after == seq {
            return Some(Vec::new());
        }
        let first = self.recent.front()?.0;
        let known = after < seq && first <= after + 1;
        known.then(|| {
            self.recent.iter().filter(|(at, _)| *at > after).map(|(_, text)| Arc::clone(text)).collect()
        })
    }
}

/// An open study.
#[derive(Debug)]
pub(crate) struct LiveStudy {
    id: String,
    log: AsyncMutex<EditLog>,
    messages: broadcast::Sender<StudyMessage>,
    /// The places of its sockets.
    pub(crate) places: Places,
    /// Number of the last change of more than moves.
    changes: AtomicU64,
    outline: AsyncMutex<Option<Arc<Outline>>>,
    /// The users who have it open, and where its members are.
    presence: Mutex<Presence>,
}

/// A study without its moves, read once for all who have it open.
#[derive(Debug)]
pub(crate) struct Outline {
    /// Number of the last change that is in it.
    pub(crate) change: u64,
    /// `None` if the study is gone.
    pub(crate) study: Option<StudyOutline>,
    pub(crate) translations: Vec<StudyTranslation>,
    /// The study as JSON for users who are no members and do not like it, once one of them has it open.
    pub(crate) common: OnceLock<Arc<str>>,
}

/// The first data of a client that opens a study.
pub(crate) struct StudySubscription {
    /// The events that were missed; `None` if some of them are not known any more.
    pub(crate) missed: Option<Vec<Arc<str>>>,
    pub(crate) messages: broadcast::Receiver<StudyMessage>,
}

/// The studies. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Studies {
    store: Store,
    variants: Variants,
    open: Arc<Mutex<HashMap<String, Weak<LiveStudy>>>>,
    chapters: Chapters,
    heavy: HeavyWork,
    /// Where there are several servers.
    cluster: Option<Cluster>,
}

impl LiveStudy {
    /// How many have it open.
    pub(crate) fn followers(&self) -> usize {
        self.messages.receiver_count()
    }

    /// Announces that more than moves has changed.
    fn note_change(&self) {
        let change = self.changes.fetch_add(1, Ordering::AcqRel) + 1;
        // There may be no receiver.
        let _ = self.messages.send(StudyMessage::Changed(change));
    }
}

impl Studies {
    pub(crate) fn new(store: Store, variants: Variants, heavy: HeavyWork, cluster: Option<Cluster>) -> Self {
        Self {
            cluster,
            chapters: Chapters::new(store.clone(), variants.clone()),
            store,
            variants,
            open: Arc::default(),
            heavy,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Weak<LiveStudy>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A study that is to be read or edited; it must be there. It stays in memory as long as a client has it open.
    pub(crate) fn open(&self, id: &str) -> Arc<LiveStudy> {
        let mut open = self.lock();
        if let Some(live) = open.get(id).and_then(Weak::upgrade) {
            return live;
        }
        open.retain(|_, live| live.strong_count() > 0);
        let live = Arc::new(LiveStudy {
            id: id.to_owned(),
            log: AsyncMutex::new(EditLog { seq: None, recent: VecDeque::new(), bytes: 0 }),
            messages: broadcast::channel(BACKLOG).0,
            places: Places::new(MAX_FOLLOWERS),
            changes: AtomicU64::new(0),
            outline: AsyncMutex::new(None),
            presence: Mutex::default(),
        });
        open.insert(id.to_owned(), Arc::downgrade(&live));
        live
    }

    /// Announces that more than the moves of a study has changed.
    pub(crate) fn announce(&self, id: &str) {
        self.publish_change(id);
        self.announce_here(id);
    }

    /// The same to clients that have it open at this server.
    pub(crate) fn announce_here(&self, id: &str) {
        self.chapters.forget_study(id);
        if let Some(live) = self.lock().get(id).and_then(Weak::upgrade) {
            live.note_change();
        }
    }

    /// A study after a change. All clients that have it open request it then, and the first reads it for all. Several changes
    /// that come in the meantime are read at once.
    pub(crate) async fn outline(&self, live: &LiveStudy, change: u64) -> Result<Arc<Outline>, StudyError> {
        let mut kept = live.outline.lock().await;
        if let Some(outline) = kept.as_ref().filter(|outline| outline.change >= change) {
            return Ok(Arc::clone(outline));
        }
        let change = live.changes.load(Ordering::Acquire);
        let study = self.store.study_outline(&live.id, &live.users()).await?;
        let translations = match &study {
            Some(study) => self.translations_of(&study.row).await?,
            None => Vec::new(),
        };
        let common = OnceLock::new();
        Ok(Arc::clone(kept.insert(Arc::new(Outline { change, study, translations, common }))))
    }

    /// The same study in other languages, if it comes with the program.
    pub(crate) async fn translations_of(&self, row: &StudyRow) -> Result<Vec<StudyTranslation>, StudyError> {
        let Some(language) = Language::from_code(&row.language) else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for (language, id) in translations(&row.id, language) {
            let other = self.store.study(&id).await?;
            if other.is_some_and(|other| other.language == language.code() && other.status != "banned") {
                found.push(StudyTranslation { language: language.code().into(), id });
            }
        }
        Ok(found)
    }

    /// Number of the last edit, which the database knows.
    async fn seq(&self, live: &LiveStudy, log: &mut EditLog) -> Result<u64, StudyError> {
        if self.cluster.is_some() {
            return self.shared_seq(live, log).await;
        }
        if let Some(seq) = log.seq {
            return Ok(seq);
        }
        let row = self.store.study(&live.id).await?.ok_or(StudyError::Missing)?;
        Ok(*log.seq.insert(row.seq.unsigned_abs()))
    }

    /// Listens to a study, from after an edit on.
    pub(crate) async fn follow(
        &self,
        live: &LiveStudy,
        after: Option<u64>,
    ) -> Result<StudySubscription, StudyError> {
        let mut log = live.log.lock().await;
        let seq = self.seq(live, &mut log).await?;
        let missed = log.since(seq, after.unwrap_or(seq));
        Ok(StudySubscription { missed, messages: live.messages.subscribe() })
    }

    /// The moves of a chapter as JSON, and the number of the last edit that is in them. The text is cached: SAN of 3,000
    /// moves takes a tenth of a second.
    pub(crate) async fn chapter(
        &self,
        client: ClientAddress,
        live: &LiveStudy,
        id: &str,
    ) -> Result<(Arc<str>, u64), StudyError> {
        if let Some(known) = self.chapter_text(live, id).await? {
            return Ok(known);
        }
        let turn = self.heavy.turn(client, HeavyKind::Study).await?;
        let mut log = live.log.lock().await;
        let seq = self.seq(live, &mut log).await?;
        let loaded = self.chapters.get(&live.id, id).await?;
        let copy = loaded.lock().clone();
        drop(log);
        // Another reader may have had it written meanwhile.
        if let Some(text) = copy.text {
            return Ok((text, seq));
        }
        let version = copy.version;
        let write = move || {
            let tree = convert::tree(copy.edited.tree(), copy.digest, copy.edited.tags().to_vec());
            Arc::<str>::from(write_json(&tree))
        };
        let text = turn.run(write).await?;
        let _log = live.log.lock().await;
        self.chapters.keep_text(&live.id, id, &loaded, version, &text);
        Ok((text, seq))
    }

    async fn chapter_text(&self, live: &LiveStudy, id: &str) -> Result<Option<(Arc<str>, u64)>, StudyError> {
        let mut log = live.log.lock().await;
        let seq = self.seq(live, &mut log).await?;
        let text = self.chapters.get(&live.id, id).await?.lock().text.clone();
        Ok(text.map(|text| (text, seq)))
    }

    /// The moves of a chapter as they are now, to be copied or written as PGN.
    pub(crate) async fn moves(&self, live: &LiveStudy, id: &str) -> Result<EditedTree, StudyError> {
        let _log = live.log.lock().await;
        Ok(self.chapters.get(&live.id, id).await?.lock().edited.clone())
    }

    /// Applies edits in their order, those that were not applied before. All followers of the study receive them.
    ///
    /// # Errors
    /// If the database did not take them: none was applied, and all can be sent again.
    pub(crate) async fn edit(
        &self,
        live: &LiveStudy,
        author: &UserRow,
        sent: &StudyEdits,
    ) -> Result<AppliedEdits, StudyError> {
        check_numbers(sent)?;
        let mut log = live.log.lock().await;
        for _ in 0..MAX_TRIES {
            match self.edit_once(live, &mut log, author, sent).await {
                // Another server was faster: the edits are applied after its own.
                Err(StudyError::Overtaken) => {}
                done => return done,
            }
        }
        Err(StudyError::Overtaken)
    }

    async fn edit_once(
        &self,
        live: &LiveStudy,
        log: &mut EditLog,
        author: &UserRow,
        sent: &StudyEdits,
    ) -> Result<AppliedEdits, StudyError> {
        let seq = self.seq(live, log).await?;
        let last = self.store.last_edit_of(&live.id, &author.id, sent.client as i64).await?.unsigned_abs();
        let room = self.store.study_room(&live.id).await?;
        let mut batch = Batch {
            studies: self,
            live,
            author,
            client: sent.client,
            seq,
            room,
            chapters: HashMap::new(),
            rows: Vec::new(),
            events: Vec::new(),
            refused: Vec::new(),
        };
        for edit in sent.edits.iter().filter(|edit| edit.number > last) {
            match batch.apply(edit).await {
                Ok(()) => {}
                Err(error) if error.is_failure() => {
                    self.forget(live, log, &batch);
                    return Err(error);
                }
                Err(error) => batch.refused.push((edit.number, error)),
            }
        }
        if let Err(error) = self.store.keep_edits(&live.id, &batch.rows, &batch.snapshots()).await {
            self.forget(live, log, &batch);
            return Err(match error {
                StoreError::Overtaken => StudyError::Overtaken,
                error => error.into(),
            });
        }
        self.publish_edits(live, seq, &batch);
        batch.chapters.iter().for_each(|(id, loaded)| self.chapters.keep(&live.id, id, loaded));
        log.seq = Some(batch.seq);
        for (seq, text) in batch.events {
            log.push(seq, Arc::clone(&text));
            let _ = live.messages.send(StudyMessage::Edited(text));
        }
        let number = sent.edits.iter().map(|edit| edit.number).max().unwrap_or(0);
        Ok(AppliedEdits { number, seq: batch.seq, refused: batch.refused })
    }

    /// After a failure the database knows what was applied.
    fn forget(&self, live: &LiveStudy, log: &mut EditLog, batch: &Batch<'_>) {
        log.seq = None;
        log.recent.clear();
        log.bytes = 0;
        batch.chapters.keys().for_each(|id| self.chapters.forget(&live.id, id));
    }
}

/// Why a study cannot be read or edited.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StudyError {
    /// It has been deleted.
    #[error("there is no such study")]
    Missing,
    /// A chapter is missing or damaged.
    #[error(transparent)]
    Chapter(#[from] ChapterError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The work was not done.
    #[error(transparent)]
    Heavy(#[from] HeavyError),
    /// Other servers have edited the study meanwhile.
    #[error("other servers edit the study at the same time")]
    Overtaken,
    /// The edits are numbered wrongly, or too many.
    #[error("{0}")]
    Numbers(String),
    /// The edit does not fit the moves of the chapter.
    #[error("{0}")]
    Edit(String),
    /// The user's studies have no room for it.
    #[error("expected an edit for which there is room")]
    NoRoom,
    /// A file of a study that comes with the program has a fault.
    #[error("{0}")]
    File(String),
}

impl From<QueueFull> for StudyError {
    fn from(full: QueueFull) -> Self {
        Self::Heavy(full.into())
    }
}

impl StudyError {
    /// Whether the server failed, rather than that the edit was refused.
    fn is_failure(&self) -> bool {
        match self {
            Self::Chapter(error) => !matches!(error, ChapterError::Missing),
            Self::Store(_) | Self::Heavy(_) | Self::File(_) => true,
            Self::Missing | Self::Overtaken | Self::Numbers(_) | Self::Edit(_) | Self::NoRoom => false,
        }
    }
}

/// Edits that were applied, or refused one by one.
#[derive(Debug)]
pub(crate) struct AppliedEdits {
    /// Number of the client's last edit.
    pub(crate) number: u64,
    /// Number of the study's last edit.
    pub(crate) seq: u64,
    /// The numbers of edits that were refused, and the reasons.
    pub(crate) refused: Vec<(u64, StudyError)>,
}

/// Whether an edit only removes something, which is also possible without room.
fn removes(edit: &TreeEdit) -> bool {
    match edit {
        TreeEdit::Remove { .. } | TreeEdit::RemoveShape { .. } | TreeEdit::UnsetNag { .. } => true,
        TreeEdit::SetComment { text, .. } => text.is_empty(),
        TreeEdit::SetTag { value, .. } => value.is_empty(),
        TreeEdit::Add { .. }
        | TreeEdit::Promote { .. }
        | TreeEdit::AddShape { .. }
        | TreeEdit::SetNag { .. } => false,
    }
}

fn check_numbers(sent: &StudyEdits) -> Result<(), StudyError> {
    let ascending = sent.edits.windows(2).all(|pair| pair[0].number < pair[1].number);
    let small = sent.edits.iter().all(|edit| (1..MAX_CLIENT).contains(&edit.number));
    if sent.edits.len() > MAX_EDITS {
        return Err(StudyError::Numbers(format!(
            "expected at most {MAX_EDITS} edits, found {}",
            sent.edits.len()
        )));
    }
    if !ascending || !small || !(1..MAX_CLIENT).contains(&sent.client) {
        let expected = "expected numbers from 1 to 2^53, those of edits ascending";
        return Err(StudyError::Numbers(expected.into()));
    }
    Ok(())
}

/// Edits that are being applied.
struct Batch<'a> {
    studies: &'a Studies,
    live: &'a LiveStudy,
    author: &'a UserRow,
    client: u64,
    seq: u64,
    /// Bytes that the study's owner may still fill.
    room: i64,
    chapters: HashMap<String, LoadedChapter>,
    rows: Vec<EditRow>,
    events: Vec<(u64, Arc<str>)>,
    refused: Vec<(u64, StudyError)>,
}

impl Batch<'_> {
    async fn apply(&mut self, StudyEdit { number, chapter, edit }: &StudyEdit) -> Result<(), StudyError> {
        let loaded = match self.chapters.get(chapter) {
            Some(loaded) => loaded.clone(),
            None => {
                let loaded = self.studies.chapters.get(&self.live.id, chapter).await?;
                self.chapters.insert(chapter.clone(), loaded.clone());
                loaded
            }
        };
        let (seq, client) = (self.seq + 1, self.client);
        let row = EditRow {
            seq: seq as i64,
            chapter: chapter.clone(),
            client: client as i64,
            number: *number as i64,
            author: self.author.id.clone(),
            edit: write_json(edit),
            at: now_ms(),
        };
        if row.bytes() > self.room && !removes(edit) {
            return Err(StudyError::NoRoom);
        }
        let mut open = loaded.lock();
        let effect = open
            .edited
            .apply(edit, Touch { seq, client })
            .map_err(|error| StudyError::Edit(error.to_string()))?;
        open.edits += 1;
        open.version += 1;
        open.text = None;
        self.seq = seq;
        self.room -= row.bytes();
        self.rows.push(row);
        let event = StudyEvent::Edited(Box::new(Edited {
            seq,
            chapter: chapter.clone(),
            author: self.author.name.clone().unwrap_or_default(),
            client,
            number: *number,
            edit: edit.clone(),
            steps: convert::steps(open.edited.tree(), &effect.added),
            removed: effect.cut.into_iter().map(|path| path.0).collect(),
        }));
        self.events.push((seq, write_json(&event).into()));
        Ok(())
    }

    /// The moves of chapters that have had many edits since they were last written.
    fn snapshots(&self) -> Vec<(String, String)> {
        let due = |(id, loaded): (&String, &LoadedChapter)| {
            let mut open = loaded.lock();
            (open.edits >= SNAPSHOT_EVERY).then(|| {
                open.edits = 0;
                (id.clone(), write_json(&open.edited.snapshot()))
            })
        };
        self.chapters.iter().filter_map(due).collect()
    }
}

/// Chapters as rows, each with an id of its own. Their rules are stored with them.
pub(crate) async fn convert_chapters(
    store: &Store,
    variants: &Variants,
    chapters: Vec<ReadChapter>,
) -> Result<Vec<NewChapterRow>, StoreError> {
    let mut rows = Vec::with_capacity(chapters.len());
    for ReadChapter { name, variant, moves } in chapters {
        rows.push(NewChapterRow {
            id: lozenge_game::ids::chapter(),
            name,
            variant: variant.id().into(),
            digest: variants.save_any(store, &variant).await?,
            fen: moves.tree().node(0).position.fen(),
            tree: write_json(&moves.snapshot()),
        });
    }
    Ok(rows)
}

//! Chapters in memory, within a bound on all of them together.

use lozenge_analysis::tree::{EditedTree, Snapshot, Touch};
use lozenge_live::games::Variants;
use lozenge_rules::position::GamePosition;
use lozenge_store::{Store, StoreError, read_json};
use lozenge_wire::study::TreeEdit;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Memory for chapters, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// About how many chapters there are then.
const ABOUT: usize = 256;

/// Why a chapter cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChapterError {
    #[error("there is no such chapter")]
    Missing,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{0}")]
    Damaged(String),
}

/// The moves of a chapter.
#[derive(Clone, Debug)]
pub(super) struct OpenChapter {
    pub(super) edited: EditedTree,
    pub(super) digest: String,
    /// Edits since the moves were last written.
    pub(super) edits: usize,
    /// Edits since it was loaded.
    pub(super) version: u64,
    /// The moves as JSON for readers, once one has requested them.
    pub(super) text: Option<Arc<str>>,
}

impl OpenChapter {
    fn bytes(&self) -> usize {
        self.edited.bytes() + self.text.as_ref().map_or(0, |text| text.len())
    }
}

/// A chapter in memory; changed only under the lock of its study's order.
#[derive(Clone, Debug)]
pub(super) struct LoadedChapter {
    chapter: Arc<Mutex<OpenChapter>>,
    bytes: usize,
}

impl LoadedChapter {
    fn new(chapter: OpenChapter) -> Self {
        Self { bytes: chapter.bytes(), chapter: Arc::new(Mutex::new(chapter)) }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, OpenChapter> {
        self.chapter.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Study and chapter.
type Key = (String, String);

#[derive(Clone, Debug)]
struct Weight;

impl Weighter<Key, LoadedChapter> for Weight {
    fn weight(&self, _: &Key, loaded: &LoadedChapter) -> u64 {
        loaded.bytes as u64
    }
}

/// The chapters in memory. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Chapters {
    store: Store,
    variants: Variants,
    loaded: Arc<Cache<Key, LoadedChapter, Weight>>,
}

impl Chapters {
    pub(super) fn new(store: Store, variants: Variants) -> Self {
        let options = OptionsBuilder::new()
            .estimated_items_capacity(ABOUT)
            .weight_capacity(MAX_BYTES)
            .shards(1)
            .build()
            .expect("both capacities are given");
        let cache =
            Cache::with_options(options, Weight, DefaultHashBuilder::default(), DefaultLifecycle::default());
        Self { store, variants, loaded: Arc::new(cache) }
    }

    /// A chapter, from the memory or the database.
    pub(super) async fn get(&self, study: &str, id: &str) -> Result<LoadedChapter, ChapterError> {
        let key = (study.to_owned(), id.to_owned());
        self.loaded.get_or_insert_async(&key, self.load(study, id)).await
    }

    async fn load(&self, study: &str, id: &str) -> Result<LoadedChapter, ChapterError> {
        let (row, edits) = self.store.chapter(study, id).await?.ok_or(ChapterError::Missing)?;
        let variant = self.variants.any_rules(&self.store, &row.variant, &row.digest).await?;
        let damaged = |fault: String| ChapterError::Damaged(format!("{study}/{id}: {fault}"));
        let start = GamePosition::from_fen(&variant, &row.fen).map_err(|error| damaged(error.to_string()))?;
        let snapshot: Snapshot = read_json("the moves of a chapter", &row.tree)?;
        let mut edited =
            EditedTree::of_snapshot(start, &snapshot).map_err(|error| damaged(error.to_string()))?;
        for row in &edits {
            let edit: TreeEdit = read_json("an edit", &row.edit)?;
            let touch = Touch { seq: row.seq.unsigned_abs(), client: row.client.unsigned_abs() };
            // It was applied once, to the same tree.
            edited.apply(&edit, touch).map_err(|error| damaged(format!("edit {}: {error}", row.seq)))?;
        }
        let (digest, edits) = (row.digest, edits.len());
        Ok(LoadedChapter::new(OpenChapter { edited, digest, edits, version: 0, text: None }))
    }

    /// Weighs a chapter again after it was edited. One whose moves were just written is read again, without the nodes that
    /// were removed from it.
    pub(super) fn keep(&self, study: &str, id: &str, loaded: &LoadedChapter) {
        let (edits, bytes) = {
            let open = loaded.lock();
            (open.edits, open.bytes())
        };
        if edits == 0 {
            return self.forget(study, id);
        }
        self.loaded.insert(
            (study.to_owned(), id.to_owned()),
            LoadedChapter { chapter: Arc::clone(&loaded.chapter), bytes },
        );
    }

    /// Keeps the text of a version of a chapter, unless it was edited or forgotten meanwhile.
    pub(super) fn keep_text(
        &self,
        study: &str,
        id: &str,
        loaded: &LoadedChapter,
        version: u64,
        text: &Arc<str>,
    ) {
        let key = (study.to_owned(), id.to_owned());
        let kept = self.loaded.peek(&key);
        if kept.is_none_or(|kept| !Arc::ptr_eq(&kept.chapter, &loaded.chapter)) {
            return;
        }
        let bytes = {
            let mut open = loaded.lock();
            if open.version != version {
                return;
            }
            open.text = Some(Arc::clone(text));
            open.bytes()
        };
        self.loaded.insert(key, LoadedChapter { chapter: Arc::clone(&loaded.chapter), bytes });
    }

    /// Forgets the chapters of a study: another server has edited it.
    pub(super) fn forget_study(&self, study: &str) {
        self.loaded.retain(|(known, _), _| known != study);
    }

    pub(super) fn forget(&self, study: &str, id: &str) {
        self.loaded.remove(&(study.to_owned(), id.to_owned()));
    }
}

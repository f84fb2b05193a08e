//! Studies that are open at several servers. Any server applies edits: the database takes them only after the last edit that
//! the server knew, and a server that was overtaken applies its edits again. The others receive them, or read them.

use super::{Batch, EditLog, LiveStudy, Studies, StudyError, StudyMessage};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Weak};

/// Edits that a server has applied.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RemoteEdits {
    study: String,
    /// Number of the last edit before them.
    after: u64,
    /// The events with their numbers.
    events: Vec<(u64, String)>,
    chapters: Vec<String>,
}

impl Studies {
    /// Number of the last edit of a study that other servers may have edited. Where it is not the one known here, everything
    /// else that is known is forgotten.
    pub(super) async fn shared_seq(&self, live: &LiveStudy, log: &mut EditLog) -> Result<u64, StudyError> {
        let row = self.store.study(&live.id).await?.ok_or(StudyError::Missing)?;
        let seq = row.seq.unsigned_abs();
        if log.seq != Some(seq) {
            self.forget_all(live, log);
            log.seq = Some(seq);
        }
        Ok(seq)
    }

    fn forget_all(&self, live: &LiveStudy, log: &mut EditLog) {
        self.chapters.forget_study(&live.id);
        log.recent.clear();
        log.bytes = 0;
        log.seq = None;
        // There may be no listener.
        let _ = live.messages.send(StudyMessage::Missed);
    }

    /// Publishes edits to the other servers.
    pub(super) fn publish_edits(&self, live: &LiveStudy, after: u64, batch: &Batch<'_>) {
        if let Some(cluster) = self.cluster.as_ref().filter(|_| !batch.events.is_empty()) {
            let events = batch.events.iter().map(|(seq, text)| (*seq, text.to_string())).collect();
            let chapters = batch.chapters.keys().cloned().collect();
            cluster.announce("edits", &RemoteEdits { study: live.id.clone(), after, events, chapters });
        }
    }

    /// Applies edits of another server.
    pub(crate) async fn apply_remote(&self, edits: RemoteEdits) {
        let open = self.lock().get(&edits.study).and_then(Weak::upgrade);
        let Some(live) = open else {
            return self.chapters.forget_study(&edits.study);
        };
        let mut log = live.log.lock().await;
        let last = edits.events.last().map_or(edits.after, |(seq, _)| *seq);
        match log.seq {
            Some(seq) if seq == edits.after => {
                edits.chapters.iter().for_each(|chapter| self.chapters.forget(&edits.study, chapter));
                log.seq = Some(last);
                for (seq, text) in edits.events {
                    let text: Arc<str> = text.into();
                    log.push(seq, Arc::clone(&text));
                    let _ = live.messages.send(StudyMessage::Edited(text));
                }
            }
            Some(seq) if seq >= last => {}
            _ => self.forget_all(&live, &mut log),
        }
    }

    /// Publishes to the other servers that more than the moves of a study has changed.
    pub(super) fn publish_change(&self, id: &str) {
        if let Some(cluster) = &self.cluster {
            cluster.announce("study", &id);
        }
    }

    /// Compares the studies that are open here with the database: a message may have been lost.
    pub(crate) async fn compare(&self) {
        if self.cluster.is_none() {
            return;
        }
        let open: Vec<Arc<LiveStudy>> = self.lock().values().filter_map(Weak::upgrade).collect();
        for live in open.iter().filter(|live| live.followers() > 0) {
            self.refresh_places(live);
            let mut log = live.log.lock().await;
            match self.shared_seq(live, &mut log).await {
                Ok(_) | Err(StudyError::Missing) => {}
                Err(error) => tracing::debug!(%error, "a study could not be compared with the database"),
            }
        }
    }
}

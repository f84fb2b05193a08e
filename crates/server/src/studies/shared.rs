//! Studies that are open at several servers. Any server applies edits: the database takes them only after the last edit that
//! the server knew, and a server that was overtaken applies its edits anew. The others hear of them, or read them.

use super::{Batch, LiveStudy, Order, Studies, StudyNews};
use crate::error::AppError;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Weak};

/// Edits that a server has applied.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct EditsElsewhere {
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
    pub(super) async fn shared_seq(&self, live: &LiveStudy, order: &mut Order) -> Result<u64, AppError> {
        let row = self.store.study(&live.id).await?.ok_or(AppError::NotFound("study"))?;
        let seq = row.seq.unsigned_abs();
        if order.seq != Some(seq) {
            self.forget_all(live, order);
            order.seq = Some(seq);
        }
        Ok(seq)
    }

    fn forget_all(&self, live: &LiveStudy, order: &mut Order) {
        self.chapters.forget_study(&live.id);
        order.recent.clear();
        order.bytes = 0;
        order.seq = None;
        // There may be no listener.
        let _ = live.news.send(StudyNews::Missed);
    }

    /// Tells the other servers of edits.
    pub(super) fn tell_servers(&self, live: &LiveStudy, after: u64, batch: &Batch<'_>) {
        if let Some(cluster) = self.cluster.as_ref().filter(|_| !batch.events.is_empty()) {
            let events = batch.events.iter().map(|(seq, text)| (*seq, text.to_string())).collect();
            let chapters = batch.chapters.keys().cloned().collect();
            cluster.announce("edits", &EditsElsewhere { study: live.id.clone(), after, events, chapters });
        }
    }

    /// Another server has applied edits.
    pub(crate) async fn hear(&self, edits: EditsElsewhere) {
        let open = self.lock().get(&edits.study).and_then(Weak::upgrade);
        let Some(live) = open else {
            return self.chapters.forget_study(&edits.study);
        };
        let mut order = live.order.lock().await;
        let last = edits.events.last().map_or(edits.after, |(seq, _)| *seq);
        match order.seq {
            Some(seq) if seq == edits.after => {
                edits.chapters.iter().for_each(|chapter| self.chapters.forget(&edits.study, chapter));
                order.seq = Some(last);
                for (seq, text) in edits.events {
                    let text: Arc<str> = text.into();
                    order.push(seq, Arc::clone(&text));
                    let _ = live.news.send(StudyNews::Edited(text));
                }
            }
            Some(seq) if seq >= last => {}
            _ => self.forget_all(&live, &mut order),
        }
    }

    /// Tells the other servers that more than the moves of a study has changed.
    pub(super) fn announce_elsewhere(&self, id: &str) {
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
            let mut order = live.order.lock().await;
            match self.shared_seq(live, &mut order).await {
                Ok(_) | Err(AppError::NotFound(_)) => {}
                Err(error) => tracing::debug!(%error, "a study could not be compared with the database"),
            }
        }
    }
}

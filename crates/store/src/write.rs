//! Turns of writing to an SQLite file, which has one writer at a time. Left to SQLite, writers poll for its lock,
//! and a crowd of them starves the moves. Here the journal waits for one other writer at most; all others queue.

use super::{Store, StoreError};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, Connection as _, Transaction};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use tokio::sync::{Mutex, OwnedMutexGuard};

/// The turns of one SQLite file; unused for PostgreSQL.
#[derive(Debug, Default)]
pub(super) struct WriteTurns {
    /// Held by the current writer.
    file: Arc<Mutex<()>>,
    /// Held by the one writer that is not the journal and waits for `file` or has it.
    others: Arc<Mutex<()>>,
}

impl WriteTurns {
    /// The journal's turn.
    pub(super) async fn journal(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.file).lock_owned().await
    }

    async fn other(&self) -> [OwnedMutexGuard<()>; 2] {
        let others = Arc::clone(&self.others).lock_owned().await;
        [Arc::clone(&self.file).lock_owned().await, others]
    }
}

/// A connection that may write, until it is dropped.
#[derive(Debug)]
pub(super) struct WriteConnection {
    connection: PoolConnection<Any>,
    _turn: Option<[OwnedMutexGuard<()>; 2]>,
}

impl WriteConnection {
    pub(super) async fn begin(&mut self) -> Result<Transaction<'_, Any>, sqlx::Error> {
        self.connection.begin().await
    }
}

impl Deref for WriteConnection {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.connection
    }
}

impl DerefMut for WriteConnection {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.connection
    }
}

#[async_trait::async_trait]
impl lozenge_queue::WriteTurns for WriteTurns {
    async fn turn(&self) -> Box<dyn Send> {
        Box::new(self.other().await)
    }
}

impl Store {
    /// A connection to write with, when it is its turn. A caller must not request a second one while holding the first.
    pub(super) async fn writer(&self) -> Result<WriteConnection, StoreError> {
        let turn = match &self.turns {
            Some(turns) => Some(turns.other().await),
            None => None,
        };
        Ok(WriteConnection { connection: self.pool.acquire().await?, _turn: turn })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::WriteTurns;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[tokio::test]
    async fn many_writers_do_not_delay_moves() {
        let (turns, written) = (Arc::new(WriteTurns::default()), Arc::new(AtomicUsize::new(0)));
        let first = turns.other().await;
        for _ in 0..50 {
            let (turns, written) = (Arc::clone(&turns), Arc::clone(&written));
            tokio::spawn(async move {
                let _turn = turns.other().await;
                written.fetch_add(1, Ordering::SeqCst);
                tokio::task::yield_now().await;
            });
        }
        tokio::task::yield_now().await;
        let journal = tokio::spawn({
            let turns = Arc::clone(&turns);
            async move { turns.journal().await }
        });
        tokio::task::yield_now().await;
        drop(first);
        let turn = journal.await.unwrap();
        assert!(written.load(Ordering::SeqCst) <= 1, "one other writer at most");
        drop(turn);
        while written.load(Ordering::SeqCst) < 50 {
            tokio::task::yield_now().await;
        }
    }
}

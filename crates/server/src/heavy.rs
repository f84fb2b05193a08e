//! Work for requests that takes a processor for long. It runs on threads of its own at low priority, few at once, kinds and
//! networks in turn, so that games being played never wait for it. Not here: the work, and who may ask for it.

use crate::fair_queue::{Bounds, FairQueue, QueueFull, QueueTurn};
use lozenge_game::ClientAddress;
use lozenge_live::jobs::at_low_priority;
use std::sync::Arc;
use std::time::Duration;

/// Requests that wait for each kind of work, in all and of one client: a part takes some hundred milliseconds.
const MAX_WAITING: usize = 64;
const WAITING_PER_CLIENT: usize = 8;
/// The pause before work that has begun asks for a place in a full queue again.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// Why work is not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HeavyError {
    /// Too much waits already, of this client or in all.
    #[error(transparent)]
    Full(#[from] QueueFull),
    /// The system gives no thread.
    #[error("no thread for costly work: {0}")]
    Thread(std::io::Error),
    /// The work ended by a panic.
    #[error("costly work ended by a panic")]
    Panicked,
}

/// A kind of work. Kinds take turns, so that one does not delay the others.
#[derive(Clone, Copy, Debug)]
pub(crate) enum HeavyKind {
    /// Reading and writing PGN of one game.
    Pgn,
    /// Chapters of studies.
    Study,
    /// Games of an export.
    Export,
    /// Variant files.
    Variant,
    /// Pictures of pieces.
    Picture,
    /// The lessons of a game, and its rules in words.
    Lessons,
    /// Endgame tables.
    Table,
}

/// The threads. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct HeavyWork {
    queue: FairQueue,
}

/// The right to use a thread, until it is dropped.
#[derive(Debug)]
pub(crate) struct HeavyTurn(Arc<QueueTurn>);

impl Default for HeavyWork {
    /// Half of the processors work.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let slots = (processors / 2).clamp(1, 4);
        let bounds = Bounds { slots, waiting: MAX_WAITING, waiting_per_client: WAITING_PER_CLIENT };
        Self { queue: FairQueue::new(bounds) }
    }
}

impl HeavyWork {
    /// Waits for a turn. A future that is dropped leaves the queue.
    ///
    /// # Errors
    /// If too much waits already, of this client or in all.
    pub(crate) async fn turn(&self, client: ClientAddress, kind: HeavyKind) -> Result<HeavyTurn, QueueFull> {
        Ok(HeavyTurn(Arc::new(self.queue.turn(client, kind as u8).await?)))
    }

    /// The same, for work of which a part has been sent already: waits until there is room, too.
    pub(crate) async fn patient_turn(&self, client: ClientAddress, kind: HeavyKind) -> HeavyTurn {
        loop {
            match self.turn(client, kind).await {
                Ok(turn) => return turn,
                Err(QueueFull) => tokio::time::sleep(RETRY_DELAY).await,
            }
        }
    }

    /// Waits for a turn and does one part of work.
    ///
    /// # Errors
    /// If too much waits already, of this client or in all.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: ClientAddress,
        kind: HeavyKind,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, HeavyError> {
        self.turn(client, kind).await?.run(work).await
    }
}

impl HeavyTurn {
    /// Does one part of work. The turn is held until it is done, even if the client has gone.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, HeavyError> {
        let turn = Arc::clone(&self.0);
        let done = at_low_priority("heavy", move || {
            let done = work();
            drop(turn);
            done
        });
        done.map_err(HeavyError::Thread)?.await.map_err(|_| HeavyError::Panicked)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use std::net::IpAddr;
    use std::sync::mpsc;

    fn client(third: u8) -> ClientAddress {
        ClientAddress { address: IpAddr::from([192, 0, third, 1]), shared: false }
    }

    #[tokio::test]
    async fn abandoned_work_keeps_its_thread_and_others_wait_their_turn() {
        let bounds = Bounds { slots: 1, waiting: 4, waiting_per_client: 2 };
        let heavy = HeavyWork { queue: FairQueue::new(bounds) };
        let (go, wait) = mpsc::channel::<()>();
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let slow = tokio::spawn({
            let heavy = heavy.clone();
            async move {
                let work = move || {
                    begun.send(()).unwrap();
                    wait.recv().unwrap();
                };
                heavy.run(client(1), HeavyKind::Pgn, work).await
            }
        });
        has_begun.await.unwrap();
        // Its client disconnects, and the work goes on.
        slow.abort();
        assert!(slow.await.is_err());
        let mut flood = Vec::new();
        for _ in 0..5 {
            let heavy = heavy.clone();
            flood
                .push(tokio::spawn(async move { heavy.run(client(1), HeavyKind::Pgn, || ()).await.is_ok() }));
        }
        let honest = tokio::spawn({
            let heavy = heavy.clone();
            async move { heavy.run(client(2), HeavyKind::Pgn, || 7).await.unwrap() }
        });
        tokio::task::yield_now().await;
        assert!(!honest.is_finished(), "the thread is still at work");
        go.send(()).unwrap();
        assert_eq!(honest.await.unwrap(), 7);
        let mut served = 0;
        for one in flood {
            served += usize::from(one.await.unwrap());
        }
        assert_eq!(served, 2, "as many as one client may have waiting");
    }
}

//! When somebody has to look at a game again: clocks that run out, players that stay away. Due games come out in
//! order; an alarm that is no longer wanted rings for nothing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// Alarms by time.
#[derive(Debug, Default)]
pub(crate) struct Alarms {
    heap: Mutex<BinaryHeap<Reverse<(i64, String)>>>,
    sooner: Notify,
}

impl Alarms {
    /// Rings for a game at a moment.
    pub(crate) fn set(&self, at: i64, game: &str) {
        let mut heap = self.heap.lock().unwrap_or_else(PoisonError::into_inner);
        let first = heap.peek().is_none_or(|Reverse((earliest, _))| at < *earliest);
        heap.push(Reverse((at, game.to_owned())));
        drop(heap);
        if first {
            self.sooner.notify_one();
        }
    }

    /// The time has jumped.
    pub(crate) fn look_again(&self) {
        self.sooner.notify_one();
    }

    /// Waits for the next game that is due.
    pub(crate) async fn next(&self) -> String {
        loop {
            let now = crate::time::now_ms();
            let wait = {
                let mut heap = self.heap.lock().unwrap_or_else(PoisonError::into_inner);
                match heap.peek() {
                    Some(Reverse((at, _))) if *at <= now => {
                        if let Some(Reverse((_, game))) = heap.pop() {
                            return game;
                        }
                        None
                    }
                    Some(Reverse((at, _))) => Some((*at - now) as u64),
                    None => None,
                }
            };
            match wait {
                None => self.sooner.notified().await,
                Some(ms) => {
                    let _ = tokio::time::timeout(Duration::from_millis(ms), self.sooner.notified()).await;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Alarms;
    use std::sync::Arc;

    #[tokio::test]
    async fn alarms_ring_in_order_also_when_an_earlier_one_comes_later() {
        let alarms = Arc::new(Alarms::default());
        let now = crate::time::now_ms();
        alarms.set(now + 60, "second");
        let waiting = tokio::spawn({
            let alarms = Arc::clone(&alarms);
            async move { [alarms.next().await, alarms.next().await] }
        });
        tokio::task::yield_now().await;
        alarms.set(now - 1, "first");
        assert_eq!(waiting.await.expect("no panic"), ["first", "second"]);
    }
}

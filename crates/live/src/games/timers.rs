//! Timers of games: clocks that run out, players that stay away. They fire in order; a game ignores a timer that it no
//! longer needs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// The timers of all games by time.
#[derive(Debug, Default)]
pub(crate) struct Timers {
    heap: Mutex<BinaryHeap<Reverse<(i64, String)>>>,
    sooner: Notify,
}

impl Timers {
    /// Sets a timer of a game.
    pub(crate) fn set(&self, at: i64, game: &str) {
        let mut heap = self.heap.lock().unwrap_or_else(PoisonError::into_inner);
        let first = heap.peek().is_none_or(|Reverse((earliest, _))| at < *earliest);
        heap.push(Reverse((at, game.to_owned())));
        drop(heap);
        if first {
            self.sooner.notify_one();
        }
    }

    /// The clock was stepped.
    pub(crate) fn clock_changed(&self) {
        self.sooner.notify_one();
    }

    /// Waits until a timer fires, and returns its game.
    pub(crate) async fn next(&self) -> String {
        loop {
            let now = lozenge_game::time::now_ms();
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
    use super::Timers;
    use std::sync::Arc;

    #[tokio::test]
    async fn timers_fire_in_order_even_if_set_out_of_order() {
        let timers = Arc::new(Timers::default());
        let now = lozenge_game::time::now_ms();
        timers.set(now + 60, "second");
        let waiting = tokio::spawn({
            let timers = Arc::clone(&timers);
            async move { [timers.next().await, timers.next().await] }
        });
        tokio::task::yield_now().await;
        timers.set(now - 1, "first");
        assert_eq!(waiting.await.expect("no panic"), ["first", "second"]);
    }
}

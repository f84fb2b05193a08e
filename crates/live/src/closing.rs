//! The end of a server: from when on it is not ready for new clients, and when each socket and stream is closed. Not here:
//! what happens to its games (`games::node`).

use rand::RngExt as _;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// Whether the server is closing. Clones share it.
#[derive(Clone, Debug)]
pub struct Closing(Arc<watch::Sender<Option<(Instant, Duration)>>>);

impl Default for Closing {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(None)))
    }
}

impl Closing {
    /// Closes the sockets and streams of the server, spread over a time: their clients do not all connect to another
    /// server at once.
    pub fn begin(&self, spread: Duration) {
        self.0.send_replace(Some((Instant::now(), spread)));
    }

    /// Whether it closes.
    pub fn has_begun(&self) -> bool {
        self.0.borrow().is_some()
    }

    /// The turn of a socket or stream to be closed.
    pub fn timer(&self) -> CloseTimer {
        CloseTimer { receiver: self.0.subscribe(), share: rand::rng().random() }
    }
}

/// When a socket or stream is closed: after its share of the time.
#[derive(Debug)]
pub struct CloseTimer {
    receiver: watch::Receiver<Option<(Instant, Duration)>>,
    share: f64,
}

impl CloseTimer {
    /// Until then. Cancel safe.
    pub async fn elapsed(&self) {
        let mut receiver = self.receiver.clone();
        let begun = receiver.wait_for(Option::is_some).await.ok().and_then(|begun| *begun);
        match begun {
            Some((at, spread)) => sleep_until(at + spread.mul_f64(self.share)).await,
            // The server has ended without closing.
            None => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::timeout;

    #[tokio::test(start_paused = true)]
    async fn sockets_are_closed_one_after_the_other() {
        let closing = Closing::default();
        let timers: Vec<_> = (0..200).map(|_| closing.timer()).collect();
        assert!(timeout(Duration::from_secs(60), timers[0].elapsed()).await.is_err(), "not yet");
        let begun = Instant::now();
        closing.begin(Duration::from_secs(5));
        assert!(closing.has_begun());
        let waiting = timers.into_iter().map(|timer| {
            tokio::spawn(async move {
                timer.elapsed().await;
                Instant::now()
            })
        });
        let mut ends = Vec::new();
        for end in waiting.collect::<Vec<_>>() {
            ends.push(end.await.expect("no panic") - begun);
        }
        assert!(ends.iter().all(|end| *end <= Duration::from_millis(5_002)));
        let early = ends.iter().filter(|end| **end < Duration::from_secs(1)).count();
        assert!((10..80).contains(&early), "{early} of 200 in the first second");
    }
}

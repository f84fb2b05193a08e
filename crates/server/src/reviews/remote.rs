//! Workers on other machines, through NATS. Without NATS, or without a worker, this server makes the reviews.

use super::KIND;
use crate::games::Variants;
use crate::store::Store;
use async_trait::async_trait;
use lozenge_queue::{Client, Host, Rows, Texts};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::time::sleep;

/// The name of the site's queue.
const QUEUE: &str = "site";
/// The pause between two tries to reach NATS.
const AGAIN: Duration = Duration::from_secs(5);

/// The queue as other machines see it. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Remote(Arc<OnceLock<Host>>);

impl Remote {
    /// Connects to NATS and serves the queue there; tries until it succeeds.
    pub(super) async fn connect(self, nats: String, rows: Rows, store: Store, variants: Variants) {
        let texts: Arc<dyn Texts> = Arc::new(StoredTexts { store, variants });
        loop {
            let started = async {
                let client = Client::connect(&nats).await?;
                Host::start(client, QUEUE, rows.clone(), Arc::clone(&texts)).await
            };
            match started.await {
                Ok(host) => {
                    tracing::info!("workers can take reviews through NATS");
                    // There is one connection, so there was none before.
                    let _ = self.0.set(host);
                    return;
                }
                Err(error) => tracing::warn!(%error, "this server makes all reviews until NATS can be used"),
            }
            sleep(AGAIN).await;
        }
    }

    /// Whether a worker on another machine makes reviews.
    pub(super) fn has_workers(&self) -> bool {
        let makes = |beat: &lozenge_queue::WorkerBeat| beat.worker.kinds.iter().any(|kind| kind == KIND);
        self.0.get().is_some_and(|host| host.workers().present().iter().any(makes))
    }
}

/// The rules that games were played by.
struct StoredTexts {
    store: Store,
    variants: Variants,
}

#[async_trait]
impl Texts for StoredTexts {
    async fn texts(&self, digest: &str) -> Option<Vec<String>> {
        if let Some(variant) = self.variants.with_digest(digest) {
            return Some(variant.texts().to_vec());
        }
        match self.store.rules(digest).await {
            Ok(row) => row.map(|row| row.texts),
            Err(error) => {
                tracing::warn!(%error, digest, "the rules of a game could not be read");
                None
            }
        }
    }
}

//! Workers on other machines, through NATS. Without NATS, or without a worker, this server does the work.

use super::{QUEUE, live};
use crate::games::Variants;
use async_trait::async_trait;
use lozenge_queue::{Client, FailureLog, Host, Rows, Texts, WorkerBeat};
use lozenge_store::Store;
use lozenge_worker::RemoteSearches;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::time::sleep;

/// The pause between two tries to reach NATS.
const RECONNECT_DELAY: Duration = Duration::from_secs(5);

/// The queue as other machines see it. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Remote(Arc<OnceLock<Host>>);

impl Remote {
    /// Connects to NATS and serves the queue there; tries until it succeeds. Then it has workers search moves and hints.
    pub(super) async fn run(
        self,
        nats: String,
        rows: Rows,
        store: Store,
        variants: Variants,
        searches: (RemoteSearches, Variants),
    ) {
        let texts: Arc<dyn Texts> = Arc::new(StoredTexts { store, variants });
        let failures = FailureLog::default();
        // This server does all work until then.
        let client = loop {
            let started = async {
                let client = Client::connect(&nats).await?;
                let host = Host::start(client.clone(), QUEUE, rows.clone(), Arc::clone(&texts)).await?;
                Ok::<_, lozenge_queue::NatsError>((client, host))
            };
            match started.await {
                Ok((client, host)) => {
                    tracing::info!("workers can take jobs through NATS");
                    // There is one connection, so there was none before.
                    let _ = self.0.set(host);
                    break client;
                }
                Err(error) => failures.note(&error),
            }
            sleep(RECONNECT_DELAY).await;
        };
        let (searches, variants) = searches;
        live::follow(client, move || self.present(), searches, variants).await;
    }

    /// The workers that are there.
    fn present(&self) -> Vec<WorkerBeat> {
        self.0.get().map(|host| host.workers().present()).unwrap_or_default()
    }

    /// How many jobs of a kind the workers can do at a time, those with this engine if it has to be a certain one.
    pub(super) fn places(&self, kind: &str, signature: Option<&str>) -> usize {
        let present = self.present().into_iter();
        let able = present.filter(|WorkerBeat { worker, .. }| {
            worker.kinds.iter().any(|own| own == kind)
                && signature.is_none_or(|signature| worker.signature == signature)
        });
        able.map(|beat| beat.threads).sum()
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
        if let Some(game) = self.variants.with_digest(digest) {
            return Some(game.texts().to_vec());
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

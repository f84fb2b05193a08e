//! Reviews by this server's own engine: position by position, so that each can be interrupted by a move.

use crate::games::{LiveGames, Variants};
use crate::store::Store;
use async_trait::async_trait;
use lozenge_analysis::review::{Evaluation, ReviewJob, evaluate_position, review};
use lozenge_queue::{Activity, Lease, Work, WorkError};
use lozenge_worker::{Class, Engine, Signals};

/// Makes reviews on this server.
#[derive(Debug)]
pub(super) struct LocalReviews {
    pub(super) store: Store,
    pub(super) games: LiveGames,
    pub(super) variants: Variants,
    #[cfg(feature = "nats")]
    pub(super) remote: Option<super::remote::Remote>,
}

fn failed(error: impl std::fmt::Display) -> WorkError {
    WorkError::Failed(error.to_string())
}

#[async_trait]
impl Work for LocalReviews {
    fn is_free(&self) -> bool {
        #[cfg(feature = "nats")]
        if let Some(remote) = &self.remote {
            return !remote.has_workers();
        }
        true
    }

    async fn run(&self, lease: &Lease, activity: &Activity) -> Result<String, WorkError> {
        let job: ReviewJob = serde_json::from_str(&lease.spec).map_err(failed)?;
        let variant = self.variants.rules(&self.store, &job.variant, &job.digest).await.map_err(failed)?;
        let game = job.game(&variant).map_err(failed)?;
        let (nodes, positions) = (job.nodes, game.moves().len() + 1);
        // Backwards, so that the hash table knows what came of each move.
        let mut evaluations: Vec<Evaluation> = Vec::with_capacity(positions);
        let mut before = game.clone();
        loop {
            let at = before.clone();
            let work = move |engine: &mut Engine, signals: &Signals| {
                let evaluation = evaluate_position(engine, &at, nodes, signals);
                (!signals.is_stopped()).then_some(evaluation)
            };
            let evaluated = self.games.engines().run_with(Class::Review, vec![lease.id.clone()], work);
            let evaluation = tokio::select! {
                evaluation = evaluated => evaluation.map_err(failed)?,
                () = activity.stopped() => return Err(WorkError::Stopped),
            };
            evaluations.push(evaluation);
            activity.report(format!("{}/{positions}", evaluations.len()));
            if before.undo().is_none() {
                break;
            }
        }
        evaluations.reverse();
        Ok(crate::store::write_json(&review(&game, &evaluations)))
    }
}

//! Periodic work: heartbeats, the host's commands (`lozenge users`), deletion of old rows.

use crate::state::AppState;
use lozenge_game::time::{CLOCK, DAY_MS, now_ms};
use lozenge_live::games::GameError;
use lozenge_live::lobby::Lobby;
use lozenge_store::{Order, Store, StoreError};
use std::time::Duration;
use tower_sessions::ExpiredDeletion as _;

/// How often the server writes a heartbeat.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);

/// The networks that a user has signed in from are deleted after this many days.
const KNOWN_NETWORK_DAYS: i64 = 180;

/// Jobs for the engine are deleted this many days after their end.
const JOB_DAYS: i64 = 7;

/// Sessions end after this many days without a visit.
pub(crate) const SESSION_DAYS: i64 = 90;

/// Games that have ended within this time are counted for their variants, in milliseconds.
const COUNT_MS: i64 = 60_000;

/// Why the host's commands are not all carried out.
#[derive(Debug, thiserror::Error)]
enum OrderError {
    /// The list of commands could not be read, or the end of one not written.
    #[error(transparent)]
    List(#[from] StoreError),
    /// One of them failed.
    #[error("`{action}` of {subject} failed: {error}")]
    Failed {
        /// What was to be done.
        action: String,
        /// The user or network that it is about.
        subject: String,
        /// Why it was not.
        error: GameError,
    },
}

/// Runs until the database is closed.
pub(crate) async fn run(state: AppState) {
    let mut beats = tokio::time::interval(HEARTBEAT_INTERVAL);
    let mut count = 0u64;
    loop {
        beats.tick().await;
        if let Err(error) = state.store.beat(now_ms()).await {
            if matches!(error, StoreError::Closed) {
                return;
            }
            tracing::warn!(%error, "could not write a heartbeat");
        }
        if let Err(error) = carry_out_orders(&state).await {
            tracing::warn!(%error, "could not carry out the host's commands");
        }
        state.games.follow_system_clock(&CLOCK);
        metrics::gauge!("lozenge_games_in_memory").set(state.games.count() as f64);
        state.games.drop_inactive(now_ms());
        state.games.announce_active(now_ms());
        if let Err(error) = state.lobby.follow_store(&state.store).await {
            tracing::warn!(%error, "could not look for deleted seeks");
        }
        state.studies.compare().await;
        if count.is_multiple_of(30)
            && let Err(error) = state.games.abort_abandoned(now_ms()).await
        {
            tracing::warn!(%error, "could not abort abandoned games");
        }
        if count.is_multiple_of(5)
            && let Err(error) = state.store.count_plays(now_ms() - COUNT_MS).await
        {
            tracing::warn!(%error, "could not count games");
        }
        state.metrics.run_upkeep();
        state.limits.drop_idle();
        state.budgets.drop_idle();
        state.passwords.release_idle_memory();
        if count.is_multiple_of(900) {
            tidy_up(&state.store).await;
        }
        count += 1;
    }
}

/// Removes puzzles that many dislike, and deletes rows that are too old.
async fn tidy_up(store: &Store) {
    if let Err(error) = store.remove_disliked_puzzles(now_ms()).await {
        tracing::warn!(%error, "could not remove disliked puzzles");
    }
    if let Err(error) = store.delete_expired().await {
        tracing::warn!(%error, "could not delete old sessions");
    }
    if let Err(error) = Lobby::delete_old(store).await {
        tracing::warn!(%error, "could not delete old seeks");
    }
    if let Err(error) = store.drop_old_networks(now_ms()).await {
        tracing::warn!(%error, "could not delete old networks of users");
    }
    if let Err(error) = store.drop_old_known_networks(now_ms() - KNOWN_NETWORK_DAYS * DAY_MS).await {
        tracing::warn!(%error, "could not delete old known networks");
    }
    if let Err(error) = store.queue().prune(now_ms() - JOB_DAYS * DAY_MS).await {
        tracing::warn!(%error, "could not delete old jobs");
    }
    if let Err(error) = store.drop_old_seen_solutions(now_ms()).await {
        tracing::warn!(%error, "could not delete old notes of seen solutions");
    }
    if let Err(error) = store.drop_old_challenges(now_ms()).await {
        tracing::warn!(%error, "could not delete expired challenges");
    }
    if let Err(error) = store.drop_old_lab_jobs(now_ms()).await {
        tracing::warn!(%error, "could not delete old measurements");
    }
    if let Err(error) = store.drop_old_revocations(now_ms() - DAY_MS).await {
        tracing::warn!(%error, "could not delete old revocations");
    }
    // Their last session has expired by then.
    let before = now_ms() - (SESSION_DAYS + 1) * DAY_MS;
    if let Err(error) = store.drop_idle_guests(before).await {
        tracing::warn!(%error, "could not delete idle guests");
    }
}

/// Carries out the commands that the host (`lozenge users`) has written to the database. A command that fails is retried the
/// next time.
async fn carry_out_orders(state: &AppState) -> Result<(), OrderError> {
    for order in state.store.orders().await? {
        tracing::info!(action = order.action, subject = order.subject, "moderation");
        let done = carry_out(state, &order).await;
        let number = order.number;
        done.map_err(|error| OrderError::Failed { action: order.action, subject: order.subject, error })?;
        state.store.carried_out(number).await?;
    }
    Ok(())
}

async fn carry_out(state: &AppState, order: &Order) -> Result<(), GameError> {
    if order.is_of_network() {
        state.banned.load(&state.store).await?;
        state.revocations.send_ban().await;
        return Ok(());
    }
    let Some(user) = state.store.user(&order.subject).await? else { return Ok(()) };
    if user.is_closed_or_banned() {
        state.lobby.clear(&user.id, false);
        state.revocations.send(&user.id).await;
    }
    if order.action == "rename" {
        let player = user.player();
        state.lobby.rename(&player);
        state.games.rename(&player).await?;
        state.games.reload_chats(&state.store.games_with_lines_of(&user.id).await?).await?;
    }
    Ok(())
}

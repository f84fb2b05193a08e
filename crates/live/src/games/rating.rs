//! Rates games that are over, each once, and reads ratings for players. The arithmetic is in `lozenge_game`.

use lozenge_game::time::DAY_MS;
use lozenge_game::{FinishedGame, PROVISIONAL, SeatRatingChanges};
use lozenge_store::{Store, StoreError};
use lozenge_wire::{Player, PlayerKind, RatingChange, Speed};

/// At the start of the server, games that ended this long before it last ran are rated if they are not: the database may
/// have failed for a while. Looking at all games would take too long.
const CATCH_UP_MS: i64 = 7 * DAY_MS;

/// A player with the current rating; only accounts have one.
///
/// # Errors
/// If the database fails.
pub async fn with_rating(
    store: &Store,
    player: Player,
    variant: &str,
    speed: Speed,
) -> Result<Player, StoreError> {
    if !matches!(player.kind, PlayerKind::User | PlayerKind::Bot) {
        return Ok(player);
    }
    let entry = store.rating(&player.id, variant, speed).await?;
    let (rating, provisional) = (Some(entry.rating.round() as i32), entry.deviation > PROVISIONAL);
    Ok(Player { rating, provisional, ..player })
}

/// How a game changed the ratings of its players; `None` until it has been rated.
///
/// # Errors
/// If the database fails.
pub(super) async fn changes(
    store: &Store,
    game: &FinishedGame,
) -> Result<Option<SeatRatingChanges>, StoreError> {
    let Some(players) = game.rated_players() else { return Ok(None) };
    let mut changes = SeatRatingChanges::default();
    for (change, player) in changes.iter_mut().zip(players) {
        let Some(player) = player else { continue };
        let Some((before, after)) = store.rating_change(game, player).await? else { return Ok(None) };
        *change = Some(RatingChange { before: before.round() as i32, after: after.round() as i32 });
    }
    Ok(Some(changes))
}

/// Rates a game once, and returns how it changed the ratings.
///
/// # Errors
/// If the database fails.
pub(super) async fn rate(store: &Store, game: FinishedGame) -> Result<Option<SeatRatingChanges>, StoreError> {
    let Some(outcome) = game.outcome() else { return Ok(None) };
    let Some(players) = game.rated_players() else { return Ok(None) };
    // Usually rated already: this is called whenever the game is loaded.
    if let Some(known) = changes(store, &game).await? {
        return Ok(Some(known));
    }
    store.rate_game(&game, &players, |old| lozenge_game::rate(old, outcome)).await?;
    changes(store, &game).await
}

/// Rates the games that ended before `last_beat`, when the server last ran, and were not rated: it may have been killed
/// in between.
///
/// # Errors
/// If the database does not list them.
pub(super) async fn catch_up(store: &Store, last_beat: i64) -> Result<(), StoreError> {
    rate_unrated(store, last_beat - CATCH_UP_MS).await
}

/// Rates the games that have ended since a moment (Unix milliseconds) and were not rated. Several servers may do so at once.
///
/// # Errors
/// If the database does not list them.
pub(super) async fn rate_unrated(store: &Store, since: i64) -> Result<(), StoreError> {
    for game in store.unrated_games(since).await? {
        let id = game.game.clone();
        match rate(store, game).await {
            Ok(_) => tracing::info!(game = id, "rated a game that had ended unrated"),
            Err(error) => tracing::error!(%error, game = id, "could not rate a game"),
        }
    }
    Ok(())
}

//! Ratings by Glicko-2, per game and speed, after every rated game. The arithmetic is that of the crate
//! `skillratings`; what is kept is in `store`.

use crate::hub::{BEGUN_PLIES, Table};
use crate::store::{Store, StoreError};
use lozenge_wire::{Player, PlayerKind, RatingChange, RatingChanges, RatingEntry, Speed};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

/// From this deviation on a rating is only provisional.
pub(crate) const PROVISIONAL: f64 = 110.0;

/// A rated game that is over.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    pub(crate) game: String,
    pub(crate) variant: String,
    pub(crate) speed: Speed,
    pub(crate) players: [Option<String>; 2],
    pub(crate) result: String,
    pub(crate) at: i64,
}

impl Finished {
    pub(crate) fn of(table: &Table) -> Self {
        let user = |seat: &Option<Player>| {
            let seat = seat.as_ref()?;
            matches!(seat.kind, PlayerKind::User | PlayerKind::Bot).then(|| seat.id.clone())
        };
        Self {
            game: table.terms.id.clone(),
            variant: table.position().variant().id().into(),
            speed: table.terms.speed,
            players: [user(&table.seats[0]), user(&table.seats[1])],
            result: table.ended.as_ref().map_or_else(|| "*".into(), |(result, _)| result.clone()),
            at: table.updated_at,
        }
    }
}

/// Where everybody begins.
pub(crate) fn beginner(variant: &str, speed: Speed) -> RatingEntry {
    let Glicko2Rating { rating, deviation, volatility } = Glicko2Rating::new();
    RatingEntry { variant: variant.into(), speed, rating, deviation, volatility, games: 0 }
}

/// A player with the rating that somebody with an account has now.
///
/// # Errors
/// If the store says no.
pub(crate) async fn with_rating(
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

/// What a game has made of both ratings; none while it has not been rated for both.
///
/// # Errors
/// If the store says no.
pub(crate) async fn changes(store: &Store, game: &Finished) -> Result<Option<RatingChanges>, StoreError> {
    let [Some(white), Some(black)] = &game.players else { return Ok(None) };
    let (Some(white), Some(black)) =
        (store.rating_change(game, white).await?, store.rating_change(game, black).await?)
    else {
        return Ok(None);
    };
    let rounded = |(before, after): (f64, f64)| RatingChange {
        before: before.round() as i32,
        after: after.round() as i32,
    };
    Ok(Some(RatingChanges { white: rounded(white), black: rounded(black) }))
}

/// Rates a game, once, and returns what that has made of the ratings.
///
/// # Errors
/// If the store says no.
pub(crate) async fn rate(store: &Store, game: Finished) -> Result<Option<RatingChanges>, StoreError> {
    let outcome = match game.result.as_str() {
        "1-0" => Outcomes::WIN,
        "0-1" => Outcomes::LOSS,
        "1/2-1/2" => Outcomes::DRAW,
        _ => return Ok(None),
    };
    let [Some(white), Some(black)] = &game.players else { return Ok(None) };
    if white == black {
        return Ok(None);
    }
    // Asked first, since a game is looked at again whenever it comes back to memory.
    if let Some(known) = changes(store, &game).await? {
        return Ok(Some(known));
    }
    store
        .rate_game(&game, [white, black], |[white, black]| {
            let (white_new, black_new) =
                glicko2(&glicko(white), &glicko(black), &outcome, &Glicko2Config::new());
            [(white, white_new), (black, black_new)].map(|(old, new)| RatingEntry {
                rating: new.rating,
                deviation: new.deviation,
                volatility: new.volatility,
                games: old.games + 1,
                ..old.clone()
            })
        })
        .await?;
    changes(store, &game).await
}

/// How long before the server last ran games are looked at that may not have been rated, in milliseconds: a week, in
/// which the store may have said no for a while. All games there ever were would be too many.
const LATE_MS: i64 = 7 * 24 * 60 * 60 * 1000;

/// Rates the games that ended without before `last_beat`, when the server last ran: it may have been killed in between.
///
/// # Errors
/// If the store does not say which.
pub(crate) async fn catch_up(store: &Store, last_beat: i64) -> Result<(), StoreError> {
    for game in store.unrated_games(last_beat - LATE_MS, BEGUN_PLIES).await? {
        let id = game.game.clone();
        match rate(store, game).await {
            Ok(_) => tracing::info!(game = id, "a game that had ended was rated"),
            Err(error) => tracing::error!(%error, game = id, "a game could not be rated"),
        }
    }
    Ok(())
}

fn glicko(entry: &RatingEntry) -> Glicko2Rating {
    Glicko2Rating { rating: entry.rating, deviation: entry.deviation, volatility: entry.volatility }
}

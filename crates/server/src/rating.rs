//! Ratings by Glicko-2, per game and speed, after every rated game. The arithmetic is that of the crate
//! `skillratings`; what is kept is in `store`.

use crate::hub::Table;
use crate::store::{Store, StoreError};
use lozenge_wire::{Player, PlayerKind, RatingEntry, Speed};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

/// From this deviation on a rating is only provisional.
pub(crate) const PROVISIONAL: f64 = 110.0;

/// A rated game that is over.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    game: String,
    variant: String,
    speed: Speed,
    players: [Option<String>; 2],
    result: String,
    at: i64,
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

/// Rates a game, once.
///
/// # Errors
/// If the store says no.
pub(crate) async fn rate(store: &Store, game: Finished) -> Result<(), StoreError> {
    let outcome = match game.result.as_str() {
        "1-0" => Outcomes::WIN,
        "0-1" => Outcomes::LOSS,
        "1/2-1/2" => Outcomes::DRAW,
        _ => return Ok(()),
    };
    let [Some(white), Some(black)] = &game.players else { return Ok(()) };
    if white == black {
        return Ok(());
    }
    let old = [
        store.rating(white, &game.variant, game.speed).await?,
        store.rating(black, &game.variant, game.speed).await?,
    ];
    let (white_new, black_new) = glicko2(&glicko(&old[0]), &glicko(&old[1]), &outcome, &Glicko2Config::new());
    for (owner, old, new) in [(white, &old[0], white_new), (black, &old[1], black_new)] {
        let entry = RatingEntry {
            rating: new.rating,
            deviation: new.deviation,
            volatility: new.volatility,
            games: old.games + 1,
            ..old.clone()
        };
        store.keep_rating(owner, &entry, &game.game, game.at).await?;
    }
    Ok(())
}

fn glicko(entry: &RatingEntry) -> Glicko2Rating {
    Glicko2Rating { rating: entry.rating, deviation: entry.deviation, volatility: entry.volatility }
}

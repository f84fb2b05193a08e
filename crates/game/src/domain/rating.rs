//! Ratings by Glicko-2, per variant and speed. The arithmetic is that of the crate `skillratings`.

use super::machine::GameMachine;
use lozenge_wire::{GameResult, Player, PlayerKind, RatingEntry, Speed};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

/// Above this deviation a rating is provisional.
pub const PROVISIONAL: f64 = 110.0;

/// A rated game that is over.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// The game's id.
    pub game: String,
    /// The id of the game's rules.
    pub variant: String,
    /// The class of its time control.
    pub speed: Speed,
    /// The accounts of White and Black; guests and the engine have no ratings, and games of four are not rated.
    pub players: [Option<String>; 2],
    /// How it ended.
    pub result: GameResult,
    /// When it ended, in Unix milliseconds.
    pub at: i64,
}

impl FinishedGame {
    /// The result of a machine's game.
    pub fn of(machine: &GameMachine) -> Self {
        let user = |seat: &Option<Player>| {
            let seat = seat.as_ref()?;
            matches!(seat.kind, PlayerKind::User | PlayerKind::Bot).then(|| seat.id.clone())
        };
        Self {
            game: machine.config.id.clone(),
            variant: machine.record.variant_id().into(),
            speed: machine.config.speed,
            players: machine.pair().map(|seat| user(&seat)),
            result: machine.ended.map_or(GameResult::Unknown, |(result, _)| result),
            at: machine.updated_at,
        }
    }

    /// The result for White; `None` for a game without one.
    pub fn outcome(&self) -> Option<Outcomes> {
        match self.result {
            GameResult::WhiteWins => Some(Outcomes::WIN),
            GameResult::BlackWins => Some(Outcomes::LOSS),
            GameResult::Draw => Some(Outcomes::DRAW),
            GameResult::Places(_) | GameResult::Unknown => None,
        }
    }
}

/// The rating of a player without rated games.
pub fn new_rating(variant: &str, speed: Speed) -> RatingEntry {
    let Glicko2Rating { rating, deviation, volatility } = Glicko2Rating::new();
    RatingEntry { variant: variant.into(), speed, rating, deviation, volatility, games: 0 }
}

/// The ratings of White and Black after a game.
pub fn rate([white, black]: [&RatingEntry; 2], outcome: Outcomes) -> [RatingEntry; 2] {
    let (white_new, black_new) = glicko2(&glicko(white), &glicko(black), &outcome, &Glicko2Config::new());
    [(white, white_new), (black, black_new)].map(|(old, new)| RatingEntry {
        rating: new.rating,
        deviation: new.deviation,
        volatility: new.volatility,
        games: old.games + 1,
        ..old.clone()
    })
}

fn glicko(entry: &RatingEntry) -> Glicko2Rating {
    Glicko2Rating { rating: entry.rating, deviation: entry.deviation, volatility: entry.volatility }
}

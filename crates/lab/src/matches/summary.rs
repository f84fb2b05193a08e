//! The results as data for other programs. Elo is `null` where it is infinite.

use super::identity::identity;
use super::run::MatchEnd;
use super::settings::Settings;
use super::table::{GameTable, Table};
use crate::stats::{Estimate, Interval, Verdict};
use serde_json::{Value, json};

/// The results as JSON.
#[must_use]
pub fn summary(settings: &Settings, table: &Table, end: MatchEnd) -> Value {
    let games: serde_json::Map<String, Value> =
        table.games.iter().map(|(id, game)| (id.clone(), results(game))).collect();
    let sprt = settings.sprt.map(|sprt| {
        let (low, high) = sprt.bounds();
        json!({
            "test": sprt,
            "llr": sprt.llr(table.total.pairs),
            "bounds": [low, high],
            "verdict": sprt.verdict(table.total.pairs),
        })
    });
    let end = match end {
        MatchEnd::Complete => "complete",
        MatchEnd::Decided(Verdict::H0) => "H0 accepted",
        MatchEnd::Decided(_) => "H1 accepted",
        MatchEnd::Interrupted => "interrupted",
    };
    json!({
        "settings": identity(settings),
        "course": end,
        "games": games,
        "total": results(&table.total),
        "sprt": sprt,
    })
}

fn results(game: &GameTable) -> Value {
    let estimate = game.estimate();
    json!({
        "games": game.score.games(),
        "score": game.score,
        "as_white": game.as_white,
        "pairs": game.pairs.0,
        "elo": estimate.map(|estimate| interval(estimate.elo())),
        "normalized_elo": estimate.map(|estimate| interval(estimate.normalized_elo())),
        "superiority": estimate.map(Estimate::superiority),
        "plies": game.plies,
        "endings": game.endings,
        "faults": game.faults,
    })
}

fn interval(interval: Interval) -> Value {
    json!({ "value": interval.value, "low": interval.low, "high": interval.high })
}

//! How a player's games went, by game and speed, from the store's counts.

use lozenge_rules::library;
use lozenge_store::{PlayedRow, StoreError, read_word};
use lozenge_wire::{GameResult, RatingEntry, Speed, Statistics, Tally};
use std::collections::BTreeMap;

/// Half moves and results of one kind of game.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    /// With White, with Black.
    sides: [Tally; 2],
    plies: u64,
}

/// All games together, and each kind of game, those played most often first.
pub(crate) fn statistics(
    rows: &[PlayedRow],
    ratings: &[RatingEntry],
) -> Result<(Tally, Vec<Statistics>), StoreError> {
    let mut sums: BTreeMap<(&str, &str), Sum> = BTreeMap::new();
    for row in rows {
        let sum = sums.entry((&row.variant, &row.speed)).or_default();
        let games = row.games.max(0) as u64;
        sum.plies += row.plies.max(0) as u64;
        let white = row.white == 1;
        let side = &mut sum.sides[usize::from(!white)];
        let count = match (read_word("a result", &row.result)?, white) {
            (GameResult::WhiteWins, true) | (GameResult::BlackWins, false) => &mut side.wins,
            (GameResult::BlackWins, true) | (GameResult::WhiteWins, false) => &mut side.losses,
            _ => &mut side.draws,
        };
        *count += games;
        side.games += games;
    }
    let mut all = Tally::default();
    let mut kinds: Vec<Statistics> = Vec::with_capacity(sums.len());
    for ((variant, speed), Sum { sides: [white, black], plies }) in sums {
        let both = added(white, black);
        all = added(all, both);
        let speed: Speed = read_word("a speed", speed)?;
        kinds.push(Statistics {
            variant: variant.to_owned(),
            variant_name: library::game(variant)
                .map_or_else(|| variant.to_owned(), |game| game.name().to_owned()),
            speed,
            all: both,
            white,
            black,
            average_plies: plies as f64 / both.games.max(1) as f64,
            rating: ratings.iter().find(|entry| entry.variant == variant && entry.speed == speed).cloned(),
        });
    }
    kinds.sort_by(|one, two| {
        two.all.games.cmp(&one.all.games).then_with(|| one.variant_name.cmp(&two.variant_name))
    });
    Ok((all, kinds))
}

fn added(one: Tally, two: Tally) -> Tally {
    Tally {
        games: one.games + two.games,
        wins: one.wins + two.wins,
        draws: one.draws + two.draws,
        losses: one.losses + two.losses,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(variant: &str, speed: &str, white: i64, result: &str, games: i64, plies: i64) -> PlayedRow {
        PlayedRow { variant: variant.into(), speed: speed.into(), white, result: result.into(), games, plies }
    }

    #[test]
    fn results_are_counted_for_the_side_played() {
        let rows = [
            row("diamond", "blitz", 1, "1-0", 3, 90),
            row("diamond", "blitz", 1, "0-1", 1, 10),
            row("diamond", "blitz", 0, "0-1", 2, 50),
            row("diamond", "blitz", 0, "1-0", 1, 20),
            row("diamond", "blitz", 0, "1/2-1/2", 1, 70),
            row("diagonal", "unlimited", 1, "1/2-1/2", 1, 7),
        ];
        let (all, kinds) = statistics(&rows, &[lozenge_game::new_rating("diamond", Speed::Blitz)]).unwrap();
        assert_eq!(all, Tally { games: 9, wins: 5, draws: 2, losses: 2 });
        let [blitz, unlimited] = kinds.as_slice() else { panic!("expected two kinds, found {kinds:?}") };
        assert_eq!(blitz.all, Tally { games: 8, wins: 5, draws: 1, losses: 2 });
        assert_eq!(blitz.white, Tally { games: 4, wins: 3, draws: 0, losses: 1 });
        assert_eq!(blitz.black, Tally { games: 4, wins: 2, draws: 1, losses: 1 });
        assert_eq!((blitz.variant_name.as_str(), blitz.average_plies), ("Diamond Chess", 30.0));
        assert!(blitz.rating.is_some() && unlimited.rating.is_none());
        assert_eq!((unlimited.speed, unlimited.average_plies), (Speed::Unlimited, 7.0));
    }

    #[test]
    fn unknown_speed_is_a_store_error() {
        let fault = statistics(&[row("diamond", "leisurely", 1, "1-0", 1, 40)], &[]).unwrap_err();
        assert!(matches!(fault, StoreError::Content { expected: "a speed", .. }), "{fault:?}");
    }
}

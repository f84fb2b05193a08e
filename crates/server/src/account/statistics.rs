//! How a player's games went, by game and speed, from the store's counts.

use lozenge_rules::library;
use lozenge_store::{PlayedRow, StoreError, read_word};
use lozenge_wire::{GameResult, MAX_PLAYERS, RatingEntry, Speed, Statistics, Tally};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Half moves and results of one kind of game.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    players: i64,
    /// By the order of the turns.
    seats: [Tally; MAX_PLAYERS],
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
        sum.players = row.players;
        let seat = row.seat.clamp(0, MAX_PLAYERS as i64 - 1) as usize;
        let tally = &mut sum.seats[seat];
        let result: GameResult = read_word("a result", &row.result)?;
        let count = match result.of_seat(seat) {
            Some(Ordering::Greater) => &mut tally.wins,
            Some(Ordering::Less) => &mut tally.losses,
            Some(Ordering::Equal) | None => &mut tally.draws,
        };
        *count += games;
        tally.games += games;
    }
    let mut all = Tally::default();
    let mut kinds: Vec<Statistics> = Vec::with_capacity(sums.len());
    for ((variant, speed), Sum { players, seats, plies }) in sums {
        let together = seats.into_iter().fold(Tally::default(), added);
        all = added(all, together);
        let [white, black, ..] = if players == 2 { seats } else { Default::default() };
        let speed: Speed = read_word("a speed", speed)?;
        kinds.push(Statistics {
            variant: variant.to_owned(),
            variant_name: library::any_game(variant)
                .map_or_else(|| variant.to_owned(), |game| game.name().to_owned()),
            speed,
            all: together,
            players: u8::try_from(players).ok().filter(|players| *players != 2),
            white,
            black,
            average_plies: plies as f64 / together.games.max(1) as f64,
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

    fn row(variant: &str, speed: &str, seat: i64, result: &str, games: i64, plies: i64) -> PlayedRow {
        let players = if variant.starts_with("diamondring-") { 4 } else { 2 };
        let (variant, speed, result) = (variant.into(), speed.into(), result.into());
        PlayedRow { variant, speed, players, seat, result, games, plies }
    }

    #[test]
    fn first_place_of_four_is_a_win() {
        let rows = [
            row("diamondring-four", "blitz", 0, "1-4-2-3", 3, 600),
            row("diamondring-four", "blitz", 1, "1-2-4-3", 1, 200),
            row("diamondring-four", "blitz", 2, "4-3-1-1", 1, 200),
            row("diamondring-teams", "blitz", 3, "0-1", 1, 100),
            row("diamondring-teams", "blitz", 2, "0-1", 1, 100),
            row("diamondring-teams", "blitz", 1, "1/2-1/2", 1, 100),
        ];
        let (all, kinds) = statistics(&rows, &[]).unwrap();
        assert_eq!(all, Tally { games: 8, wins: 4, draws: 2, losses: 2 });
        let [four, teams] = kinds.as_slice() else { panic!("expected two kinds, found {kinds:?}") };
        assert_eq!(four.all, Tally { games: 5, wins: 3, draws: 1, losses: 1 });
        assert_eq!(teams.all, Tally { games: 3, wins: 1, draws: 1, losses: 1 });
        assert_eq!((four.players, four.white, four.average_plies), (Some(4), Tally::default(), 200.0));
        assert_ne!(four.variant_name, "diamondring-four");
    }

    #[test]
    fn results_are_counted_for_the_side_played() {
        let rows = [
            row("diamond", "blitz", 0, "1-0", 3, 90),
            row("diamond", "blitz", 0, "0-1", 1, 10),
            row("diamond", "blitz", 1, "0-1", 2, 50),
            row("diamond", "blitz", 1, "1-0", 1, 20),
            row("diamond", "blitz", 1, "1/2-1/2", 1, 70),
            row("diagonal", "unlimited", 0, "1/2-1/2", 1, 7),
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
        let fault = statistics(&[row("diamond", "leisurely", 0, "1-0", 1, 40)], &[]).unwrap_err();
        assert!(matches!(fault, StoreError::Content { expected: "a speed", .. }), "{fault:?}");
    }
}

//! Ratings per variant and speed: of two players by Glicko-2, of more by Weng-Lin. The arithmetic is that of the crate
//! `skillratings`.

use super::machine::GameMachine;
use lozenge_wire::{ByPlayer, GameResult, MAX_PLAYERS, Player, PlayerKind, RatingChange, RatingEntry, Speed};
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use skillratings::{MultiTeamOutcome, Outcomes};

/// Above this deviation a rating is provisional.
pub const PROVISIONAL: f64 = 110.0;

/// The skill-class width of games of four. Between settled players a lead of 400 points is ten to one, as in games of two.
const WENG_LIN_BETA: f64 = 122.8;

/// Added to the deviation with every game of four, as the root of the sum of squares, so that ratings never freeze.
const WENG_LIN_DRIFT: f64 = 6.0;

/// A rated game that is over.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// The game's id.
    pub game: String,
    /// The id of the game's rules.
    pub variant: String,
    /// The class of its time control.
    pub speed: Speed,
    /// The accounts of the players by the order of the turns; guests and the engine have no ratings, and deleted accounts none
    /// any more.
    pub players: Vec<Option<String>>,
    /// How it ended.
    pub result: GameResult,
    /// When it ended, in Unix milliseconds.
    pub at: i64,
}

/// How a game changed the ratings of its players, by the order of the turns; none on the seats that a game of two does not have.
pub type SeatRatingChanges = ByPlayer<Option<RatingChange>>;

/// How a game counts for ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RatedOutcome {
    /// The result of White in a game of two.
    Two(Outcomes),
    /// The ranks of three or four players, by the order of the turns: 1 for a first place, 2 for every other, 0 for an empty seat. No player gains by helping
    /// another player to the second place.
    Alone([u8; MAX_PLAYERS]),
    /// The ranks of the teams of Red and Yellow, and of Blue and Green: equal after a draw.
    Teams([u8; 2]),
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
            players: machine.seats.iter().map(user).collect(),
            result: machine.ended.map_or(GameResult::Unknown, |(result, _)| result),
            at: machine.updated_at,
        }
    }

    /// The accounts whose ratings the game changes, by the order of the turns. `None` if a player of a game of two has no account,
    /// or if one sits on several seats. Of four players some may have deleted their accounts before the end: the others are rated
    /// against unknown players.
    pub fn rated_players(&self) -> Option<Vec<Option<&str>>> {
        let players: Vec<Option<&str>> = self.players.iter().map(Option::as_deref).collect();
        let is_alone =
            |(index, player): (usize, &Option<&str>)| player.is_none() || !players[..index].contains(player);
        let least = if players.len() == 2 { 2 } else { 1 };
        let is_rated = players.iter().flatten().count() >= least && players.iter().enumerate().all(is_alone);
        is_rated.then_some(players)
    }

    /// How it counts; `None` for a game without a result.
    pub fn outcome(&self) -> Option<RatedOutcome> {
        let is_of_two = self.players.len() == 2;
        Some(match self.result {
            GameResult::WhiteWins if is_of_two => RatedOutcome::Two(Outcomes::WIN),
            GameResult::BlackWins if is_of_two => RatedOutcome::Two(Outcomes::LOSS),
            GameResult::Draw if is_of_two => RatedOutcome::Two(Outcomes::DRAW),
            GameResult::WhiteWins => RatedOutcome::Teams([1, 2]),
            GameResult::BlackWins => RatedOutcome::Teams([2, 1]),
            GameResult::Draw => RatedOutcome::Teams([1, 1]),
            GameResult::Places(places) => RatedOutcome::Alone(places.map(|place| place.min(2))),
            GameResult::Unknown => return None,
        })
    }
}

/// The rating of a player without rated games.
pub fn new_rating(variant: &str, speed: Speed) -> RatingEntry {
    let Glicko2Rating { rating, deviation, volatility } = Glicko2Rating::new();
    RatingEntry { variant: variant.into(), speed, rating, deviation, volatility, games: 0 }
}

/// The ratings of the players after a game, by the order of the turns. Without one for each player they stay.
pub fn rate(old: &[RatingEntry], outcome: RatedOutcome) -> Vec<RatingEntry> {
    match (outcome, old) {
        (RatedOutcome::Two(outcome), [white, black]) => rate_two([white, black], outcome).into(),
        (RatedOutcome::Alone([ranks @ .., 0]), [red, blue, yellow]) => {
            weng_lin([[red], [blue], [yellow]], ranks).into_iter().flatten().collect()
        }
        (RatedOutcome::Alone(ranks), [red, blue, yellow, green]) if !ranks.contains(&0) => {
            weng_lin([[red], [blue], [yellow], [green]], ranks).into_iter().flatten().collect()
        }
        (RatedOutcome::Teams(ranks), [red, blue, yellow, green]) => {
            let [[red, yellow], [blue, green]] = weng_lin([[red, yellow], [blue, green]], ranks);
            vec![red, blue, yellow, green]
        }
        _ => old.to_vec(),
    }
}

/// The ratings of two sides after a game; the result is the first one's.
pub(super) fn rate_two([one, other]: [&RatingEntry; 2], outcome: Outcomes) -> [RatingEntry; 2] {
    let (one_new, other_new) = glicko2(&glicko(one), &glicko(other), &outcome, &Glicko2Config::new());
    [(one, one_new), (other, other_new)].map(|(old, new)| RatingEntry {
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

/// The ratings of teams of equal size after a game, by their ranks. Weng-Lin has no volatility: it stays.
fn weng_lin<const SIZE: usize, const TEAMS: usize>(
    teams: [[&RatingEntry; SIZE]; TEAMS],
    ranks: [u8; TEAMS],
) -> [[RatingEntry; SIZE]; TEAMS] {
    let before = teams.map(|team| {
        team.map(|entry| WengLinRating {
            rating: entry.rating,
            uncertainty: entry.deviation.hypot(WENG_LIN_DRIFT),
        })
    });
    let ranked: Vec<(&[WengLinRating], MultiTeamOutcome)> = before
        .iter()
        .zip(ranks)
        .map(|(team, rank)| (team.as_slice(), MultiTeamOutcome::new(usize::from(rank))))
        .collect();
    let config = WengLinConfig { beta: WENG_LIN_BETA, ..WengLinConfig::new() };
    let after = weng_lin_multi_team(&ranked, &config);
    core::array::from_fn(|team| {
        core::array::from_fn(|player| {
            let (old, new) = (teams[team][player], after[team][player]);
            let (rating, deviation) = (new.rating, new.uncertainty);
            RatingEntry { rating, deviation, games: old.games + 1, ..old.clone() }
        })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;

    fn game(players: &[&str], result: &str) -> FinishedGame {
        FinishedGame {
            game: "g".into(),
            variant: "diamondring-four".into(),
            speed: Speed::Blitz,
            players: players.iter().map(|id| (!id.is_empty()).then(|| (*id).to_owned())).collect(),
            result: result.parse().unwrap(),
            at: 0,
        }
    }

    fn changes(players: usize, result: &str) -> Vec<i32> {
        let players = &["a", "b", "c", "d"][..players];
        let old = vec![new_rating("diamondring-four", Speed::Blitz); players.len()];
        let new = rate(&old, game(players, result).outcome().unwrap());
        new.iter().zip(&old).map(|(new, old)| (new.rating - old.rating).round() as i32).collect()
    }

    #[test]
    fn only_different_accounts_on_all_seats_are_rated() {
        for (players, rated) in [
            (&["a", "b"][..], true),
            (&["a", "a"], false),
            (&["a", ""], false),
            (&["a", "b", "c", "d"], true),
            (&["a", "b", "c", "a"], false),
            // In a game of four an account may be deleted before the end.
            (&["a", "b", "", "d"], true),
            (&["a", "", "", ""], true),
            (&["", "", "", ""], false),
        ] {
            assert_eq!(game(players, "*").rated_players().is_some(), rated, "{players:?}");
        }
    }

    #[test]
    fn first_place_counts_against_an_equal_rest() {
        let changed = changes(4, "1-4-2-3");
        let (first, rest) = (changed[0], &changed[1..]);
        assert!(first > 300 && rest.iter().all(|change| *change == rest[0] && *change < -100), "{rest:?}");
        assert_eq!(changes(4, "1-2-3-4"), changes(4, "1-4-2-3"), "other places do not matter");
        let shared = changes(4, "3-1-1-4");
        assert!(shared[1] == shared[2] && shared[0] == shared[3], "{shared:?}");
        assert!(0 < shared[1] && shared[1] < first && shared[0] < 0, "{shared:?}");
        assert_eq!(changes(4, "1-1-1-1"), [0; 4]);
        let of_three = changes(3, "2-1-3");
        assert!(of_three[1] > 0 && of_three[0] == of_three[2] && of_three[0] < 0, "{of_three:?}");
        assert_eq!((changes(3, "1-1-1"), changes(3, "1-4-2-3")), (vec![0; 3], vec![0; 3]));
    }

    #[test]
    fn partners_win_and_lose_together() {
        let won = changes(4, "1-0");
        assert!(won[0] > 0 && won[0] == won[2] && won[1] == -won[0] && won[3] == won[1], "{won:?}");
        assert_eq!(changes(4, "0-1").iter().map(|change| -change).collect::<Vec<_>>(), won);
        assert_eq!(changes(4, "1/2-1/2"), [0; 4]);
        assert!(changes(2, "1-0")[0] > 0);
    }

    #[test]
    fn ratings_of_four_settle_and_do_not_freeze() {
        let mut ratings = vec![new_rating("diamondring-four", Speed::Blitz); 4];
        let settled = |ratings: &[RatingEntry]| ratings.iter().all(|entry| entry.deviation <= PROVISIONAL);
        for round in 0..2_000_u32 {
            let mut ranks = [2; 4];
            ranks[round as usize % 4] = 1;
            ratings = rate(&ratings, RatedOutcome::Alone(ranks));
            assert!(round < 30 || settled(&ratings), "{round}: {ratings:?}");
        }
        assert!(ratings.iter().all(|entry| entry.deviation > 30.0 && entry.games == 2_000), "{ratings:?}");
        assert!(ratings.iter().all(|entry| (entry.rating - 1500.0).abs() < 50.0), "{ratings:?}");
    }
}

//! Puzzles: how an attempt compares with the solution, and how a first attempt changes both ratings.

use super::rating::{PROVISIONAL, rate_two};
use crate::time::DAY_MS;
use lozenge_rules::geometry::Square;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Move};
use lozenge_rules::variant::Variant;
use lozenge_wire::{RatingEntry, Speed};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use skillratings::Outcomes;
use std::sync::Arc;

/// A solver with a deviation from here on does not change a puzzle's rating.
const UNKNOWN_SOLVER: f64 = 230.0;
/// The theme that gives nearly everything away.
const OBVIOUS: &str = "mate-in-1";

/// A puzzle as `lozenge lab puzzles` writes it.
#[derive(Clone, Debug, Deserialize)]
pub struct PuzzleText {
    /// The id of the game.
    pub variant: String,
    /// The position before the opponent's move.
    pub fen: String,
    /// The opponent's move that leads to the position to solve.
    pub lead: String,
    /// The solution: moves of the solver and replies in turn.
    pub line: Vec<String>,
    /// The themes, such as `fork`.
    pub themes: Vec<String>,
    /// The rating that the puzzle begins with.
    pub rating: f64,
    /// The origin of the position.
    pub source: String,
}

impl PuzzleText {
    /// Its id: a digest of position and moves, so that a puzzle keeps its ratings when others are added.
    pub fn id(&self) -> String {
        let text = format!("{} {} {} {}", self.variant, self.fen, self.lead, self.line.join(" "));
        Sha256::digest(text).iter().take(5).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// A puzzle by the rules.
#[derive(Clone, Debug)]
pub struct PuzzleLine {
    /// The position to solve.
    pub start: AnyPosition,
    /// The solution: moves of the solver and replies in turn, the solver's first and last.
    moves: Vec<Move>,
}

/// The result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PuzzleProgress {
    /// The last move was wrong, or there was no move.
    Failed,
    /// All moves are right so far: the reply, and the position after it.
    GoesOn(Move, AnyPosition),
    /// The puzzle is solved.
    Solved,
}

impl PuzzleLine {
    /// Reads a puzzle; `None` if its position or a move is not legal, or if it ends with a reply.
    pub fn read<'t>(
        variant: &Arc<Variant>,
        fen: &str,
        lead: &str,
        line: impl IntoIterator<Item = &'t str>,
    ) -> Option<Self> {
        let before = AnyPosition::from_fen(variant, fen).ok()?;
        let start = before.play_unchecked(uci::parse(&before, lead).ok()?);
        let mut position = start.clone();
        let mut moves = Vec::new();
        for text in line {
            let played = uci::parse(&position, text).ok()?;
            position = position.play_unchecked(played);
            moves.push(played);
        }
        (moves.len() % 2 == 1).then_some(Self { start, moves })
    }

    /// Compares the solver's moves with the solution. A move that wins at once is as good as the solution's, and so is
    /// one that leads to the same position.
    pub fn attempt(&self, moves: &[String]) -> PuzzleProgress {
        let mut position = self.start.clone();
        let mut texts = moves.iter().peekable();
        for pair in self.moves.chunks(2) {
            let Some(played) = texts.next().and_then(|text| uci::parse(&position, text).ok()) else {
                return PuzzleProgress::Failed;
            };
            let after = position.play_unchecked(played);
            if after.status().is_win() {
                return PuzzleProgress::Solved;
            }
            if played != pair[0] && after.key() != position.play_unchecked(pair[0]).key() {
                return PuzzleProgress::Failed;
            }
            let Some(&reply) = pair.get(1) else { return PuzzleProgress::Solved };
            position = after.play_unchecked(reply);
            if texts.peek().is_none() {
                return PuzzleProgress::GoesOn(reply, position);
            }
        }
        PuzzleProgress::Failed
    }

    /// The square of the piece that the solution moves next, after `moves` moves of the solver; `None` after the last.
    pub fn hint(&self, moves: usize) -> Option<Square> {
        self.moves.get(2 * moves).map(|next| next.from)
    }
}

/// A first attempt that is rated.
#[derive(Clone, Copy, Debug)]
pub struct RatedAttempt<'a> {
    /// Whether the puzzle was solved.
    pub won: bool,
    /// The theme by which the puzzle was chosen.
    pub theme: Option<&'a str>,
}

impl RatedAttempt<'_> {
    /// How much of a change of ratings counts: the theme gives the solver a hint.
    fn weight(self) -> f64 {
        match (self.theme, self.won) {
            (None, _) => 1.0,
            (Some(OBVIOUS), true) => 0.1,
            (Some(OBVIOUS), false) => 0.4,
            (Some(_), true) => 0.2,
            (Some(_), false) => 0.7,
        }
    }

    /// The ratings of the solver and of the puzzle afterwards, as lichess computes them.
    pub fn rate(self, solver: &RatingEntry, puzzle: &RatingEntry) -> [RatingEntry; 2] {
        let outcome = if self.won { Outcomes::WIN } else { Outcomes::LOSS };
        let [solver_new, puzzle_new] = rate_two([solver, puzzle], outcome);
        let provisional = match (puzzle.deviation >= PROVISIONAL, self.won) {
            (false, _) => 0.0,
            (true, true) => 0.2,
            (true, false) => 0.7,
        };
        let solver_weight = (self.weight() - provisional).max(0.1);
        let puzzle_weight = if solver.deviation < UNKNOWN_SOLVER { self.weight() } else { 0.0 };
        [between(solver, solver_new, solver_weight), between(puzzle, puzzle_new, puzzle_weight)]
    }
}

/// How much a vote for or against a puzzle counts, in hundredths, by the age of the account: whole after 30 days, and not
/// at all on its first.
pub fn vote_weight(age_ms: i64) -> i64 {
    const WHOLE_AFTER_DAYS: i64 = 30;
    (age_ms / DAY_MS).clamp(0, WHOLE_AFTER_DAYS) * 100 / WHOLE_AFTER_DAYS
}

/// A rating on the way from an old one to a new one.
fn between(old: &RatingEntry, new: RatingEntry, weight: f64) -> RatingEntry {
    let part = |old: f64, new: f64| old + (new - old) * weight;
    RatingEntry {
        rating: part(old.rating, new.rating),
        deviation: part(old.deviation, new.deviation),
        volatility: part(old.volatility, new.volatility),
        ..new
    }
}

/// A rating in the puzzles of a game, or of one of them. Puzzles have no clock.
pub fn puzzle_rating(variant: &str, row: (f64, f64, f64, i64)) -> RatingEntry {
    let (rating, deviation, volatility, plays) = row;
    let games = u32::try_from(plays).unwrap_or(u32::MAX);
    RatingEntry { variant: variant.into(), speed: Speed::Unlimited, rating, deviation, volatility, games }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    const FEN: &str = "6k1/4bppp/8/8/8/8/R4PPP/4R1K1 b - - 0 1";

    fn puzzle(lead: &str, line: &[&str]) -> Option<PuzzleLine> {
        let chess = library::game("chess").expect("built in");
        PuzzleLine::read(&chess, FEN, lead, line.iter().copied())
    }

    fn attempt(puzzle: &PuzzleLine, moves: &[&str]) -> PuzzleProgress {
        puzzle.attempt(&moves.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn any_immediate_win_is_a_solution() {
        let chess = library::game("chess").expect("built in");
        let fen = "6k1/5ppp/p7/8/8/8/3R1PPP/4R1K1 b - - 0 1";
        let puzzle = PuzzleLine::read(&chess, fen, "a6a5", ["e1e8"]).expect("a puzzle");
        for (moves, expected) in [
            (&["e1e8"][..], PuzzleProgress::Solved),
            (&["d2d8"], PuzzleProgress::Solved),
            (&["e1e7"], PuzzleProgress::Failed),
            (&["e1d8"], PuzzleProgress::Failed),
            (&["nonsense"], PuzzleProgress::Failed),
            (&[], PuzzleProgress::Failed),
        ] {
            assert_eq!(attempt(&puzzle, moves), expected, "{moves:?}");
        }
    }

    #[test]
    fn a_line_is_played_move_by_move() {
        let puzzle = puzzle("e7c5", &["a2a5", "c5f8", "a5a8"]).expect("a puzzle");
        let PuzzleProgress::GoesOn(reply, position) = attempt(&puzzle, &["a2a5"]) else {
            panic!("expected a reply")
        };
        assert_eq!(uci::write(position.variant(), reply), "c5f8");
        assert_eq!(attempt(&puzzle, &["a2a5", "a5a8"]), PuzzleProgress::Solved);
        assert_eq!(attempt(&puzzle, &["a2a5", "a5a7"]), PuzzleProgress::Failed);
        assert_eq!(
            attempt(&puzzle, &["a2a5", "a5a8", "a8b8"]),
            PuzzleProgress::Solved,
            "moves after the end"
        );
        let square = |moves| puzzle.hint(moves).map(|square| position.variant().shape().name(square));
        assert_eq!(square(0).as_deref(), Some("a2"));
        assert_eq!(square(1).as_deref(), Some("a5"));
        assert_eq!(square(2), None);
    }

    #[test]
    fn votes_count_by_the_age_of_the_account() {
        for (days, weight) in [(-1, 0), (0, 0), (1, 3), (15, 50), (30, 100), (3_000, 100)] {
            assert_eq!(vote_weight(days * DAY_MS), weight, "{days}");
        }
    }

    #[test]
    fn puzzles_with_illegal_moves_are_rejected() {
        for (lead, line) in
            [("e7c5", &["a2a5", "c5f8"][..]), ("e7e6", &["e1e8"]), ("e7c5", &["e1f8"]), ("e7c5", &[])]
        {
            assert!(puzzle(lead, line).is_none(), "{lead} {line:?}");
        }
    }

    #[test]
    fn rating_changes_depend_on_deviations_and_hints() {
        let entry = |deviation| puzzle_rating("chess", (1500.0, deviation, 0.06, 10));
        let gain = |attempt: RatedAttempt<'_>, solver, puzzle| {
            let [solver, puzzle] = attempt.rate(&entry(solver), &entry(puzzle));
            (solver.rating - 1500.0, puzzle.rating - 1500.0)
        };
        let (won, lost) = (RatedAttempt { won: true, theme: None }, RatedAttempt { won: false, theme: None });
        let (solver, puzzle) = gain(won, 80.0, 80.0);
        assert!(solver > 5.0 && puzzle < -5.0, "{solver} {puzzle}");
        let (solver, puzzle) = gain(lost, 80.0, 80.0);
        assert!(solver < -5.0 && puzzle > 5.0, "{solver} {puzzle}");
        let (_, puzzle) = gain(won, 350.0, 80.0);
        assert!(puzzle.abs() < f64::EPSILON, "a new solver leaves the puzzle as it is: {puzzle}");
        let themed = RatedAttempt { theme: Some("fork"), ..won };
        let obvious = RatedAttempt { theme: Some(OBVIOUS), ..won };
        let [plain, hinted, given_away] = [won, themed, obvious].map(|attempt| gain(attempt, 80.0, 80.0).0);
        assert!((hinted - plain * 0.2).abs() < 1e-9 && (given_away - plain * 0.1).abs() < 1e-9);
        assert!(gain(lost, 80.0, 300.0).0.abs() < gain(lost, 80.0, 109.0).0.abs());
    }
}

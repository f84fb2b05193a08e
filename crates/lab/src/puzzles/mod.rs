//! Puzzles: positions from games in which one continuation is clearly best.
//!
//! `candidates` searches a game with little effort, `solve` finds the whole solution with more, `verify` checks it
//! again with a cleared hash table, and `themes` finds its themes. `endings` makes puzzles from endgame tables. Scores are expected scores by the engine's own
//! win-draw-loss model: a pawn is worth five times as much in one of our games as in another.

mod candidates;
mod endings;
mod solve;
mod themes;
mod verify;

pub use endings::ending;
pub use verify::{PuzzleFault, themes_of, verify};

use candidates::Candidate;
use lozenge_engine::{Engine, Limits, Score, SearchReport, Signals};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Game, Move};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// The best move is better than the second by at least this much of the expected score.
const GAP: f64 = 0.35;
/// The second best move leaves at most this much.
const SECOND: f64 = 0.6;
/// The solution leads to at least this much: it wins, or it holds a position that was all but lost.
const HOLDING: f64 = 0.4;
/// Most moves of a forced win that is clearly better than any other advantage.
const FORCED: u32 = 9;
/// Searches with fewer or more nodes see other scores: for them the gap may be smaller by this.
const SLACK: f64 = 0.1;

/// A puzzle. All moves are in long algebraic notation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Puzzle {
    /// Id of the variant.
    pub variant: String,
    /// The position before the opponent's move that leads to the puzzle.
    pub fen: String,
    /// That move.
    pub lead: String,
    /// The solution: moves of the solver and replies in turn, the solver's first and last.
    pub line: Vec<String>,
    /// Its themes.
    pub themes: Vec<String>,
    /// A first guess of its rating.
    pub rating: u32,
    /// The game it is from.
    pub source: String,
}

/// How hard puzzles are looked for: nodes of the searches, and mistakes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Other moves that are tried as mistakes in each position of a game.
    pub mistakes: usize,
    /// Only puzzles without a forced win; also those in which one move answers a good move of the game.
    pub quiet: bool,
    /// For each position of a game.
    pub screen: u64,
    /// For each move of a solution.
    pub confirm: u64,
    /// For each move of a solution, again.
    pub verify: u64,
}

/// The puzzles of a game.
pub fn find(engine: &mut Engine, game: &Game, source: &str, effort: Effort) -> Vec<Puzzle> {
    let found = candidates::find(engine, game, effort);
    found.into_iter().filter_map(|candidate| make(engine, game, candidate, source, effort)).collect()
}

/// The puzzle that a move makes, if its solution holds.
fn make(
    engine: &mut Engine,
    game: &Game,
    Candidate { ply, lead }: Candidate,
    source: &str,
    effort: Effort,
) -> Option<Puzzle> {
    let before = game.position_at(ply)?;
    // Most candidates fail, and most of those already with a tenth of the effort.
    solve::solve(engine, &before, lead, effort.confirm / 10, SLACK)?;
    let line = solve::solve(engine, &before, lead, effort.confirm, 0.0)?;
    let positions = positions(&before, lead, &line);
    let variant = before.variant();
    let text = |&played: &Move| uci::write(variant, played);
    let puzzle = Puzzle {
        variant: variant.id().into(),
        fen: before.fen(),
        lead: text(&lead),
        line: line.iter().map(text).collect(),
        themes: themes::of(engine, &positions, &line).into_iter().map(str::to_owned).collect(),
        rating: solve::rating(engine, &positions[0], &line),
        source: source.into(),
    };
    verify(engine, variant, &puzzle, effort.verify).ok()?;
    Some(puzzle)
}

/// The position after the lead, and after each move of the solution.
fn positions(before: &AnyPosition, lead: Move, line: &[Move]) -> Vec<AnyPosition> {
    let mut positions = vec![before.play_unchecked(lead)];
    for &played in line {
        let next = positions[positions.len() - 1].play_unchecked(played);
        positions.push(next);
    }
    positions
}

/// Drops puzzles that are there already: of the same position, with the same solution, or of the same game with half of its moves.
#[derive(Debug, Default)]
pub struct Duplicates {
    positions: HashSet<(String, String)>,
    lines: HashSet<(String, Vec<String>)>,
    /// By variant and game, the solver's moves of each puzzle.
    games: HashMap<(String, String), Vec<HashSet<String>>>,
}

impl Duplicates {
    /// Whether a puzzle is a new one; it is known from then on.
    pub fn admit(&mut self, puzzle: &Puzzle) -> bool {
        // Several mistakes in one position are often punished in the same way.
        let board = puzzle.fen.split(' ').take(2).collect::<Vec<_>>().join(" ");
        let position = self.positions.insert((puzzle.variant.clone(), board));
        let line = self.lines.insert((puzzle.variant.clone(), puzzle.line.clone()));
        let game = self.games.entry((puzzle.variant.clone(), puzzle.source.clone())).or_default();
        let own: HashSet<String> = puzzle.line.iter().step_by(2).cloned().collect();
        let is_part = game.iter().any(|other| {
            let shared = own.intersection(other).count();
            shared > 0 && 2 * shared >= own.len().min(other.len())
        });
        let is_new = position && line && !is_part;
        if is_new {
            game.push(own);
        }
        is_new
    }
}

/// The two best moves of a position.
#[derive(Clone, Copy, Debug)]
struct TwoLines {
    best: Move,
    score: Score,
    /// Expected scores of the side to move; the second is `None` if there is only one legal move.
    first: f64,
    second: Option<f64>,
    /// Whether the best move wins by force and the second does not.
    only_win: bool,
}

impl TwoLines {
    /// Whether the best move is far better than all others. The gap may be smaller by `slack`.
    fn has_gap(&self, slack: f64) -> bool {
        self.second.is_none_or(|second| self.first - second >= GAP - slack && second <= SECOND + slack)
    }

    /// Whether the best move is clearly best. In a solution that ends with the win it may also be the only one that wins by
    /// force. In another one, which does not show the win, a second move that is worth a Queen would be as good.
    fn is_unique(&self, slack: f64, won: bool) -> bool {
        (won && self.only_win) || self.has_gap(slack)
    }
}

/// Searches a position alone, with an empty hash table.
fn search_position(engine: &mut Engine, position: &AnyPosition, nodes: u64) -> SearchReport {
    engine.clear();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    engine.search(&Game::from_position(position.clone()), &limits, &Signals::default(), &mut |_| {})
}

/// Searches for the two best moves; `None` if the game is over.
fn two_lines(engine: &mut Engine, game: &Game, nodes: u64) -> Option<TwoLines> {
    if game.outcome().is_some() {
        return None;
    }
    let limits = Limits { nodes: Some(nodes), multipv: 2, ..Limits::default() };
    let mut second = None;
    let report = engine.search(game, &limits, &Signals::default(), &mut |info| {
        if info.multipv == 2 {
            second = Some((info.pv.first().copied(), info.score));
        }
    });
    let best = report.best?;
    let position = game.position();
    let second = match second {
        _ if position.legal_moves().len() == 1 => None,
        // The lines of an iteration that was cut off may be in another order.
        Some((played, score)) if played != Some(best) => Some(score),
        _ => return None,
    };
    let model = engine.chances(position);
    let wins = |score| matches!(score, Score::Wins(moves) if moves <= FORCED);
    Some(TwoLines {
        best,
        score: report.score,
        first: model.expected_score(report.score),
        second: second.map(|score| model.expected_score(score)),
        only_win: wins(report.score) && second.is_some_and(|score| !matches!(score, Score::Wins(_))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    const EFFORT: Effort =
        Effort { mistakes: 0, quiet: false, screen: 2_000, confirm: 10_000, verify: 20_000 };

    fn game(id: &str, fen: &str, moves: &[&str]) -> Game {
        let start = AnyPosition::from_fen(&library::game(id).unwrap(), fen).unwrap();
        let mut game = Game::from_position(start);
        for text in moves {
            game.play(uci::parse(game.position(), text).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn blunder_yields_a_verified_puzzle() {
        let game = game("chess", "6k1/5ppp/8/8/8/8/5PPP/4R1K1 b - - 0 1", &["h7h6", "g2g3", "g8h8", "e1e8"]);
        let mut engine = Engine::new(2);
        let quiet = find(&mut engine, &game, "a test", EFFORT);
        assert!(quiet.is_empty(), "with h6 played there is no mate: {quiet:?}");
        let fen = "6k1/4bppp/8/8/8/7P/r4PP1/4R1K1 b - - 0 1";
        let mated = self::game("chess", fen, &["e7g5", "e1e8"]);
        let puzzles = find(&mut engine, &mated, "a test", EFFORT);
        let [puzzle] = &puzzles[..] else { panic!("expected one puzzle, found {puzzles:?}") };
        assert_eq!((puzzle.lead.as_str(), &puzzle.line[..]), ("e7g5", &["e1e8".to_owned()][..]));
        assert!(puzzle.themes.contains(&"mate-in-1".to_owned()), "{:?}", puzzle.themes);
        let chess = library::game("chess").unwrap();
        assert_eq!(verify(&mut Engine::new(1), &chess, puzzle, 5_000), Ok(()));
        let hanging = Puzzle {
            fen: "6k1/5ppp/8/8/8/7q/5PPP/3R2K1 b - - 0 1".into(),
            lead: "h3d3".into(),
            line: vec!["d1d3".into()],
            ..puzzle.clone()
        };
        assert_eq!(verify(&mut engine, &chess, &hanging, 5_000), Err(PuzzleFault::Trivial));
        let wrong = Puzzle { line: vec!["e1e2".into()], ..puzzle.clone() };
        assert_eq!(verify(&mut engine, &chess, &wrong, 5_000), Err(PuzzleFault::NotBest { ply: 0 }));
        let illegal = Puzzle { line: vec!["e1f8".into()], ..puzzle.clone() };
        assert!(matches!(verify(&mut engine, &chess, &illegal, 5_000), Err(PuzzleFault::Illegal(_))));
    }

    #[test]
    fn duplicate_puzzle_is_rejected() {
        let puzzle = Puzzle {
            variant: "diamond".into(),
            fen: "k w - - 0 1".into(),
            lead: "a1a2".into(),
            line: vec!["a2a3".into(), "b1b2".into(), "a3a4".into()],
            themes: vec![],
            rating: 1500,
            source: String::new(),
        };
        let mut known = Duplicates::default();
        assert!(known.admit(&puzzle));
        assert!(!known.admit(&Puzzle { fen: "k w - - 9 30".into(), line: vec![], ..puzzle.clone() }));
        assert!(
            !known.admit(&Puzzle { lead: "b1b2".into(), line: vec![], ..puzzle.clone() }),
            "another mistake"
        );
        assert!(!known.admit(&Puzzle { fen: "q w - - 0 1".into(), ..puzzle.clone() }), "the same line");
        assert!(known.admit(&Puzzle { variant: "diagonal".into(), ..puzzle.clone() }));
        let end = Puzzle { fen: "r w - - 0 1".into(), line: vec!["a3a4".into()], ..puzzle.clone() };
        assert!(!known.admit(&end), "the end of a longer one of the same game");
        let source = "another game".into();
        let line = vec!["a3a4".into(), "b2b3".into(), "a4a5".into()];
        assert!(known.admit(&Puzzle { fen: "n w - - 0 1".into(), line, source, ..puzzle }));
    }
}

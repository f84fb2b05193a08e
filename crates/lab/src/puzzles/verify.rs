//! Whether the solution of a puzzle holds: each position is searched again with an empty hash table.

use super::solve::is_trivial;
use super::{Puzzle, SLACK, TwoLines, positions, themes, two_lines};
use lozenge_engine::{Engine, Score};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Game, Move};
use lozenge_rules::variant::Variant;
use std::sync::Arc;

/// Why a puzzle does not hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PuzzleFault {
    /// It is a puzzle of another variant, its position is invalid, or one of its moves is illegal.
    #[error("expected a position and legal moves, found {0}")]
    Illegal(String),
    /// It has no move, or ends with a reply.
    #[error("expected a solution that ends with a move of the solver, found {0} moves")]
    Length(usize),
    /// It is obvious and short.
    #[error("expected a solution that is hard to see, wins at once or is longer, found an obvious one")]
    Trivial,
    /// Another move is better.
    #[error("expected the best move at ply {ply}")]
    NotBest {
        /// Plies of the solution before it.
        ply: usize,
    },
    /// Another move is as good.
    #[error("expected one clearly best move at ply {ply}")]
    NotUnique {
        /// Plies of the solution before it.
        ply: usize,
    },
}

/// Checks a puzzle with a search of `nodes` nodes for each move of the solver.
///
/// # Errors
/// The first fault.
pub fn verify(
    engine: &mut Engine,
    variant: &Arc<Variant>,
    puzzle: &Puzzle,
    nodes: u64,
) -> Result<(), PuzzleFault> {
    let (before, lead, line) = read(variant, puzzle)?;
    if line.len().is_multiple_of(2) {
        return Err(PuzzleFault::Length(line.len()));
    }
    let all = positions(&before, lead, &line);
    let won = all.last().is_some_and(|last| last.status().is_win());
    for ply in (0..line.len()).step_by(2) {
        engine.clear();
        let game = Game::from_position(all[ply].clone());
        let ends = all[ply + 1].status().is_win();
        match two_lines(engine, &game, nodes) {
            // Every move that wins at once is accepted.
            Some(TwoLines { score: Score::Wins(1), .. }) if ends => {}
            Some(found) if found.best != line[ply] => return Err(PuzzleFault::NotBest { ply }),
            Some(found) if found.is_unique(SLACK, won) => {}
            _ => return Err(PuzzleFault::NotUnique { ply }),
        }
    }
    if is_trivial(engine, lead, &line, &all) { Err(PuzzleFault::Trivial) } else { Ok(()) }
}

/// The themes of a puzzle as they are assigned now.
///
/// # Errors
/// If it is no puzzle of the game.
pub fn themes_of(
    engine: &mut Engine,
    variant: &Arc<Variant>,
    puzzle: &Puzzle,
) -> Result<Vec<String>, PuzzleFault> {
    let (before, lead, line) = read(variant, puzzle)?;
    if line.is_empty() {
        return Err(PuzzleFault::Length(0));
    }
    let found = themes::of(engine, &positions(&before, lead, &line), &line);
    Ok(found.into_iter().map(str::to_owned).collect())
}

/// The position, the lead and the solution of a puzzle, by the rules.
fn read(variant: &Arc<Variant>, puzzle: &Puzzle) -> Result<(AnyPosition, Move, Vec<Move>), PuzzleFault> {
    if puzzle.variant != variant.id() {
        return Err(PuzzleFault::Illegal(format!("a puzzle of {}", puzzle.variant)));
    }
    let before = AnyPosition::from_fen(variant, &puzzle.fen)
        .map_err(|error| PuzzleFault::Illegal(error.to_string()))?;
    let mut position = before.clone();
    let mut moves = Vec::with_capacity(puzzle.line.len() + 1);
    for text in std::iter::once(&puzzle.lead).chain(&puzzle.line) {
        let played = uci::parse(&position, text).map_err(|error| PuzzleFault::Illegal(error.to_string()))?;
        position = position.play_unchecked(played);
        moves.push(played);
    }
    let line = moves.split_off(1);
    Ok((before, moves[0], line))
}

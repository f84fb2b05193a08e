//! Puzzles from endgame tables: random positions of a class in which one move keeps what the best play yields. The tables decide
//! alone; the search only has to agree.

use super::{Puzzle, solve, themes, verify};
use crate::rng::Rng;
use lozenge_engine::Engine;
use lozenge_rules::geometry::Square;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Color, Move};
use lozenge_rules::variant::Variant;
use lozenge_tablebase::{FileError, Material, Tables, Value};

/// Shortest win of a puzzle, in half moves: quicker ones are mates to be found, not endings.
const MIN_DISTANCE: u16 = 11;
/// Fewest legal moves of the solver.
const MIN_MOVES: usize = 4;
/// Most moves of the solver.
const MAX_SOLUTION_MOVES: usize = 5;

/// A puzzle from a random position, with its line.
struct Found {
    before: AnyPosition,
    lead: Move,
    positions: Vec<AnyPosition>,
    line: Vec<Move>,
}

/// A puzzle of a random position of this class; `None` if the position makes none, or if a search of `nodes` nodes for each move
/// does not agree. Almost every position makes none.
///
/// # Errors
/// When the file of a table is damaged.
pub fn ending(
    engine: &mut Engine,
    tables: &Tables,
    material: &Material,
    rng: &mut Rng,
    nodes: u64,
) -> Result<Option<Puzzle>, FileError> {
    let variant = tables.variant();
    let Some(found) = find(tables, material, rng)? else { return Ok(None) };
    let text = |&played: &Move| uci::write(variant, played);
    let puzzle = Puzzle {
        variant: variant.id().into(),
        fen: found.before.fen(),
        lead: text(&found.lead),
        line: found.line.iter().map(text).collect(),
        themes: themes::of(engine, &found.positions, &found.line).into_iter().map(str::to_owned).collect(),
        rating: solve::rating(engine, &found.positions[0], &found.line),
        source: format!("table {}", material.name(variant)),
    };
    Ok(verify(engine, variant, &puzzle, nodes).is_ok().then_some(puzzle))
}

fn find(tables: &Tables, material: &Material, rng: &mut Rng) -> Result<Option<Found>, FileError> {
    let solver = Color::BOTH[rng.below(2)];
    let squares = some_squares(tables.variant(), material.pieces(), rng);
    let Some(before) = material.place(tables.variant(), solver.opponent(), &squares) else { return Ok(None) };
    let legal = before.legal_moves();
    let Some(&lead) = rng.one_of(&legal) else { return Ok(None) };
    let start = before.play_unchecked(lead);
    if before.is_capture(lead) || start.legal_moves().len() < MIN_MOVES {
        return Ok(None);
    }
    let Some((first, value)) = only_move(tables, &start)? else { return Ok(None) };
    let is_short = value.distance().is_some_and(|distance| distance < MIN_DISTANCE);
    if is_short || matches!(value, Value::Loss(_)) || start.is_capture(first) {
        return Ok(None);
    }
    let mut line = vec![first];
    let mut positions = vec![start.play_unchecked(first)];
    while line.len().div_ceil(2) < MAX_SOLUTION_MOVES {
        let Some((reply, next)) = hardest_reply(tables, &positions[positions.len() - 1])? else { break };
        let after = positions[positions.len() - 1].play_unchecked(reply);
        positions.extend([after.clone(), after.play_unchecked(next)]);
        line.extend([reply, next]);
    }
    positions.insert(0, start);
    Ok(Some(Found { before, lead, positions, line }))
}

/// The only legal move that keeps the value of the position, and this value; `None` if there are more.
fn only_move(tables: &Tables, position: &AnyPosition) -> Result<Option<(Move, Value)>, FileError> {
    let Some(moves) = tables.moves(position)? else { return Ok(None) };
    Ok(match &moves[..] {
        [(first, value), (_, second), ..] if value.category() != second.category() => Some((*first, *value)),
        _ => None,
    })
}

/// Of the replies that keep the opponent's value, the one that holds out longest and leaves the solver one move only; this
/// reply and that move.
fn hardest_reply(tables: &Tables, position: &AnyPosition) -> Result<Option<(Move, Move)>, FileError> {
    let Some(mut replies) = tables.moves(position)? else { return Ok(None) };
    let Some(best) = replies.first().map(|(_, value)| value.category()) else { return Ok(None) };
    replies.retain(|(_, value)| value.category() == best);
    for (reply, _) in replies {
        if let Some((next, _)) = only_move(tables, &position.play_unchecked(reply))? {
            return Ok(Some((reply, next)));
        }
    }
    Ok(None)
}

/// Different squares, as many as asked for if the board has them.
fn some_squares(variant: &Variant, count: usize, rng: &mut Rng) -> Vec<Square> {
    let mut squares: Vec<Square> = variant.shape().squares().collect();
    (0..count.min(squares.len())).map(|_| squares.swap_remove(rng.below(squares.len()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;
    use lozenge_tablebase::Resources;

    #[test]
    fn endings_have_one_move_that_keeps_the_value() {
        let mut tables = Tables::new(&library::game("diamond").unwrap());
        for material in tables.classes(3).unwrap() {
            tables
                .generate(&material, None, Resources { threads: 1, memory: 64 << 20 }, &mut |_| true)
                .unwrap();
        }
        let pawn = Material::parse(tables.variant(), "KPvK").unwrap();
        let (mut engine, mut rng) = (Engine::new(1), Rng::new(1));
        let found: Vec<Puzzle> = (0..2_000)
            .filter_map(|_| ending(&mut engine, &tables, &pawn, &mut rng, 5_000).unwrap())
            .take(3)
            .collect();
        assert_eq!(found.len(), 3);
        for puzzle in found {
            assert!(puzzle.themes.contains(&"endgame".to_owned()), "{puzzle:?}");
            let before = AnyPosition::from_fen(tables.variant(), &puzzle.fen).unwrap();
            let start = before.play_unchecked(uci::parse(&before, &puzzle.lead).unwrap());
            let best = uci::parse(&start, &puzzle.line[0]).unwrap();
            let value = tables.probe(&start).unwrap().unwrap();
            for (other, kept) in tables.moves(&start).unwrap().unwrap() {
                assert_eq!(kept.category() == value.category(), other == best, "{puzzle:?}");
            }
        }
    }
}

//! What a puzzle is about. All themes follow from the rules and from the engine's values of pieces, so they are the same for
//! any game: a pin, for example, is a move that a piece could make if its King did not mind, along whatever line.

use super::expected;
use lozenge_engine::Engine;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{AnyPosition, Color, Move, MoveKind, Piece, Status};
use lozenge_rules::variant::Variant;
use std::collections::HashSet;

/// Expected score below which a solution has only held the balance.
const EQUAL: f64 = 0.65;
/// Moves to a goal from which on both sides are said to race.
const RACE: usize = 3;

/// The themes of a solution; `positions` are those before, between and after its moves.
pub(super) fn of(engine: &mut Engine, positions: &[AnyPosition], line: &[Move]) -> Vec<&'static str> {
    let (start, end) = (&positions[0], &positions[line.len()]);
    let variant = start.variant();
    let mut themes = Vec::new();
    match end.status() {
        Status::Checkmate => {
            themes.push("mate");
            themes.extend(mate_in(line.len().div_ceil(2)));
        }
        Status::Goal => themes.push("goal"),
        _ if holds(engine, end) => themes.push("equality"),
        _ => {}
    }
    let both = [Color::White, Color::Black];
    if both.iter().all(|&color| moves_to_goal(start, color).is_some_and(|moves| moves <= RACE)) {
        themes.push("race");
    }
    let own: Vec<(usize, Move)> = line.iter().copied().enumerate().step_by(2).collect();
    if own.iter().any(|(_, played)| matches!(played.kind, MoveKind::Promotion(_))) {
        themes.push("promotion");
    }
    let captures = |ply: usize| {
        positions[ply].piece_at(line[ply].to).is_some_and(|piece| piece.color() != positions[ply].turn())
    };
    if line.len() > 2 && captures(0) && captures(1) && line[0].to == line[1].to {
        themes.push("exchange");
    }
    if own.iter().any(|&(ply, played)| is_fork(engine, &positions[ply + 1], played, &line[ply + 1..])) {
        themes.push("fork");
    }
    if own.iter().any(|&(ply, played)| is_pin(&positions[ply + 1], played, &line[ply + 1..])) {
        themes.push("pin");
    }
    if own.iter().any(|&(_, played)| is_around(variant, played)) {
        themes.push("around-the-torus");
    }
    themes
}

/// Whether the side that has just moved is not better at first sight: it has held, not won.
fn holds(engine: &mut Engine, end: &AnyPosition) -> bool {
    let score = engine.evaluate(end);
    1.0 - expected(engine, end, score) < EQUAL
}

fn mate_in(moves: usize) -> Option<&'static str> {
    ["mate-in-1", "mate-in-2", "mate-in-3", "mate-in-4", "mate-in-5"].get(moves - 1).copied()
}

/// Whether a piece that has moved attacks two dearer or undefended pieces, and takes one of them.
fn is_fork(engine: &mut Engine, after: &AnyPosition, played: Move, rest: &[Move]) -> bool {
    let Some(mover) = after.piece_at(played.to) else { return false };
    let roles = after.variant().roles();
    let value = |engine: &mut Engine, piece: Piece| engine.values(after.variant()).material(piece.role());
    let own = value(engine, mover);
    let mut attacked = Vec::new();
    for square in after.reach(played.to) {
        let Some(piece) = after.piece_at(square).filter(|piece| piece.color() != mover.color()) else {
            continue;
        };
        let info = roles.info(piece.role());
        if info.pawn {
            continue;
        }
        if info.royal || value(engine, piece) > own || !is_defended(after, square, piece.color()) {
            attacked.push(square);
        }
    }
    let takes =
        rest.iter().skip(1).step_by(2).any(|next| next.from == played.to && attacked.contains(&next.to));
    attacked.len() >= 2 && takes
}

/// Whether a side could take back on a square where its own piece stands now.
fn is_defended(position: &AnyPosition, square: Square, color: Color) -> bool {
    let variant = position.variant();
    let occupied: Vec<Square> =
        variant.shape().squares().filter(|&square| position.piece_at(square).is_some()).collect();
    occupied.iter().any(|&from| {
        let own = position.piece_at(from).filter(|piece| piece.color() == color && from != square);
        own.is_some_and(|piece| variant.reach_among(piece, from, &occupied).1.contains(&square))
    })
}

/// Whether a move leaves a piece of the other side pinned that is taken afterwards, or that could take the moved piece
/// otherwise. A piece is pinned if it could make a move that its King forbids, along whatever line.
fn is_pin(after: &AnyPosition, played: Move, rest: &[Move]) -> bool {
    if after.is_check() {
        return false;
    }
    let legal = after.legal_moves();
    let forbidden =
        |from: Square, to: Square| !legal.iter().any(|legal| (legal.from, legal.to) == (from, to));
    let roles = after.variant().roles();
    after.variant().shape().squares().any(|square| {
        let piece = after.piece_at(square).filter(|piece| piece.color() == after.turn());
        if piece.is_none_or(|piece| roles.info(piece.role()).royal) {
            return false;
        }
        let reach = after.reach(square);
        let taken = rest.iter().skip(1).step_by(2).any(|next| next.to == square);
        let held = taken && reach.iter().any(|&to| forbidden(square, to));
        held || (reach.contains(&played.to) && forbidden(square, played.to))
    })
}

/// Whether a move goes across a joined edge: the way within the board is longer.
fn is_around(variant: &Variant, played: Move) -> bool {
    let shape = variant.shape();
    let (from, to) = (shape.coord(played.from), shape.coord(played.to));
    let wrap = shape.wrap();
    let far = |one: u8, other: u8, size: u8| 2 * u16::from(one.abs_diff(other)) > u16::from(size);
    !matches!(played.kind, MoveKind::Castling(_))
        && ((wrap.files && far(from.file, to.file, shape.width()))
            || (wrap.ranks && far(from.rank, to.rank, shape.height())))
}

/// How many moves a side's nearest piece needs to a goal on an empty board, without hindrance.
fn moves_to_goal(position: &AnyPosition, color: Color) -> Option<usize> {
    let variant = position.variant();
    let mut best: Option<usize> = None;
    for (roles, goals) in variant.goals() {
        for from in variant.shape().squares() {
            let piece = position
                .piece_at(from)
                .filter(|piece| piece.color() == color && roles.contains(piece.role()));
            let Some(piece) = piece else { continue };
            let (mut seen, mut front) = (HashSet::from([from]), vec![from]);
            for moves in 0..=RACE {
                if front.iter().any(|square| goals[color.index()].contains(square)) {
                    best = Some(best.map_or(moves, |least| least.min(moves)));
                    break;
                }
                let next: Vec<Square> =
                    front.iter().flat_map(|&square| variant.reach(piece, square).quiet).collect();
                front = next.into_iter().filter(|&square| seen.insert(square)).collect();
            }
        }
    }
    best
}

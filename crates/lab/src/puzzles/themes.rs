//! The themes of puzzles. They all follow from the rules and from the engine's values of pieces, so they are the same for any
//! game. For example, a piece is pinned if it could make a move but for its King, along any kind of line.

use super::search_position;
use lozenge_engine::Engine;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{AnyPosition, Color, Move, Piece, Status};
use lozenge_rules::variant::Variant;
use std::collections::HashSet;

/// Expected score below which a solution has only held the balance.
const EQUAL: f64 = 0.65;
/// Nodes of the search for this score.
const BALANCE_NODES: u64 = 20_000;
/// Least loss, in centipawns, with which the loss of a piece counts as a threat.
const THREAT: i32 = 200;
/// Moves to a goal from which on both sides count as racing.
const RACE: usize = 3;
/// Most pieces of an endgame, Kings included.
const ENDGAME: usize = 4;

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
    if own.iter().any(|(_, played)| played.is_promotion()) {
        themes.push("promotion");
    }
    let captures = |ply: usize| positions[ply].is_capture(line[ply]);
    if line.len() > 2 && captures(0) && captures(1) && line[0].to == line[1].to {
        themes.push("exchange");
    }
    if own.iter().any(|&(ply, played)| is_fork(engine, &positions[ply + 1], played, &line[ply + 1..])) {
        themes.push("fork");
    }
    if own.iter().any(|&(ply, played)| is_pin(&positions[ply + 1], played, &line[ply + 1..])) {
        themes.push("pin");
    }
    if is_quiet(start, &positions[1], line[0]) {
        themes.push("quiet");
        if is_defense(engine, start, &positions[1]) {
            themes.push("defense");
        }
    }
    if variant.shape().squares().filter(|&square| start.piece_at(square).is_some()).count() <= ENDGAME {
        themes.push("endgame");
    }
    if own.iter().any(|&(_, played)| is_around(variant, played)) {
        themes.push("around-the-torus");
    }
    themes
}

/// Whether the side that has just moved is not better: it has held, not won.
fn holds(engine: &mut Engine, end: &AnyPosition) -> bool {
    let score = search_position(engine, end, BALANCE_NODES).score;
    1.0 - engine.chances(end).expected_score(score) < EQUAL
}

fn mate_in(moves: usize) -> Option<&'static str> {
    ["mate-in-1", "mate-in-2", "mate-in-3", "mate-in-4", "mate-in-5"].get(moves - 1).copied()
}

/// Whether a piece that has moved attacks two pieces, each more valuable or undefended, and takes one of them.
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
/// otherwise. A piece is pinned if it could make a move that its King forbids, along any line.
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

/// Whether a move neither captures nor promotes, gives no check and answers none.
fn is_quiet(before: &AnyPosition, after: &AnyPosition, played: Move) -> bool {
    !before.is_check() && !after.is_check() && !before.is_capture(played) && !played.is_promotion()
}

/// Whether a quiet move answers a threat. Had it been its turn, the other side could have won at once or won a
/// piece; now that it is, it cannot.
fn is_defense(engine: &mut Engine, before: &AnyPosition, after: &AnyPosition) -> bool {
    let mut setup = before.setup();
    setup.turn = setup.turn.opponent();
    (setup.en_passant, setup.en_passant_pawn) = (None, None);
    let Ok(turned) = AnyPosition::from_setup(before.variant(), &setup) else { return false };
    is_threatening(engine, &turned) && !is_threatening(engine, after)
}

/// Whether the side to move can win at once, or win a piece.
fn is_threatening(engine: &mut Engine, position: &AnyPosition) -> bool {
    let variant = position.variant();
    let mut worth = |piece: Piece| engine.values(variant).material(piece.role());
    position.legal_moves().into_iter().any(|played| {
        if position.play_unchecked(played).status().is_win() {
            return true;
        }
        let taken = position.captured(played);
        let (Some(taken), Some(taker)) = (taken, position.piece_at(played.from)) else { return false };
        let back = if is_defended(position, played.to, taken.color()) { worth(taker) } else { 0 };
        !variant.roles().info(taken.role()).pawn && worth(taken) - back >= THREAT
    })
}

/// Whether a move goes across a joined edge: the way within the board is longer.
fn is_around(variant: &Variant, played: Move) -> bool {
    let shape = variant.shape();
    let (from, to) = (shape.coord(played.from), shape.coord(played.to));
    let wrap = shape.wrap();
    let far = |one: u8, other: u8, size: u8| 2 * u16::from(one.abs_diff(other)) > u16::from(size);
    !played.is_castling()
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
                if front.iter().any(|square| goals[color].contains(square)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;
    use lozenge_rules::notation::uci;

    fn themes_of(id: &str, fen: &str, moves: &[&str]) -> Vec<&'static str> {
        let mut positions = vec![AnyPosition::from_fen(&library::game(id).unwrap(), fen).unwrap()];
        let mut line = Vec::new();
        for text in moves {
            let position = positions.last().unwrap();
            let played = uci::parse(position, text).unwrap();
            let next = position.play_unchecked(played);
            line.push(played);
            positions.push(next);
        }
        of(&mut Engine::new(1), &positions, &line)
    }

    #[test]
    fn a_quiet_move_that_answers_a_threat_is_a_defense() {
        let is_defense = |fen: &str, played: &str| themes_of("chess", fen, &[played]).contains(&"defense");
        // Black threatens mate on the last rank.
        let mate = "4r1k1/5ppp/8/8/8/8/R4PPP/6K1 w - - 0 1";
        assert!(is_defense(mate, "h2h3"));
        assert!(!is_defense(mate, "a2b2"), "mate is still there");
        assert!(!is_defense(&mate.replace("4r1k1", "6k1"), "h2h3"), "nothing is threatened");
        // A Rook attacked by a pawn goes away, or gives check.
        let rook = "6k1/5pp1/7p/2p5/3R4/8/5PPP/6K1 w - - 0 1";
        assert!(is_defense(rook, "d4d2"));
        assert!(!is_defense(rook, "d4d8"), "a check");
        assert!(!is_defense(rook, "h2h3"), "the Rook is still attacked");
    }
}

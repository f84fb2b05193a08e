//! Positions, moves and outcomes in the wire's words.

use super::board::role_id;
use lozenge_rules::geometry::Square;
use lozenge_rules::notation::pgn::ResultTag;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{self, AnyPosition, DrawReason, Move, MoveKind, Outcome, WinReason};
use lozenge_wire::{Castling, Color, GameResult, PlacedPiece, Reason};

/// The wire's word for a color.
pub(crate) fn color(color: position::Color) -> Color {
    match color {
        position::Color::White => Color::White,
        position::Color::Black => Color::Black,
    }
}

/// The rules' word for a color.
pub(crate) fn rules_color(color: Color) -> position::Color {
    match color {
        Color::White => position::Color::White,
        Color::Black => position::Color::Black,
    }
}

/// The pieces of a position.
pub(crate) fn placed_pieces(position: &AnyPosition) -> Vec<PlacedPiece> {
    let variant = position.variant();
    let man = |square: Square| {
        let piece = position.piece_at(square)?;
        let role = role_id(&variant.roles().info(piece.role()).name);
        Some(PlacedPiece { square: square.index() as u16, role, color: color(piece.color()) })
    };
    variant.shape().squares().filter_map(man).collect()
}

/// The numbers of the squares that a move leaves and reaches.
pub(crate) fn last(played: Move) -> Vec<u16> {
    vec![played.from.index() as u16, played.to.index() as u16]
}

/// The square of the King in check.
pub(crate) fn check_square(position: &AnyPosition) -> Option<u16> {
    position.is_check().then(|| position.king(position.turn()).index() as u16)
}

/// A move's text.
pub(crate) fn text(position: &AnyPosition, played: Move) -> String {
    uci::write(position.variant(), played)
}

/// Legal moves as texts, sorted.
pub(crate) fn moves(position: &AnyPosition, legal: &[Move]) -> Vec<String> {
    let mut moves: Vec<String> = legal.iter().map(|&played| text(position, played)).collect();
    moves.sort_unstable();
    moves
}

/// The castlings among legal moves.
pub(crate) fn castlings(position: &AnyPosition, legal: &[Move]) -> Vec<Castling> {
    let infos = position.variant().castlings();
    let castling = |&played: &Move| match played.kind {
        MoveKind::Castling(number) => infos.get(usize::from(number)).map(|info| Castling {
            played: text(position, played),
            king: info.king.0.index() as u16,
            rook: info.rook.0.index() as u16,
        }),
        _ => None,
    };
    legal.iter().filter_map(castling).collect()
}

/// By square, the destinations of the piece there if it were its turn.
pub(crate) fn reach(position: &AnyPosition) -> Vec<Vec<u16>> {
    let squares = position.variant().shape().squares();
    squares.map(|from| position.reach(from).into_iter().map(|to| to.index() as u16).collect()).collect()
}

/// By square, the destinations of the piece there if it were its turn; the pieces of `side` also where they could go
/// when others have moved out of the way, or into it: what may be entered before the turn.
pub(crate) fn premove_reach(position: &AnyPosition, side: Color) -> Vec<Vec<u16>> {
    let (variant, mut all) = (position.variant(), reach(position));
    for from in variant.shape().squares() {
        let Some(piece) = position.piece_at(from).filter(|piece| color(piece.color()) == side) else {
            continue;
        };
        let alone = variant.reach(piece, from);
        let castled = variant.castlings().iter().map(|castling| castling.king);
        let castled =
            castled.filter(|&(king, _)| king == from && variant.roles().royal() == Some(piece.role()));
        let squares = [alone.quiet, alone.capture, alone.first, alone.over].concat();
        let squares = squares.into_iter().chain(castled.map(|(_, to)| to)).map(|to| to.index() as u16);
        let targets = &mut all[from.index()];
        targets.extend(squares);
        targets.sort_unstable();
        targets.dedup();
    }
    all
}

/// An outcome as a result.
pub(crate) fn result(outcome: Outcome) -> GameResult {
    match outcome {
        Outcome::Win { winner: position::Color::White, .. } => GameResult::WhiteWins,
        Outcome::Win { winner: position::Color::Black, .. } => GameResult::BlackWins,
        Outcome::Draw(_) => GameResult::Draw,
    }
}

/// The result that a game's tag in PGN states.
pub(crate) fn result_of_tag(tag: ResultTag) -> GameResult {
    match tag {
        ResultTag::WhiteWins => GameResult::WhiteWins,
        ResultTag::BlackWins => GameResult::BlackWins,
        ResultTag::Draw => GameResult::Draw,
        ResultTag::Unknown => GameResult::Unknown,
    }
}

/// Why a game that ended on the board ended.
pub(crate) fn reason(outcome: Outcome) -> Reason {
    match outcome {
        Outcome::Win { reason: WinReason::Checkmate, .. } => Reason::Checkmate,
        Outcome::Win { reason: WinReason::Goal, .. } => Reason::Goal,
        Outcome::Win { reason: WinReason::Stalemate, .. } | Outcome::Draw(DrawReason::Stalemate) => {
            Reason::Stalemate
        }
        Outcome::Draw(DrawReason::DeadPosition) => Reason::Dead,
        Outcome::Draw(DrawReason::Repetition) => Reason::Repetition,
        Outcome::Draw(DrawReason::MoveCount) => Reason::MoveCount,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    #[test]
    fn premoves_go_where_others_stand_now() {
        let variant = library::game("doublediamond").expect("built in");
        let position = AnyPosition::start(&variant);
        let number = |name: &str| variant.shape().named(name).map(Square::index).expect("a square");
        let (now, later) = (reach(&position), premove_reach(&position, Color::White));
        for (from, to) in [("a1", "c1"), ("a1", "b1"), ("c1", "b2"), ("b3", "c3"), ("e1", "e8")] {
            let (from, to) = (number(from), number(to) as u16);
            assert!(!now[from].contains(&to) && later[from].contains(&to), "{from} {to}");
        }
        assert_eq!(
            now[number("i9")],
            later[number("i9")],
            "the other side's pieces have their current moves"
        );
    }
}

//! Moves, what pieces reach, and the faults of positions in the wire's words. Positions as a whole:
//! `lozenge_analysis::position`.

use lozenge_analysis::position::color;
use lozenge_rules::geometry::{Coord, Shape};
use lozenge_rules::library::AnyGame;
use lozenge_rules::notation::{pgn::ResultTag, uci};
use lozenge_rules::position::{
    self, AnyPosition, GamePositionError, Move, MultiPositionError, PositionError, SetupFault,
};
use lozenge_rules::setup::multi::MultiSetupFault;
use lozenge_wire::analysis::{PositionFault, PositionFaultCode};
use lozenge_wire::{Color, GameResult, MoveText};

/// The rules' word for a color of a game of two: White for the first of the turns.
pub fn rules_color(color: Color) -> position::Color {
    if color.index() == 0 { position::Color::White } else { position::Color::Black }
}

/// Legal moves as texts, sorted.
pub fn moves(position: &AnyPosition, legal: &[Move]) -> Vec<MoveText> {
    let variant = position.variant();
    let mut moves: Vec<MoveText> = legal.iter().map(|&played| uci::text(variant, played)).collect();
    moves.sort_unstable();
    moves
}

/// By square, the destinations of the piece there if it were its turn.
pub fn reach(position: &AnyPosition) -> Vec<Vec<u16>> {
    let squares = position.variant().shape().squares();
    squares.map(|from| position.reach(from).into_iter().map(|to| to.index() as u16).collect()).collect()
}

/// By square, the destinations of the piece there if it were its turn. For pieces of `side` these are the possible
/// premoves: also where they could go once other pieces have moved out of the way, or into it.
pub fn premove_reach(position: &AnyPosition, side: Color) -> Vec<Vec<u16>> {
    let (variant, mut all) = (position.variant(), reach(position));
    for from in variant.shape().squares() {
        let Some(piece) = position.piece_at(from).filter(|piece| color(piece.color()) == side) else {
            continue;
        };
        let unblocked = variant.reach(piece, from);
        let castled = variant.castlings().iter().map(|castling| castling.king);
        let castled =
            castled.filter(|&(king, _)| king == from && variant.roles().royal() == Some(piece.role()));
        let squares = [unblocked.quiet, unblocked.capture, unblocked.first, unblocked.over].concat();
        let squares = squares.into_iter().chain(castled.map(|(_, to)| to)).map(|to| to.index() as u16);
        let targets = &mut all[from.index()];
        targets.extend(squares);
        targets.sort_unstable();
        targets.dedup();
    }
    all
}

/// The result that a game's tag in PGN states.
pub fn result_of_tag(tag: ResultTag) -> GameResult {
    match tag {
        ResultTag::WhiteWins => GameResult::WhiteWins,
        ResultTag::BlackWins => GameResult::BlackWins,
        ResultTag::Draw => GameResult::Draw,
        ResultTag::Places(places) => GameResult::Places(places),
        ResultTag::Unknown => GameResult::Unknown,
    }
}

/// All faults of a text as a position of the game.
pub fn position_faults(variant: &AnyGame, error: &GamePositionError) -> Vec<PositionFault> {
    use {GamePositionError as Any, MultiPositionError as Four, PositionError as Two};
    let shape = variant.shape();
    match error {
        Any::Two(Two::Fen(error)) | Any::Four(Four::Fen(error)) => error
            .faults
            .iter()
            .map(|fault| PositionFault {
                code: PositionFaultCode::Fen,
                message: fault.to_string(),
                squares: Vec::new(),
            })
            .collect(),
        Any::Two(Two::Setup(error)) => error.faults.iter().map(|fault| setup_fault(shape, fault)).collect(),
        Any::Four(Four::Setup(error)) => {
            error.faults.iter().map(|fault| multi_setup_fault(shape, fault)).collect()
        }
    }
}

fn multi_setup_fault(shape: &Shape, fault: &MultiSetupFault) -> PositionFault {
    use PositionFaultCode as Code;
    let (code, coord): (Code, Option<Coord>) = match *fault {
        MultiSetupFault::HoleOnSquare(at) | MultiSetupFault::SquareOnHole(at) => (Code::Board, Some(at)),
        MultiSetupFault::Kings { .. } => (Code::Kings, None),
        MultiSetupFault::Right { .. } => (Code::Right, None),
        MultiSetupFault::EnPassant { at, .. } => (Code::EnPassant, Some(at)),
        MultiSetupFault::DeadKing(at) => (Code::Kings, Some(at)),
        MultiSetupFault::PieceOfOut { at, .. } => (Code::PieceOfOut, Some(at)),
        MultiSetupFault::Unpromoted { at, .. } => (Code::Unpromoted, Some(at)),
        MultiSetupFault::MoverOut(_) | MultiSetupFault::TooManyOut(_) => (Code::Living, None),
        MultiSetupFault::KingsTouch(..)
        | MultiSetupFault::PreviousInCheck(_)
        | MultiSetupFault::TwoChecks { .. } => (Code::OpponentInCheck, None),
    };
    let squares =
        coord.and_then(|at| shape.at(at)).map_or_else(Vec::new, |square| vec![square.index() as u16]);
    PositionFault { code, message: fault.to_string(), squares }
}

fn setup_fault(shape: &Shape, fault: &SetupFault) -> PositionFault {
    use PositionFaultCode as Code;
    let (code, coords): (Code, Vec<Coord>) = match *fault {
        SetupFault::WrongBox { .. } => (Code::Board, Vec::new()),
        SetupFault::HoleOnSquare(at) | SetupFault::SquareOnHole(at) => (Code::Board, vec![at]),
        SetupFault::Kings { color: position::Color::White, .. } => (Code::WhiteKings, Vec::new()),
        SetupFault::Kings { color: position::Color::Black, .. } => (Code::BlackKings, Vec::new()),
        SetupFault::OpponentInCheck(_) => (Code::OpponentInCheck, Vec::new()),
        SetupFault::Unpromoted { at, .. } => (Code::Unpromoted, vec![at]),
        SetupFault::StaleGoal { at, .. } => (Code::StaleGoal, vec![at]),
        SetupFault::Right { king, rook, .. } => (Code::Right, vec![king, rook]),
        SetupFault::EnPassant { at, .. } => (Code::EnPassant, vec![at]),
        SetupFault::EnPassantOfTwo { at, pieces: [one, other] } => (Code::EnPassant, vec![at, one, other]),
        SetupFault::Moved(at) => (Code::Moved, vec![at]),
    };
    let squares = coords.into_iter().filter_map(|at| shape.at(at));
    PositionFault {
        code,
        message: fault.to_string(),
        squares: squares.map(|square| square.index() as u16).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::geometry::Square;
    use lozenge_rules::library;

    #[test]
    fn premoves_may_target_occupied_squares() {
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

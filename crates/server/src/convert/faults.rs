//! Faults of positions in the wire's words.

use lozenge_rules::geometry::Coord;
use lozenge_rules::position::{self, PositionError, SetupFault};
use lozenge_rules::variant::Variant;
use lozenge_wire::analysis::{PositionFault, PositionFaultCode};

/// Everything that keeps a text from being a position of the game.
pub(crate) fn position_faults(variant: &Variant, error: &PositionError) -> Vec<PositionFault> {
    match error {
        PositionError::Fen(error) => error
            .faults
            .iter()
            .map(|fault| PositionFault {
                code: PositionFaultCode::Fen,
                message: fault.to_string(),
                squares: Vec::new(),
            })
            .collect(),
        PositionError::Setup(error) => error.faults.iter().map(|fault| setup_fault(variant, fault)).collect(),
    }
}

fn setup_fault(variant: &Variant, fault: &SetupFault) -> PositionFault {
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
    let squares = coords.into_iter().filter_map(|at| variant.shape().at(at));
    PositionFault {
        code,
        message: fault.to_string(),
        squares: squares.map(|square| square.index() as u16).collect(),
    }
}

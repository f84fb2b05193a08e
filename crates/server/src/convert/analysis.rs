//! Analyzed positions in the wire's words.

use super::{castlings, check_square, color, last, placed_pieces, reason, result, text};
use lozenge_rules::geometry::Coord;
use lozenge_rules::notation::san;
use lozenge_rules::position::{self, AnyPosition, Game, Move, PositionError, SetupFault};
use lozenge_rules::variant::Variant;
use lozenge_wire::GameResult;
use lozenge_wire::analysis::{LegalMove, Position, PositionFault, PositionFaultCode, PositionStatus, Step};

/// The position at the end of a game, with its moves after the first `known`.
pub(crate) fn position(game: &Game, known: usize) -> Position {
    let now = game.position();
    let outcome = game.outcome();
    let legal = if outcome.is_some() { Vec::new() } else { now.legal_moves() };
    let status_after = |played| now.play_unchecked(played).status();
    let mut moves: Vec<LegalMove> = legal
        .iter()
        .map(|&played| LegalMove {
            uci: text(now, played),
            san: san::write_among(now, played, &legal, status_after(played)),
        })
        .collect();
    moves.sort_unstable_by(|one, other| one.uci.cmp(&other.uci));
    Position {
        variant: now.variant().id().into(),
        start_fen: game.start().fen(),
        fen: now.fen(),
        turn: color(now.turn()),
        men: placed_pieces(now),
        last: game.moves().last().map_or_else(Vec::new, |&played| last(played)),
        check: check_square(now),
        legal: moves,
        castlings: castlings(now, &legal),
        status: status(now),
        result: outcome.map_or_else(GameResult::default, result),
        reason: outcome.map(reason),
        steps: steps(game, known),
    }
}

fn steps(game: &Game, known: usize) -> Vec<Step> {
    let positions: Vec<AnyPosition> = game.positions().skip(known).collect();
    let step = |(pair, &played): (&[AnyPosition], &Move)| Step {
        uci: text(&pair[0], played),
        san: san::write(&pair[0], played),
        fen: pair[1].fen(),
        last: last(played),
        check: check_square(&pair[1]),
    };
    positions.windows(2).zip(game.moves().iter().skip(known)).map(step).collect()
}

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

/// What a position alone says of the game.
fn status(position: &AnyPosition) -> PositionStatus {
    match position.status() {
        position::Status::Ongoing => PositionStatus::Ongoing,
        position::Status::Check => PositionStatus::Check,
        position::Status::Checkmate => PositionStatus::Checkmate,
        position::Status::Goal => PositionStatus::Goal,
        position::Status::Stalemate => PositionStatus::Stalemate,
        position::Status::Dead => PositionStatus::Dead,
    }
}

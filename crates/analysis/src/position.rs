//! A position with its legal moves, in the wire's words, for an analysis board. Not here: the rules.

use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::{self, AnyPosition, DrawReason, Game, Move, MoveKind, Outcome, WinReason};
use lozenge_wire::analysis::{LegalMove, Position, PositionStatus, Step};
use lozenge_wire::{Castling, Color, GameResult, Reason};

/// The position at the end of a game, with its moves after the first `known`.
#[must_use]
pub fn position(game: &Game, known: usize) -> Position {
    let now = game.position();
    let outcome = game.outcome();
    let legal = if outcome.is_some() { Vec::new() } else { now.legal_moves() };
    Position {
        variant: now.variant().id().into(),
        start_fen: game.start().fen(),
        fen: now.fen(),
        turn: color(now.turn()),
        last: game.moves().last().map_or_else(Vec::new, |&played| last(played)),
        check: check_square(now),
        legal: legal_moves(now, &legal),
        castlings: castlings(now, &legal),
        status: status(now),
        result: outcome.map_or_else(GameResult::default, result),
        reason: outcome.map(reason),
        steps: steps(game, known),
    }
}

/// Legal moves of a position, sorted by their long algebraic form.
pub(crate) fn legal_moves(position: &AnyPosition, legal: &[Move]) -> Vec<LegalMove> {
    let status_after = |played| position.play_unchecked(played).status();
    let mut moves: Vec<LegalMove> = legal
        .iter()
        .map(|&played| LegalMove {
            uci: text(position, played),
            san: san::write_among(position, played, legal, status_after(played)),
        })
        .collect();
    moves.sort_unstable_by(|one, other| one.uci.cmp(&other.uci));
    moves
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

/// The status of a position by itself, without the moves before it.
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

/// The wire's word for a color.
#[must_use]
pub fn color(color: position::Color) -> Color {
    match color {
        position::Color::White => Color::White,
        position::Color::Black => Color::Black,
    }
}

/// The numbers of the squares that a move leaves and reaches.
#[must_use]
pub fn last(played: Move) -> Vec<u16> {
    vec![played.from.index() as u16, played.to.index() as u16]
}

/// The square of the King in check.
#[must_use]
pub fn check_square(position: &AnyPosition) -> Option<u16> {
    position.is_check().then(|| position.king(position.turn()).index() as u16)
}

/// A move's text.
#[must_use]
pub fn text(position: &AnyPosition, played: Move) -> String {
    uci::write(position.variant(), played)
}

/// The castlings among legal moves.
#[must_use]
pub fn castlings(position: &AnyPosition, legal: &[Move]) -> Vec<Castling> {
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

/// An outcome as a result.
#[must_use]
pub fn result(outcome: Outcome) -> GameResult {
    match outcome {
        Outcome::Win { winner: position::Color::White, .. } => GameResult::WhiteWins,
        Outcome::Win { winner: position::Color::Black, .. } => GameResult::BlackWins,
        Outcome::Draw(_) => GameResult::Draw,
    }
}

/// Why a game that ended on the board ended.
#[must_use]
pub fn reason(outcome: Outcome) -> Reason {
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

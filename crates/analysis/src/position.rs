//! A position with its legal moves, in the wire's words, for an analysis board. Not here: the rules.

use lozenge_rules::notation::{san, turn, uci};
use lozenge_rules::position::{
    self, AnyPosition, DrawReason, GamePosition, Move, MultiEnd, MultiOutcome, MultiResult, MultiStatus,
    MultiTurn, Outcome, Played, WinReason,
};
use lozenge_rules::seat::Seat;
use lozenge_wire::analysis::{LegalMove, Position, PositionStatus, Step};
use lozenge_wire::{Castling, Color, GameResult, Reason};

/// The position at the end of a game, with its moves after the first `known`.
#[must_use]
pub fn position(game: &Played, known: usize) -> Position {
    let now = game.position();
    let (result, reason) = match outcome(game) {
        Some((result, reason)) => (result, Some(reason)),
        None => (GameResult::default(), None),
    };
    let legal = if reason.is_some() { Vec::new() } else { now.legal_moves() };
    Position {
        variant: now.variant().id().into(),
        start_fen: game.positions_from(0).first().map_or_else(String::new, GamePosition::fen),
        fen: now.fen(),
        turn: turn_color(&now),
        last: game.turns_from(game.plies().saturating_sub(1)).last().copied().map_or_else(Vec::new, squares),
        check: check_square(&now),
        legal: self::legal(&now, &legal),
        castlings: castlings(&now, &legal),
        status: status(&now),
        result,
        reason,
        steps: steps(game, known),
    }
}

/// How a game ended on the board, if it did.
fn outcome(game: &Played) -> Option<(GameResult, Reason)> {
    match game {
        Played::Two(game) => game.outcome().map(|outcome| (result(outcome), reason(outcome))),
        Played::Four(game) => game.outcome().map(multi_outcome),
    }
}

/// Legal moves of a position, sorted by their long algebraic form.
pub(crate) fn legal(position: &GamePosition, legal: &[Move]) -> Vec<LegalMove> {
    match position {
        GamePosition::Two(position) => legal_moves(position, legal),
        GamePosition::Four(_) => multi_legal_moves(position, legal),
    }
}

/// As [`legal_moves`], in a game of four.
fn multi_legal_moves(position: &GamePosition, legal: &[Move]) -> Vec<LegalMove> {
    let text = |&played: &Move| {
        let turn = MultiTurn::Move(played);
        LegalMove { uci: turn::uci(position, turn), san: turn::san(position, turn) }
    };
    let mut moves: Vec<LegalMove> = legal.iter().map(text).collect();
    moves.sort_unstable_by(|one, other| one.uci.cmp(&other.uci));
    moves
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

fn steps(game: &Played, known: usize) -> Vec<Step> {
    let positions = game.positions_from(known);
    positions
        .windows(2)
        .zip(game.turns_from(known))
        .map(|(pair, turn)| step(&pair[0], turn, &pair[1]))
        .collect()
}

/// A turn with what it leads to.
#[must_use]
pub fn step(before: &GamePosition, turn: MultiTurn, after: &GamePosition) -> Step {
    Step {
        uci: turn::uci(before, turn),
        san: turn::san(before, turn),
        fen: after.fen(),
        last: squares(turn),
        check: check_square(after),
    }
}

/// The status of a position by itself, without the moves before it.
fn status(position: &GamePosition) -> PositionStatus {
    match position {
        GamePosition::Two(position) => match position.status() {
            position::Status::Ongoing => PositionStatus::Ongoing,
            position::Status::Check => PositionStatus::Check,
            position::Status::Checkmate => PositionStatus::Checkmate,
            position::Status::Goal => PositionStatus::Goal,
            position::Status::Stalemate => PositionStatus::Stalemate,
            position::Status::Dead => PositionStatus::Dead,
        },
        GamePosition::Four(position) => match position.status() {
            MultiStatus::Ongoing => PositionStatus::Ongoing,
            MultiStatus::Check => PositionStatus::Check,
            MultiStatus::Decided => PositionStatus::Decided,
            MultiStatus::Stalemate => PositionStatus::Stalemate,
            MultiStatus::Dead => PositionStatus::Dead,
        },
    }
}

/// The color to move.
#[must_use]
pub fn turn_color(position: &GamePosition) -> Color {
    match position {
        GamePosition::Two(position) => color(position.turn()),
        GamePosition::Four(position) => seat_color(position.turn()),
    }
}

/// The wire's word for a seat.
#[must_use]
pub const fn seat_color(seat: Seat) -> Color {
    Color::FOUR[seat.index()]
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

/// The numbers of the squares that a turn leaves and reaches; none where a player of four goes out.
#[must_use]
pub fn squares(turn: MultiTurn) -> Vec<u16> {
    match turn {
        MultiTurn::Move(played) => last(played),
        MultiTurn::Resignation | MultiTurn::TimeOut => Vec::new(),
    }
}

/// The number of the square of the King in check.
#[must_use]
pub fn check_square(position: &GamePosition) -> Option<u16> {
    position.checked_king().map(|king| king.index() as u16)
}

/// A move's text.
#[must_use]
pub fn text(position: &AnyPosition, played: Move) -> String {
    uci::write(position.variant(), played)
}

/// The castlings among legal moves.
#[must_use]
pub fn castlings(position: &GamePosition, legal: &[Move]) -> Vec<Castling> {
    let infos = match position {
        GamePosition::Two(position) => position.variant().castlings(),
        GamePosition::Four(position) => position.variant().castlings(),
    };
    let castling = |&played: &Move| {
        let info = infos.get(usize::from(played.castling()?))?;
        Some(Castling {
            played: turn::uci(position, MultiTurn::Move(played)),
            king: info.king.0.index() as u16,
            rook: info.rook.0.index() as u16,
        })
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

/// The result of a game of four, and its reason.
#[must_use]
pub fn multi_outcome(outcome: MultiOutcome) -> (GameResult, Reason) {
    let result = match outcome.result {
        MultiResult::Places(places) => GameResult::Places(Seat::ALL.map(|seat| places[seat])),
        MultiResult::Team(Seat::Red | Seat::Yellow) => GameResult::WhiteWins,
        MultiResult::Team(Seat::Blue | Seat::Green) => GameResult::BlackWins,
        MultiResult::Draw => GameResult::Draw,
    };
    let reason = match outcome.end {
        MultiEnd::Decided => Reason::Decided,
        MultiEnd::Stalemate => Reason::Stalemate,
        MultiEnd::Dead => Reason::Dead,
        MultiEnd::Repetition => Reason::Repetition,
        MultiEnd::MoveCount => Reason::MoveCount,
        MultiEnd::Agreement => Reason::Agreement,
    };
    (result, reason)
}

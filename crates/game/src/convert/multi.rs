//! Games of four in the wire's words: colors of seats, ends, and the board. Not here: what is legal.

use lozenge_rules::position::{AnyMultiPosition, MultiEnd, MultiOutcome, MultiResult};
use lozenge_rules::seat::Seat;
use lozenge_wire::{Color, GameResult, Reason};

/// The wire's word for a seat.
#[must_use]
pub const fn seat_color(seat: Seat) -> Color {
    Color::FOUR[seat.index()]
}

/// The seat of a color; `None` for White and Black, who play games of two.
#[must_use]
pub fn seat_of(color: Color) -> Option<Seat> {
    Seat::ALL.into_iter().find(|&seat| seat_color(seat) == color)
}

/// The number of the square of the King in check.
#[must_use]
pub fn multi_check_square(position: &AnyMultiPosition) -> Option<u16> {
    let king = position.is_check().then(|| position.king(position.turn()))?;
    king.map(|square| square.index() as u16)
}

/// By square, the destinations of the piece there if it were its owner's turn.
#[must_use]
pub fn multi_reach(position: &AnyMultiPosition) -> Vec<Vec<u16>> {
    let mut all = vec![Vec::new(); position.variant().shape().len()];
    for (from, to) in position.reach() {
        all[from.index()] = to.into_iter().map(|to| to.index() as u16).collect();
    }
    all
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

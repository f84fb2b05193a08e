//! State of each player in a machine: requests of the two players of a game, intentions of the four, and who went out.
//! Not here: what follows from them (`offers`, `multi`).

use lozenge_rules::position::{AnyMultiPosition, MultiTurn, Played};
use lozenge_wire::{ByPlayer, Color, Exit};

/// How many half moves had been played when a side last wanted something of the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Requests {
    /// The last offer of a draw.
    pub(super) draw: Option<usize>,
    /// The last request to take a move back.
    pub(super) takeback: Option<usize>,
    /// When it last accepted the other's takeback, after how many half moves that were left, and at what time.
    pub(super) accepted: Option<(usize, i64)>,
}

/// Intentions of the players of a game, by the order of the turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Intentions {
    /// Players who agree to a draw.
    pub(super) draw: ByPlayer<bool>,
    /// Players who resign on their next turn.
    pub(super) resignation: ByPlayer<bool>,
    /// Players who want a rematch.
    pub(super) rematch: ByPlayer<bool>,
}

/// Why players went out, by the order of the turns; `None` for the living.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Exits(pub(super) ByPlayer<Option<Exit>>);

impl Exits {
    /// Those of a whole record.
    pub(super) fn of(record: &Played) -> Self {
        let mut exits = Self::default();
        if let Played::Four(game) = record {
            let positions: Vec<_> = game.positions().collect();
            for (turn, pair) in game.turns().iter().zip(positions.windows(2)) {
                exits.note(&pair[0], *turn, &pair[1]);
            }
        }
        exits
    }

    /// The colors of those who went out.
    pub(super) fn colors(self) -> impl Iterator<Item = Color> {
        Color::FOUR.into_iter().filter(move |&color| self.0[color].is_some())
    }

    /// Notes who went out by a half move.
    pub(super) fn note(&mut self, before: &AnyMultiPosition, turn: MultiTurn, after: &AnyMultiPosition) {
        for seat in before.living().iter().filter(|&seat| !after.living().contains(seat)) {
            let by_turn = seat == before.turn();
            self.0[Color::FOUR[seat.index()]] = Some(match turn {
                MultiTurn::Resignation if by_turn => Exit::Resign,
                MultiTurn::TimeOut if by_turn => Exit::Time,
                _ => Exit::Checkmate,
            });
        }
    }
}

//! The moves and positions of a game for any number of players. Not here: players, clocks and offers.

use crate::convert;
use lozenge_rules::library::AnyGame;
use lozenge_rules::notation::{san, turn, uci};
use lozenge_rules::position::{AnyMultiPosition, Game, GamePosition, Move, MultiGame, MultiTurn, Played};
use lozenge_wire::{Castling, Color, GameResult, MoveText, Reason};

/// The moves and positions of a game.
#[derive(Clone, Debug)]
pub struct Record(pub(super) Played);

impl Record {
    /// A record without moves.
    pub(super) fn new(start: GamePosition) -> Self {
        Self(Played::from_position(start))
    }

    /// The game as the engine searches it.
    #[must_use]
    pub const fn played(&self) -> &Played {
        &self.0
    }

    /// Whether the position now is the last one of a game.
    #[must_use]
    pub fn has_position_of(&self, game: &Played) -> bool {
        match (&self.0, game) {
            (Played::Two(own), Played::Two(other)) => own.position() == other.position(),
            (Played::Four(own), Played::Four(other)) => own.position() == other.position(),
            _ => false,
        }
    }

    /// The game of two players, if it is one.
    #[must_use]
    pub const fn two(&self) -> Option<&Game> {
        self.0.two()
    }

    /// The game of four players, if it is one.
    #[must_use]
    pub const fn four(&self) -> Option<&MultiGame> {
        self.0.four()
    }

    /// The colors of the players, in the order of the turns.
    #[must_use]
    pub fn colors(&self) -> &'static [Color] {
        match &self.0 {
            Played::Two(_) => &Color::TWO,
            Played::Four(game) => convert::seat_colors(game.position().variant()),
        }
    }

    /// The rules.
    #[must_use]
    pub fn variant(&self) -> AnyGame {
        match &self.0 {
            Played::Two(game) => AnyGame::Two(game.position().variant().clone()),
            Played::Four(game) => AnyGame::Four(game.position().variant().clone()),
        }
    }

    /// The short name of the rules.
    #[must_use]
    pub fn variant_id(&self) -> &str {
        match &self.0 {
            Played::Two(game) => game.position().variant().id(),
            Played::Four(game) => game.position().variant().id(),
        }
    }

    /// The full name of the rules.
    #[must_use]
    pub fn variant_name(&self) -> &str {
        match &self.0 {
            Played::Two(game) => game.position().variant().name(),
            Played::Four(game) => game.position().variant().name(),
        }
    }

    /// The first position.
    #[must_use]
    pub fn start(&self) -> GamePosition {
        self.0.start()
    }

    /// The position after this number of half moves.
    #[must_use]
    pub fn position_at(&self, ply: usize) -> Option<GamePosition> {
        match &self.0 {
            Played::Two(game) => game.position_at(ply).map(GamePosition::Two),
            Played::Four(game) => game.position_at(ply).map(GamePosition::Four),
        }
    }

    /// The color to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        match &self.0 {
            Played::Two(game) => convert::color(game.position().turn()),
            Played::Four(game) => convert::seat_color(game.position().turn()),
        }
    }

    /// The FEN of the position now.
    #[must_use]
    pub fn fen(&self) -> String {
        match &self.0 {
            Played::Two(game) => game.position().fen(),
            Played::Four(game) => game.position().fen(),
        }
    }

    pub(super) fn legal_moves(&self) -> Vec<Move> {
        self.0.legal_moves()
    }

    /// Moves of the position now as texts, sorted.
    pub(super) fn texts(&self, moves: &[Move]) -> Vec<MoveText> {
        match &self.0 {
            Played::Two(game) => convert::moves(game.position(), moves),
            Played::Four(game) => {
                let variant = game.position().variant();
                let text = |&played: &Move| uci::text_multi(variant, played);
                let mut texts: Vec<MoveText> = moves.iter().map(text).collect();
                texts.sort_unstable();
                texts
            }
        }
    }

    pub(super) fn castlings(&self, legal: &[Move]) -> Vec<Castling> {
        convert::castlings(&self.0.position(), legal)
    }

    /// The number of the square of the King in check in the position now.
    pub(super) fn check_square(&self) -> Option<u16> {
        convert::check_square(&self.0.position())
    }

    /// The numbers of the squares that the half move at an index left and reached; none where a player of four went out.
    #[must_use]
    pub fn last(&self, index: usize) -> Vec<u16> {
        let played = match &self.0 {
            Played::Two(game) => game.moves().get(index).copied(),
            Played::Four(game) => match game.turns().get(index) {
                Some(MultiTurn::Move(played)) => Some(*played),
                Some(MultiTurn::Resignation | MultiTurn::TimeOut) | None => None,
            },
        };
        played.map_or_else(Vec::new, convert::last)
    }

    /// The half move at an index in long algebraic form.
    pub(super) fn uci(&self, index: usize) -> Option<String> {
        match &self.0 {
            Played::Two(game) => {
                game.moves().get(index).map(|&played| convert::text(game.position(), played))
            }
            Played::Four(game) => Some(match game.turns().get(index)? {
                MultiTurn::Move(played) => uci::write_multi(game.position().variant(), *played),
                MultiTurn::Resignation => turn::RESIGNATION.into(),
                MultiTurn::TimeOut => turn::TIME_OUT.into(),
            }),
        }
    }

    /// Takes back the last half move.
    pub(super) fn undo(&mut self) -> Option<MultiTurn> {
        match &mut self.0 {
            Played::Two(game) => game.undo().map(MultiTurn::Move),
            Played::Four(game) => game.undo(),
        }
    }
}

/// A half move of a game of four in standard algebraic notation; `check` is whether it puts the next player in check.
pub(super) fn multi_san(position: &AnyMultiPosition, legal: &[Move], turn: MultiTurn, check: bool) -> String {
    match turn {
        MultiTurn::Move(played) => san::write_multi(position, played, legal, check),
        MultiTurn::Resignation => turn::RESIGNATION.into(),
        MultiTurn::TimeOut => turn::TIME_OUT.into(),
    }
}

/// How a game of four would end by agreement.
pub(super) fn agreement(game: &MultiGame) -> Option<(GameResult, Reason)> {
    let mut game = game.clone();
    game.agree().then(|| game.outcome())?.map(convert::multi_outcome)
}

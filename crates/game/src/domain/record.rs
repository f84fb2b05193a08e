//! The moves and positions of a game for any number of players. Not here: players, clocks and offers.

use crate::convert;
use lozenge_engine::Played;
use lozenge_rules::library::AnyGame;
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::{AnyMultiPosition, AnyPosition, Game, Move, MultiGame, MultiTurn};
use lozenge_rules::seat::Seat;
use lozenge_wire::{Castling, Color, GameResult, MoveText, Reason};

/// The texts of a resignation and of a time-out in a list of moves of a game of four.
pub(super) const RESIGNATION: &str = "R";
pub(super) const TIME_OUT: &str = "T";

/// The moves and positions of a game.
#[derive(Clone, Debug)]
pub struct Record(pub(super) Played);

/// A position of a game for any number of players.
#[derive(Clone, Debug)]
pub enum GamePosition {
    /// Of two players.
    Two(AnyPosition),
    /// Of four players.
    Four(AnyMultiPosition),
}

impl From<AnyPosition> for GamePosition {
    fn from(start: AnyPosition) -> Self {
        Self::Two(start)
    }
}

impl From<AnyMultiPosition> for GamePosition {
    fn from(start: AnyMultiPosition) -> Self {
        Self::Four(start)
    }
}

impl GamePosition {
    /// The rules.
    #[must_use]
    pub fn variant(&self) -> AnyGame {
        match self {
            Self::Two(start) => AnyGame::Two(start.variant().clone()),
            Self::Four(start) => AnyGame::Four(start.variant().clone()),
        }
    }

    /// The position as FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        match self {
            Self::Two(start) => start.fen(),
            Self::Four(start) => start.fen(),
        }
    }

    /// Reads a FEN of a game.
    ///
    /// # Errors
    /// A message with all reasons why it is not a position of the game.
    pub fn from_fen(variant: &AnyGame, fen: &str) -> Result<Self, String> {
        match variant {
            AnyGame::Two(game) => {
                AnyPosition::from_fen(game, fen).map(Self::Two).map_err(|error| error.to_string())
            }
            AnyGame::Four(game) => {
                AnyMultiPosition::from_fen(game, fen).map(Self::Four).map_err(|error| error.to_string())
            }
        }
    }

    /// The number of the square of the King in check.
    #[must_use]
    pub fn check_square(&self) -> Option<u16> {
        match self {
            Self::Two(position) => convert::check_square(position),
            Self::Four(position) => convert::multi_check_square(position),
        }
    }

    /// The color to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        match self {
            Self::Two(position) => convert::color(position.turn()),
            Self::Four(position) => convert::seat_color(position.turn()),
        }
    }
}

impl Record {
    /// A record without moves.
    pub(super) fn new(start: GamePosition) -> Self {
        Self(match start {
            GamePosition::Two(start) => Game::from_position(start).into(),
            GamePosition::Four(start) => MultiGame::from_position(start).into(),
        })
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
    pub const fn colors(&self) -> &'static [Color] {
        match &self.0 {
            Played::Two(_) => &Color::TWO,
            Played::Four(_) => &Color::FOUR,
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
        match &self.0 {
            Played::Two(game) => GamePosition::Two(game.start().clone()),
            Played::Four(game) => GamePosition::Four(game.positions()[0].clone()),
        }
    }

    /// The position after this number of half moves.
    #[must_use]
    pub fn position_at(&self, ply: usize) -> Option<GamePosition> {
        match &self.0 {
            Played::Two(game) => game.position_at(ply).map(GamePosition::Two),
            Played::Four(game) => game.positions().get(ply).cloned().map(GamePosition::Four),
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
                let (red, _) = game.position().variant().pair(Seat::Red);
                let mut texts: Vec<MoveText> = moves.iter().map(|&played| uci::text(red, played)).collect();
                texts.sort_unstable();
                texts
            }
        }
    }

    pub(super) fn castlings(&self, legal: &[Move]) -> Vec<Castling> {
        self.two().map_or_else(Vec::new, |game| convert::castlings(game.position(), legal))
    }

    /// The number of the square of the King in check in the position now.
    pub(super) fn check_square(&self) -> Option<u16> {
        match &self.0 {
            Played::Two(game) => convert::check_square(game.position()),
            Played::Four(game) => convert::multi_check_square(game.position()),
        }
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
                MultiTurn::Resignation => RESIGNATION.into(),
                MultiTurn::TimeOut => TIME_OUT.into(),
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

    /// The half moves from an index on.
    pub(super) fn turns_from(&self, index: usize) -> Vec<MultiTurn> {
        match &self.0 {
            Played::Two(game) => {
                game.moves()[index..].iter().map(|&played| MultiTurn::Move(played)).collect()
            }
            Played::Four(game) => game.turns()[index..].to_vec(),
        }
    }

    /// Plays a half move that was taken back.
    pub(super) fn redo(&mut self, turn: MultiTurn) {
        match (&mut self.0, turn) {
            (Played::Two(game), MultiTurn::Move(played)) => game.play_unchecked(played),
            (Played::Four(game), turn) => {
                play_multi(game, turn);
            }
            (Played::Two(_), _) => {}
        }
    }
}

/// Plays a half move of a game of four. False if it cannot be played.
pub(super) fn play_multi(game: &mut MultiGame, turn: MultiTurn) -> bool {
    match turn {
        MultiTurn::Move(played) => game.play(played).is_ok(),
        MultiTurn::Resignation => game.resign(),
        MultiTurn::TimeOut => game.time_out(),
    }
}

/// A half move of a game of four in standard algebraic notation; `check` is whether it puts the next player in check.
pub(super) fn multi_san(position: &AnyMultiPosition, legal: &[Move], turn: MultiTurn, check: bool) -> String {
    match turn {
        MultiTurn::Move(played) => san::write_multi(position, played, legal, check),
        MultiTurn::Resignation => RESIGNATION.into(),
        MultiTurn::TimeOut => TIME_OUT.into(),
    }
}

/// How a game of four would end by agreement.
pub(super) fn agreement(game: &MultiGame) -> Option<(GameResult, Reason)> {
    let mut game = game.clone();
    game.agree().then(|| game.outcome())?.map(convert::multi_outcome)
}

//! A game and a position for any number of players: for callers that treat both alike. Not here: texts (`notation::turn`).

use super::{
    AnyMultiPosition, AnyPosition, Game, IllegalMove, Move, MultiGame, MultiPositionError, MultiTurn,
    Outcome, PositionError,
};
use crate::geometry::Square;
use crate::piece::Color;
use crate::variant::{AnyGame, NotForTwo};
use std::sync::Arc;

/// A position of a game for any number of players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GamePosition {
    /// Of two players.
    Two(AnyPosition),
    /// Of four players.
    Four(AnyMultiPosition),
}

/// Why a text is not a position of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GamePositionError {
    /// Of a game of two players.
    #[error(transparent)]
    Two(#[from] PositionError),
    /// Of a game of four players.
    #[error(transparent)]
    Four(#[from] MultiPositionError),
}

impl From<AnyPosition> for GamePosition {
    fn from(position: AnyPosition) -> Self {
        Self::Two(position)
    }
}

impl From<AnyMultiPosition> for GamePosition {
    fn from(position: AnyMultiPosition) -> Self {
        Self::Four(position)
    }
}

impl GamePosition {
    /// The starting position of a game; of several, the usual one.
    #[must_use]
    pub fn start(game: &AnyGame) -> Self {
        match game {
            AnyGame::Two(game) => AnyPosition::start(game).into(),
            AnyGame::Four(game) => AnyMultiPosition::start(game).into(),
        }
    }

    /// Reads a FEN of a game.
    ///
    /// # Errors
    /// All reasons why it is not a position of the game.
    ///
    /// ```
    /// use lozenge_rules::{library, position::GamePosition};
    /// let game = library::any_game("diamondring-four").unwrap();
    /// let start = GamePosition::start(&game);
    /// assert_eq!(GamePosition::from_fen(&game, &start.fen()).unwrap(), start);
    /// assert!(GamePosition::from_fen(&game, "8/8 w - - 0 1").is_err());
    /// ```
    pub fn from_fen(game: &AnyGame, fen: &str) -> Result<Self, GamePositionError> {
        Ok(match game {
            AnyGame::Two(game) => AnyPosition::from_fen(game, fen)?.into(),
            AnyGame::Four(game) => AnyMultiPosition::from_fen(game, fen)?.into(),
        })
    }

    /// The game.
    #[must_use]
    pub fn variant(&self) -> AnyGame {
        match self {
            Self::Two(position) => AnyGame::Two(Arc::clone(position.variant())),
            Self::Four(position) => AnyGame::Four(Arc::clone(position.variant())),
        }
    }

    /// The position, if it is one of two players.
    #[must_use]
    pub const fn two(&self) -> Option<&AnyPosition> {
        match self {
            Self::Two(position) => Some(position),
            Self::Four(_) => None,
        }
    }

    /// The position, if it is one of four players.
    #[must_use]
    pub const fn four(&self) -> Option<&AnyMultiPosition> {
        match self {
            Self::Two(_) => None,
            Self::Four(position) => Some(position),
        }
    }

    /// The position as FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        match self {
            Self::Two(position) => position.fen(),
            Self::Four(position) => position.fen(),
        }
    }

    /// A hash of the position without its clocks.
    #[must_use]
    pub fn key(&self) -> u64 {
        match self {
            Self::Two(position) => position.key(),
            Self::Four(position) => position.key(),
        }
    }

    /// The color of the player to move: `white` or `black`, or the id of a seat.
    ///
    /// ```
    /// use lozenge_rules::{library, position::GamePosition};
    /// let turn = |id| GamePosition::start(&library::any_game(id).unwrap()).turn();
    /// assert_eq!([turn("chess"), turn("diamondring-four")], ["white", "red"]);
    /// ```
    #[must_use]
    pub fn turn(&self) -> &'static str {
        match self {
            Self::Two(position) => match position.turn() {
                Color::White => "white",
                Color::Black => "black",
            },
            Self::Four(position) => position.turn().id(),
        }
    }

    /// The letter of the piece on a square; with four players that of its owner before it, as in FEN.
    ///
    /// ```
    /// use lozenge_rules::{library, position::GamePosition};
    /// let piece = |id, square| {
    ///     let game = library::any_game(id).unwrap();
    ///     GamePosition::start(&game).piece_text(game.shape().named(square).unwrap())
    /// };
    /// assert_eq!(piece("chess", "e8").as_deref(), Some("k"));
    /// assert_eq!(piece("diamondring-four", "g1").as_deref(), Some("rK"));
    /// assert_eq!(piece("chess", "e4"), None);
    /// ```
    #[must_use]
    pub fn piece_text(&self, square: Square) -> Option<String> {
        match self {
            Self::Two(position) => {
                let piece = position.piece_at(square)?;
                Some(position.variant().roles().letter(piece).to_string())
            }
            Self::Four(position) => {
                let piece = position.piece_at(square)?;
                let letter = position.variant().roles().info(piece.role).letter;
                Some(format!("{}{letter}", piece.owner_letter()))
            }
        }
    }

    /// How the position stands by itself, in the words of `lozenge moves`.
    #[must_use]
    pub fn status_text(&self) -> String {
        match self {
            Self::Two(position) => position.status().to_string(),
            Self::Four(position) => position.status().to_string(),
        }
    }

    /// The number of sequences of `depth` legal moves; `None` if `stop`, which is called at every node above the leaves, returned true.
    ///
    /// ```
    /// use lozenge_rules::{library, position::GamePosition};
    /// let start = GamePosition::start(&library::any_game("diamondring-four").unwrap());
    /// assert_eq!(start.perft_until(2, &|| false), Some(679));
    /// ```
    #[must_use]
    pub fn perft_until(&self, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
        match self {
            Self::Two(position) => position.perft_until(depth, stop),
            Self::Four(position) => position.perft_until(depth, stop),
        }
    }

    /// All legal moves, in no particular order.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        match self {
            Self::Two(position) => position.legal_moves(),
            Self::Four(position) => position.legal_moves(),
        }
    }

    /// The square of the King in check.
    #[must_use]
    pub fn checked_king(&self) -> Option<Square> {
        match self {
            Self::Two(position) => position.is_check().then(|| position.king(position.turn())),
            Self::Four(position) => position.is_check().then(|| position.king(position.turn()))?,
        }
    }

    /// The position after a legal turn. Only games of four have others than moves.
    ///
    /// ```
    /// use lozenge_rules::{library, position::{GamePosition, MultiTurn}};
    /// let start = GamePosition::start(&library::any_game("diamondring-four").unwrap());
    /// assert!(start.play_unchecked(MultiTurn::Resignation).fen().ends_with(" byg/r"));
    /// ```
    #[must_use]
    pub fn play_unchecked(&self, turn: MultiTurn) -> Self {
        match (self, turn) {
            (Self::Two(position), MultiTurn::Move(played)) => position.play_unchecked(played).into(),
            (Self::Two(_), MultiTurn::Resignation | MultiTurn::TimeOut) => self.clone(),
            // Without effect where it is not legal.
            (Self::Four(position), MultiTurn::Move(played)) => {
                position.play(played).unwrap_or_else(|_| position.clone()).into()
            }
            (Self::Four(position), turn) => {
                let mut game = MultiGame::from_position(position.clone());
                game.play_turn(turn);
                game.position().clone().into()
            }
        }
    }
}

/// A turn that cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalTurn {
    /// A move that is not legal, or after the end of a game of four.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// A resignation or time-out in a game of two players, or after the end of a game of four.
    #[error("expected a move: only players of an unfinished game of four resign or run out of time")]
    Exit,
}

/// A game of any number of players.
#[derive(Clone, Debug)]
pub enum Played {
    /// Of two players.
    Two(Game),
    /// Of four.
    Four(MultiGame),
}

impl Played {
    /// A game that begins with this position.
    #[must_use]
    pub fn from_position(start: GamePosition) -> Self {
        match start {
            GamePosition::Two(start) => Game::from_position(start).into(),
            GamePosition::Four(start) => MultiGame::from_position(start).into(),
        }
    }

    /// The game, if it is one of two players.
    #[must_use]
    pub const fn two(&self) -> Option<&Game> {
        match self {
            Self::Two(game) => Some(game),
            Self::Four(_) => None,
        }
    }

    /// The game, if it is one of two players.
    ///
    /// # Errors
    /// With the number of players of another game.
    pub fn for_two(&self) -> Result<&Game, NotForTwo> {
        match self {
            Self::Two(game) => Ok(game),
            Self::Four(game) => Err(NotForTwo(game.position().variant().seats().len() as u8)),
        }
    }

    /// The game, if it is one of three or four players.
    #[must_use]
    pub const fn four(&self) -> Option<&MultiGame> {
        match self {
            Self::Two(_) => None,
            Self::Four(game) => Some(game),
        }
    }

    /// The position the game began with.
    #[must_use]
    pub fn start(&self) -> GamePosition {
        match self {
            Self::Two(game) => game.start().clone().into(),
            Self::Four(game) => game.start().clone().into(),
        }
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> GamePosition {
        match self {
            Self::Two(game) => game.position().clone().into(),
            Self::Four(game) => game.position().clone().into(),
        }
    }

    /// All positions so far from the one after this number of half moves on.
    #[must_use]
    pub fn positions_from(&self, ply: usize) -> Vec<GamePosition> {
        match self {
            Self::Two(game) => game.positions().skip(ply).map(GamePosition::Two).collect(),
            Self::Four(game) => game.positions_from(ply).map(GamePosition::Four).collect(),
        }
    }

    /// The half moves so far from an index on.
    #[must_use]
    pub fn turns_from(&self, index: usize) -> Vec<MultiTurn> {
        match self {
            Self::Two(game) => game.moves().iter().skip(index).copied().map(MultiTurn::Move).collect(),
            Self::Four(game) => game.turns().iter().skip(index).copied().collect(),
        }
    }

    /// How many half moves were played.
    #[must_use]
    pub fn plies(&self) -> usize {
        match self {
            Self::Two(game) => game.moves().len(),
            Self::Four(game) => game.turns().len(),
        }
    }

    /// The squares that the last turn left and reached; none at the start and after an exit.
    #[must_use]
    pub fn last_squares(&self) -> Vec<Square> {
        let last = match self {
            Self::Two(game) => game.moves().last().copied().map(MultiTurn::Move),
            Self::Four(game) => game.turns().last().copied(),
        };
        match last {
            Some(MultiTurn::Move(last)) => vec![last.from, last.to],
            Some(MultiTurn::Resignation | MultiTurn::TimeOut) | None => Vec::new(),
        }
    }

    /// The legal moves at its end.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        match self {
            Self::Two(game) => game.position().legal_moves(),
            Self::Four(game) => game.position().legal_moves(),
        }
    }

    /// Plays a turn: as [`Game::play`] and [`MultiGame::play_turn`].
    ///
    /// # Errors
    /// When the turn is not legal; the game is as before.
    ///
    /// ```
    /// use lozenge_rules::{library, position::{GamePosition, MultiTurn, Played}};
    /// let of = |id| Played::from_position(GamePosition::start(&library::any_game(id).unwrap()));
    /// assert!(of("chess").play(MultiTurn::Resignation).is_err());
    /// let mut game = of("diamondring-four");
    /// game.play(MultiTurn::Resignation).unwrap();
    /// assert_eq!(game.position().turn(), "blue");
    /// assert_eq!(game.undo(), Some(MultiTurn::Resignation));
    /// ```
    pub fn play(&mut self, turn: MultiTurn) -> Result<(), IllegalTurn> {
        match (self, turn) {
            (Self::Two(game), MultiTurn::Move(played)) => Ok(game.play(played)?),
            (Self::Two(_), _) => Err(IllegalTurn::Exit),
            (Self::Four(game), MultiTurn::Move(played)) => Ok(game.play(played)?),
            (Self::Four(game), turn) => game.play_turn(turn).then_some(()).ok_or(IllegalTurn::Exit),
        }
    }

    /// Takes the last turn back and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<MultiTurn> {
        match self {
            Self::Two(game) => game.undo().map(MultiTurn::Move),
            Self::Four(game) => game.undo(),
        }
    }

    /// How the game has ended, in words; with `claim` also by a draw that the player to move could claim.
    ///
    /// ```
    /// use lozenge_rules::{library, position::{MultiGame, Played}};
    /// let mut game = MultiGame::new(&library::multi_game("diamondring-four").unwrap());
    /// assert_eq!(Played::from(game.clone()).outcome_text(false), None);
    /// while game.resign() {}
    /// assert_eq!(Played::from(game).outcome_text(false).as_deref(), Some("Green wins: places 4-3-2-1"));
    /// ```
    #[must_use]
    pub fn outcome_text(&self, claim: bool) -> Option<String> {
        match self {
            Self::Two(game) => {
                let claimed = || game.claimable_draw().filter(|_| claim).map(Outcome::Draw);
                game.outcome().or_else(claimed).map(|outcome| outcome.to_string())
            }
            Self::Four(game) => game.outcome().map(|outcome| outcome.to_string()),
        }
    }

    /// Plays a legal turn, also where a game of two players has ended or a draw could be claimed. False for an exit in a game of two,
    /// and for every turn after the end of a game of four.
    ///
    /// ```
    /// use lozenge_rules::{library, position::{GamePosition, MultiTurn, Played}};
    /// let start = GamePosition::start(&library::any_game("diamondring-four").unwrap());
    /// let mut game = Played::from_position(start);
    /// assert!((0..3).all(|_| game.play_unchecked(MultiTurn::Resignation)));
    /// assert!(!game.play_unchecked(MultiTurn::Resignation), "one player is left");
    /// ```
    pub fn play_unchecked(&mut self, turn: MultiTurn) -> bool {
        match (self, turn) {
            (Self::Two(game), MultiTurn::Move(played)) => {
                game.play_unchecked(played);
                true
            }
            (Self::Two(_), _) => false,
            (Self::Four(game), turn) => game.play_turn(turn),
        }
    }
}

impl From<Game> for Played {
    fn from(game: Game) -> Self {
        Self::Two(game)
    }
}

impl From<MultiGame> for Played {
    fn from(game: MultiGame) -> Self {
        Self::Four(game)
    }
}

//! A game of four being played: what depends on more than its last position. Repetition, the count of moves, agreement, and in
//! teams a time-out against bare Kings.

use super::{AnyMultiPosition, MultiStatus};
use crate::position::{IllegalMove, Move};
use crate::seat::{BySeat, Seat};
use crate::variant::MultiVariant;
use std::sync::Arc;

/// A turn of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MultiTurn {
    /// Moved.
    Move(Move),
    /// Resigned; in teams with the partner's consent.
    Resignation,
    /// Ran out of time.
    TimeOut,
}

/// Why a game of four is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MultiEnd {
    /// One player or one team is left.
    Decided,
    /// The player to move cannot move and is not in check, and the turn passes to no other player.
    Stalemate,
    /// Bare Kings; in teams also a time-out against them.
    Dead,
    /// The position occurred as often as ends the game.
    Repetition,
    /// As many moves by each living player without capture, pawn move or exit as end the game.
    MoveCount,
    /// The living have agreed on a draw.
    Agreement,
}

/// How a game of four ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MultiOutcome {
    /// Why.
    pub end: MultiEnd,
    /// The result for each player or team.
    pub result: MultiResult,
}

/// The result of a game of four.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MultiResult {
    /// The place of each player, where everyone plays alone.
    Places(BySeat<u8>),
    /// This player's team won; the first seat of a team stands for it.
    Team(Seat),
    /// The teams drew.
    Draw,
}

impl core::fmt::Display for MultiResult {
    /// As PGN writes it: `1-4-2-3`, or in teams `1-0`, `0-1` and `1/2-1/2` with Red's team first.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Places(places) => {
                let [red, blue, yellow, green] = Seat::ALL.map(|seat| places[seat]);
                write!(f, "{red}-{blue}-{yellow}-{green}")
            }
            Self::Team(Seat::Red | Seat::Yellow) => f.write_str("1-0"),
            Self::Team(Seat::Blue | Seat::Green) => f.write_str("0-1"),
            Self::Draw => f.write_str("1/2-1/2"),
        }
    }
}

/// A game of four from its first position on.
#[derive(Clone, Debug)]
pub struct MultiGame {
    /// One more than turns.
    positions: Vec<AnyMultiPosition>,
    turns: Vec<MultiTurn>,
    /// An end that the last position does not show.
    ended: Option<MultiEnd>,
}

impl MultiGame {
    /// A game from the variant's start.
    ///
    /// ```
    /// use lozenge_rules::{library, position::MultiGame};
    /// let mut game = MultiGame::new(&library::multi_game("diamondring-four").unwrap());
    /// assert!(game.resign() && game.time_out() && game.resign());
    /// assert_eq!(game.outcome().unwrap().result.to_string(), "4-3-2-1");
    /// ```
    #[must_use]
    pub fn new(variant: &Arc<MultiVariant>) -> Self {
        Self::from_position(AnyMultiPosition::start(variant))
    }

    /// A game that begins with this position.
    #[must_use]
    pub fn from_position(start: AnyMultiPosition) -> Self {
        Self { positions: vec![start], turns: Vec::new(), ended: None }
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &AnyMultiPosition {
        &self.positions[self.positions.len() - 1]
    }

    /// All positions so far, the first one first.
    #[must_use]
    pub fn positions(&self) -> &[AnyMultiPosition] {
        &self.positions
    }

    /// The turns so far. Passes are not among them.
    #[must_use]
    pub fn turns(&self) -> &[MultiTurn] {
        &self.turns
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// When the move is not legal or the game is over; the game is as before.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::uci, position::{MultiGame, MultiTurn}};
    /// let mut game = MultiGame::new(&library::multi_game("diamondring-four").unwrap());
    /// let first = game.position().legal_moves()[0];
    /// game.play(first).unwrap();
    /// assert_eq!(game.turns(), [MultiTurn::Move(first)]);
    /// ```
    pub fn play(&mut self, played: Move) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove(played));
        }
        let next = self.position().play(played)?;
        self.push(MultiTurn::Move(played), next);
        Ok(())
    }

    /// The player to move resigns; in teams the partner has agreed. False if the game is over.
    ///
    /// ```
    /// use lozenge_rules::{library, position::MultiGame};
    /// let mut game = MultiGame::new(&library::multi_game("diamondring-teams").unwrap());
    /// assert!(game.resign());
    /// assert_eq!(game.outcome().unwrap().result.to_string(), "0-1", "Red and Yellow lose together");
    /// assert!(!game.resign(), "the game is over");
    /// ```
    pub fn resign(&mut self) -> bool {
        self.exit(MultiTurn::Resignation)
    }

    /// The player to move is out of time. In teams this is a draw if the other team has only Kings, and the player stays in. False if
    /// the game is over.
    pub fn time_out(&mut self) -> bool {
        if self.outcome().is_none()
            && self.position().variant().is_teams()
            && self.position().has_harmless_enemies()
        {
            self.ended = Some(MultiEnd::Dead);
            self.turns.push(MultiTurn::TimeOut);
            self.positions.push(self.position().clone());
            return true;
        }
        self.exit(MultiTurn::TimeOut)
    }

    /// All the living agree on a draw. False if the game is over.
    ///
    /// ```
    /// use lozenge_rules::{library, position::{MultiEnd, MultiGame}};
    /// let mut game = MultiGame::new(&library::multi_game("diamondring-teams").unwrap());
    /// assert!(game.agree());
    /// assert_eq!(game.outcome().unwrap().end, MultiEnd::Agreement);
    /// assert!(!game.agree(), "the game is over");
    /// ```
    pub fn agree(&mut self) -> bool {
        let is_open = self.outcome().is_none();
        if is_open {
            self.ended = Some(MultiEnd::Agreement);
        }
        is_open
    }

    fn exit(&mut self, turn: MultiTurn) -> bool {
        let next = if self.outcome().is_none() { self.position().play_exit() } else { None };
        next.map(|next| self.push(turn, next)).is_some()
    }

    fn push(&mut self, turn: MultiTurn, next: AnyMultiPosition) {
        self.positions.push(next);
        self.turns.push(turn);
    }

    /// Takes back the last turn, and an agreement with it; `None` at the start.
    ///
    /// ```
    /// use lozenge_rules::{library, position::{MultiGame, MultiTurn}};
    /// let mut game = MultiGame::new(&library::multi_game("diamondring-four").unwrap());
    /// game.resign();
    /// assert_eq!(game.undo(), Some(MultiTurn::Resignation));
    /// assert_eq!(game.position().living().len(), 4);
    /// assert_eq!(game.undo(), None);
    /// ```
    pub fn undo(&mut self) -> Option<MultiTurn> {
        let turn = self.turns.pop()?;
        self.positions.pop();
        self.ended = None;
        Some(turn)
    }

    /// How the game has ended, if it has. All draws are automatic: no player claims them.
    ///
    /// ```
    /// use lozenge_rules::{library, position::MultiGame};
    /// let mut game = MultiGame::new(&library::multi_game("diamondring-four").unwrap());
    /// for _ in 0..3 {
    ///     assert!(game.outcome().is_none());
    ///     game.resign();
    /// }
    /// assert_eq!(game.outcome().unwrap().result.to_string(), "4-3-2-1", "Green is first, Red last");
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Option<MultiOutcome> {
        let (now, end) = (self.position(), self.end()?);
        let result = match (now.variant().is_teams(), end) {
            (false, _) => MultiResult::Places(now.ranking()),
            (true, MultiEnd::Decided) => {
                let loser = Seat::ALL.into_iter().find(|&seat| !now.living().contains(seat));
                MultiResult::Team(loser.unwrap_or(Seat::Red).next())
            }
            (true, _) => MultiResult::Draw,
        };
        Some(MultiOutcome { end, result })
    }

    fn end(&self) -> Option<MultiEnd> {
        let now = self.position();
        match now.status() {
            MultiStatus::Decided => return Some(MultiEnd::Decided),
            MultiStatus::Stalemate => return Some(MultiEnd::Stalemate),
            MultiStatus::Dead => return Some(MultiEnd::Dead),
            MultiStatus::Ongoing | MultiStatus::Check => {}
        }
        if self.ended.is_some() {
            return self.ended;
        }
        let draws = now.variant().draws();
        let moves = draws.moves.end * now.living().len();
        if moves != 0 && u32::from(now.halfmove_clock()) >= moves {
            return Some(MultiEnd::MoveCount);
        }
        let repetition = draws.repetition.end as usize;
        let occurrences = || self.positions.iter().filter(|then| then.is_repetition(now)).count();
        (repetition != 0 && occurrences() >= repetition).then_some(MultiEnd::Repetition)
    }
}

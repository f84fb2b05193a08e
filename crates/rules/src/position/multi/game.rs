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

impl core::fmt::Display for MultiOutcome {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let why = match self.end {
            MultiEnd::Decided => None,
            MultiEnd::Stalemate => Some("by stalemate"),
            MultiEnd::Dead => Some("with bare Kings"),
            MultiEnd::Repetition => Some("by repetition"),
            MultiEnd::MoveCount => Some("by move count"),
            MultiEnd::Agreement => Some("by agreement"),
        };
        match (self.result, why) {
            (MultiResult::Team(first), _) => write!(f, "{first} and {} win", first.next().next()),
            (MultiResult::Places(places), None) => {
                let winner = Seat::ALL.into_iter().find(|&seat| places[seat] == 1).unwrap_or(Seat::Red);
                write!(f, "{winner} wins: places {}", self.result)
            }
            (MultiResult::Places(_), Some(why)) => write!(f, "draw {why}: places {}", self.result),
            (MultiResult::Draw, why) => write!(f, "draw {}", why.unwrap_or("by agreement")),
        }
    }
}

/// The result of a game of four.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MultiResult {
    /// The place of each player, where everyone plays alone; 0 for an empty seat.
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
                let taken = places.iter().filter(|place| **place != 0);
                let all: Vec<String> = taken.map(u8::to_string).collect();
                f.write_str(&all.join("-"))
            }
            Self::Team(Seat::Red | Seat::Yellow) => f.write_str("1-0"),
            Self::Team(Seat::Blue | Seat::Green) => f.write_str("0-1"),
            Self::Draw => f.write_str("1/2-1/2"),
        }
    }
}

/// Plies from one stored position to the next.
const SPACING: usize = 16;

/// A game of four from its first position on. Long games are small, as a [`Game`](crate::position::Game): each sixteenth position is
/// stored, the others are replayed on demand.
#[derive(Clone, Debug)]
pub struct MultiGame {
    /// Each [`SPACING`]th position, the start first.
    checkpoints: Vec<AnyMultiPosition>,
    /// The position now.
    position: AnyMultiPosition,
    /// The keys of all positions: one more than turns.
    keys: Vec<u64>,
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
        Self {
            keys: vec![start.key()],
            position: start.clone(),
            checkpoints: vec![start],
            turns: Vec::new(),
            ended: None,
        }
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &AnyMultiPosition {
        &self.position
    }

    /// The position the game began with.
    #[must_use]
    pub fn start(&self) -> &AnyMultiPosition {
        &self.checkpoints[0]
    }

    /// All positions, the start first: one more than turns.
    ///
    /// ```
    /// use lozenge_rules::{library, position::MultiGame, seat::Seat};
    /// let mut game = MultiGame::new(&library::multi_game("diamondring-four").unwrap());
    /// game.resign();
    /// assert!(game.positions().map(|position| position.turn()).eq([Seat::Red, Seat::Blue]));
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = AnyMultiPosition> + '_ {
        self.positions_from(0)
    }

    /// The positions after this number of turns and all later ones.
    pub fn positions_from(&self, ply: usize) -> impl Iterator<Item = AnyMultiPosition> + '_ {
        let first = self.position_at(ply);
        let later = self.turns.get(ply..).unwrap_or_default();
        let replayed = later.iter().scan(first.clone(), |position, &turn| {
            *position = Some(after(position.as_ref()?, turn));
            position.clone()
        });
        first.into_iter().chain(replayed)
    }

    /// The position after this number of turns; `None` if the game has fewer.
    ///
    /// ```
    /// use lozenge_rules::{library, position::MultiGame, seat::Seat};
    /// let mut game = MultiGame::new(&library::multi_game("diamondring-four").unwrap());
    /// game.resign();
    /// assert_eq!(game.position_at(0).as_ref(), Some(game.start()));
    /// assert_eq!(game.position_at(1).as_ref(), Some(game.position()));
    /// assert_eq!(game.position_at(2), None);
    /// ```
    #[must_use]
    pub fn position_at(&self, ply: usize) -> Option<AnyMultiPosition> {
        let since = self.turns.get(..ply)?;
        let checkpoint = ply / SPACING;
        let replay = |position: AnyMultiPosition, &turn: &MultiTurn| after(&position, turn);
        Some(since[checkpoint * SPACING..].iter().fold(self.checkpoints[checkpoint].clone(), replay))
    }

    /// The keys of all positions, the start's first: one more than turns.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
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
        let is_drawn = self.outcome().is_none() && is_harmless_time_out(&self.position);
        let is_out = self.exit(MultiTurn::TimeOut);
        if is_drawn {
            self.ended = Some(MultiEnd::Dead);
        }
        is_out
    }

    /// Whether the last one to go out was out of time.
    ///
    /// ```
    /// use lozenge_rules::{library, position::MultiGame};
    /// let mut game = MultiGame::new(&library::multi_game("diamondring-teams").unwrap());
    /// assert!(game.time_out() && game.ends_by_time());
    /// ```
    #[must_use]
    pub fn ends_by_time(&self) -> bool {
        self.turns.last() == Some(&MultiTurn::TimeOut)
    }

    /// Plays a turn. False if the game is over or the move is not legal.
    ///
    /// ```
    /// use lozenge_rules::{library, position::{MultiGame, MultiTurn}};
    /// let mut game = MultiGame::new(&library::multi_game("diamondring-teams").unwrap());
    /// assert!(game.play_turn(MultiTurn::TimeOut));
    /// assert!(!game.play_turn(MultiTurn::Resignation), "the game is over");
    /// ```
    pub fn play_turn(&mut self, turn: MultiTurn) -> bool {
        match turn {
            MultiTurn::Move(played) => self.play(played).is_ok(),
            MultiTurn::Resignation => self.resign(),
            MultiTurn::TimeOut => self.time_out(),
        }
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
        let is_open = self.outcome().is_none();
        if is_open {
            self.push(turn, after(&self.position, turn));
        }
        is_open
    }

    fn push(&mut self, turn: MultiTurn, next: AnyMultiPosition) {
        self.keys.push(next.key());
        self.turns.push(turn);
        if self.turns.len().is_multiple_of(SPACING) {
            self.checkpoints.push(next.clone());
        }
        self.position = next;
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
        let before = self.turns.len().checked_sub(1)?;
        self.position = self.position_at(before)?;
        self.checkpoints.truncate(before / SPACING + 1);
        self.keys.pop();
        self.ended = None;
        self.turns.pop()
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
        // Keys first, then the positions themselves: a draw is never declared on a hash collision.
        let same = |ply| self.position_at(ply).is_some_and(|then| then.is_repetition(now));
        let alike = |&ply: &usize| self.keys[ply] == now.key();
        let occurrences = || 1 + (0..self.turns.len()).filter(alike).filter(|&ply| same(ply)).count();
        (repetition != 0 && occurrences() >= repetition).then_some(MultiEnd::Repetition)
    }
}

/// The position after a legal turn of the player to move.
fn after(position: &AnyMultiPosition, turn: MultiTurn) -> AnyMultiPosition {
    let next = match turn {
        MultiTurn::Move(played) => Some(position.play_unchecked(played)),
        MultiTurn::TimeOut if is_harmless_time_out(position) => None,
        MultiTurn::Resignation | MultiTurn::TimeOut => position.play_exit(),
    };
    next.unwrap_or_else(|| position.clone())
}

/// Whether a time-out of the player to move is a draw, in which no player goes out.
fn is_harmless_time_out(position: &AnyMultiPosition) -> bool {
    position.variant().is_teams() && position.has_harmless_enemies()
}

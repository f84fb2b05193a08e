//! The state machine of one game. It has no clock of its own, no network and no disk: [`GameMachine::act`] returns the events that
//! an action makes (`act`), [`GameMachine::apply`] applies one (`apply`). A machine that is rebuilt from its events is the same
//! machine.

use super::clock::ClockState;
use super::intentions::{Exits, Intentions, Requests};
use super::record::Record;
use lozenge_rules::position::GamePosition;
use lozenge_rules::position::{self, AnyPosition, Move};
use lozenge_wire::{
    ByPlayer, Claim, Clock, Color, Fill, GameResult, MoveText, Offers, Player, PlayerKind, Reason, Speed,
    Status, Visibility,
};
use std::sync::OnceLock;

/// The settings of a game.
#[derive(Clone, Debug)]
pub struct GameConfig {
    /// The game's id.
    pub id: String,
    /// The digest of the game's rules.
    pub digest: String,
    /// The time control; `None` without a clock.
    pub clock: Option<Clock>,
    /// The class of the time control.
    pub speed: Speed,
    /// Whether the game changes ratings.
    pub rated: bool,
    /// The visibility of the game.
    pub visibility: Visibility,
    /// Id of the user who made the game.
    pub maker: String,
    /// The id of the game that this one is a rematch of.
    pub previous: Option<String>,
    /// When the engine takes the free seats of a game of four.
    pub fill: Option<Fill>,
    /// The seats of a game of four that anyone may take, in the lobby.
    pub open_seats: Vec<Color>,
    /// When the game was made, in Unix milliseconds.
    pub created_at: i64,
}

/// Data of a half move beside the record.
#[derive(Clone, Debug)]
pub struct PlayedPly {
    /// Number of the event that it is.
    pub(crate) seq: u64,
    /// The move in standard algebraic notation.
    pub(crate) san: Box<str>,
    /// When it was played, in Unix milliseconds.
    pub(crate) at: i64,
    /// The time left to its side afterwards, in milliseconds; `None` without a clock.
    pub left_ms: Option<i64>,
}

/// The state of one game, and what may be done in it.
#[derive(Clone, Debug)]
pub struct GameMachine {
    /// The settings of the game, which never change.
    pub config: GameConfig,
    /// The players in the order of the turns, White's or Red's first; `None` where a seat is free.
    pub seats: Vec<Option<Player>>,
    /// The moves and positions of the game.
    pub record: Record,
    /// The legal moves of the current position, and its FEN once it was needed: every move needs them several times.
    pub(super) legal: Vec<Move>,
    fen: OnceLock<Box<str>>,
    /// The move that was checked last, until the next event.
    pub(super) prepared: Option<Box<PreparedMove>>,
    /// Data of each half move beside the record.
    pub played: Vec<PlayedPly>,
    /// The clocks; `None` in a game without.
    pub clock: Option<ClockState>,
    /// The offers that wait for an answer.
    pub offers: Offers,
    /// How many half moves had been played when each side last offered a draw, and requests to take a move back.
    pub(super) requests: ByPlayer<Requests, 2>,
    /// Intentions of the players of a game of four.
    pub(super) intentions: Intentions,
    /// Which players of a game of four went out, and why.
    pub(super) exits: Exits,
    /// The result and its reason once the game is over.
    pub ended: Option<(GameResult, Reason)>,
    /// The id of the rematch, if there is one.
    pub next: Option<String>,
    /// Events so far.
    pub seq: u64,
    /// When something last happened.
    pub updated_at: i64,
}

/// A legal move, and all that is known of the position after it.
#[derive(Clone, Debug)]
pub(super) struct PreparedMove {
    pub(super) played: Move,
    pub(super) after: AnyPosition,
    pub(super) legal: Vec<Move>,
    pub(super) status: position::Status,
}

impl PreparedMove {
    pub(super) fn new(before: &AnyPosition, played: Move) -> Self {
        let after = before.play_unchecked(played);
        let legal = after.legal_moves();
        let status = after.status_among(&legal);
        Self { played, after, legal, status }
    }
}

impl GameMachine {
    /// A machine with empty seats.
    pub fn new(config: GameConfig, start: impl Into<GamePosition>) -> Self {
        let record = Record::new(start.into());
        let players = record.colors().len();
        let clock = config.clock.map(|clock| ClockState::new(clock, players));
        let updated_at = config.created_at;
        Self {
            config,
            seats: vec![None; players],
            legal: record.legal_moves(),
            fen: OnceLock::new(),
            prepared: None,
            record,
            played: Vec::new(),
            clock,
            offers: Offers::default(),
            requests: ByPlayer::default(),
            intentions: Intentions::default(),
            exits: Exits::default(),
            ended: None,
            next: None,
            seq: 0,
            updated_at,
        }
    }

    /// The legal moves of the position now.
    pub fn legal(&self) -> &[Move] {
        &self.legal
    }

    /// The legal moves of the position now in long algebraic form, sorted.
    pub fn legal_texts(&self) -> Vec<MoveText> {
        self.record.texts(&self.legal)
    }

    /// The FEN of the position now.
    pub(crate) fn fen(&self) -> &str {
        self.fen.get_or_init(|| self.record.fen().into())
    }

    /// Recomputes the legal moves and drops the cached FEN after moves were taken back.
    pub(super) fn refresh_legal_moves(&mut self) {
        self.legal = self.record.legal_moves();
        self.exits = Exits::of(&self.record.0);
        self.fen.take();
    }

    /// The half move at an index in long algebraic form.
    pub(crate) fn uci(&self, index: usize) -> Option<String> {
        self.record.uci(index)
    }

    /// The color to move.
    pub fn turn(&self) -> Color {
        self.record.turn()
    }

    /// The player of a color; `None` where the seat is free.
    pub fn player(&self, color: Color) -> Option<&Player> {
        self.seats[color.index()].as_ref()
    }

    /// Whether the game waits for a player, is being played, or is over.
    pub fn status(&self) -> Status {
        match self.ended {
            Some(_) => Status::Finished,
            None if self.seats.iter().all(Option::is_some) => Status::Started,
            None => Status::Waiting,
        }
    }

    /// The side of a user.
    pub fn side_of(&self, user: &str) -> Option<Color> {
        let is_seated = |color: &Color| self.player(*color).is_some_and(|seat| seat.id == user);
        // A player who plays both sides moves for both. Deleted accounts have no id.
        let turn_first = [self.turn()].into_iter().chain(self.record.colors().iter().copied());
        turn_first.filter(|_| !user.is_empty()).find(is_seated)
    }

    /// Whether the game is private and others play it: then a user does not even learn that it is there. While a place
    /// is open, it is visible to every client with its URL.
    pub fn is_hidden_from(&self, user: Option<&str>) -> bool {
        self.config.visibility == Visibility::Private
            && self.status() != Status::Waiting
            && user.and_then(|user| self.side_of(user)).is_none()
    }

    /// Whether all have moved: from then on it counts, and cannot be broken off any more.
    pub fn has_begun(&self) -> bool {
        self.played.len() >= self.seats.len()
    }

    /// Whether it is over and changes ratings.
    pub fn is_to_be_rated(&self) -> bool {
        self.config.rated && self.status() == Status::Finished && self.has_begun()
    }

    /// Whether the engine plays a color.
    pub fn is_engine(&self, color: Color) -> bool {
        self.player(color).is_some_and(|seat| seat.kind == PlayerKind::Engine)
    }

    /// Whether the engine plays one color at least.
    pub fn has_engine(&self) -> bool {
        self.record.colors().iter().any(|&color| self.is_engine(color))
    }

    /// Whether the engine plays all colors but this one.
    pub fn is_alone(&self, color: Color) -> bool {
        self.record.colors().iter().all(|&other| other == color || self.is_engine(other))
    }

    /// The level of the engine if it is to move.
    pub fn engine_to_move(&self) -> Option<u8> {
        let seat = self.player(self.turn()).filter(|seat| seat.kind == PlayerKind::Engine)?;
        (self.status() == Status::Started).then_some(seat.level.unwrap_or(8))
    }

    /// A draw that the side to move may claim.
    pub fn claim(&self) -> Option<Claim> {
        if self.status() != Status::Started {
            return None;
        }
        use lozenge_rules::position::DrawReason;
        match self.record.two()?.claimable_draw()? {
            DrawReason::Repetition => Some(Claim::Repetition),
            _ => Some(Claim::MoveCount),
        }
    }

    pub(super) fn push_played(&mut self, san: String, at: i64, left_ms: Option<i64>) {
        self.fen.take();
        self.played.push(PlayedPly { seq: self.seq + 1, san: san.into(), at, left_ms });
    }

    pub(super) fn run_clock(&mut self, at: i64) {
        self.updated_at = at;
        let (turn, plies, started) = (self.turn(), self.played.len(), self.status() == Status::Started);
        if let Some(clock) = self.clock.as_mut().filter(|_| started) {
            clock.start(turn, plies, at);
        }
    }
}

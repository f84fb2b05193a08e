//! The state machine of one game: what a player may do, and what follows. It has no clock of its own,
//! no network and no disk: [`GameMachine::act`] returns the events that an action makes, [`GameMachine::apply`]
//! applies one. A machine that is rebuilt from its events is the same machine.

use super::action_error::ActionError;
use super::clock::ClockState;
use super::event::{GameEvent, deleted_player};
use super::multi::{Exits, Wishes};
use super::offers::Requests;
use super::player::with_guest_number;
use super::record::{GamePosition, Record};
use crate::convert;
use lozenge_engine::Played;
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::{self, AnyPosition, Move, MultiTurn};
use lozenge_wire::{
    Action, Claim, Clock, Color, Fill, GameResult, MoveText, Offers, Player, PlayerKind, Reason, Speed,
    Status, Visibility,
};
use std::sync::OnceLock;

/// Most characters of a move that is typed: the longest that is written has half as many.
const MOVE_LENGTH: usize = 40;

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
    /// Who may see the game.
    pub visibility: Visibility,
    /// Id of the user who made the game.
    pub maker: String,
    /// The id of the game that this one is a rematch of.
    pub previous: Option<String>,
    /// When the engine takes the free seats of a game of four.
    pub fill: Option<Fill>,
    /// The seats of a game of four that anybody may take, in the lobby.
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
    legal: Vec<Move>,
    fen: OnceLock<Box<str>>,
    /// The move that was checked last, until the next event.
    prepared: Option<Box<PreparedMove>>,
    /// Data of each half move beside the record.
    pub played: Vec<PlayedPly>,
    /// The clocks; `None` in a game without.
    pub clock: Option<ClockState>,
    /// The offers that wait for an answer.
    pub offers: Offers,
    /// How many half moves had been played when each side last offered a draw, and requests to take a move back.
    pub(super) requests: [Requests; 2],
    /// What the players of a game of four want.
    pub(super) wishes: Wishes,
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
struct PreparedMove {
    played: Move,
    after: AnyPosition,
    legal: Vec<Move>,
    status: position::Status,
}

impl PreparedMove {
    fn new(before: &AnyPosition, played: Move) -> Self {
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
            requests: [Requests::default(); 2],
            wishes: Wishes::default(),
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
        let sits = |color: &Color| self.player(*color).is_some_and(|seat| seat.id == user);
        // A player who plays both sides moves for both. Deleted accounts have no id.
        let turn_first = [self.turn()].into_iter().chain(self.record.colors().iter().copied());
        turn_first.filter(|_| !user.is_empty()).find(sits)
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

    /// The events of an action. `lag_ms` is the measured round trip of the player's messages.
    pub fn act(
        &mut self,
        color: Color,
        action: &Action,
        now: i64,
        lag_ms: i64,
    ) -> Result<Vec<GameEvent>, ActionError> {
        match action {
            Action::Rematch => return self.rematch(color),
            Action::DeclineRematch => {
                let offered = match &self.record.0 {
                    Played::Two(_) => self.offers.rematch == Some(color.opponent()),
                    Played::Four(_) => self.offers.rematch.is_some(),
                };
                return if offered {
                    Ok(vec![GameEvent::RematchDeclined])
                } else {
                    Err(ActionError::NothingOffered)
                };
            }
            Action::Move { played, ply } => return self.play(color, played, *ply, now, lag_ms),
            _ => {}
        }
        match self.status() {
            Status::Finished => return Err(ActionError::Over),
            Status::Waiting if !matches!(action, Action::Abort) => return Err(ActionError::NotStarted),
            _ => {}
        }
        if self.record.four().is_some() {
            return self.act_multi(color, action, now);
        }
        match action {
            Action::Resign => {
                let result = GameResult::win(color.opponent());
                Ok(vec![GameEvent::Finished { result, reason: Reason::Resign, at: now }])
            }
            Action::Abort => self.abort(now),
            Action::Draw => self.draw(color, now),
            Action::DeclineDraw if self.offers.draw == Some(color.opponent()) => {
                Ok(vec![GameEvent::DrawDeclined])
            }
            Action::Takeback => self.takeback(color, now),
            Action::DeclineTakeback if self.offers.takeback == Some(color.opponent()) => {
                Ok(vec![GameEvent::TakebackDeclined])
            }
            Action::DeclineDraw | Action::DeclineTakeback => Err(ActionError::NothingOffered),
            Action::Claim => self.claim_draw(color, now),
            Action::GiveTime => self.give_time(color, now),
            Action::Move { .. }
            | Action::Rematch
            | Action::DeclineRematch
            | Action::Chat { .. }
            | Action::Ping => Ok(Vec::new()),
        }
    }

    /// Whether a move is to be played now. False if it has been played before, and its acknowledgment was lost on the way.
    fn is_next(&self, color: Color, text: &str, ply: u32) -> Result<bool, ActionError> {
        let length = text.chars().take(MOVE_LENGTH + 1).count();
        if length > MOVE_LENGTH {
            return Err(ActionError::Move(format!("expected a move of at most {MOVE_LENGTH} characters")));
        }
        let plies = self.played.len() as u32;
        if ply < plies {
            let same = self.was_played(text, ply as usize);
            return if same { Ok(false) } else { Err(ActionError::Ply { expected: plies, found: ply }) };
        }
        match self.status() {
            Status::Finished => return Err(ActionError::Over),
            Status::Waiting => return Err(ActionError::NotStarted),
            Status::Started => {}
        }
        if ply > plies {
            return Err(ActionError::Ply { expected: plies, found: ply });
        }
        if color != self.turn() {
            return Err(ActionError::NotYourTurn);
        }
        Ok(true)
    }

    /// Whether this is the move that was played at an index.
    fn was_played(&self, text: &str, index: usize) -> bool {
        match &self.record.0 {
            Played::Two(game) => game.position_at(index).is_some_and(|position| {
                let read = read_move(&position, &position.legal_moves(), text);
                read.ok().as_ref() == game.moves().get(index)
            }),
            Played::Four(_) => self.uci(index).as_deref() == Some(text),
        }
    }

    fn play(
        &mut self,
        color: Color,
        text: &str,
        ply: u32,
        now: i64,
        lag_ms: i64,
    ) -> Result<Vec<GameEvent>, ActionError> {
        if !self.is_next(color, text, ply)? {
            return Ok(Vec::new());
        }
        let played = match &self.record.0 {
            Played::Two(game) => read_move(game.position(), &self.legal, text)?,
            Played::Four(game) => self.read_multi(game.position(), text)?,
        };
        let left_ms = match &self.clock {
            None => None,
            Some(clock) => match clock.after_move(color, now, lag_ms) {
                None => return Ok(self.out_of_time(now)),
                left => left,
            },
        };
        let Played::Two(game) = &self.record.0 else {
            return Ok(self.consequences(MultiTurn::Move(played), left_ms, now));
        };
        let position = game.position();
        let uci = convert::text(position, played);
        let mut events = vec![GameEvent::Moved { uci, at: now, left_ms }];
        let prepared = PreparedMove::new(position, played);
        if let Some(outcome) = game.outcome_after(&prepared.after, prepared.status) {
            let (result, reason) = (convert::result(outcome), convert::reason(outcome));
            events.push(GameEvent::Finished { result, reason, at: now });
        }
        self.prepared = Some(Box::new(prepared));
        Ok(events)
    }

    pub(super) fn abort(&self, now: i64) -> Result<Vec<GameEvent>, ActionError> {
        if self.has_begun() {
            return Err(ActionError::TooLateToAbort);
        }
        Ok(vec![GameEvent::Finished { result: GameResult::Unknown, reason: Reason::Aborted, at: now }])
    }

    fn claim_draw(&self, color: Color, now: i64) -> Result<Vec<GameEvent>, ActionError> {
        let claim = self.claim().filter(|_| color == self.turn()).ok_or(ActionError::NothingToClaim)?;
        let reason = match claim {
            Claim::Repetition => Reason::Repetition,
            Claim::MoveCount => Reason::MoveCount,
        };
        Ok(vec![GameEvent::Finished { result: GameResult::Draw, reason, at: now }])
    }

    /// The events when the time of the player to move is over. In a game of two that is its end: a draw if the other could never
    /// win. In a game of four the player goes out.
    pub(super) fn out_of_time(&mut self, now: i64) -> Vec<GameEvent> {
        let color = self.turn();
        let Played::Two(game) = &self.record.0 else { return self.time_out_multi(now) };
        let opponent = convert::rules_color(color.opponent());
        let (result, reason) = if game.position().has_insufficient_material(opponent) {
            (GameResult::Draw, Reason::TimeDraw)
        } else {
            (GameResult::win(color.opponent()), Reason::Time)
        };
        vec![GameEvent::Finished { result, reason, at: now }]
    }

    /// The events when the time of the player to move is over; none if it is not.
    pub fn flag(&mut self, now: i64) -> Vec<GameEvent> {
        let deadline = self.clock.as_ref().and_then(ClockState::deadline);
        let is_over = self.status() == Status::Started && deadline.is_some_and(|deadline| deadline <= now);
        if is_over { self.out_of_time(now) } else { Vec::new() }
    }

    /// Applies an event. An event that does not fit (only a damaged record could hold one) is an error.
    pub fn apply(&mut self, event: &GameEvent) -> Result<(), ActionError> {
        // Nothing but events changes the position that it was prepared in.
        let prepared = self.prepared.take();
        match event {
            GameEvent::Joined { color, player, at } => {
                self.seats[color.index()] = Some(with_guest_number(player.clone()));
                self.run_clock(*at);
            }
            GameEvent::Moved { uci: text, at, left_ms } => {
                let mover = self.turn();
                match &self.record.0 {
                    Played::Two(_) => {
                        self.apply_move(text, prepared.map(|prepared| *prepared), *at, *left_ms)?
                    }
                    Played::Four(_) => self.apply_multi(text, *at, *left_ms)?,
                }
                if let (Some(clock), Some(left)) = (&mut self.clock, *left_ms) {
                    clock.moved(mover, *at, left);
                }
                self.run_clock(*at);
            }
            GameEvent::TakenBack { plies, at } => {
                for _ in 0..*plies {
                    self.record.undo().ok_or(ActionError::NothingToTakeBack)?;
                    self.played.pop();
                }
                self.refresh_legal_moves();
                let accepted_by = self.offers.takeback.map(|asker| asker.opponent());
                self.offers = Offers::default();
                self.requests = Default::default();
                self.wishes = Wishes::default();
                if let Some(by) = accepted_by {
                    self.requests[by.index()].accepted = Some((self.played.len(), *at));
                }
                if let Some(clock) = &mut self.clock {
                    clock.take_back(*at);
                }
                self.run_clock(*at);
            }
            GameEvent::DrawOffered { by } if self.record.four().is_some() => {
                self.wishes.draw[by.index()] = true;
                self.offers.draw.get_or_insert(*by);
            }
            GameEvent::DrawOffered { by } => {
                self.offers.draw = Some(*by);
                self.requests[by.index()].draw = Some(self.played.len());
            }
            GameEvent::DrawDeclined => {
                self.offers.draw = None;
                self.wishes.draw = Default::default();
            }
            GameEvent::ResignationWanted { by, wanted } => self.wishes.resignation[by.index()] = *wanted,
            GameEvent::TakebackAsked { by } => {
                self.offers.takeback = Some(*by);
                self.requests[by.index()].takeback = Some(self.played.len());
            }
            GameEvent::TakebackDeclined => self.offers.takeback = None,
            GameEvent::TimeGiven { to, ms, at } => {
                if let Some(clock) = &mut self.clock {
                    clock.give(*to, *ms, *at);
                }
            }
            GameEvent::Finished { result, reason, at } => {
                self.ended = Some((*result, *reason));
                self.offers = Offers::default();
                if let Some(clock) = &mut self.clock {
                    clock.stop(*at);
                }
                self.updated_at = *at;
            }
            GameEvent::RematchOffered { by } => {
                self.wishes.rematch[by.index()] = true;
                self.offers.rematch = Some(*by);
            }
            GameEvent::RematchDeclined => {
                self.wishes.rematch = Default::default();
                self.offers.rematch = None;
            }
            GameEvent::Rematched { game } => {
                self.next = Some(game.clone());
                self.offers.rematch = None;
            }
            GameEvent::Renamed { color, name } => {
                if let Some(seat) = &mut self.seats[color.index()] {
                    if seat.kind == PlayerKind::Guest {
                        seat.kind = PlayerKind::User;
                    }
                    seat.name.clone_from(name);
                }
            }
            GameEvent::Forgotten { color } => {
                if let Some(seat) = &mut self.seats[color.index()] {
                    *seat = deleted_player(seat);
                }
            }
            GameEvent::Resumed { at } => self.run_clock(*at),
        }
        self.seq += 1;
        Ok(())
    }

    fn apply_move(
        &mut self,
        text: &str,
        prepared: Option<PreparedMove>,
        at: i64,
        left_ms: Option<i64>,
    ) -> Result<(), ActionError> {
        let mover = self.turn();
        let Played::Two(game) = &mut self.record.0 else { return Ok(()) };
        let position = game.position();
        let variant = position.variant();
        let is_same_move =
            |prepared: &PreparedMove| uci::parse_among(variant, &[prepared.played], text).is_ok();
        let prepared = match prepared.filter(is_same_move) {
            Some(prepared) => prepared,
            None => {
                let played = uci::parse_among(variant, &self.legal, text);
                PreparedMove::new(position, played.map_err(|error| ActionError::Move(error.to_string()))?)
            }
        };
        let san = san::write_among(position, prepared.played, &self.legal, prepared.status);
        game.push(prepared.played, prepared.after);
        self.legal = prepared.legal;
        self.push_played(san, at, left_ms);
        // A move answers the other's offers; one's own offer of a draw stays until the other has moved.
        self.offers.takeback = None;
        if self.offers.draw == Some(mover.opponent()) {
            self.offers.draw = None;
        }
        Ok(())
    }

    pub(super) fn push_played(&mut self, san: String, at: i64, left_ms: Option<i64>) {
        self.fen.take();
        self.played.push(PlayedPly { seq: self.seq + 1, san: san.into(), at, left_ms });
    }

    pub(super) fn set_legal(&mut self, legal: Vec<Move>) {
        self.legal = legal;
    }

    fn run_clock(&mut self, at: i64) {
        self.updated_at = at;
        let (turn, plies, started) = (self.turn(), self.played.len(), self.status() == Status::Started);
        if let Some(clock) = self.clock.as_mut().filter(|_| started) {
            clock.start(turn, plies, at);
        }
    }
}

/// Reads one of a position's legal moves, in either notation.
fn read_move(position: &AnyPosition, legal: &[Move], text: &str) -> Result<Move, ActionError> {
    match uci::parse_among(position.variant(), legal, text) {
        Ok(played) => Ok(played),
        Err(error) => san::parse(position, text).map_err(|_| ActionError::Move(error.to_string())),
    }
}

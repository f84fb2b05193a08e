//! One game at its table: what a player may do, and what follows. A state machine without clocks of its own,
//! without network and without disk: [`Table::act`] says which facts an action makes, [`Table::apply`] lets
//! them happen. A table that is built anew from its facts is the same table.

use super::clock::ClockState;
use super::fact::{Fact, nobody};
use super::offers::Asked;
use super::refusal::Refusal;
use crate::account;
use crate::shown;
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::{AnyPosition, Game as Record, Move};
use lozenge_wire::{
    Action, Claim, Clock, Color, Offers, Player, PlayerKind, Reason, Speed, Status, Visibility,
};

/// Most characters of a move that is typed: the longest that is written has half as many.
const MOVE_LENGTH: usize = 40;

/// Half moves from which on both have moved.
pub(crate) const BEGUN_PLIES: usize = 2;

/// What does not change while a game is played.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    pub(crate) id: String,
    pub(crate) digest: String,
    pub(crate) clock: Option<Clock>,
    pub(crate) speed: Speed,
    pub(crate) rated: bool,
    pub(crate) visibility: Visibility,
    /// Id of the user who made the game.
    pub(crate) maker: String,
    pub(crate) previous: Option<String>,
    pub(crate) created_at: i64,
}

/// What the record does not know of a half move that was played.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    /// Number of the fact that it is.
    pub(crate) seq: u64,
    pub(crate) san: Box<str>,
    pub(crate) at: i64,
    pub(crate) left_ms: Option<i64>,
}

/// A game at its table.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) terms: Terms,
    pub(crate) seats: [Option<Player>; 2],
    pub(crate) record: Record,
    /// The legal moves of the position now: every move asks for them several times.
    legal: Vec<Move>,
    pub(crate) played: Vec<Played>,
    pub(crate) clock: Option<ClockState>,
    pub(crate) offers: Offers,
    /// How many half moves had been played when each side last offered a draw, and asked to take a move back.
    pub(super) asked: [Asked; 2],
    pub(crate) ended: Option<(String, Reason)>,
    pub(crate) next: Option<String>,
    /// Facts so far.
    pub(crate) seq: u64,
    /// When something last happened.
    pub(crate) updated_at: i64,
}

/// What facts may change, as it was before them.
#[derive(Debug)]
pub(crate) struct Mark {
    seats: [Option<Player>; 2],
    clock: Option<ClockState>,
    offers: Offers,
    asked: [Asked; 2],
    ended: Option<(String, Reason)>,
    next: Option<String>,
    seq: u64,
    updated_at: i64,
    plies: usize,
    /// Half moves that are going to be taken back.
    undone: Vec<(Move, Played)>,
}

impl Mark {
    /// Facts before these.
    pub(crate) fn seq(&self) -> u64 {
        self.seq
    }
}

impl Table {
    /// A table with two empty seats.
    pub(crate) fn new(terms: Terms, start: AnyPosition) -> Self {
        let clock = terms.clock.map(ClockState::new);
        let updated_at = terms.created_at;
        Self {
            terms,
            seats: [None, None],
            legal: start.legal_moves(),
            record: Record::from_position(start),
            played: Vec::new(),
            clock,
            offers: Offers::default(),
            asked: [Asked::default(); 2],
            ended: None,
            next: None,
            seq: 0,
            updated_at,
        }
    }

    pub(crate) fn position(&self) -> &AnyPosition {
        self.record.position()
    }

    /// The legal moves of the position now.
    pub(crate) fn legal(&self) -> &[Move] {
        &self.legal
    }

    /// The half move at an index in long algebraic form.
    pub(crate) fn uci(&self, index: usize) -> Option<String> {
        self.record.moves().get(index).map(|&played| shown::text(self.position(), played))
    }

    pub(crate) fn turn(&self) -> Color {
        shown::color(self.position().turn())
    }

    pub(crate) fn status(&self) -> Status {
        match (&self.ended, &self.seats) {
            (Some(_), _) => Status::Finished,
            (None, [Some(_), Some(_)]) => Status::Started,
            (None, _) => Status::Waiting,
        }
    }

    /// The side of a user.
    pub(crate) fn side_of(&self, user: &str) -> Option<Color> {
        let sits = |color: &Color| self.seats[color.index()].as_ref().is_some_and(|seat| seat.id == user);
        // Somebody who plays against themselves moves for both. Deleted accounts have no id, and are nobody.
        [self.turn(), !self.turn()].into_iter().filter(|_| !user.is_empty()).find(sits)
    }

    /// Whether the game is private and others play it: then a user does not even learn that it is there. While a place
    /// is open it shows itself to whoever has its address.
    pub(crate) fn is_hidden_from(&self, user: Option<&str>) -> bool {
        self.terms.visibility == Visibility::Private
            && self.status() != Status::Waiting
            && user.and_then(|user| self.side_of(user)).is_none()
    }

    /// Whether both have moved: from then on it counts, and cannot be broken off any more.
    pub(crate) fn has_begun(&self) -> bool {
        self.played.len() >= BEGUN_PLIES
    }

    /// Whether it is over and changes ratings.
    pub(crate) fn is_to_be_rated(&self) -> bool {
        self.terms.rated && self.status() == Status::Finished && self.has_begun()
    }

    /// The engine's side.
    pub(crate) fn engine(&self) -> Option<(Color, u8)> {
        [Color::White, Color::Black].into_iter().find_map(|color| {
            let seat = self.seats[color.index()].as_ref()?;
            (seat.kind == PlayerKind::Engine).then_some((color, seat.level.unwrap_or(8)))
        })
    }

    /// The level of the engine if it is to move.
    pub(crate) fn engine_to_move(&self) -> Option<u8> {
        let (color, level) = self.engine()?;
        (self.status() == Status::Started && color == self.turn()).then_some(level)
    }

    /// A draw that the side to move may claim.
    pub(crate) fn claim(&self) -> Option<Claim> {
        if self.status() != Status::Started {
            return None;
        }
        use lozenge_rules::position::DrawReason;
        match self.record.claimable_draw()? {
            DrawReason::Repetition => Some(Claim::Repetition),
            _ => Some(Claim::MoveCount),
        }
    }

    /// What an action makes happen. `lag_ms` is the measured round trip of the player's messages.
    pub(crate) fn act(
        &self,
        color: Color,
        action: &Action,
        now: i64,
        lag_ms: i64,
    ) -> Result<Vec<Fact>, Refusal> {
        match action {
            Action::Rematch => return self.rematch(color),
            Action::DeclineRematch => {
                let offered = self.offers.rematch == Some(!color);
                return if offered { Ok(vec![Fact::RematchDeclined]) } else { Err(Refusal::NothingOffered) };
            }
            Action::Move { played, ply } => return self.play(color, played, *ply, now, lag_ms),
            _ => {}
        }
        match self.status() {
            Status::Finished => return Err(Refusal::Over),
            Status::Waiting if !matches!(action, Action::Abort) => return Err(Refusal::NotStarted),
            _ => {}
        }
        match action {
            Action::Resign => {
                let result = won_by(!color);
                Ok(vec![Fact::Finished { result, reason: Reason::Resign, at: now }])
            }
            Action::Abort => self.abort(now),
            Action::Draw => self.draw(color, now),
            Action::DeclineDraw if self.offers.draw == Some(!color) => Ok(vec![Fact::DrawDeclined]),
            Action::Takeback => self.takeback(color, now),
            Action::DeclineTakeback if self.offers.takeback == Some(!color) => {
                Ok(vec![Fact::TakebackDeclined])
            }
            Action::DeclineDraw | Action::DeclineTakeback => Err(Refusal::NothingOffered),
            Action::Claim => self.claim_draw(color, now),
            Action::GiveTime => self.give_time(color, now),
            Action::Move { .. }
            | Action::Rematch
            | Action::DeclineRematch
            | Action::Chat { .. }
            | Action::Ping => Ok(Vec::new()),
        }
    }

    fn play(&self, color: Color, text: &str, ply: u32, now: i64, lag_ms: i64) -> Result<Vec<Fact>, Refusal> {
        let length = text.chars().take(MOVE_LENGTH + 1).count();
        if length > MOVE_LENGTH {
            return Err(Refusal::Move(format!("expected a move of at most {MOVE_LENGTH} characters")));
        }
        let plies = self.played.len() as u32;
        if ply < plies {
            // The same move once more, because its acknowledgment was lost on the way.
            let again = ply as usize;
            let same = self.record.position_at(again).is_some_and(|position| {
                let read = read_move(&position, &position.legal_moves(), text);
                read.ok().as_ref() == self.record.moves().get(again)
            });
            return if same { Ok(Vec::new()) } else { Err(Refusal::Ply { expected: plies, found: ply }) };
        }
        match self.status() {
            Status::Finished => return Err(Refusal::Over),
            Status::Waiting => return Err(Refusal::NotStarted),
            Status::Started => {}
        }
        if ply > plies {
            return Err(Refusal::Ply { expected: plies, found: ply });
        }
        if color != self.turn() {
            return Err(Refusal::NotYourTurn);
        }
        let played = read_move(self.position(), &self.legal, text)?;
        let left_ms = match &self.clock {
            None => None,
            Some(clock) => match clock.after_move(color, now, lag_ms) {
                None => return Ok(vec![self.out_of_time(color, now)]),
                left => left,
            },
        };
        let uci = shown::text(self.position(), played);
        let mut facts = vec![Fact::Moved { uci, at: now, left_ms }];
        let after = self.position().play_unchecked(played);
        if let Some(outcome) = self.record.outcome_after(&after) {
            let (result, reason) = (shown::result(outcome).into(), shown::reason(outcome));
            facts.push(Fact::Finished { result, reason, at: now });
        }
        Ok(facts)
    }

    fn abort(&self, now: i64) -> Result<Vec<Fact>, Refusal> {
        if self.has_begun() {
            return Err(Refusal::TooLateToAbort);
        }
        Ok(vec![Fact::Finished { result: "*".into(), reason: Reason::Aborted, at: now }])
    }

    fn claim_draw(&self, color: Color, now: i64) -> Result<Vec<Fact>, Refusal> {
        let claim = self.claim().filter(|_| color == self.turn()).ok_or(Refusal::NothingToClaim)?;
        let reason = match claim {
            Claim::Repetition => Reason::Repetition,
            Claim::MoveCount => Reason::MoveCount,
        };
        Ok(vec![Fact::Finished { result: "1/2-1/2".into(), reason, at: now }])
    }

    /// The end of a game because a side's time is over: a draw if the other could never win.
    pub(crate) fn out_of_time(&self, color: Color, now: i64) -> Fact {
        if self.can_win(!color) {
            Fact::Finished { result: won_by(!color), reason: Reason::Time, at: now }
        } else {
            Fact::Finished { result: "1/2-1/2".into(), reason: Reason::TimeDraw, at: now }
        }
    }

    /// Whether a side's men could ever win: a bare King cannot, unless the game lets it win by arriving.
    fn can_win(&self, color: Color) -> bool {
        let position = self.position();
        let variant = position.variant();
        let rules_color = shown::rules_color(color);
        let bare = variant
            .shape()
            .squares()
            .filter_map(|square| position.piece_at(square))
            .filter(|piece| piece.color() == rules_color)
            .count()
            == 1;
        let royal_goal = variant
            .roles()
            .royal()
            .is_some_and(|king| variant.goals().iter().any(|(men, ..)| men.contains(king)));
        !bare || royal_goal
    }

    /// The end of a game because a side's time is over, if it is.
    pub(crate) fn flag(&self, now: i64) -> Option<Fact> {
        if self.status() != Status::Started {
            return None;
        }
        let clock = self.clock.as_ref()?;
        (clock.deadline()? <= now).then(|| self.out_of_time(self.turn(), now))
    }

    /// How everything is now, to go back to if these facts cannot be written down.
    pub(crate) fn mark(&self, facts: &[Fact]) -> Mark {
        let taken_back =
            |fact: &Fact| if let Fact::TakenBack { plies, .. } = fact { *plies as usize } else { 0 };
        let kept = self.played.len().saturating_sub(facts.iter().map(taken_back).sum());
        let undone = self.record.moves()[kept..].iter().copied().zip(self.played[kept..].iter().cloned());
        Mark {
            seats: self.seats.clone(),
            clock: self.clock,
            offers: self.offers,
            asked: self.asked,
            ended: self.ended.clone(),
            next: self.next.clone(),
            seq: self.seq,
            updated_at: self.updated_at,
            plies: kept,
            undone: undone.collect(),
        }
    }

    /// Goes back: nothing of the facts since has happened.
    pub(crate) fn return_to(&mut self, mark: Mark) {
        while self.played.len() > mark.plies && self.record.undo().is_some() {
            self.played.pop();
        }
        for (played, as_played) in mark.undone {
            self.record.play_unchecked(played);
            self.played.push(as_played);
        }
        self.legal = self.position().legal_moves();
        let Mark { seats, clock, offers, asked, ended, next, seq, updated_at, .. } = mark;
        (self.seats, self.clock, self.offers, self.ended) = (seats, clock, offers, ended);
        self.asked = asked;
        (self.next, self.seq, self.updated_at) = (next, seq, updated_at);
    }

    /// Lets a fact happen. A fact that does not fit (which only a damaged record could hold) is an error.
    pub(crate) fn apply(&mut self, fact: &Fact) -> Result<(), Refusal> {
        match fact {
            Fact::Joined { color, player, at } => {
                self.seats[color.index()] = Some(account::with_guest_number(player.clone()));
                self.run_clock(*at);
            }
            Fact::Moved { uci: text, at, left_ms } => self.apply_move(text, *at, *left_ms)?,
            Fact::TakenBack { plies, at } => {
                for _ in 0..*plies {
                    self.record.undo().ok_or(Refusal::NothingToTakeBack)?;
                    self.played.pop();
                }
                self.legal = self.position().legal_moves();
                let accepted_by = self.offers.takeback.map(|asker| !asker);
                self.offers = Offers::default();
                self.asked = Default::default();
                if let Some(by) = accepted_by {
                    self.asked[by.index()].accepted = Some((self.played.len(), *at));
                }
                if let Some(clock) = &mut self.clock {
                    clock.take_back(*at);
                }
                self.run_clock(*at);
            }
            Fact::DrawOffered { by } => {
                self.offers.draw = Some(*by);
                self.asked[by.index()].draw = Some(self.played.len());
            }
            Fact::DrawDeclined => self.offers.draw = None,
            Fact::TakebackAsked { by } => {
                self.offers.takeback = Some(*by);
                self.asked[by.index()].takeback = Some(self.played.len());
            }
            Fact::TakebackDeclined => self.offers.takeback = None,
            Fact::TimeGiven { to, ms, at } => {
                if let Some(clock) = &mut self.clock {
                    clock.give(*to, *ms, *at);
                }
            }
            Fact::Finished { result, reason, at } => {
                self.ended = Some((result.clone(), *reason));
                self.offers = Offers::default();
                if let Some(clock) = &mut self.clock {
                    clock.stop(*at);
                }
                self.updated_at = *at;
            }
            Fact::RematchOffered { by } => self.offers.rematch = Some(*by),
            Fact::RematchDeclined => self.offers.rematch = None,
            Fact::Rematched { game } => {
                self.next = Some(game.clone());
                self.offers.rematch = None;
            }
            Fact::Renamed { color, name } => {
                if let Some(seat) = &mut self.seats[color.index()] {
                    if seat.kind == PlayerKind::Guest {
                        seat.kind = PlayerKind::User;
                    }
                    seat.name.clone_from(name);
                }
            }
            Fact::Forgotten { color } => {
                if let Some(seat) = &mut self.seats[color.index()] {
                    *seat = nobody(seat);
                }
            }
            Fact::Resumed { at } => self.run_clock(*at),
        }
        self.seq += 1;
        Ok(())
    }

    fn apply_move(&mut self, text: &str, at: i64, left_ms: Option<i64>) -> Result<(), Refusal> {
        let position = self.position();
        let played = uci::parse_among(position.variant(), &self.legal, text)
            .map_err(|error| Refusal::Move(error.to_string()))?;
        let (mover, after) = (self.turn(), position.play_unchecked(played).status());
        let san = san::write_among(position, played, &self.legal, after);
        self.record.play_unchecked(played);
        self.legal = self.position().legal_moves();
        self.played.push(Played { seq: self.seq + 1, san: san.into(), at, left_ms });
        // A move answers the other's offers; one's own offer of a draw stays until the other has moved.
        self.offers.takeback = None;
        if self.offers.draw == Some(!mover) {
            self.offers.draw = None;
        }
        if let (Some(clock), Some(left)) = (&mut self.clock, left_ms) {
            clock.moved(mover, at, left);
        }
        self.run_clock(at);
        Ok(())
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
fn read_move(position: &AnyPosition, legal: &[Move], text: &str) -> Result<Move, Refusal> {
    match uci::parse_among(position.variant(), legal, text) {
        Ok(played) => Ok(played),
        Err(error) => san::parse(position, text).map_err(|_| Refusal::Move(error.to_string())),
    }
}

/// How a win is written in PGN.
pub(crate) fn won_by(color: Color) -> String {
    match color {
        Color::White => "1-0".into(),
        Color::Black => "0-1".into(),
    }
}

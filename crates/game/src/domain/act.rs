//! From an action of a player, or a clock that has run out, to events, which `apply` applies. Not here: offers (`offers`) and
//! the rules of games of four (`multi`).

use super::action_error::ActionError;
use super::clock::ClockState;
use super::event::GameEvent;
use super::machine::{GameMachine, PreparedMove};
use crate::convert;
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::{AnyPosition, Move, MultiTurn, Played};
use lozenge_wire::{Action, Claim, Color, GameResult, Reason, Status};

/// Most characters of a move that is typed: the longest that is written has half as many.
const MOVE_LENGTH: usize = 40;

impl GameMachine {
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
        if matches!(action, Action::Abort) {
            return self.abort(now);
        }
        if self.record.four().is_some() {
            return self.act_multi(color, action, now);
        }
        match action {
            Action::Resign => {
                let result = GameResult::win(color.opponent());
                Ok(vec![GameEvent::Finished { result, reason: Reason::Resign, at: now }])
            }
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
            | Action::Abort
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

    fn abort(&self, now: i64) -> Result<Vec<GameEvent>, ActionError> {
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
}

/// Reads one of a position's legal moves, in either notation.
fn read_move(position: &AnyPosition, legal: &[Move], text: &str) -> Result<Move, ActionError> {
    match uci::parse_among(position.variant(), legal, text) {
        Ok(played) => Ok(played),
        Err(error) => san::parse(position, text).map_err(|_| ActionError::Move(error.to_string())),
    }
}

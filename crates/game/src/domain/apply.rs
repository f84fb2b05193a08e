//! Applies events to a machine. Not here: which events an action makes (`act`).

use super::action_error::ActionError;
use super::event::{GameEvent, deleted_player};
use super::intentions::Intentions;
use super::machine::{GameMachine, PreparedMove};
use super::player::with_guest_number;
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::Played;
use lozenge_wire::{Offers, PlayerKind};

impl GameMachine {
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
                self.intentions = Intentions::default();
                if let Some(by) = accepted_by {
                    self.requests[by].accepted = Some((self.played.len(), *at));
                }
                if let Some(clock) = &mut self.clock {
                    clock.take_back(*at);
                }
                self.run_clock(*at);
            }
            GameEvent::DrawOffered { by } if self.record.four().is_some() => {
                self.intentions.draw[*by] = true;
                self.offers.draw.get_or_insert(*by);
            }
            GameEvent::DrawOffered { by } => {
                self.offers.draw = Some(*by);
                self.requests[*by].draw = Some(self.played.len());
            }
            GameEvent::DrawDeclined => {
                self.offers.draw = None;
                self.intentions.draw = Default::default();
            }
            GameEvent::ResignationWanted { by, wanted } => self.intentions.resignation[*by] = *wanted,
            GameEvent::TakebackAsked { by } => {
                self.offers.takeback = Some(*by);
                self.requests[*by].takeback = Some(self.played.len());
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
                self.intentions.rematch[*by] = true;
                self.offers.rematch = Some(*by);
            }
            GameEvent::RematchDeclined => {
                self.intentions.rematch = Default::default();
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
}

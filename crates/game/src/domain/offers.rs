//! Offers between players: draw, takeback, rematch.

use super::action_error::ActionError;
use super::clock::{GIFT_MS, GIFT_PAUSE_MS, MAX_GIFTS};
use super::event::GameEvent;
use super::machine::GameMachine;
use lozenge_wire::{Color, GameResult, Reason, Status};

/// A second click comes within this time, in milliseconds.
const DOUBLE_CLICK_MS: i64 = 2_000;

impl GameMachine {
    /// A draw is offered, or agreed to.
    pub(super) fn draw(&self, color: Color, now: i64) -> Result<Vec<GameEvent>, ActionError> {
        if self.offers.draw == Some(color.opponent()) {
            return Ok(vec![GameEvent::Finished {
                result: GameResult::Draw,
                reason: Reason::Agreement,
                at: now,
            }]);
        }
        if self.offers.draw == Some(color) {
            return Err(ActionError::AlreadyOffered);
        }
        self.may_offer_draw(color)?;
        Ok(vec![GameEvent::DrawOffered { by: color }])
    }

    /// Refuses the offer of a draw before the game has begun, and again in a position in which it was declined.
    pub fn may_offer_draw(&self, color: Color) -> Result<(), ActionError> {
        if !self.has_begun() {
            Err(ActionError::TooEarly)
        } else if self.requests[color].draw == Some(self.played.len()) {
            Err(ActionError::Declined)
        } else {
            Ok(())
        }
    }

    /// Back to when it was one's turn, if the other agrees; the engine does.
    pub(super) fn takeback(&self, color: Color, now: i64) -> Result<Vec<GameEvent>, ActionError> {
        self.check_casual()?;
        let plies = match self.offers.takeback {
            // The other requests: back to when it was the other's turn.
            Some(by) if by == color.opponent() => self.plies_back_to(color.opponent()),
            Some(_) => return Err(ActionError::AlreadyOffered),
            // Accepted twice, by a double click: that is no request for another takeback.
            None if self.has_just_accepted(color, now) => return Ok(Vec::new()),
            None if self.requests[color].takeback == Some(self.played.len()) => {
                return Err(ActionError::Declined);
            }
            None => self.plies_back_to(color),
        };
        let plies = plies.ok_or(ActionError::NothingToTakeBack)?;
        let agreed = self.offers.takeback == Some(color.opponent()) || self.has_engine();
        Ok(vec![if agreed {
            GameEvent::TakenBack { plies, at: now }
        } else {
            GameEvent::TakebackAsked { by: color }
        }])
    }

    /// Refuses what would falsify ratings.
    fn check_casual(&self) -> Result<(), ActionError> {
        if self.config.rated { Err(ActionError::RatedGame) } else { Ok(()) }
    }

    /// Whether a side has accepted the other's takeback a moment ago.
    fn has_just_accepted(&self, color: Color, now: i64) -> bool {
        let accepted = self.requests[color].accepted;
        accepted.is_some_and(|(plies, at)| plies == self.played.len() && now - at < DOUBLE_CLICK_MS)
    }

    /// The other gets a little more time.
    pub(super) fn give_time(&self, color: Color, now: i64) -> Result<Vec<GameEvent>, ActionError> {
        self.check_casual()?;
        let clock = self.clock.as_ref().filter(|clock| clock.is_live()).ok_or(ActionError::NoClock)?;
        let gifts = clock.gifts(color);
        if gifts.count >= MAX_GIFTS {
            return Err(ActionError::TooManyGifts);
        }
        if now - gifts.last_at < GIFT_PAUSE_MS {
            return Err(ActionError::GiftTooSoon);
        }
        Ok(vec![GameEvent::TimeGiven { to: color.opponent(), ms: GIFT_MS, at: Some(now) }])
    }

    /// Half moves to take back until it is a side's turn again.
    fn plies_back_to(&self, color: Color) -> Option<u32> {
        let plies = if self.turn() == color { 2 } else { 1 };
        (self.played.len() as u32 >= plies).then_some(plies)
    }

    /// A rematch is offered.
    pub(super) fn rematch(&self, color: Color) -> Result<Vec<GameEvent>, ActionError> {
        if self.status() != Status::Finished {
            return Err(ActionError::NotOver);
        }
        if self.next.is_some() || self.intentions.rematch[color] {
            return Err(ActionError::AlreadyOffered);
        }
        // Another player never joined, or has deleted the account.
        if self.seats.iter().any(|seat| seat.as_ref().is_none_or(|player| player.id.is_empty())) {
            return Err(ActionError::Gone);
        }
        // An accepted offer is turned into a game by the games, which adds `Rematched`.
        Ok(vec![GameEvent::RematchOffered { by: color }])
    }

    /// Whether all others want another game, and it is not there yet. The engine always does.
    pub fn wants_rematch(&self, color: Color) -> bool {
        let wants = |other: Color| self.is_engine(other) || self.intentions.rematch[other];
        self.status() == Status::Finished
            && self.next.is_none()
            && self.seats.iter().all(Option::is_some)
            && self.record.colors().iter().all(|&other| other == color || wants(other))
    }
}

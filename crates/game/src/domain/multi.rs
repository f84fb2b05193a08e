//! Rules for actions in a game of four: players go out, resign on their own turn and agree on a draw together, and all draws are
//! automatic. Not here: rules of all games (`machine`).

use super::action_error::ActionError;
use super::event::GameEvent;
use super::machine::GameMachine;
use super::record;
use crate::convert;
use lozenge_rules::notation::{turn, uci};
use lozenge_rules::position::{AnyMultiPosition, Move, MultiTurn, Played};
use lozenge_wire::{Action, Color, Status};

/// Moves of each player from which on the engine agrees to a draw.
const ENGINE_AGREES: usize = 30;

impl GameMachine {
    /// The events of an action in a started game of four.
    pub(super) fn act_multi(
        &mut self,
        color: Color,
        action: &Action,
        now: i64,
    ) -> Result<Vec<GameEvent>, ActionError> {
        match action {
            Action::Resign => self.resign_multi(color, now),
            Action::Draw => self.draw_multi(color, now),
            Action::DeclineDraw if self.offers.draw.is_some() => Ok(vec![GameEvent::DrawDeclined]),
            Action::DeclineDraw | Action::DeclineTakeback => Err(ActionError::NothingOffered),
            Action::Takeback => self.takeback_multi(color, now),
            Action::Claim => Err(ActionError::NothingToClaim),
            Action::GiveTime => Err(ActionError::NotWithFour),
            Action::Move { .. }
            | Action::Abort
            | Action::Rematch
            | Action::DeclineRematch
            | Action::Chat { .. }
            | Action::Ping => Ok(Vec::new()),
        }
    }

    /// The free seats that anyone may take, in the lobby; none once the game has begun or is over.
    pub fn open_seats(&self) -> impl Iterator<Item = Color> + use<'_> {
        let waits = self.status() == Status::Waiting;
        self.config.open_seats.iter().copied().filter(move |color| waits && self.player(*color).is_none())
    }

    pub(super) fn is_living(&self, color: Color) -> bool {
        let seat = convert::seat_of(color);
        self.record.four().zip(seat).is_some_and(|(game, seat)| game.position().living().contains(seat))
    }

    /// Whether a player may claim against another who is absent: one who is out may not, and a partner may not.
    pub fn may_claim_against(&self, color: Color, absent: Color) -> bool {
        let is_opponent = color != absent && self.partner(color) != Some(absent);
        is_opponent && (self.record.four().is_none() || self.is_living(color))
    }

    /// The partner's color, in a game of teams.
    fn partner(&self, color: Color) -> Option<Color> {
        self.record.four().filter(|game| game.position().variant().is_teams()).map(|_| color.opponent())
    }

    /// Reads one of the legal moves.
    pub(super) fn read_multi(&self, position: &AnyMultiPosition, text: &str) -> Result<Move, ActionError> {
        uci::parse_multi_among(position.variant(), self.legal(), text)
            .map_err(|error| ActionError::Move(error.to_string()))
    }

    /// The events when the player to move goes out because the time is over, or because of absence.
    pub fn time_out_multi(&mut self, now: i64) -> Vec<GameEvent> {
        let left_ms = self.clock.is_some().then_some(0);
        self.consequences(MultiTurn::TimeOut, left_ms, now)
    }

    /// A player wants to resign, or does not want to any more.
    fn resign_multi(&mut self, color: Color, now: i64) -> Result<Vec<GameEvent>, ActionError> {
        if !self.is_living(color) {
            return Err(ActionError::Out);
        }
        let wanted = !self.intentions.resignation[color];
        let mut events = vec![GameEvent::ResignationWanted { by: color, wanted }];
        // On the own turn, and in a game of teams also on the partner's, it has effect at once.
        let before = self.intentions;
        self.intentions.resignation[color] = wanted;
        if self.resigns_now() {
            let left_ms = self.left_to_move(now);
            events.extend(self.consequences(MultiTurn::Resignation, left_ms, now));
        }
        self.intentions = before;
        Ok(events)
    }

    /// The events when a player of four leaves for good: the account is deleted. None if the player is out, or resigns already.
    pub fn resign_for_good(&mut self, color: Color, now: i64) -> Vec<GameEvent> {
        if self.intentions.resignation[color] {
            return Vec::new();
        }
        self.resign_multi(color, now).unwrap_or_default()
    }

    /// Whether the player to move resigns: in a game of teams the partner has to agree, and the engine does.
    fn resigns_now(&self) -> bool {
        let turn = self.turn();
        let wants = |color: Color| self.intentions.resignation[color];
        match self.partner(turn) {
            None => wants(turn),
            Some(partner) => {
                let agrees = |color| wants(color) || self.is_engine(color);
                (wants(turn) && agrees(partner)) || (wants(partner) && agrees(turn))
            }
        }
    }

    fn left_to_move(&self, now: i64) -> Option<i64> {
        self.clock.as_ref().map(|clock| clock.left(self.turn(), now).max(0))
    }

    /// The events of a half move, and what follows from it at once: players who wanted to resign do so on their turn, and the game
    /// may end. The machine stays as it is.
    pub(super) fn consequences(
        &mut self,
        first: MultiTurn,
        left_ms: Option<i64>,
        now: i64,
    ) -> Vec<GameEvent> {
        let plies = self.played.len();
        let mut events = Vec::new();
        let mut next = Some((first, left_ms));
        while let Some((turn, left_ms)) = next.take() {
            let Played::Four(game) = &mut self.record.0 else { break };
            if !game.play_turn(turn) {
                break;
            }
            let index = game.turns().len() - 1;
            let outcome = game.outcome();
            let uci = self.uci(index).unwrap_or_default();
            events.push(GameEvent::Moved { uci, at: now, left_ms });
            if let Some(outcome) = outcome {
                let (result, reason) = convert::multi_outcome(outcome);
                events.push(GameEvent::Finished { result, reason, at: now });
            } else if self.resigns_now() {
                next = Some((MultiTurn::Resignation, self.left_to_move(now)));
            }
        }
        if let Played::Four(game) = &mut self.record.0 {
            while game.turns().len() > plies {
                game.undo();
            }
        }
        events
    }

    /// A player agrees to a draw. It is one once all the living agree; the engine does late in the game.
    fn draw_multi(&mut self, color: Color, now: i64) -> Result<Vec<GameEvent>, ActionError> {
        if !self.has_begun() {
            return Err(ActionError::TooEarly);
        }
        if !self.is_living(color) {
            return Err(ActionError::Out);
        }
        if self.intentions.draw[color] {
            return Err(ActionError::AlreadyOffered);
        }
        let Played::Four(game) = &self.record.0 else { return Ok(Vec::new()) };
        let engine_agrees = self.played.len() >= ENGINE_AGREES * self.seats.len();
        let agrees = |other: Color| {
            other == color
                || !self.is_living(other)
                || self.intentions.draw[other]
                || (engine_agrees && self.is_engine(other))
        };
        let mut events = vec![GameEvent::DrawOffered { by: color }];
        let colors = self.record.colors();
        if colors.iter().copied().all(agrees)
            && let Some((result, reason)) = record::agreement(game)
        {
            events.push(GameEvent::Finished { result, reason, at: now });
        } else if colors.iter().any(|&other| self.is_living(other) && self.is_engine(other) && !engine_agrees)
        {
            events.push(GameEvent::DrawDeclined);
        }
        Ok(events)
    }

    /// Back to the player's last turn, where all others are engines.
    fn takeback_multi(&mut self, color: Color, now: i64) -> Result<Vec<GameEvent>, ActionError> {
        if self.config.rated {
            return Err(ActionError::RatedGame);
        }
        if !self.is_alone(color) {
            return Err(ActionError::AgainstPeople);
        }
        let Played::Four(game) = &self.record.0 else { return Ok(Vec::new()) };
        let before: Vec<_> = game.positions().take(self.played.len()).collect();
        let mine = |position: &AnyMultiPosition| convert::seat_color(position.turn()) == color;
        let back = before.iter().rposition(mine).ok_or(ActionError::NothingToTakeBack)?;
        Ok(vec![GameEvent::TakenBack { plies: (self.played.len() - back) as u32, at: now }])
    }

    pub(super) fn apply_multi(
        &mut self,
        text: &str,
        at: i64,
        left_ms: Option<i64>,
    ) -> Result<(), ActionError> {
        let mover = self.turn();
        let Played::Four(game) = &self.record.0 else { return Ok(()) };
        let position = game.position().clone();
        let turn = match text {
            turn::RESIGNATION => MultiTurn::Resignation,
            turn::TIME_OUT => MultiTurn::TimeOut,
            _ => MultiTurn::Move(self.read_multi(&position, text)?),
        };
        let Played::Four(game) = &mut self.record.0 else { return Ok(()) };
        if !game.play_turn(turn) {
            return Err(ActionError::Over);
        }
        let Played::Four(game) = &self.record.0 else { return Ok(()) };
        let after = game.position();
        let san = record::multi_san(&position, self.legal(), turn, after.is_check());
        let legal = after.legal_moves();
        self.exits.note(&position, turn, after);
        self.legal = legal;
        self.push_played(san, at, left_ms);
        // Who has moved has to agree again; who is out has no intentions.
        self.intentions.draw[mover] = false;
        for color in self.exits.colors() {
            self.intentions.draw[color] = false;
            self.intentions.resignation[color] = false;
        }
        self.offers.draw = self.record.colors().iter().copied().find(|&color| self.intentions.draw[color]);
        Ok(())
    }
}

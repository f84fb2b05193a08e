//! What is different in a game of four: players go out, resign on their own turn and agree on a draw together, and all draws are
//! automatic (`rules.md` of the games of four). Not here: what both kinds of games share (`machine`).

use super::action_error::ActionError;
use super::event::GameEvent;
use super::machine::GameMachine;
use super::record::{self, RESIGNATION, TIME_OUT};
use super::view::PresenceInfo;
use crate::convert;
use lozenge_engine::Played;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyMultiPosition, Move, MultiGame, MultiTurn};
use lozenge_rules::seat::Seat;
use lozenge_wire::{Action, Clock, Color, Exit, GameResult, MAX_PLAYERS, SeatState, SeatStates, Status};

/// Longest line of moves in PGN, in bytes.
const PGN_LINE: usize = 79;

/// Half moves from which on the engine agrees to a draw: thirty moves of each player.
const ENGINE_AGREES: usize = 30 * MAX_PLAYERS;

/// What the players of a game want, by the order of the turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wishes {
    /// Who agrees to a draw.
    pub(super) draw: [bool; MAX_PLAYERS],
    /// Who resigns on the next own turn.
    pub(super) resignation: [bool; MAX_PLAYERS],
    /// Who wants another game.
    pub(super) rematch: [bool; MAX_PLAYERS],
}

/// Why players went out, by the order of the turns; `None` for the living.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Exits([Option<Exit>; MAX_PLAYERS]);

impl Exits {
    /// Those of a whole record.
    pub(super) fn of(record: &Played) -> Self {
        let mut exits = Self::default();
        if let Played::Four(game) = record {
            (0..game.turns().len()).for_each(|index| exits.note(game, index));
        }
        exits
    }

    /// The colors of those who went out.
    fn colors(self) -> impl Iterator<Item = Color> {
        Color::FOUR.into_iter().filter(move |color| self.0[color.index()].is_some())
    }

    /// Notes who went out by the half move at an index.
    fn note(&mut self, game: &MultiGame, index: usize) {
        let (before, after) = (&game.positions()[index], &game.positions()[index + 1]);
        for seat in before.living().iter().filter(|&seat| !after.living().contains(seat)) {
            let by_turn = seat == before.turn();
            self.0[seat.index()] = Some(match game.turns()[index] {
                MultiTurn::Resignation if by_turn => Exit::Resign,
                MultiTurn::TimeOut if by_turn => Exit::Time,
                _ => Exit::Checkmate,
            });
        }
    }
}

impl GameMachine {
    /// The events of an action that only a started game of four allows, or abortion before.
    pub(super) fn act_multi(
        &mut self,
        color: Color,
        action: &Action,
        now: i64,
    ) -> Result<Vec<GameEvent>, ActionError> {
        match action {
            Action::Abort => self.abort(now),
            Action::Resign => self.resign_multi(color, now),
            Action::Draw => self.draw_multi(color, now),
            Action::DeclineDraw if self.offers.draw.is_some() => Ok(vec![GameEvent::DrawDeclined]),
            Action::DeclineDraw | Action::DeclineTakeback => Err(ActionError::NothingOffered),
            Action::Takeback => self.takeback_multi(color, now),
            Action::Claim => Err(ActionError::NothingToClaim),
            Action::GiveTime => Err(ActionError::NotWithFour),
            Action::Move { .. }
            | Action::Rematch
            | Action::DeclineRematch
            | Action::Chat { .. }
            | Action::Ping => Ok(Vec::new()),
        }
    }

    /// The free seats that anybody may take, in the lobby; none once the game has begun or is over.
    pub fn open_seats(&self) -> impl Iterator<Item = Color> + use<'_> {
        let waits = self.status() == Status::Waiting;
        self.config.open_seats.iter().copied().filter(move |color| waits && self.player(*color).is_none())
    }

    fn is_living(&self, color: Color) -> bool {
        let seat = convert::seat_of(color);
        self.record.four().zip(seat).is_some_and(|(game, seat)| game.position().living().contains(seat))
    }

    /// The partner's color, in a game of teams.
    fn partner(&self, color: Color) -> Option<Color> {
        self.record.four().filter(|game| game.position().variant().is_teams()).map(|_| color.opponent())
    }

    /// Reads one of the legal moves.
    pub(super) fn read_multi(&self, position: &AnyMultiPosition, text: &str) -> Result<Move, ActionError> {
        let (red, _) = position.variant().pair(Seat::Red);
        uci::parse_among(red, self.legal(), text).map_err(|error| ActionError::Move(error.to_string()))
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
        let wanted = !self.wishes.resignation[color.index()];
        let mut events = vec![GameEvent::ResignationWanted { by: color, wanted }];
        // On the own turn, and in a game of teams also on the partner's, it has effect at once.
        let before = self.wishes;
        self.wishes.resignation[color.index()] = wanted;
        if self.resigns_now() {
            let left_ms = self.left_to_move(now);
            events.extend(self.consequences(MultiTurn::Resignation, left_ms, now));
        }
        self.wishes = before;
        Ok(events)
    }

    /// The events when a player of four leaves for good: the account is deleted. None if the player is out, or resigns already.
    pub fn resign_for_good(&mut self, color: Color, now: i64) -> Vec<GameEvent> {
        if self.wishes.resignation[color.index()] {
            return Vec::new();
        }
        self.resign_multi(color, now).unwrap_or_default()
    }

    /// Whether the player to move resigns: in a game of teams the partner has to agree, and the engine does.
    fn resigns_now(&self) -> bool {
        let turn = self.turn();
        let wants = |color: Color| self.wishes.resignation[color.index()];
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
            if !record::play_multi(game, turn) {
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
        if self.wishes.draw[color.index()] {
            return Err(ActionError::AlreadyOffered);
        }
        let Played::Four(game) = &self.record.0 else { return Ok(Vec::new()) };
        let engine_agrees = self.played.len() >= ENGINE_AGREES;
        let agrees = |other: Color| {
            other == color
                || !self.is_living(other)
                || self.wishes.draw[other.index()]
                || (engine_agrees && self.is_engine(other))
        };
        let mut events = vec![GameEvent::DrawOffered { by: color }];
        if Color::FOUR.into_iter().all(agrees)
            && let Some((result, reason)) = record::agreement(game)
        {
            events.push(GameEvent::Finished { result, reason, at: now });
        } else if Color::FOUR
            .into_iter()
            .any(|other| self.is_living(other) && self.is_engine(other) && !engine_agrees)
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
        let mine = |index: &usize| convert::seat_color(game.positions()[*index].turn()) == color;
        let back = (0..self.played.len()).rev().find(mine).ok_or(ActionError::NothingToTakeBack)?;
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
        let position = game.position();
        let turn = match text {
            RESIGNATION => MultiTurn::Resignation,
            TIME_OUT => MultiTurn::TimeOut,
            _ => MultiTurn::Move(self.read_multi(position, text)?),
        };
        let Played::Four(game) = &mut self.record.0 else { return Ok(()) };
        if !record::play_multi(game, turn) {
            return Err(ActionError::Over);
        }
        let Played::Four(game) = &self.record.0 else { return Ok(()) };
        let (index, after) = (game.turns().len() - 1, game.position());
        let san = record::multi_san(&game.positions()[index], self.legal(), turn, after.is_check());
        let legal = after.legal_moves();
        self.exits.note(game, index);
        self.set_legal(legal);
        self.push_played(san, at, left_ms);
        // Who has moved has to agree again; who is out has no wishes.
        self.wishes.draw[mover.index()] = false;
        for color in self.exits.colors() {
            self.wishes.draw[color.index()] = false;
            self.wishes.resignation[color.index()] = false;
        }
        self.offers.draw = Color::FOUR.into_iter().find(|color| self.wishes.draw[color.index()]);
        Ok(())
    }

    /// The game as PGN: rounds by number, `R` and `T` as moves, a comment where a player goes out or passes.
    pub(super) fn multi_pgn(&self, site: &str) -> Option<String> {
        use core::fmt::Write as _;
        let game = self.record.four()?;
        let (variant, start) = (game.position().variant(), &game.positions()[0]);
        let mut text = String::new();
        let mut tags = self.tags(site);
        tags.push(("Variant", variant.name().to_owned()));
        if start.fen() != variant.start() {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", start.fen())]);
        }
        let result = self.ended.map_or_else(GameResult::default, |(result, _)| result);
        tags.push(("Result", result.to_string()));
        for (tag, value) in tags {
            let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(text, "[{tag} \"{value}\"]").ok()?;
        }
        text.push('\n');
        let mut line = String::new();
        let mut word = |word: &str| {
            if !line.is_empty() && line.len() + 1 + word.len() > PGN_LINE {
                text.push_str(&core::mem::take(&mut line));
                text.push('\n');
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        };
        let mut round = None;
        for (index, (played, pair)) in self.played.iter().zip(game.positions().windows(2)).enumerate() {
            let number = pair[0].fullmove_number();
            if round != Some(number) {
                let dots = if index == 0 && pair[0].turn() != Seat::Red { "..." } else { "." };
                word(&format!("{number}{dots}"));
                round = Some(number);
            }
            word(&played.san);
            if let (Some(left), Some(Clock::Live { .. })) = (played.left_ms, self.config.clock) {
                let s = left / 1000;
                word(&format!("{{[%clk {}:{:02}:{:02}]}}", s / 3600, s / 60 % 60, s % 60));
            }
            for comment in comments(&pair[0], game.turns()[index], &pair[1]) {
                comment.split(' ').for_each(&mut word);
            }
        }
        word(&result.to_string());
        text.push_str(&line);
        text.push('\n');
        Some(text)
    }

    /// The seats of a game of four at a moment.
    pub(super) fn seat_states(&self, now: i64, presence: PresenceInfo) -> Option<SeatStates> {
        self.record.four()?;
        let places = match self.ended {
            Some((GameResult::Places(places), _)) => Some(places),
            _ => None,
        };
        let is_started = self.status() == Status::Started;
        let state = |color: Color| SeatState {
            color,
            living: self.is_living(color),
            exit: self.exits.0[color.index()],
            place: places.map(|places| places[color.index()]),
            left_ms: self.clock.as_ref().map(|clock| clock.left(color, now).max(0)),
            present: presence.connected[color.index()],
            agrees: self.wishes.draw[color.index()],
            resigns: self.wishes.resignation[color.index()],
            claimable_at: presence.claim_victory_at.filter(|_| is_started && color == self.turn()),
            rating_change: presence.rating_changes.and_then(|changes| changes[color.index()]),
        };
        Some(SeatStates {
            list: Color::FOUR.map(state).to_vec(),
            running: self.clock.as_ref().and_then(|clock| clock.running()),
            at: now,
        })
    }
}

/// What a half move of four led to beside itself: players who were mated, and whose turn passed.
fn comments(before: &AnyMultiPosition, turn: MultiTurn, after: &AnyMultiPosition) -> Vec<String> {
    let left_by_turn = |seat| seat == before.turn() && !matches!(turn, MultiTurn::Move(_));
    let gone = before.living().iter().filter(|&seat| !after.living().contains(seat) && !left_by_turn(seat));
    let mut comments: Vec<String> = gone.map(|seat| format!("{{{seat} is checkmated}}")).collect();
    let mut seat = before.turn().next();
    for _ in 1..MAX_PLAYERS {
        if seat == after.turn() || after.status().is_over() {
            break;
        }
        if after.living().contains(seat) {
            comments.push(format!("{{{seat} passes}}"));
        }
        seat = seat.next();
    }
    comments
}

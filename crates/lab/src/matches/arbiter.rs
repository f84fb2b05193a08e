//! One game: gets moves from the players in turn, keeps the clocks, checks every move by our rules, and decides the
//! result.

use super::adjudication::{Agreement, Decision};
use super::record::{Ending, GameRecord, MoveRecord, millis};
use super::settings::MatchSettings;
use crate::players::{ClockTime, MoveBudget, Player, PlayerError, PlayerMove};
use crate::stats::Points;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, ByColor, Color, Game, Outcome};
use lozenge_tablebase::Value;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Longer games are always drawn, so that every match ends and the `position` command
/// stays short.
pub(super) const MAX_GAME: u32 = 5_000;

/// A game of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Pairing {
    /// Number of the variant in the settings.
    pub(super) variant: usize,
    /// Number of the pair.
    pub(super) pair: u32,
    /// Whether the second engine has White.
    pub(super) swapped: bool,
}

impl Pairing {
    /// The engine with this color.
    fn engine(self, color: Color) -> usize {
        usize::from((color == Color::Black) != self.swapped)
    }
}

/// The result of a game and its reason.
struct GameEnd {
    winner: Option<Color>,
    ending: Ending,
    detail: String,
}

/// Plays a game; `None` when the match was interrupted.
pub(super) fn play(
    settings: &MatchSettings,
    pairing: Pairing,
    opening: &AnyPosition,
    players: &mut [Box<dyn Player>; 2],
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Option<GameRecord> {
    let mut in_play = GameInPlay {
        settings,
        pairing,
        game: Game::from_position(opening.clone()),
        clocks: ByColor::from_fn(|color| {
            settings.engines[pairing.engine(color)].limit.clock.map(ClockTime::new)
        }),
        agreement: Agreement::default(),
        moves: Vec::new(),
        interrupted,
    };
    let begun = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let verdict = in_play.play(players)?;
    let points = match verdict.winner {
        None => Points::Draw,
        Some(winner) if pairing.engine(winner) == 0 => Points::Win,
        Some(_) => Points::Loss,
    };
    Some(GameRecord {
        game: opening.variant().id().to_owned(),
        pair: pairing.pair,
        swapped: pairing.swapped,
        fen: opening.fen(),
        points,
        ending: verdict.ending,
        detail: verdict.detail,
        begun,
        moves: in_play.moves,
    })
}

struct GameInPlay<'s> {
    settings: &'s MatchSettings,
    pairing: Pairing,
    game: Game,
    clocks: ByColor<Option<ClockTime>>,
    agreement: Agreement,
    moves: Vec<MoveRecord>,
    interrupted: &'s (dyn Fn() -> bool + Sync),
}

impl GameInPlay<'_> {
    fn play(&mut self, players: &mut [Box<dyn Player>; 2]) -> Option<GameEnd> {
        for color in Color::BOTH {
            match players[self.pairing.engine(color)].begin(self.game.variant()) {
                Ok(()) => {}
                Err(PlayerError::Interrupted) => return None,
                Err(PlayerError::Crashed(what) | PlayerError::Timeout { what }) => {
                    return Some(lost(color, Ending::Crash, what));
                }
            }
        }
        // An opening from a file may be drawn already.
        if let Some(verdict) = self.ended_by_rules() {
            return Some(verdict);
        }
        loop {
            let mover = self.game.position().turn();
            let player = &mut players[self.pairing.engine(mover)];
            let answer = match player.think(&self.game, &self.budget(mover)) {
                Ok(answer) => answer,
                Err(PlayerError::Interrupted) => return None,
                Err(error) => return Some(self.forfeit(mover, error)),
            };
            if let Some(verdict) = self.play_move(mover, &answer) {
                return Some(verdict);
            }
        }
    }

    /// The limits for the move, and how long to wait for it.
    fn budget(&self, mover: Color) -> MoveBudget<'_> {
        let limit = &self.settings.engines[self.pairing.engine(mover)].limit;
        let own = self.clocks[mover];
        // A player without a clock gets the opponent's as its own; its limit does not use it.
        let clocks = own.map(|own| {
            let other = self.clocks[mover.opponent()].unwrap_or(own);
            ByColor::from_fn(|color| if color == mover { own } else { other })
        });
        let by_clock = own.map(|clock| clock.remaining());
        let time = limit.movetime.into_iter().chain(by_clock).min();
        let timeout = time.map_or(self.settings.move_timeout, |time| time + self.settings.margin + LATENCY);
        MoveBudget { limit, clocks, timeout, interrupted: self.interrupted }
    }

    fn forfeit(&self, mover: Color, error: PlayerError) -> GameEnd {
        let limit = &self.settings.engines[self.pairing.engine(mover)].limit;
        let timed = limit.clock.is_some() || limit.movetime.is_some();
        match error {
            PlayerError::Crashed(what) => lost(mover, Ending::Crash, what),
            PlayerError::Timeout { what } if timed => self.out_of_time(mover, what),
            PlayerError::Timeout { what } => lost(mover, Ending::Hang, what),
            PlayerError::Interrupted => lost(mover, Ending::Crash, "interrupted".into()),
        }
    }

    /// Validates a move and plays it.
    fn play_move(&mut self, mover: Color, answer: &PlayerMove) -> Option<GameEnd> {
        if let Some(verdict) = self.press(mover, answer.time) {
            return Some(verdict);
        }
        let position = self.game.position();
        let number = position.fullmove_number();
        // Programs differ in how they write the letter of a promotion.
        let read = uci::parse(position, &answer.best)
            .or_else(|error| uci::parse(position, &answer.best.to_ascii_lowercase()).or(Err(error)));
        let played = match read {
            Ok(played) => played,
            Err(_) => {
                let text: String = answer.best.chars().take(40).collect();
                let detail = format!("`{text}` in {}", position.fen());
                return Some(lost(mover, Ending::IllegalMove, detail));
            }
        };
        self.moves.push(MoveRecord {
            text: uci::write(position.variant(), played),
            score: answer.score.map(Into::into),
            depth: answer.depth,
            nodes: answer.nodes,
            millis: millis(answer.time),
        });
        if self.game.play(played).is_err() {
            return Some(lost(mover, Ending::IllegalMove, answer.best.clone()));
        }
        if let Some(verdict) = self.ended_by_rules() {
            return Some(verdict);
        }
        if let Some(verdict) = self.ended_by_tables() {
            return Some(verdict);
        }
        let plies = self.moves.len() as u32;
        let rules = &self.settings.adjudication;
        let decision = self.agreement.update(rules, mover, answer.score, number, plies);
        let decision = decision.or((plies >= MAX_GAME).then_some(Decision::TooLong));
        decision.map(|decision| match decision {
            Decision::Win(winner) => {
                GameEnd { winner: Some(winner), ending: Ending::AgreedWin, detail: String::new() }
            }
            Decision::Draw => GameEnd { winner: None, ending: Ending::AgreedDraw, detail: String::new() },
            Decision::TooLong => GameEnd { winner: None, ending: Ending::Length, detail: String::new() },
        })
    }

    /// Counts the time of a move.
    fn press(&mut self, mover: Color, used: Duration) -> Option<GameEnd> {
        let margin = self.settings.margin;
        let too_late = |over: Duration| format!("{} ms too late", over.as_millis());
        if let Some(time) = self.settings.engines[self.pairing.engine(mover)].limit.movetime
            && used > time + margin
        {
            return Some(self.out_of_time(mover, too_late(used - time)));
        }
        let late = self.clocks[mover].as_mut()?.press(used, margin).err()?;
        Some(self.out_of_time(mover, too_late(late)))
    }

    /// The end because a player overstepped its time: a draw if the other could never win.
    fn out_of_time(&self, mover: Color, detail: String) -> GameEnd {
        let can_win = !self.game.position().has_insufficient_material(mover.opponent());
        GameEnd { winner: can_win.then_some(mover.opponent()), ending: Ending::TimeLoss, detail }
    }

    /// Whether the game has ended on the board. A draw that can be claimed is claimed.
    fn ended_by_rules(&self) -> Option<GameEnd> {
        let verdict = |winner, ending| Some(GameEnd { winner, ending, detail: String::new() });
        match self.game.outcome() {
            Some(outcome @ Outcome::Win { winner, .. }) => verdict(Some(winner), outcome.into()),
            Some(outcome @ Outcome::Draw(_)) => verdict(None, outcome.into()),
            None => self.game.claimable_draw().and_then(|reason| verdict(None, reason.into())),
        }
    }

    /// The end because a table of the game covers the position. Tables do not count moves, so a win has to come before the draw by
    /// the count. A damaged file decides nothing.
    fn ended_by_tables(&self) -> Option<GameEnd> {
        let position = self.game.position();
        let tables =
            self.settings.tables.iter().find(|tables| Arc::ptr_eq(tables.variant(), position.variant()))?;
        let value = tables.probe(position).ok().flatten()?;
        let moves = position.variant().draws().moves;
        // The arbiter claims every draw.
        let limit = 2 * [moves.claim, moves.end].into_iter().filter(|limit| *limit != 0).min().unwrap_or(0);
        let in_time = |distance: u16| limit == 0 || u32::from(position.halfmove_clock() + distance) < limit;
        let winner = match value {
            Value::Draw => None,
            Value::Win(distance) if in_time(distance) => Some(position.turn()),
            Value::Loss(distance) if in_time(distance) => Some(position.turn().opponent()),
            Value::Win(_) | Value::Loss(_) => return None,
        };
        Some(GameEnd { winner, ending: Ending::Table, detail: String::new() })
    }
}

/// Wait a little longer than the clock allows, so that a late move is recorded with its time.
const LATENCY: Duration = Duration::from_millis(200);

fn lost(loser: Color, ending: Ending, detail: String) -> GameEnd {
    GameEnd { winner: Some(loser.opponent()), ending, detail }
}

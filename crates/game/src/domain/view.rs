//! A game as clients see it: the wire's game, its state, a line in a list, PGN.

use super::event::GameEvent;
use super::machine::{GameMachine, PlayedPly};
use super::rating::SeatRatingChanges;
use crate::convert::word;
use lozenge_rules::notation::pgn::{self, ResultTag};
use lozenge_rules::notation::record;
use lozenge_rules::position::{MultiGame, Played};
use lozenge_wire::{
    ByPlayer, Clock, Color, Game, GameResult, GameState, GameSummary, HistoryEntry, MAX_PLAYERS, PlayedMove,
    Player, PlayerKind, Present, RatingChanges, Reason, Seat, SeatState, SeatStates, Since, Status,
};
use serde::{Deserialize, Serialize};

/// Data that the machine does not have: the connected players, and the changes of ratings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PresenceInfo {
    /// Which players are connected, by the order of the turns.
    #[serde(default)]
    pub connected: ByPlayer<bool>,
    /// When the player who is connected may claim the win, in Unix milliseconds; in a game of four that the absent player to move
    /// goes out.
    pub claim_victory_at: Option<i64>,
    /// How the game changed the ratings of its players.
    #[serde(default, rename = "seat_rating_changes")]
    pub rating_changes: Option<SeatRatingChanges>,
}

/// The columns of a game beside its events, for lists and searches.
#[derive(Clone, Debug)]
pub struct GameUpdate {
    /// The columns that seldom change, if they have changed.
    pub seats: Option<Box<SeatColumns>>,
    /// When something last happened, in Unix milliseconds.
    pub updated_at: i64,
    /// The status as [`status_word`] writes it.
    pub status: &'static str,
    /// The result; unknown until the game is over.
    pub result: GameResult,
    /// The reason of the result, as the wire's word.
    pub reason: Option<String>,
    /// Half moves played.
    pub ply: i64,
    /// The FEN of the current position.
    pub fen: String,
    /// The last half move in long algebraic notation.
    pub last_move: Option<String>,
    /// When the running clock is over, in Unix milliseconds; `None` if the game is not being played or has no
    /// clock.
    pub deadline: Option<i64>,
}

/// The players, and the rematch.
#[derive(Clone, Debug)]
pub struct SeatColumns {
    /// The ids of the players, by the order of the turns.
    pub ids: [Option<String>; MAX_PLAYERS],
    /// The players as JSON, by the order of the turns.
    pub players: [Option<String>; MAX_PLAYERS],
    /// The id of the rematch.
    pub next: Option<String>,
}

impl GameMachine {
    /// The state of the game.
    pub fn state(&self, now: i64, presence: PresenceInfo) -> GameState {
        let status = self.status();
        let [white, black, ..] = presence.connected.into_array();
        let is_for_two = self.record.two().is_some();
        let legal = if status == Status::Finished { &[] } else { self.legal() };
        let (result, reason) = self.ended.unzip();
        GameState {
            seq: self.seq,
            ply: self.played.len() as u32,
            fen: self.fen().to_owned(),
            turn: self.turn(),
            last: self.last_squares(),
            check: self.record.check_square(),
            moves: self.record.texts(legal),
            castlings: self.record.castlings(legal),
            status,
            result: result.unwrap_or_default(),
            reason,
            clocks: self.clock.as_ref().filter(|_| is_for_two).map(|clock| clock.to_wire(now)),
            offers: self.offers,
            claim: self.claim(),
            present: Present { white: white && is_for_two, black: black && is_for_two },
            claim_victory_at: presence.claim_victory_at.filter(|_| is_for_two),
            rating_changes: presence.rating_changes.filter(|_| is_for_two).and_then(of_two),
            seats: self.seat_states(now, presence).map(Box::new),
        }
    }

    /// The seats of a game of four at a moment.
    fn seat_states(&self, now: i64, presence: PresenceInfo) -> Option<SeatStates> {
        self.record.four()?;
        let places = match self.ended {
            Some((GameResult::Places(places), _)) => Some(places),
            _ => None,
        };
        let is_started = self.status() == Status::Started;
        let state = |color: Color| SeatState {
            color,
            living: self.is_living(color),
            exit: self.exits.0[color],
            place: places.map(|places| places[color.index()]),
            left_ms: self.clock.as_ref().map(|clock| clock.left(color, now).max(0)),
            present: presence.connected[color],
            agrees: self.intentions.draw[color],
            resigns: self.intentions.resignation[color],
            claimable_at: presence.claim_victory_at.filter(|_| is_started && color == self.turn()),
            rating_change: presence.rating_changes.and_then(|changes| changes[color]),
        };
        Some(SeatStates {
            list: self.record.colors().iter().copied().map(state).collect(),
            running: self.clock.as_ref().and_then(|clock| clock.running()),
            at: now,
        })
    }

    /// The numbers of the squares that the last half move left and reached.
    pub(crate) fn last_squares(&self) -> Vec<u16> {
        self.played.len().checked_sub(1).map_or_else(Vec::new, |last| self.record.last(last))
    }

    /// The players of White and Black; none in a game of four.
    pub fn pair(&self) -> [Option<Player>; 2] {
        match self.seats.as_slice() {
            [white, black] => [white.clone(), black.clone()],
            _ => [None, None],
        }
    }

    /// The seats of a game of four; none in a game of two.
    pub fn wire_seats(&self) -> Vec<Seat> {
        let Some(game) = self.record.four() else { return Vec::new() };
        let open: Vec<Color> = self.open_seats().collect();
        seats(game.position().variant().is_teams(), self.seats.clone(), &open)
    }

    /// The last half move, without the position after it, which is in the state.
    pub fn last_move(&self) -> Option<PlayedMove> {
        let &PlayedPly { ref san, at, left_ms, .. } = self.played.last()?;
        Some(PlayedMove { uci: self.uci(self.played.len() - 1)?, san: san.to_string(), left_ms, at })
    }

    /// The half move at an index, with the position after it.
    pub(crate) fn entry(&self, index: usize) -> Option<HistoryEntry> {
        let (played, after) = (self.played.get(index)?, self.record.position_at(index + 1)?);
        let &PlayedPly { ref san, at, left_ms, .. } = played;
        Some(HistoryEntry {
            uci: self.uci(index)?,
            san: san.to_string(),
            fen: after.fen(),
            last: self.record.last(index),
            check: crate::convert::check_square(&after),
            left_ms,
            at,
        })
    }

    /// The whole game, for the player of the side `you`.
    pub fn to_wire(&self, you: Option<Color>, now: i64, presence: PresenceInfo) -> Game {
        let config = self.config.clone();
        let [white, black] = self.pair();
        Game {
            id: config.id,
            variant: self.record.variant_id().into(),
            variant_name: self.record.variant_name().into(),
            digest: config.digest,
            start_fen: self.record.start().fen(),
            rated: config.rated,
            speed: config.speed,
            clock: config.clock,
            white,
            black,
            seats: self.wire_seats(),
            fill: config.fill.filter(|_| self.status() == Status::Waiting),
            you,
            created_at: config.created_at,
            history: (0..self.played.len()).filter_map(|index| self.entry(index)).collect(),
            state: self.state(now, presence),
            visibility: config.visibility,
            previous: config.previous,
            next: self.next.clone(),
        }
    }

    /// The game as a row of a list.
    pub fn to_summary(&self) -> GameSummary {
        let config = &self.config;
        let [white, black] = self.pair();
        let (result, reason) = self.ended.unzip();
        GameSummary {
            id: config.id.clone(),
            variant: self.record.variant_id().into(),
            variant_name: self.record.variant_name().into(),
            digest: config.digest.clone(),
            rated: config.rated,
            speed: config.speed,
            clock: config.clock,
            white,
            black,
            seats: self.wire_seats(),
            created_at: config.created_at,
            updated_at: self.updated_at,
            ply: self.played.len() as u32,
            fen: self.fen().to_owned(),
            last: self.last_squares(),
            turn: self.turn(),
            status: self.status(),
            result: result.unwrap_or_default(),
            reason,
        }
    }

    /// The changes since an event, for the player of the side `you`. `None` if there is no such event, because the client
    /// knows another game.
    pub fn since(&self, after: u64, you: Option<Color>, now: i64, presence: PresenceInfo) -> Option<Since> {
        if after > self.seq {
            return None;
        }
        // Of those that had been played then, these have never been taken back since: they are still the first.
        let kept = self.played.partition_point(|played| played.seq <= after);
        let [white, black] = self.pair();
        Some(Since {
            kept: kept as u32,
            history: (kept..self.played.len()).filter_map(|index| self.entry(index)).collect(),
            state: self.state(now, presence),
            white,
            black,
            seats: self.wire_seats(),
            you,
            next: self.next.clone(),
        })
    }

    /// The columns of the game after these events.
    pub fn row_update(&self, events: &[GameEvent]) -> GameUpdate {
        let seldom =
            |event: &GameEvent| event.changes_seats() || matches!(event, GameEvent::Rematched { .. });
        GameUpdate {
            seats: events.iter().any(seldom).then(|| Box::new(self.seat_columns())),
            updated_at: self.updated_at,
            status: status_word(self.status()),
            result: self.ended.map_or(GameResult::Unknown, |(result, _)| result),
            reason: self.ended.as_ref().map(|(_, reason)| word(reason)),
            ply: self.played.len() as i64,
            fen: self.fen().to_owned(),
            last_move: self.played.len().checked_sub(1).and_then(|last| self.uci(last)),
            deadline: self
                .clock
                .as_ref()
                .filter(|_| self.status() == Status::Started)
                .map(|clock| clock.deadline().unwrap_or(self.updated_at)),
        }
    }

    fn seat_columns(&self) -> SeatColumns {
        let player = |place: usize| self.seats.get(place).and_then(Option::as_ref);
        SeatColumns {
            ids: core::array::from_fn(|place| player(place).map(|player| player.id.clone())),
            players: core::array::from_fn(|place| {
                player(place).and_then(|player| serde_json::to_string(player).ok())
            }),
            next: self.next.clone(),
        }
    }

    /// The tags of the game's PGN, except those that its moves give. `site` is the address of its page.
    pub fn tags(&self, site: &str) -> Vec<(&'static str, String)> {
        let event = if self.config.rated { "Rated game" } else { "Casual game" };
        let mut tags = vec![("Event", event.to_owned()), ("Site", site.to_owned())];
        if let Ok(start) = jiff::Timestamp::from_millisecond(self.config.created_at) {
            let utc = start.to_zoned(jiff::tz::TimeZone::UTC);
            let date = utc.strftime("%Y.%m.%d").to_string();
            let time = utc.strftime("%H:%M:%S").to_string();
            tags.extend([("Date", date.clone()), ("UTCDate", date), ("UTCTime", time)]);
        }
        tags.extend([
            ("TimeControl", time_control(self.config.clock)),
            ("VariantHash", self.config.digest.clone()),
        ]);
        for &color in self.record.colors() {
            let ([named, elo, kind, strength], seat) = (player_tags(color), self.player(color));
            tags.push((named, seat.map_or_else(|| "?".to_owned(), |player| player.name.clone())));
            if let Some(rating) = seat.and_then(|player| player.rating) {
                tags.push((elo, rating.to_string()));
            }
            if let Some(level) = seat.filter(|player| player.kind == PlayerKind::Engine).and_then(|p| p.level)
            {
                tags.extend([(kind, "program".into()), (strength, level.to_string())]);
            }
        }
        let by_time = self.record.four().is_some_and(MultiGame::ends_by_time);
        let termination = match &self.ended {
            None => "unterminated",
            Some(_) if by_time => "time forfeit",
            Some((_, reason)) => termination(*reason),
        };
        tags.push(("Termination", termination.into()));
        tags
    }

    /// The game as PGN. `site` is the address of its page.
    pub fn pgn(&self, site: &str) -> Option<String> {
        let mut tree = match &self.record.0 {
            Played::Two(game) => record::tree(game),
            Played::Four(game) => record::multi_tree(game),
        };
        for (tag, value) in self.tags(site) {
            // A name that PGN cannot write is left out rather than written wrongly.
            let _ = tree.tags.set(tag, value);
        }
        let result = self.ended.as_ref().map_or(ResultTag::Unknown, |(result, _)| result_tag(*result));
        for (node, played) in tree.line.nodes.iter_mut().zip(&self.played) {
            if let Some(left) =
                played.left_ms.filter(|_| matches!(self.config.clock, Some(Clock::Live { .. })))
            {
                node.comments_after.insert(0, clock_comment(left));
            }
        }
        tree.set_result(result);
        let mut text = String::new();
        pgn::write_game(&mut text, &tree, pgn::MoveNumber::of_tags(&tree.tags)).ok()?;
        Some(text)
    }
}

/// The changes of a game of two.
fn of_two(changes: SeatRatingChanges) -> Option<RatingChanges> {
    let [white, black, ..] = changes.into_array();
    Some(RatingChanges { white: white?, black: black? })
}

/// The seats of a game with these players, by the order of the turns. Free seats of the colors in `open` are open to any
/// player.
pub fn seats(is_teams: bool, players: Vec<Option<Player>>, open: &[Color]) -> Vec<Seat> {
    let seat = |(color, player): (Color, Option<Player>)| Seat {
        color,
        open: player.is_none() && open.contains(&color),
        player,
        partner: is_teams.then(|| color.opponent()),
    };
    Color::of_players(players.len()).iter().copied().zip(players).map(seat).collect()
}

/// The tags of a player's name, rating, kind and level in PGN.
const fn player_tags(color: Color) -> [&'static str; 4] {
    match color {
        Color::White => ["White", "WhiteElo", "WhiteType", "EngineLevel"],
        Color::Black => ["Black", "BlackElo", "BlackType", "EngineLevel"],
        Color::Red => ["Red", "RedElo", "RedType", "RedLevel"],
        Color::Blue => ["Blue", "BlueElo", "BlueType", "BlueLevel"],
        Color::Yellow => ["Yellow", "YellowElo", "YellowType", "YellowLevel"],
        Color::Green => ["Green", "GreenElo", "GreenType", "GreenLevel"],
    }
}

fn clock_comment(left_ms: i64) -> pgn::Comment {
    let s = left_ms / 1000;
    pgn::Comment::new(format!("[%clk {}:{:02}:{:02}]", s / 3600, s / 60 % 60, s % 60))
}

fn time_control(clock: Option<Clock>) -> String {
    match clock {
        None => "-".into(),
        Some(Clock::Live { initial_s, increment_s }) => format!("{initial_s}+{increment_s}"),
        Some(Clock::Correspondence { days }) => format!("1/{}", days * 86_400),
    }
}

fn result_tag(result: GameResult) -> ResultTag {
    match result {
        GameResult::WhiteWins => ResultTag::WhiteWins,
        GameResult::BlackWins => ResultTag::BlackWins,
        GameResult::Draw => ResultTag::Draw,
        GameResult::Places(places) => ResultTag::Places(places),
        GameResult::Unknown => ResultTag::Unknown,
    }
}

fn termination(reason: Reason) -> &'static str {
    match reason {
        Reason::Time | Reason::TimeDraw => "time forfeit",
        Reason::Abandoned => "abandoned",
        Reason::Aborted => "unterminated",
        _ => "normal",
    }
}

/// The word for a status in the store and in addresses.
pub fn status_word(status: Status) -> &'static str {
    match status {
        Status::Waiting => "waiting",
        Status::Started => "started",
        Status::Finished => "finished",
    }
}

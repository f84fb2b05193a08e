//! A game as text, in lists and for pages without script: players, time and clock, how it
//! stands or ended, its moves.

use super::{PageFrame, clock_text};
use lozenge_rules::notation::pgn::MoveNumber;
use lozenge_wire::{
    Color, Game, GameResult, GameSummary, HistoryEntry, Player, PlayerKind, Reason, Seat, Speed, Status,
};
use std::cmp::Ordering;
use std::iter;

impl PageFrame {
    /// The players, White first, with their ratings.
    pub(super) fn players(&self, game: &Game) -> Vec<(String, String)> {
        let one = |side: &str, player: &Option<Player>| (self.t(side), self.player(player.as_ref()));
        if game.seats.is_empty() {
            return vec![one("white", &game.white), one("black", &game.black)];
        }
        game.seats
            .iter()
            .zip(["red", "blue", "yellow", "green"])
            .map(|(seat, side)| one(side, &seat.player))
            .collect()
    }

    /// The seats of a game of four, each with the class of its color.
    pub(super) fn seats<'g>(&self, game: &'g GameSummary) -> Vec<(&'g Seat, &'static str)> {
        game.seats.iter().zip(["red", "blue", "yellow", "green"]).collect()
    }

    pub(super) fn player(&self, player: Option<&Player>) -> String {
        let Some(player) = player else { return self.t("open-place") };
        let name = match player.level {
            Some(level) if player.kind == PlayerKind::Engine => {
                self.texts.with("engine-level", "level", level)
            }
            _ => self.named(player),
        };
        let mark = if player.provisional { "?" } else { "" };
        player.rating.map_or(name.clone(), |rating| format!("{name} ({rating}{mark})"))
    }

    /// The same as HTML, with a link to the profile of an account.
    pub(super) fn linked(&self, player: Option<&Player>) -> String {
        let has_page = player.filter(|player| matches!(player.kind, PlayerKind::User | PlayerKind::Bot));
        let text = self.player(player);
        // Names of accounts have letters, digits, `_` and `-` only, and the rest is the site's own.
        has_page.map_or(text.clone(), |player| format!("<a href=\"/player/{}\">{text}</a>", player.name))
    }

    /// How the game ended, or who is to move.
    pub(super) fn standing(&self, game: &Game) -> String {
        let state = &game.state;
        self.outcome(state.status, state.turn, state.result, state.reason)
    }

    /// Whether a game can be analyzed and reviewed.
    pub(super) fn is_reviewable(&self, game: &GameSummary) -> bool {
        game.status == Status::Finished && game.ply > 0
    }

    /// The same of a game in a list.
    pub(super) fn ending(&self, game: &GameSummary) -> String {
        self.outcome(game.status, game.turn, game.result, game.reason)
    }

    fn outcome(&self, status: Status, turn: Color, result: GameResult, reason: Option<Reason>) -> String {
        match (status, turn) {
            (Status::Waiting, _) => self.t("game-waiting"),
            (Status::Started, turn) => self.t(match turn {
                Color::White => "white-to-move",
                Color::Black => "black-to-move",
                Color::Red => "red-to-move",
                Color::Blue => "blue-to-move",
                Color::Yellow => "yellow-to-move",
                Color::Green => "green-to-move",
            }),
            (Status::Finished, _) => {
                let is_of_four = !Color::TWO.contains(&turn);
                let result = match (result, is_of_four) {
                    (GameResult::WhiteWins, false) => self.t("result-white"),
                    (GameResult::BlackWins, false) => self.t("result-black"),
                    (GameResult::WhiteWins, true) => self.t("result-red-and-yellow"),
                    (GameResult::BlackWins, true) => self.t("result-blue-and-green"),
                    (GameResult::Draw, _) => self.t("result-draw"),
                    (GameResult::Places(_), _) => {
                        self.texts.with("result-places", "places", result.to_string())
                    }
                    (GameResult::Unknown, _) => self.t("result-none"),
                };
                match reason {
                    // German sets a comma before some of them.
                    Some(reason) => format!("{result} {}.", self.t(reason_key(reason))).replace(" ,", ","),
                    None => format!("{result}."),
                }
            }
        }
    }

    /// How a finished game went for a player, as a class of its card.
    pub(super) fn outcome_class(&self, game: &GameSummary, player: &str) -> &'static str {
        let mut seats = vec![&game.white, &game.black];
        if !game.seats.is_empty() {
            seats = game.seats.iter().map(|seat| &seat.player).collect();
        }
        let is = |side: &Option<Player>| side.as_ref().is_some_and(|one| one.id == player);
        let result = seats.into_iter().position(is).and_then(|seat| game.result.of_seat(seat));
        match (game.result, result) {
            (GameResult::Unknown, _) => "open",
            (GameResult::Draw, _) | (_, Some(Ordering::Equal)) => "drawn",
            (_, Some(Ordering::Greater)) => "won",
            (_, Some(Ordering::Less) | None) => "lost",
        }
    }

    /// A game in a line: clock, speed, rated or not, length.
    pub(super) fn terms(&self, game: &GameSummary) -> String {
        let clock = game.clock.map(|clock| clock_text(&self.texts, Some(clock)));
        let rated = self.t(if game.rated { "rated" } else { "casual" });
        let players = game.seats.len().max(2) as u32;
        let moves = self.count("moves-played", &u64::from(game.ply.div_ceil(players)));
        // The days of a game by correspondence say that it is one.
        let speed = (game.speed != Speed::Correspondence).then(|| self.speed(&game.speed));
        clock.into_iter().chain(speed).chain([rated, moves]).collect::<Vec<_>>().join(" · ")
    }

    /// A moment as a date, which the page's script puts into the reader's time zone.
    pub(super) fn time(&self, ms: &i64) -> String {
        let Ok(at) = jiff::Timestamp::from_millisecond(*ms) else { return String::new() };
        let date = at.to_zoned(jiff::tz::TimeZone::UTC).strftime("%-d %B %Y").to_string();
        format!(
            "<time datetime=\"{}\">{}</time>",
            at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            self.texts.of_rules().dated(&date)
        )
    }

    /// The alternative text of the game's picture.
    pub(super) fn picture_alt(&self, game: &Game) -> String {
        let position = match numbers(game).zip(&game.history).last().filter(|_| game.seats.is_empty()) {
            Some((number, entry)) => self.texts.with("game-after", "move", numbered(number, &entry.san)),
            None => self.t("start-position"),
        };
        format!("{}: {position}", game.variant_name)
    }

    /// The moves as a text: `1. e4 e5 2. Nf3`.
    pub(super) fn moves_of(&self, game: &Game) -> String {
        if !game.seats.is_empty() {
            let rounds = game.history.chunks(game.seats.len()).zip(1..);
            let round = |(round, number): (&[HistoryEntry], u32)| {
                let moves: Vec<&str> = round.iter().map(|entry| entry.san.as_str()).collect();
                format!("{number}. {}", moves.join(" "))
            };
            return rounds.map(round).collect::<Vec<_>>().join(" ");
        }
        let move_text = |(index, (number, entry)): (usize, (MoveNumber, &HistoryEntry))| {
            let begins = index == 0 || !number.black;
            if begins { numbered(number, &entry.san) } else { entry.san.clone() }
        };
        numbers(game).zip(&game.history).enumerate().map(move_text).collect::<Vec<_>>().join(" ")
    }
}

/// The numbers of the half moves of a game of two, by the position that it began with.
fn numbers(game: &Game) -> impl Iterator<Item = MoveNumber> {
    iter::successors(Some(MoveNumber::of_fen(&game.start_fen)), |number| Some(number.next()))
}

/// A half move with its number: `3. Nf3`, `3… Nf6`.
fn numbered(MoveNumber { number, black }: MoveNumber, san: &str) -> String {
    format!("{number}{} {san}", if black { "…" } else { "." })
}

const fn reason_key(reason: Reason) -> &'static str {
    match reason {
        Reason::Checkmate => "reason-checkmate",
        Reason::Decided => "reason-decided",
        Reason::Goal => "reason-goal",
        Reason::Stalemate => "reason-stalemate",
        Reason::Dead => "reason-dead",
        Reason::Repetition => "reason-repetition",
        Reason::MoveCount => "reason-move-count",
        Reason::Resign => "reason-resign",
        Reason::Time => "reason-time",
        Reason::TimeDraw => "reason-time-draw",
        Reason::Agreement => "reason-agreement",
        Reason::Abandoned => "reason-abandoned",
        Reason::Aborted => "reason-aborted",
    }
}

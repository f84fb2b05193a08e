//! Text and drawings for the terminal: the board, the move list, the legal moves, and how a game has ended.

use super::board::{BoardOptions, draw};
use super::style::{Ink, Style};
use lozenge_engine::skill::rating;
use lozenge_engine::{Info, Score};
use lozenge_rules::notation::{drawing, san};
use lozenge_rules::position::{AnyPosition, Color, DrawReason, Game, Outcome, WinReason};
use std::time::Duration;

/// Columns of the terminal that output may use.
pub(super) const COLUMNS: usize = 80;

/// Settings of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScreenSettings {
    pub(crate) human: Color,
    /// 0 to [`FULL_LEVEL`].
    pub(crate) level: u8,
    /// Time for each move, at full strength whatever the level; `None` for the level.
    pub(crate) time: Option<Duration>,
    pub(crate) diamond: bool,
    pub(crate) style: Style,
    /// Whether to clear the screen before the board is drawn, rather than append text.
    pub(crate) clear_screen: bool,
}

/// The end of a game that the rules do not end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decision {
    Resigned(Color),
    Claimed(DrawReason),
}

/// The state of a session that is drawn.
#[derive(Clone, Copy)]
pub(super) struct Screen<'a> {
    pub(super) game: &'a Game,
    pub(super) settings: &'a ScreenSettings,
    pub(super) flipped: bool,
    pub(super) decision: Option<Decision>,
}

impl Screen<'_> {
    /// The board, with the move list beside it if the screen is cleared, and notes below.
    pub(super) fn board(&self, mut notes: Vec<String>) -> String {
        let position = self.game.position();
        let style = self.settings.style;
        let lines = if style.is_colored() {
            let options = BoardOptions {
                diamond: self.settings.diamond,
                flipped: self.flipped,
                last: self.game.moves().last().map_or_else(Vec::new, |last| vec![last.from, last.to]),
                check: position.is_check().then(|| position.king(position.turn())),
            };
            let picture = draw(position, &options);
            let width = picture.width();
            picture.lines(style).into_iter().map(|line| (line, width)).collect()
        } else {
            let roles = position.variant().roles();
            let text = drawing::board(position.variant(), self.settings.diamond, self.flipped, |square| {
                position.piece_at(square).map_or(drawing::EMPTY, |piece| roles.letter(piece))
            });
            let width = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            text.lines().map(|line| (format!("{line:<width$}"), width)).collect::<Vec<_>>()
        };
        let mut text = String::new();
        if self.settings.clear_screen {
            text += "\x1b[H\x1b[2J";
            let width = lines.first().map_or(0, |(_, width)| *width);
            let panel = self.panel(lines.len(), COLUMNS.saturating_sub(width + 4));
            for ((line, _), beside) in lines.iter().zip(panel) {
                text += format!("{line}   {beside}").trim_end();
                text.push('\n');
            }
        } else {
            for (line, _) in &lines {
                text += line.trim_end();
                text.push('\n');
            }
        }
        if position.is_check() && self.ending().is_none() {
            notes.push("Check!".into());
        }
        notes.retain(|note| !note.is_empty());
        text + &style.paint(Ink::STRONG, &wrapped(&notes.join(" ")))
    }

    /// The name of the game, the players and the last moves: `height` lines of at most `width` columns.
    fn panel(&self, height: usize, width: usize) -> Vec<String> {
        let style = self.settings.style;
        let cut = |text: &str| text.chars().take(width).collect::<String>();
        let level = self.settings.level;
        let player = |color: Color| match self.settings.time {
            _ if color == self.settings.human => format!("{color}: you"),
            Some(time) => format!("{color}: engine, {} s", time.as_secs_f64()),
            None => format!("{color}: engine, level {level} ({})", rating(level)),
        };
        let mut lines = vec![
            style.paint(Ink::STRONG, &cut(self.game.variant().name())),
            style.paint(Ink::FAINT, &cut(&player(Color::White))),
            style.paint(Ink::FAINT, &cut(&player(Color::Black))),
            String::new(),
        ];
        let mut rows: Vec<String> = Vec::new();
        for (position, &played) in self.game.positions().zip(self.game.moves()) {
            let text = san::write(&position, played);
            match (position.turn(), rows.last_mut()) {
                (Color::Black, Some(row)) => *row += &text,
                (Color::Black, None) => {
                    rows.push(format!("{:>3}. {:<10} {text}", position.fullmove_number(), "…"))
                }
                (Color::White, _) => rows.push(format!("{:>3}. {text:<10} ", position.fullmove_number())),
            }
        }
        let room = height.saturating_sub(lines.len());
        lines.extend(rows[rows.len().saturating_sub(room)..].iter().map(|row| cut(row.trim_end())));
        lines.resize(height, String::new());
        lines
    }

    /// The legal moves, all or those of a piece, or why there are none.
    pub(super) fn legal_moves(&self, letter: &str) -> Result<String, String> {
        let position = self.game.position();
        let roles = position.variant().roles();
        let filter = letter.chars().next().map(|letter| letter.to_ascii_uppercase());
        let mut groups: Vec<(bool, String, Vec<String>)> = Vec::new();
        for played in position.legal_moves() {
            let Some(piece) = position.piece_at(played.from) else { continue };
            let info = roles.info(piece.role());
            if filter.is_some_and(|filter| filter != info.letter) {
                continue;
            }
            let text = san::write(position, played);
            match groups.iter_mut().find(|(_, name, _)| *name == info.name) {
                Some((_, _, moves)) => moves.push(text),
                None => groups.push((info.pawn, info.name.clone(), vec![text])),
            }
        }
        groups.sort();
        if groups.is_empty() {
            let scope = if filter.is_some() { " of such a piece" } else { "" };
            return Err(format!("There is no legal move{scope}."));
        }
        let mut lines: Vec<String> = Vec::new();
        let widest = groups.iter().map(|(_, name, _)| name.chars().count()).max().unwrap_or(0);
        for (_, name, mut moves) in groups {
            moves.sort();
            let mut row =
                format!("  {}  ", self.settings.style.paint(Ink::STRONG, &format!("{name:<widest$}")));
            let mut used = widest + 4;
            for text in moves {
                if used + text.len() + 1 > COLUMNS {
                    lines.push(row.trim_end().to_owned());
                    row = " ".repeat(widest + 4);
                    used = widest + 4;
                }
                used += text.len() + 1;
                row += &text;
                row.push(' ');
            }
            lines.push(row.trim_end().to_owned());
        }
        Ok(lines.join("\n"))
    }

    /// How the game has ended; `None` while it goes on.
    pub(super) fn ending(&self) -> Option<String> {
        let winner =
            |winner: Color| if winner == self.settings.human { "you win" } else { "the engine wins" };
        if let Some(decision) = self.decision {
            return Some(match decision {
                Decision::Resigned(color) => format!("{color} resigns: {}.", winner(color.opponent())),
                Decision::Claimed(DrawReason::Repetition) => {
                    "Draw, claimed: the position has occurred too often.".into()
                }
                Decision::Claimed(_) => "Draw, claimed: too many moves without capture or pawn move.".into(),
            });
        }
        Some(match self.game.outcome()? {
            Outcome::Win { winner: color, reason } => {
                let how = match reason {
                    WinReason::Checkmate => "Checkmate",
                    WinReason::Goal => "The goal is reached",
                    WinReason::Stalemate => "Stalemate, which decides this game",
                };
                format!("{how}. {color} wins: {}!", winner(color))
            }
            Outcome::Draw(DrawReason::Stalemate) => {
                format!("Stalemate: {} cannot move. Draw.", self.game.position().turn())
            }
            Outcome::Draw(DrawReason::DeadPosition) => "Neither side can win. Draw.".into(),
            Outcome::Draw(DrawReason::Repetition) => "The position has occurred too often. Draw.".into(),
            Outcome::Draw(DrawReason::MoveCount) => {
                "Too many moves without capture or pawn move. Draw.".into()
            }
        })
    }
}

/// Breaks a text at spaces so that it fits a terminal.
pub(super) fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last().map_or(0, |line| line.chars().count());
        match lines.last_mut() {
            Some(last) if line == 0 || line + 1 + word.chars().count() <= COLUMNS => {
                if line > 0 {
                    last.push(' ');
                }
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// The name of the starting position, in games with several.
pub(super) fn named_start(game: &Game) -> String {
    let starts = game.variant().starts();
    let fen = game.start().fen();
    match starts.iter().position(|start| start.fen == fen) {
        Some(number) if game.variant().is_shuffled() => format!("Starting position {number}."),
        Some(number) if starts.len() > 1 => format!("Starting position {number} ({}).", starts[number].name),
        _ => String::new(),
    }
}

/// A score in pawns or as a distance to the end, for the side to move.
pub(super) fn score_text(score: Score) -> String {
    match score {
        Score::Centipawns(centipawns) => format!("{:+.2}", f64::from(centipawns) / 100.0),
        Score::Wins(moves) => format!("wins in {moves}"),
        Score::Loses(moves) => format!("loses in {moves}"),
    }
}

/// The first moves of a principal variation.
pub(super) fn pv_text(position: &AnyPosition, info: &Info) -> String {
    let mut position = position.clone();
    let mut texts = Vec::new();
    for &played in info.pv.iter().take(8) {
        texts.push(san::write(&position, played));
        match position.play(played) {
            Ok(next) => position = next,
            Err(_) => break,
        }
    }
    texts.join(" ")
}

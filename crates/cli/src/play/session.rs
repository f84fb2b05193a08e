//! A game in progress: whose turn it is, what is typed, what is said.

use super::board::{Look, draw};
use super::command::{Command, HELP, nearest, parse};
use super::input::{Input, Typed};
use super::interrupt;
use super::moves::{NoMove, read_move, write_move};
use super::save;
use super::style::{Ink, Style};
use lozenge_engine::{Engine, Info, Limits, Report, Score, Signals};
use lozenge_rules::notation::drawing;
use lozenge_rules::position::{AnyPosition, Color, DrawReason, Game, Move, Outcome, WinReason};
use lozenge_rules::variant::describe::describe;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Depth and milliseconds of each level, whichever is reached first.
const LEVELS: [(u32, u64); 10] = [
    (1, 500),
    (2, 500),
    (3, 1000),
    (4, 1000),
    (5, 1500),
    (6, 2000),
    (8, 3000),
    (10, 5000),
    (14, 8000),
    (60, 15_000),
];

/// Memory of the engine, in MiB.
const HASH_MIB: usize = 64;

/// Columns of a terminal that everything fits.
const COLUMNS: usize = 80;

/// What is chosen before the game begins and may be changed later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) human: Color,
    /// 1 to 10.
    pub(crate) level: u8,
    pub(crate) time: Option<Duration>,
    pub(crate) diamond: bool,
    pub(crate) style: Style,
    /// Whether the screen is cleared and drawn anew, rather than text added at the end.
    pub(crate) redrawn: bool,
}

/// A game ended without a last move that ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Decided {
    Resigned(Color),
    Claimed(DrawReason),
}

/// Whether to go on asking.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Go,
    Quit,
}

pub(crate) struct Session<'w> {
    game: Game,
    settings: Settings,
    flipped: bool,
    engine: Engine,
    decided: Option<Decided>,
    /// Files this session has written and may write again.
    saved: Vec<PathBuf>,
    /// What is said below the board when it is drawn next.
    notes: Vec<String>,
    fresh: bool,
    out: &'w mut dyn Write,
}

impl<'w> Session<'w> {
    pub(crate) fn new(game: Game, settings: Settings, out: &'w mut dyn Write) -> Self {
        Self {
            game,
            flipped: settings.human == Color::Black,
            settings,
            engine: Engine::new(HASH_MIB),
            decided: None,
            saved: Vec::new(),
            notes: vec!["Type a move such as its two squares, or help.".into()],
            fresh: true,
            out,
        }
    }

    /// Plays until somebody leaves.
    pub(crate) fn run(&mut self, input: &mut dyn Input) -> io::Result<()> {
        let mut interrupts = 0;
        loop {
            let over = self.ending();
            if over.is_none() && self.game.position().turn() != self.settings.human {
                if self.fresh && self.settings.redrawn {
                    self.show()?;
                }
                self.engine_moves()?;
                continue;
            }
            if self.fresh {
                self.show()?;
                if let Some(ending) = over {
                    self.say(Ink::STRONG, &ending)?;
                    self.say(Ink::FAINT, "Type new, undo, save FILE or quit.")?;
                }
                self.fresh = false;
            }
            let prompt = self.prompt();
            match input.ask(&prompt) {
                Typed::Line(line) => {
                    interrupts = 0;
                    if self.hear(&line)? == Next::Quit {
                        break;
                    }
                }
                Typed::Interrupt => {
                    interrupts += 1;
                    if interrupts > 1 {
                        break;
                    }
                    self.say(Ink::FAINT, "Ctrl-C once more, or quit, leaves the game.")?;
                }
                Typed::End => break,
            }
        }
        self.farewell()
    }

    fn prompt(&self) -> String {
        let position = self.game.position();
        if self.ending().is_some() {
            return "> ".into();
        }
        format!("{}. {} > ", position.fullmove_number(), position.turn())
    }

    fn say(&mut self, ink: Ink, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", self.settings.style.paint(ink, text))
    }

    fn hear(&mut self, line: &str) -> io::Result<Next> {
        match parse(line) {
            Command::Nothing => {}
            Command::Quit => return Ok(Next::Quit),
            Command::Help => self.help()?,
            Command::Board => self.fresh = true,
            Command::Moves(letter) => self.list_moves(&letter)?,
            Command::Hint => self.hint()?,
            Command::Undo => self.undo()?,
            Command::Flip => {
                self.flipped = !self.flipped;
                self.fresh = true;
            }
            Command::View(how) => self.view(&how)?,
            Command::Fen => {
                let fen = self.game.position().fen();
                writeln!(self.out, "{fen}")?;
            }
            Command::Save(path) => self.save(&path)?,
            Command::New(how) => self.new_game(&how)?,
            Command::Level(level) => self.level(&level)?,
            Command::Rules => {
                let text = describe(self.game.variant());
                writeln!(self.out, "{text}")?;
            }
            Command::Resign => self.resign()?,
            Command::Draw => self.claim()?,
            Command::Other(text) => self.try_move(&text)?,
        }
        self.out.flush()?;
        Ok(Next::Go)
    }

    fn help(&mut self) -> io::Result<()> {
        writeln!(
            self.out,
            "  {:<22} {}",
            "a move", "its two squares and what it becomes: a2b3, g7g8q; castling O-O"
        )?;
        for (what, does) in HELP {
            writeln!(self.out, "  {what:<22} {does}")?;
        }
        self.say(Ink::FAINT, "  Ctrl-C while the engine thinks has it play at once.")
    }

    fn try_move(&mut self, text: &str) -> io::Result<()> {
        let shown: String = text.chars().filter(|letter| !letter.is_control()).take(30).collect();
        let word = text.split_whitespace().next().unwrap_or(text);
        if self.ending().is_some() {
            let meant = nearest(word).map_or_else(String::new, |near| format!(" Did you mean {near}?"));
            return self.say(Ink::ERROR, &format!("The game is over.{meant}"));
        }
        match read_move(self.game.position(), text) {
            Ok(played) => self.play(played),
            Err(NoMove::Illegal(reason)) => self.say(Ink::ERROR, &reason),
            Err(NoMove::Unlike) => {
                let hint = match nearest(word) {
                    Some(near) => format!("Did you mean {near}?"),
                    None => "Type moves for the legal moves, help for the commands.".into(),
                };
                self.say(Ink::ERROR, &format!("`{shown}` is neither a move nor a command. {hint}"))
            }
        }
    }

    fn play(&mut self, played: Move) -> io::Result<()> {
        if self.game.play(played).is_ok() {
            self.fresh = true;
            self.notes.clear();
        }
        Ok(())
    }

    /// The engine thinks and plays.
    fn engine_moves(&mut self) -> io::Result<()> {
        let position = self.game.position().clone();
        let report = self.think()?;
        // Whatever the engine says, only a legal move is played.
        let legal = report.best.filter(|&best| position.is_legal(best));
        let Some(played) = legal.or_else(|| position.legal_moves().first().copied()) else { return Ok(()) };
        self.play(played)?;
        let text = format!("{} plays {}.", position.turn(), write_move(&position, played));
        self.notes.push(text);
        Ok(())
    }

    fn limits(&self) -> Limits {
        let (depth, millis) = LEVELS[usize::from(self.settings.level.clamp(1, 10)) - 1];
        match self.settings.time {
            Some(time) => Limits { movetime: Some(time), ..Limits::default() },
            None => Limits {
                depth: Some(depth),
                movetime: Some(Duration::from_millis(millis)),
                ..Limits::default()
            },
        }
    }

    fn think(&mut self) -> io::Result<Report> {
        let (limits, signals) = (self.limits(), Signals::new(false));
        let (shown, style) = (self.settings.redrawn, self.settings.style);
        let position = self.game.position().clone();
        let (engine, game, out) = (&mut self.engine, &self.game, &mut *self.out);
        if shown {
            write!(out, "{}", style.paint(Ink::FAINT, "thinking"))?;
            out.flush()?;
        }
        let report = interrupt::stopping(&signals, || {
            engine.search(game, &limits, &signals, &mut |info: &Info| {
                if shown {
                    let text = format!(
                        "thinking, depth {:>2}  {:>6}  {}",
                        info.depth,
                        score(info.score),
                        line(&position, info)
                    );
                    let text: String = text.chars().take(COLUMNS - 2).collect();
                    // Progress that cannot be shown is not worth stopping for.
                    let _ = write!(out, "\r\x1b[K{}", style.paint(Ink::FAINT, &text));
                    let _ = out.flush();
                }
            })
        });
        if shown {
            write!(self.out, "\r\x1b[K")?;
        }
        Ok(report)
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.ending().is_some() {
            return self.say(Ink::ERROR, "The game is over.");
        }
        let report = self.think()?;
        let position = self.game.position();
        match report.best {
            Some(best) => {
                let text = format!("{} ({})", write_move(position, best), score(report.score));
                self.say(Ink::STRONG, &text)
            }
            None => self.say(Ink::ERROR, "The engine knows no move."),
        }
    }

    /// Takes back the last move of the player and whatever came after it.
    fn undo(&mut self) -> io::Result<()> {
        if self.decided.take().is_some() {
            self.fresh = true;
            self.notes = vec!["The game goes on.".into()];
            return Ok(());
        }
        let own = |position: &AnyPosition| position.turn() == self.settings.human;
        let before = self.game.positions().len() - 1;
        let Some(target) = self.game.positions()[..before].iter().rposition(own) else {
            return self.say(Ink::ERROR, "There is no move of yours to take back.");
        };
        while self.game.moves().len() > target {
            self.game.undo();
        }
        self.fresh = true;
        self.notes = vec!["Taken back.".into()];
        Ok(())
    }

    fn view(&mut self, how: &str) -> io::Result<()> {
        self.settings.diamond = match how {
            "" => !self.settings.diamond,
            "diamond" => true,
            "square" => false,
            _ => return self.say(Ink::ERROR, "The views are diamond and square."),
        };
        self.fresh = true;
        Ok(())
    }

    fn level(&mut self, level: &str) -> io::Result<()> {
        match (level, level.parse()) {
            ("", _) => {
                self.say(Ink::PLAIN, &format!("The engine plays at level {} of 10.", self.settings.level))
            }
            (_, Ok(level @ 1..=10)) => {
                (self.settings.level, self.settings.time) = (level, None);
                self.say(Ink::PLAIN, &format!("The engine plays at level {level}."))
            }
            _ => self.say(Ink::ERROR, "The levels are 1 to 10."),
        }
    }

    fn resign(&mut self) -> io::Result<()> {
        if self.ending().is_some() {
            return self.say(Ink::ERROR, "The game is over.");
        }
        self.decided = Some(Decided::Resigned(self.settings.human));
        self.fresh = true;
        Ok(())
    }

    fn claim(&mut self) -> io::Result<()> {
        if self.ending().is_some() {
            return self.say(Ink::ERROR, "The game is over.");
        }
        if let Some(reason) = self.game.claimable_draw() {
            self.decided = Some(Decided::Claimed(reason));
            self.fresh = true;
            return Ok(());
        }
        let draws = self.game.variant().draws();
        let (times, moves) = (self.game.occurrences(), self.game.position().halfmove_clock() / 2);
        self.say(
            Ink::ERROR,
            &format!(
                "No draw can be claimed: the position has occurred {times} of {} times, {moves} of {} moves were made \
                 without capture or pawn move.",
                draws.repetition.claim, draws.moves.claim
            ),
        )
    }

    fn new_game(&mut self, how: &str) -> io::Result<()> {
        let mut number = None;
        let mut human = self.settings.human;
        for word in how.split_whitespace() {
            match (word, word.parse::<usize>()) {
                ("white", _) => human = Color::White,
                ("black", _) => human = Color::Black,
                (_, Ok(start)) => number = Some(start),
                _ => {
                    return self
                        .say(Ink::ERROR, "new, new white, new black, or the number of a starting position.");
                }
            }
        }
        match super::start(self.game.variant(), number) {
            Ok(start) => {
                self.settings.human = human;
                self.flipped = human == Color::Black;
                self.game = Game::from_position(start);
                self.engine.clear();
                self.decided = None;
                self.fresh = true;
                self.notes = vec!["A new game.".into()];
                Ok(())
            }
            Err(error) => self.say(Ink::ERROR, &format!("{error}.")),
        }
    }

    fn save(&mut self, path: &str) -> io::Result<()> {
        if path.is_empty() {
            return self.say(Ink::ERROR, "save needs the name of a file: save game.pgn");
        }
        let text = save::pgn(&self.game, self.settings.human, self.result());
        let path = PathBuf::from(path);
        let mut options = std::fs::OpenOptions::new();
        options.write(true);
        // A file of somebody else is never written over.
        if self.saved.contains(&path) {
            options.truncate(true)
        } else {
            options.create_new(true)
        };
        let written = options.open(&path).and_then(|mut file| file.write_all(text.as_bytes()));
        match written {
            Ok(()) => {
                let name = path.display().to_string();
                self.saved.push(path);
                self.say(Ink::PLAIN, &format!("Saved to {name}."))
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.say(Ink::ERROR, "That file is there already; choose another name.")
            }
            Err(error) => self.say(Ink::ERROR, &format!("Not saved: {error}.")),
        }
    }

    fn list_moves(&mut self, letter: &str) -> io::Result<()> {
        let position = self.game.position();
        let men = position.variant().men();
        let wanted = letter.chars().next().map(|letter| letter.to_ascii_uppercase());
        let mut groups: Vec<(bool, String, Vec<String>)> = Vec::new();
        for played in position.legal_moves() {
            let Some(piece) = position.piece_at(played.from) else { continue };
            let info = men.info(piece.role());
            if wanted.is_some_and(|wanted| wanted != info.letter) {
                continue;
            }
            let text = write_move(position, played);
            match groups.iter_mut().find(|(_, name, _)| *name == info.name) {
                Some((_, _, moves)) => moves.push(text),
                None => groups.push((info.pawn, info.name.clone(), vec![text])),
            }
        }
        groups.sort();
        if groups.is_empty() {
            let whose = if wanted.is_some() { " of such a man" } else { "" };
            return self.say(Ink::ERROR, &format!("There is no legal move{whose}."));
        }
        let widest = groups.iter().map(|(_, name, _)| name.chars().count()).max().unwrap_or(0);
        for (_, name, mut moves) in groups {
            moves.sort();
            let mut row =
                format!("  {}  ", self.settings.style.paint(Ink::STRONG, &format!("{name:<widest$}")));
            let mut used = widest + 4;
            for text in moves {
                if used + text.len() + 1 > COLUMNS {
                    writeln!(self.out, "{}", row.trim_end())?;
                    row = " ".repeat(widest + 4);
                    used = widest + 4;
                }
                used += text.len() + 1;
                row += &text;
                row.push(' ');
            }
            writeln!(self.out, "{}", row.trim_end())?;
        }
        Ok(())
    }

    /// How the game has ended, in words.
    fn ending(&self) -> Option<String> {
        let winner =
            |winner: Color| if winner == self.settings.human { "you win" } else { "the engine wins" };
        if let Some(decided) = self.decided {
            return Some(match decided {
                Decided::Resigned(color) => format!("{color} resigns: {}.", winner(!color)),
                Decided::Claimed(DrawReason::Repetition) => {
                    "Draw, claimed: the position has occurred too often.".into()
                }
                Decided::Claimed(_) => "Draw, claimed: too many moves without capture or pawn move.".into(),
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
            Outcome::Draw(DrawReason::DeadPosition) => "Nobody can win any more. Draw.".into(),
            Outcome::Draw(DrawReason::Repetition) => "The position has occurred too often. Draw.".into(),
            Outcome::Draw(DrawReason::MoveCount) => {
                "Too many moves without capture or pawn move. Draw.".into()
            }
        })
    }

    /// The result as PGN writes it.
    fn result(&self) -> &'static str {
        let won = |winner| if winner == Color::White { "1-0" } else { "0-1" };
        match (self.decided, self.game.outcome()) {
            (Some(Decided::Resigned(loser)), _) => won(!loser),
            (Some(Decided::Claimed(_)), _) | (None, Some(Outcome::Draw(_))) => "1/2-1/2",
            (None, Some(Outcome::Win { winner, .. })) => won(winner),
            (None, None) => "*",
        }
    }

    /// Says how to go on later, if there is something to go on with.
    fn farewell(&mut self) -> io::Result<()> {
        if self.ending().is_none() && !self.game.moves().is_empty() {
            let position = self.game.position();
            let side = if self.settings.human == Color::White { "white" } else { "black" };
            let text = format!(
                "To go on later: lozenge play {} --side {side} --fen '{}'",
                position.variant().id(),
                position.fen()
            );
            self.say(Ink::FAINT, &text)?;
        }
        self.out.flush()
    }

    /// Draws the board with what belongs to it.
    fn show(&mut self) -> io::Result<()> {
        let position = self.game.position();
        let style = self.settings.style;
        let lines = if style.is_colored() {
            let look = Look {
                diamond: self.settings.diamond,
                flipped: self.flipped,
                last: self.game.moves().last().map_or_else(Vec::new, |last| vec![last.from, last.to]),
                check: position.is_check().then(|| position.king(position.turn())),
            };
            let picture = draw(position, &look);
            let width = picture.width();
            picture.lines(style).into_iter().map(|line| (line, width)).collect()
        } else {
            let men = position.variant().men();
            let text = drawing::board(position.variant(), self.settings.diamond, self.flipped, |square| {
                position.piece_at(square).map_or(drawing::EMPTY, |piece| men.letter(piece))
            });
            let width = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            text.lines().map(|line| (format!("{line:<width$}"), width)).collect::<Vec<_>>()
        };
        let mut text = String::new();
        if self.settings.redrawn {
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
            self.notes.push("Check!".into());
        }
        text += &style.paint(Ink::STRONG, &self.notes.join(" "));
        self.notes.clear();
        writeln!(self.out, "{text}")
    }

    /// The game's name, who plays, and the last moves: `height` lines of at most `width` columns.
    fn panel(&self, height: usize, width: usize) -> Vec<String> {
        let style = self.settings.style;
        let cut = |text: &str| text.chars().take(width).collect::<String>();
        let player = |color: Color| match self.settings.time {
            _ if color == self.settings.human => format!("{color}: you"),
            Some(time) => format!("{color}: engine, {} s", time.as_secs_f64()),
            None => format!("{color}: engine, level {}", self.settings.level),
        };
        let mut lines = vec![
            style.paint(Ink::STRONG, &cut(self.game.variant().name())),
            style.paint(Ink::FAINT, &cut(&player(Color::White))),
            style.paint(Ink::FAINT, &cut(&player(Color::Black))),
            String::new(),
        ];
        let mut rows: Vec<String> = Vec::new();
        for (position, &played) in self.game.positions().iter().zip(self.game.moves()) {
            let text = write_move(position, played);
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
}

/// A score for people, seen from the side to move.
fn score(score: Score) -> String {
    match score {
        Score::Centipawns(worth) => format!("{:+.2}", f64::from(worth) / 100.0),
        Score::Wins(moves) => format!("wins in {moves}"),
        Score::Loses(moves) => format!("loses in {moves}"),
    }
}

/// The first moves of a line.
fn line(position: &AnyPosition, info: &Info) -> String {
    let mut position = position.clone();
    let mut texts = Vec::new();
    for &played in info.pv.iter().take(8) {
        texts.push(write_move(&position, played));
        match position.play(played) {
            Ok(next) => position = next,
            Err(_) => break,
        }
    }
    texts.join(" ")
}

//! A game of four in the terminal: the player has one seat, the engine the others. Pieces are drawn with two letters, the owner's
//! and their own, for terminals and readers without color.

use super::command::{HELP, PlayCommand, nearest, parse};
use super::input::{Dialog, Input, Next, converse, stop_on_interrupt};
use super::screen::{score_text, wrapped};
use super::session::{DEFAULT_TIME, HASH_MIB, HINT_NODES};
use super::style::{Ink, Style};
use lozenge_engine::skill::{FULL_LEVEL, rating};
use lozenge_engine::{Engine, Handicap, Limits, SearchReport, Signals};
use lozenge_rules::geometry::{Coord, Square};
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::{AnyMultiPosition, Move, MultiEnd, MultiGame, MultiResult, MultiTurn};
use lozenge_rules::seat::Seat;
use std::io::{self, Write};
use std::time::Duration;

/// Commands of games of two that have no meaning here.
const ABSENT: [&str; 6] =
    ["view [diamond|square]", "rules", "save FILE", "draw", "flip", "new [N] [white|black]"];

/// Settings of a game of four.
#[derive(Clone, Copy, Debug)]
pub(super) struct MultiSettings {
    pub(super) human: Seat,
    /// 0 to [`FULL_LEVEL`].
    pub(super) level: u8,
    /// Time for each move, at full strength whatever the level; `None` for the level.
    pub(super) time: Option<Duration>,
    pub(super) style: Style,
    pub(super) clear_screen: bool,
}

/// A game of four in the terminal.
pub(super) struct MultiTerminalGame<'w> {
    game: MultiGame,
    settings: MultiSettings,
    /// Whose side of the board is at the bottom.
    bottom: Seat,
    engine: Engine,
    seed: u64,
    notes: Vec<String>,
    redraw: bool,
    out: &'w mut dyn Write,
}

impl<'w> MultiTerminalGame<'w> {
    pub(super) fn new(game: MultiGame, settings: MultiSettings, out: &'w mut dyn Write) -> Self {
        let name = game.position().variant().name().to_owned();
        let human = settings.human;
        Self {
            game,
            settings,
            bottom: human,
            engine: Engine::new(HASH_MIB),
            seed: super::random_seed(),
            notes: vec![format!(
                "{name}. You are {human}. Type a move, for example its two squares, or help."
            )],
            redraw: true,
            out,
        }
    }

    /// Plays until the player quits.
    pub(super) fn run(&mut self, input: &mut dyn Input) -> io::Result<()> {
        converse(input, self)?;
        if self.ending().is_none() && !self.game.turns().is_empty() {
            let position = self.game.position();
            let (id, fen) = (position.variant().id(), position.fen());
            let side = self.settings.human.id();
            let text = format!("To continue later: lozenge play {id} --side {side} --fen '{fen}'");
            writeln!(self.out, "{}", self.settings.style.paint(Ink::FAINT, &text))?;
        }
        self.out.flush()
    }

    fn try_move(&mut self, text: &str) -> io::Result<()> {
        if self.ending().is_some() {
            return self.print(Ink::ERROR, "The game is over.");
        }
        let (text, position) = (text.trim(), self.game.position());
        let read = uci::parse_multi(position, &text.to_lowercase());
        match read.or_else(|_| san::parse_multi(position, text)) {
            Ok(played) => {
                self.notes.clear();
                self.play(played);
                Ok(())
            }
            Err(error) => {
                let near = nearest(text.split_whitespace().next().unwrap_or(text));
                let hint = near.map_or_else(
                    || "Type moves for the legal moves, help for the commands.".to_owned(),
                    |near| format!("Did you mean {near}?"),
                );
                self.print(Ink::ERROR, &format!("{error}. {hint}"))
            }
        }
    }

    /// Plays a legal move and notes who has gone out and who has passed.
    fn play(&mut self, played: Move) {
        let before = self.game.position().clone();
        if self.game.play(played).is_err() {
            return;
        }
        self.redraw = true;
        let after = self.game.position();
        let gone = before.living().iter().filter(|&seat| !after.living().contains(seat));
        self.notes.extend(gone.map(|seat| format!("{seat} is checkmated.")));
        let mut seat = before.turn().next();
        while seat != after.turn() && seat != before.turn() {
            if after.living().contains(seat) && self.ending().is_none() {
                self.notes.push(format!("{seat} cannot move and passes."));
            }
            seat = seat.next();
        }
    }

    fn engine_moves(&mut self) -> io::Result<()> {
        let handicap = match self.settings.time {
            Some(_) => None,
            None => Handicap::at_level(self.settings.level, self.seed),
        };
        let movetime = self.settings.time.or(Some(DEFAULT_TIME));
        let report = self.think(&Limits { movetime, handicap, ..Limits::default() })?;
        let position = self.game.position().clone();
        let Some(played) = report.best else { return Ok(()) };
        self.play(played);
        let text = format!("{} plays {}.", position.turn(), uci::write_multi(position.variant(), played));
        self.notes.push(text);
        Ok(())
    }

    fn think(&mut self, limits: &Limits) -> io::Result<SearchReport> {
        let signals = Signals::new(false);
        if self.settings.clear_screen {
            let turn = self.game.position().turn();
            let text = self.settings.style.paint(Ink::FAINT, &format!("{turn} is thinking"));
            write!(self.out, "\r\x1b[K{text}")?;
            self.out.flush()?;
        }
        let (engine, game) = (&mut self.engine, &self.game);
        let report = stop_on_interrupt(&signals, || engine.search_multi(game, limits, &signals, &mut |_| {}));
        if self.settings.clear_screen {
            write!(self.out, "\r\x1b[K")?;
        }
        Ok(report)
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.ending().is_some() {
            return self.print(Ink::ERROR, "The game is over.");
        }
        let report = self.think(&Limits { nodes: Some(HINT_NODES), ..Limits::default() })?;
        let variant = self.game.position().variant().clone();
        let best = report.best.map_or_else(String::new, |best| uci::write_multi(&variant, best));
        self.print(Ink::STRONG, &format!("{best} ({})", score_text(report.score)))
    }

    /// Takes back the player's last move and all moves after it.
    fn undo(&mut self) -> io::Result<()> {
        let own = |position: &AnyMultiPosition| position.turn() == self.settings.human;
        let before: Vec<_> = self.game.positions().take(self.game.turns().len()).collect();
        let Some(target) = before.iter().rposition(own) else {
            return self.print(Ink::ERROR, "There is no move of yours to take back.");
        };
        while self.game.turns().len() > target {
            self.game.undo();
        }
        self.redraw = true;
        self.notes = vec!["Taken back.".into()];
        Ok(())
    }

    /// Starts a new game, at the seat of this color if one is given.
    fn new_game(&mut self, color: &str) -> io::Result<()> {
        let seats = self.game.position().variant().seats();
        let found = seats.iter().find(|seat| seat.id().eq_ignore_ascii_case(color));
        match found {
            Some(seat) => (self.settings.human, self.bottom) = (seat, seat),
            None if color.is_empty() => {}
            None => {
                let ids: Vec<&str> = seats.iter().map(Seat::id).collect();
                return self.print(Ink::ERROR, &format!("The seats are {}.", ids.join(", ")));
            }
        }
        self.game = MultiGame::new(self.game.position().variant());
        self.engine.clear();
        self.seed = super::random_seed();
        self.notes = vec![format!("A new game. You are {}.", self.settings.human)];
        self.redraw = true;
        Ok(())
    }

    fn level(&mut self, level: &str) -> io::Result<()> {
        match (level, level.parse()) {
            ("", _) => {}
            (_, Ok(level @ 0..=FULL_LEVEL)) => (self.settings.level, self.settings.time) = (level, None),
            _ => return self.print(Ink::ERROR, &format!("The levels are 0 to {FULL_LEVEL}.")),
        }
        let level = self.settings.level;
        self.print(
            Ink::PLAIN,
            &format!("The engine plays at level {level} of {FULL_LEVEL}, {} in games of two.", rating(level)),
        )
    }

    fn help(&mut self) -> io::Result<()> {
        let own = [
            ("a move", "as Nc3, or its two squares and the promotion: e2c3, f11f12r"),
            ("flip", "turns the board by a quarter"),
            ("new [SEAT]", "starts a new game, at the seat of a color"),
        ];
        let known = HELP.into_iter().filter(|(command, _)| !ABSENT.contains(command));
        for (command, effect) in own.into_iter().chain(known) {
            writeln!(self.out, "  {command:<22} {effect}")?;
        }
        self.print(Ink::FAINT, "  Ctrl-C while the engine thinks makes it play at once.")
    }

    fn list_moves(&mut self, letter: &str) -> io::Result<()> {
        let position = self.game.position();
        let roles = position.variant().roles();
        let is_wanted = |played: &Move| {
            let piece = position.piece_at(played.from);
            let own = piece.map(|piece| roles.info(piece.role).letter.to_string());
            letter.is_empty() || own.is_some_and(|own| own.eq_ignore_ascii_case(letter))
        };
        let mut moves: Vec<String> = position
            .legal_moves()
            .into_iter()
            .filter(is_wanted)
            .map(|played| uci::write_multi(position.variant(), played))
            .collect();
        moves.sort();
        let text = if moves.is_empty() { "No such move.".into() } else { moves.join(" ") };
        writeln!(self.out, "{}", wrapped(&text))
    }

    fn print(&mut self, ink: Ink, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", self.settings.style.paint(ink, &wrapped(text)))
    }

    /// How the game has ended, if it has.
    fn ending(&self) -> Option<String> {
        let outcome = self.game.outcome()?;
        let why = match outcome.end {
            MultiEnd::Decided => "The game is decided.",
            MultiEnd::Stalemate => "Stalemate.",
            MultiEnd::Dead => "Only Kings are left.",
            MultiEnd::Repetition => "The position has been repeated.",
            MultiEnd::MoveCount => "Too many moves without capture or pawn move.",
            MultiEnd::Agreement => "A draw was agreed.",
        };
        let result = match outcome.result {
            MultiResult::Places(places) => {
                let place = |seat: Seat| format!("{seat} {}", places[seat]);
                let seats = self.game.position().variant().seats();
                format!("Places: {}.", seats.iter().map(place).collect::<Vec<_>>().join(", "))
            }
            MultiResult::Team(Seat::Red | Seat::Yellow) => "Red and Yellow win.".into(),
            MultiResult::Team(_) => "Blue and Green win.".into(),
            MultiResult::Draw => "A draw.".into(),
        };
        Some(format!("{why} {result}"))
    }

    fn draw(&mut self) -> io::Result<()> {
        let mut text = String::new();
        if self.settings.clear_screen {
            text += "\x1b[H\x1b[2J";
        }
        let position = self.game.position();
        let last = match self.game.turns().last() {
            Some(MultiTurn::Move(last)) => vec![last.from, last.to],
            _ => Vec::new(),
        };
        text += &board(position, self.bottom, &last, self.settings.style);
        if position.is_check() && self.ending().is_none() {
            self.notes.push("Check!".into());
        }
        let notes = wrapped(&self.notes.join(" "));
        writeln!(self.out, "{text}{}", self.settings.style.paint(Ink::STRONG, &notes))
    }
}

impl Dialog for MultiTerminalGame<'_> {
    fn prompt(&mut self) -> io::Result<String> {
        while self.ending().is_none() && self.game.position().turn() != self.settings.human {
            if self.redraw && self.settings.clear_screen {
                self.draw()?;
            }
            self.engine_moves()?;
        }
        let over = self.ending();
        if self.redraw {
            self.draw()?;
            self.notes.clear();
            if let Some(ending) = &over {
                self.print(Ink::STRONG, ending)?;
                self.print(Ink::FAINT, "Type new, undo or quit.")?;
            }
            self.redraw = false;
        }
        Ok(match over {
            Some(_) => "> ".into(),
            None => format!("{} > ", self.game.position().turn()),
        })
    }

    fn execute(&mut self, line: &str) -> io::Result<Next> {
        match parse(line) {
            PlayCommand::Nothing => {}
            PlayCommand::Quit => return Ok(Next::Quit),
            PlayCommand::Help => self.help()?,
            PlayCommand::Board => self.redraw = true,
            PlayCommand::Moves(letter) => self.list_moves(&letter)?,
            PlayCommand::Hint => self.hint()?,
            PlayCommand::Undo => self.undo()?,
            PlayCommand::Flip => {
                self.bottom = self.bottom.next();
                self.redraw = true;
            }
            PlayCommand::Fen => writeln!(self.out, "{}", self.game.position().fen())?,
            PlayCommand::New(seat) => self.new_game(&seat)?,
            PlayCommand::Level(level) => self.level(&level)?,
            PlayCommand::Resign => {
                self.notes.clear();
                if !self.game.resign() {
                    self.print(Ink::ERROR, "The game is over.")?;
                } else {
                    self.notes.push("You have resigned; the others play on.".into());
                    self.redraw = true;
                }
            }
            PlayCommand::View(_) | PlayCommand::Rules | PlayCommand::Save(_) | PlayCommand::Draw => {
                self.print(Ink::ERROR, "This command is for games of two players.")?;
            }
            PlayCommand::Other(text) => self.try_move(&text)?,
        }
        self.out.flush()?;
        Ok(Next::Go)
    }

    fn interrupted(&mut self) -> io::Result<()> {
        self.print(Ink::FAINT, "Ctrl-C once more, or quit, leaves the game.")
    }
}

/// The square in a column and row of the screen, from the top left, with a seat's edge at the bottom.
fn at(bottom: Seat, (width, height): (u8, u8), column: u8, row: u8) -> Coord {
    match bottom {
        Seat::Red => Coord { file: column, rank: height - 1 - row },
        Seat::Blue => Coord { file: height - 1 - row, rank: width - 1 - column },
        Seat::Yellow => Coord { file: width - 1 - column, rank: row },
        Seat::Green => Coord { file: row, rank: column },
    }
}

/// The board with the names of ranks or files at its edges.
fn board(position: &AnyMultiPosition, bottom: Seat, last: &[Square], style: Style) -> String {
    let shape = position.variant().shape();
    let size = (shape.width(), shape.height());
    // Only square boards are turned by a quarter.
    let bottom = if size.0 == size.1 { bottom } else { Seat::Red };
    let file = |at: Coord| char::from(b'a' + at.file).to_string();
    let rank = |at: Coord| (at.rank + 1).to_string();
    let (beside, below): (&dyn Fn(Coord) -> String, &dyn Fn(Coord) -> String) = match bottom {
        Seat::Red | Seat::Yellow => (&rank, &file),
        Seat::Blue | Seat::Green => (&file, &rank),
    };
    let mut text = String::new();
    for row in 0..size.1 {
        text += &style.paint(Ink::FAINT, &format!("{:>3} ", beside(at(bottom, size, 0, row))));
        for column in 0..size.0 {
            let at = at(bottom, size, column, row);
            let Some(square) = shape.at(at) else {
                text += "   ";
                continue;
            };
            let is_dark = (at.file + at.rank).is_multiple_of(2);
            let ground = match (last.contains(&square), is_dark) {
                (false, false) => Ink::LIGHT_FOUR,
                (false, true) => Ink::DARK_FOUR,
                (true, _) => Ink::LAST_FOUR,
            };
            let king = position.is_check()
                && position.piece_at(square).is_some_and(|piece| {
                    piece.owner == Some(position.turn())
                        && position.variant().roles().royal() == Some(piece.role)
                });
            let ground = if king { Ink::CHECK } else { ground };
            text += &match position.piece_at(square) {
                None => style.paint(ground, if style.is_colored() || !is_dark { "   " } else { " . " }),
                Some(piece) => {
                    let letter = position.variant().roles().info(piece.role).letter;
                    style.paint(ground.of_seat(piece.owner), &format!("{}{letter} ", piece.owner_letter()))
                }
            };
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    let names: String =
        (0..size.0).map(|column| format!("{:<3}", below(at(bottom, size, column, size.1 - 1)))).collect();
    text + &style.paint(Ink::FAINT, &format!("    {}", names.trim_end())) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    #[test]
    fn every_seat_sees_its_own_army_at_the_bottom() {
        let start = AnyMultiPosition::start(&library::multi_game("diamondring-four").unwrap());
        for seat in Seat::ALL {
            let text = board(&start, seat, &[], Style::plain());
            let bottom = text.lines().nth(11).unwrap();
            let pieces: Vec<&str> = bottom.split_whitespace().skip(1).filter(|cell| *cell != ".").collect();
            assert_eq!(pieces.len(), 8, "{seat}: {bottom}");
            assert!(pieces.iter().all(|cell| cell.starts_with(seat.letter())), "{seat}: {bottom}");
            // Turns go clockwise: who moves next sits at the left.
            let left = text.lines().nth(5).unwrap().split_whitespace().nth(1).unwrap();
            assert!(left.starts_with(seat.next().letter()), "{seat}: {left}");
        }
    }
}

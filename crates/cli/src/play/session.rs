//! A game in progress: whose turn it is, what is typed, what is said.

use super::command::{Command, nearest, parse};
use super::input::{Input, Typed};
use super::interrupt;
use super::moves::{NoMove, read_move, write_move};
use super::save;
use super::show::{line, named_start, score, wrapped};
use super::style::{Ink, Style};
use lozenge_engine::skill::{FULL_LEVEL, rating};
use lozenge_engine::{Engine, Handicap, Info, Limits, Report, Signals};
use lozenge_explain::{Language, explain};
use lozenge_rules::position::{AnyPosition, Color, DrawReason, Game, Move, Outcome};
use lozenge_rules::variant::View;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// How long the engine thinks at full strength where no time is given. A weaker one is held to fewer
/// positions than that takes.
const THINKING: Duration = Duration::from_secs(5);

/// Positions looked at for a hint, at full strength.
const HINT_NODES: u64 = 50_000;

/// Memory of the engine, in MiB.
const HASH_MIB: usize = 64;

/// Columns of a terminal that everything fits.
pub(super) const COLUMNS: usize = 80;

/// What is chosen before the game begins and may be changed later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) human: Color,
    /// 0 to [`FULL_LEVEL`].
    pub(crate) level: u8,
    /// At full strength, whatever the level says.
    pub(crate) time: Option<Duration>,
    pub(crate) diamond: bool,
    pub(crate) style: Style,
    /// Whether the screen is cleared and drawn anew, rather than text added at the end.
    pub(crate) redrawn: bool,
}

/// A game ended without a last move that ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decided {
    Resigned(Color),
    Claimed(DrawReason),
}

/// Whether to go on asking.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Go,
    Quit,
}

/// A game, how it is shown, and where.
pub(crate) struct Session<'w> {
    pub(super) game: Game,
    /// How the game was named on the command line: its id, or the path of its file.
    name: String,
    pub(super) settings: Settings,
    pub(super) flipped: bool,
    engine: Engine,
    /// Chooses what a weak engine overlooks: other things in every game.
    seed: u64,
    pub(super) decided: Option<Decided>,
    /// Files this session has written and may write again.
    saved: Vec<PathBuf>,
    /// What is said below the board when it is drawn next.
    pub(super) notes: Vec<String>,
    fresh: bool,
    pub(super) out: &'w mut dyn Write,
}

/// Another number each time.
fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

impl<'w> Session<'w> {
    pub(crate) fn new(game: Game, name: String, settings: Settings, out: &'w mut dyn Write) -> Self {
        let first =
            game.position().legal_moves().into_iter().map(|first| write_move(game.position(), first)).min();
        let example = first.map_or_else(String::new, |first| format!(", for example {first}"));
        Self {
            notes: vec![named_start(&game), format!("Type a move{example}, or help.")],
            game,
            name,
            flipped: settings.human == Color::Black,
            settings,
            engine: Engine::new(HASH_MIB),
            seed: fresh_seed(),
            decided: None,
            saved: Vec::new(),
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
                    if self.receive(&line)? == Next::Quit {
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

    pub(super) fn say(&mut self, ink: Ink, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", self.settings.style.paint(ink, &wrapped(text)))
    }

    fn receive(&mut self, line: &str) -> io::Result<Next> {
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
                let text = explain(self.game.variant(), Language::English);
                writeln!(self.out, "{text}")?;
            }
            Command::Resign => self.resign()?,
            Command::Draw => self.claim()?,
            Command::Other(text) => self.try_move(&text)?,
        }
        self.out.flush()?;
        Ok(Next::Go)
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
        let report = self.think(&self.limits())?;
        // Whatever the engine says, only a legal move is played.
        let legal = report.best.filter(|&best| position.is_legal(best));
        let Some(played) = legal.or_else(|| position.legal_moves().first().copied()) else { return Ok(()) };
        self.play(played)?;
        let text = format!("{} plays {}.", position.turn(), write_move(&position, played));
        self.notes.push(text);
        Ok(())
    }

    /// What the engine is held to when it plays.
    fn limits(&self) -> Limits {
        let handicap = match self.settings.time {
            Some(_) => None,
            None => Handicap::at_level(self.settings.level, self.seed),
        };
        Limits { movetime: self.settings.time.or(Some(THINKING)), handicap, ..Limits::default() }
    }

    fn think(&mut self, limits: &Limits) -> io::Result<Report> {
        let signals = Signals::new(false);
        let (shown, style) = (self.settings.redrawn, self.settings.style);
        let position = self.game.position().clone();
        let (engine, game, out) = (&mut self.engine, &self.game, &mut *self.out);
        if shown {
            write!(out, "{}", style.paint(Ink::FAINT, "thinking"))?;
            out.flush()?;
        }
        let report = interrupt::stopping(&signals, || {
            engine.search(game, limits, &signals, &mut |info: &Info| {
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
        let report = self.think(&Limits { nodes: Some(HINT_NODES), ..Limits::default() })?;
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
        let own = |(_, position): &(usize, AnyPosition)| position.turn() == self.settings.human;
        let before = self.game.positions().take(self.game.moves().len());
        let Some((target, _)) = before.enumerate().filter(own).last() else {
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
            ("", _) => {}
            (_, Ok(level @ 0..=FULL_LEVEL)) => (self.settings.level, self.settings.time) = (level, None),
            _ => return self.say(Ink::ERROR, &format!("The levels are 0 to {FULL_LEVEL}.")),
        }
        let text = match (self.settings.time, self.settings.level) {
            (Some(time), _) => {
                format!("The engine plays at full strength, {} s for each move.", time.as_secs_f64())
            }
            (None, FULL_LEVEL) => format!("The engine plays at level {FULL_LEVEL}, its full strength."),
            (None, level) => {
                format!("The engine plays at level {level} of {FULL_LEVEL}, rated about {}.", rating(level))
            }
        };
        self.say(Ink::PLAIN, &text)
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
        let mut why = Vec::new();
        // A limit of 0 is never reached.
        if draws.repetition.claim > 0 {
            why.push(format!("the position has occurred {times} of {} times", draws.repetition.claim));
        }
        if draws.moves.claim > 0 {
            why.push(format!(
                "{moves} of {} moves were made without capture or pawn move",
                draws.moves.claim
            ));
        }
        if why.is_empty() {
            why.push("this game has no draws to claim".into());
        }
        self.say(Ink::ERROR, &format!("No draw can be claimed: {}.", why.join(", ")))
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
                self.notes = vec!["A new game.".into(), named_start(&self.game)];
                self.engine.clear();
                self.seed = fresh_seed();
                self.decided = None;
                self.fresh = true;
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

    /// The game and the options that are not as they are without being said, for a command line.
    fn words_to_play_on(&self) -> String {
        let Settings { human, level, time, diamond, .. } = self.settings;
        let side = if human == Color::White { "white" } else { "black" };
        let mut words = vec![self.name.clone(), "--side".into(), side.into()];
        match time {
            Some(time) => words.extend(["--time".into(), time.as_secs_f64().to_string()]),
            None if level == super::DEFAULT_LEVEL => {}
            None => words.extend(["--level".into(), level.to_string()]),
        }
        if diamond != (self.game.variant().view() == View::Diamond) {
            words.extend(["--view".into(), if diamond { "diamond" } else { "square" }.into()]);
        }
        shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
    }

    /// Says how to go on later, if there is something to go on with.
    fn farewell(&mut self) -> io::Result<()> {
        if self.ending().is_none() && !self.game.moves().is_empty() {
            let position = self.game.position();
            let text = format!(
                "To go on later: lozenge play {} --fen '{}'",
                self.words_to_play_on(),
                position.fen()
            );
            // One line, to be copied.
            writeln!(self.out, "{}", self.settings.style.paint(Ink::FAINT, &text))?;
        }
        self.out.flush()
    }
}

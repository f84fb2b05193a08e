//! One conversation: which line is taken in when, and what it changes. What is thought about, and what
//! becomes of it, is in `playing`.

use super::clock::Clocks;
use super::command::{Command, CommandError};
use super::format::{self, Speech};
use super::setup;
use crate::conversation::{self, Event, Flow, Parts};
use crate::games;
use crate::options::{Change, equip};
use crate::work::{Running, Task};
use crate::{Line, MAX_LINE_BYTES, board, perft};
use lozenge_engine::Score;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{Color, Move};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long what is running may go on after the input has ended.
const GRACE: Duration = Duration::from_secs(3);

/// One conversation in XBoard's protocol.
#[derive(Debug)]
pub(crate) struct Session {
    pub(super) parts: Parts,
    pub(super) active: Option<Active>,
    pub(super) mode: Mode,
    /// Whether the engine owes a move.
    pub(super) due: bool,
    pub(super) ponder: bool,
    pub(super) post: bool,
    /// Whether the opponent is a program.
    pub(super) computer: bool,
    pub(super) clocks: Clocks,
    /// What the engine expects its opponent to play, and what it last thought of its own game.
    pub(super) expected: Option<Move>,
    pub(super) score: Option<Score>,
    pub(super) excluded: Vec<Move>,
    /// Whether a position was refused and none has been set up since.
    pub(super) refused: bool,
    /// The man picked up in the GUI.
    lifted: Option<Square>,
    /// Whether the last line was `variant`.
    after_variant: bool,
    /// Since when the input has ended.
    leaving: Option<Instant>,
}

/// Whom the engine plays for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// For nobody: it only keeps the board.
    Force,
    /// For one side.
    Play(Color),
    /// It says what it thinks of every position.
    Analyze,
}

/// What is running.
#[derive(Debug)]
pub(crate) struct Active {
    pub(super) running: Running,
    pub(super) voice: Arc<Speech>,
    pub(super) purpose: Purpose,
    /// Whether nobody wants to know what it finds any more.
    pub(super) discarded: bool,
}

/// Why it is running.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// The engine's move, on its clock since then.
    Think(Instant),
    /// The answer to this move, should it come.
    Ponder(Move),
    Analyze,
    /// A count or an evaluation, asked for by hand.
    Aside,
}

impl Session {
    /// A conversation that goes on with these parts. Until `new` the engine plays for nobody.
    pub(crate) fn new(parts: Parts) -> Self {
        Self {
            parts,
            active: None,
            mode: Mode::Force,
            due: false,
            ponder: false,
            post: false,
            computer: false,
            clocks: Clocks::default(),
            expected: None,
            score: None,
            excluded: Vec::new(),
            refused: false,
            lifted: None,
            after_variant: false,
            leaving: None,
        }
    }
}

impl conversation::Session for Session {
    fn handle(&mut self, event: Event) -> Flow {
        let flow = match event {
            Event::OutputClosed => Flow::End,
            Event::Finished { engine, found } => {
                self.finished(engine, found);
                self.catch_up()
            }
            Event::End => self.leave(),
            Event::Line(_) if self.leaving.is_some() => Flow::Continue,
            Event::Line(Line::Text(line)) => self.line(line),
            Event::Line(Line::TooLong { bytes }) => {
                self.say(format_args!(
                    "Error (expected a line of at most {MAX_LINE_BYTES} bytes): {bytes} bytes"
                ));
                Flow::Continue
            }
            Event::Line(Line::NotText { column }) => {
                self.say(format_args!("Error (expected UTF-8 text): something else at byte {column}"));
                Flow::Continue
            }
        };
        if flow == Flow::End || self.parts.output.is_closed() {
            self.discard();
            return Flow::End;
        }
        flow
    }

    fn deadline(&self) -> Option<Instant> {
        self.active.as_ref()?;
        self.leaving.map(|since| since + GRACE)
    }

    fn expire(&mut self) {
        self.parts.waiting.clear();
        self.discard();
    }

    fn into_parts(self: Box<Self>) -> Parts {
        self.parts
    }
}

impl Session {
    /// A line that has come.
    fn line(&mut self, line: String) -> Flow {
        match Command::parse(&line) {
            Ok(Command::Quit) => Flow::End,
            // Order is kept: what comes after a line that waits waits as well, but for what the
            // running search is to know at once: that it is to end.
            Ok(Command::MoveNow) if !self.parts.waiting.is_empty() => {
                self.move_now();
                Flow::Continue
            }
            Ok(command) if !self.parts.waiting.is_empty() => {
                if self.patience(&command) == Patience::Broken {
                    self.discard();
                }
                self.wait(line);
                Flow::Continue
            }
            Err(_) if !self.parts.waiting.is_empty() => {
                self.wait(line);
                Flow::Continue
            }
            Ok(command) => match self.patience(&command) {
                Patience::None => self.take(command, &line),
                Patience::Move => {
                    self.wait(line);
                    Flow::Continue
                }
                Patience::Broken => {
                    self.discard();
                    self.wait(line);
                    Flow::Continue
                }
            },
            Err(error) => {
                self.say(error);
                Flow::Continue
            }
        }
    }

    /// How a command goes together with what is running.
    fn patience(&self, command: &Command<'_>) -> Patience {
        let Some(active) = &self.active else { return Patience::None };
        match command {
            Command::Protover
            | Command::MoveNow
            | Command::Draw
            | Command::Hint
            | Command::Book
            | Command::Post(_)
            | Command::Computer
            | Command::Status
            | Command::Lift(_)
            | Command::Put(_)
            | Command::Board
            | Command::Level(_)
            | Command::MoveTime(_)
            | Command::Depth(_)
            | Command::Time(_)
            | Command::OpponentTime(_)
            | Command::Quit
            | Command::Nothing => Patience::None,
            // The answer comes after the move, and after whatever is not wanted any more.
            Command::Ping(_) if active.discarded => Patience::Move,
            // What cannot be done ends nothing.
            Command::Variant(name) if self.known(name).is_none() => Patience::None,
            Command::Undo if self.parts.game.moves().is_empty() => Patience::None,
            Command::Remove if self.parts.game.moves().len() < 2 => Patience::None,
            Command::Exit if self.mode != Mode::Analyze => Patience::None,
            Command::Move(text) if self.acceptable(text).is_err() => Patience::None,
            Command::Exclude(Some(text)) | Command::Include(Some(text))
                if !matches!(active.purpose, Purpose::Think(_)) && !self.is_legal(text) =>
            {
                Patience::None
            }
            _ => match (active.purpose, command) {
                (Purpose::Think(_) | Purpose::Aside, Command::Ping(_)) => Patience::Move,
                (_, Command::Ping(_)) => Patience::None,
                (Purpose::Ponder(expected), Command::Move(text)) if self.is_move(text, expected) => {
                    Patience::None
                }
                (Purpose::Ponder(_), Command::Ponder(true)) => Patience::None,
                (Purpose::Think(_), Command::Move(_) | Command::Ponder(_) | Command::Go) => Patience::None,
                (Purpose::Think(_), Command::Memory(_) | Command::Cores(_) | Command::Option { .. }) => {
                    Patience::Move
                }
                (Purpose::Think(_), Command::Exclude(_) | Command::Include(_)) => Patience::Move,
                (Purpose::Think(_), Command::Eval | Command::Perft(_)) => Patience::Move,
                (Purpose::Analyze, Command::Ponder(_) | Command::Analyze) => Patience::None,
                _ => Patience::Broken,
            },
        }
    }

    fn wait(&mut self, line: String) {
        if let Err(line) = self.parts.waiting.push(line) {
            self.say(CommandError::new("too many commands wait for the search to end", &line));
        }
    }

    /// The engine is back: what has waited is taken in, as far as that goes.
    fn catch_up(&mut self) -> Flow {
        loop {
            self.settle(self.parts.waiting.is_empty());
            let Some(line) = self.parts.waiting.iter().next() else {
                let done = self.leaving.is_some() && self.active.is_none();
                return if done { Flow::End } else { Flow::Continue };
            };
            let flow = match Command::parse(line) {
                Ok(command) if self.patience(&command) == Patience::Move => return Flow::Continue,
                Ok(command) if self.patience(&command) == Patience::Broken => {
                    self.discard();
                    return Flow::Continue;
                }
                _ => {
                    let Some(line) = self.parts.waiting.pop() else { return Flow::Continue };
                    match Command::parse(&line) {
                        Ok(command) => self.take(command, &line),
                        Err(error) => {
                            self.say(error);
                            Flow::Continue
                        }
                    }
                }
            };
            if flow != Flow::Continue {
                return flow;
            }
        }
    }

    /// The input has ended: an engine that owes a move may still make it, and what was asked for by hand be counted.
    fn leave(&mut self) -> Flow {
        if self.active.is_none() {
            return Flow::End;
        }
        self.leaving = Some(Instant::now());
        let aside = self.active.as_ref().is_some_and(|active| active.purpose == Purpose::Aside);
        if !self.thinks() && !aside {
            self.discard();
        }
        Flow::Continue
    }

    /// Ends what is running as soon as possible; what it finds is not wanted.
    pub(super) fn discard(&mut self) {
        if let Some(active) = &mut self.active {
            active.discarded = true;
            active.voice.aloud.store(false, Ordering::Release);
            active.running.stop();
        }
    }

    /// Whether the engine thinks about its move.
    pub(super) fn thinks(&self) -> bool {
        (self.active.as_ref())
            .is_some_and(|active| matches!(active.purpose, Purpose::Think(_)) && !active.discarded)
    }

    pub(super) fn say(&self, text: impl std::fmt::Display) {
        self.parts.output.line(text);
    }

    /// Does what a command asks.
    fn take(&mut self, command: Command<'_>, line: &str) -> Flow {
        let after_variant = std::mem::replace(&mut self.after_variant, false);
        match command {
            Command::Quit => return Flow::End,
            Command::Uci => return Flow::Switch,
            Command::Protover => self.say(format::features(&self.parts.options, &self.parts.games.ids())),
            Command::New => {
                self.parts.options.reseed();
                self.new_game(after_variant);
            }
            Command::Variant(name) => {
                self.variant(name, line);
                self.after_variant = true;
            }
            Command::Force => self.set_mode(Mode::Force),
            Command::Go => self.go(),
            Command::PlayOther => self.set_mode(Mode::Play(!self.parts.game.position().turn())),
            Command::Level(level) => self.clocks.set_level(level),
            Command::MoveTime(time) => self.clocks.set_each(time),
            Command::Depth(depth) => self.clocks.set_depth(depth),
            Command::Time(time) => self.clocks.set_own(time),
            Command::Move(text) => self.user_move(text),
            Command::MoveNow => self.move_now(),
            Command::Ping(number) => {
                self.say(format_args!("pong {}", number.chars().take(60).collect::<String>()))
            }
            Command::Draw => self.answer_draw(),
            Command::Result => self.set_mode(Mode::Force),
            Command::SetBoard(fen) => self.set_board(fen),
            Command::Hint => self.hint(),
            // No book: an empty line ends the list.
            Command::Book => self.say(" no book\n"),
            Command::Undo => self.undo(1, line),
            Command::Remove => self.undo(2, line),
            Command::Ponder(on) => self.ponder = on,
            Command::Post(on) => self.set_post(on),
            Command::Computer => self.computer = true,
            Command::Analyze => self.set_mode(Mode::Analyze),
            Command::Exit if self.mode == Mode::Analyze => self.set_mode(Mode::Force),
            Command::Exit => self.say(CommandError::new("command not legal now", line)),
            Command::Status => self.status(),
            Command::Memory(mib) => self.set_option("Hash", Some(mib), line),
            Command::Cores(number) => self.set_option("Threads", Some(number), line),
            Command::Option { name, value } => self.set_option(name, value, line),
            Command::Exclude(text) => self.exclude(text, line),
            Command::Include(text) => self.include(text, line),
            Command::Lift(name) => self.lift(name),
            Command::Put(name) => self.put(name),
            Command::Board => self.say(format_args!("\n{}", board::describe(self.parts.game.position()))),
            Command::Eval => self.start(Task::Eval { game: self.parts.game.clone() }, Purpose::Aside),
            Command::Perft(depth) if depth <= perft::MAX_DEPTH => {
                self.start(Task::Perft { game: self.parts.game.clone(), depth }, Purpose::Aside);
            }
            Command::Perft(_) => self.say(CommandError::new("too deep", line)),
            Command::OpponentTime(_) | Command::Nothing => {
                // A comment between them leaves `variant` and `new` neighbors.
                self.after_variant = after_variant && command == Command::Nothing;
            }
        }
        if self.parts.waiting.is_empty() {
            self.settle(true);
        }
        Flow::Continue
    }

    fn set_post(&mut self, on: bool) {
        self.post = on;
        if let Some(active) = self.active.as_ref().filter(|active| !active.discarded) {
            active.voice.aloud.store(on, Ordering::Release);
        }
    }

    /// `option`, `memory`, `cores`.
    fn set_option(&mut self, name: &str, value: Option<&str>, line: &str) {
        let change = match self.parts.options.set_from_xboard(name, value) {
            Ok(change) => change,
            Err(error) => {
                self.say(CommandError::new("option refused", line));
                self.say(format::remark(error));
                return;
            }
        };
        match (change, &mut self.parts.engine) {
            (Change::Equipment, Some(engine)) => {
                if let Some(remark) = equip(engine, &mut self.parts.options) {
                    self.say(format::remark(remark));
                }
            }
            (Change::ClearHash, Some(engine)) => engine.clear(),
            (Change::VariantPath(paths), _) => {
                for path in games::paths(&paths) {
                    match self.parts.games.load(path) {
                        Ok(game) => self.say(format::remark(format_args!("loaded the game `{}`", game.id()))),
                        Err(error) => {
                            self.say(format_args!("tellusererror {}", crate::output::one_line(error)));
                        }
                    }
                }
                self.say(format::variants(&self.parts.games.ids()));
            }
            (Change::Variant(_) | Change::Stored | Change::Equipment | Change::ClearHash, _) => {}
        }
    }

    fn lift(&mut self, name: &str) {
        self.lifted = setup::square(self.parts.game.variant(), name);
        if let Some(from) = self.lifted {
            self.say(setup::highlight(self.parts.game.position(), from));
        }
    }

    fn put(&mut self, name: &str) {
        let to = setup::square(self.parts.game.variant(), name);
        let choice =
            self.lifted.zip(to).and_then(|(from, to)| setup::choice(self.parts.game.position(), from, to));
        if let Some(choice) = choice {
            self.say(choice);
        }
    }
}

/// How a command goes together with what is running.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Patience {
    /// It is taken in at once.
    None,
    /// It waits for the engine's move.
    Move,
    /// It ends what is running.
    Broken,
}

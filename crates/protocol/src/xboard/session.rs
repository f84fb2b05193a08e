//! A session in XBoard's protocol: when each line is executed, and its effect. `playing` has the searches and
//! their results.

use super::clock::Clocks;
use super::command::{CommandError, XboardCommand};
use super::format::{self, XboardFormat};
use super::setup;
use crate::event::Event;
use crate::games;
use crate::options::{Change, apply_resources};
use crate::session::{Flow, GRACE, Session, State};
use crate::task::{RunningTask, Task};
use crate::{InputLine, MAX_LINE_BYTES, diagnostics, perft};
use lozenge_engine::Score;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::Played;
use lozenge_rules::position::{Color, Move};
use lozenge_tablebase::FileError;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// A session in XBoard's protocol.
#[derive(Debug)]
pub(crate) struct XboardSession {
    pub(super) state: State,
    pub(super) active: Option<Active>,
    pub(super) mode: Mode,
    /// Whether the engine owes a move.
    pub(super) move_due: bool,
    pub(super) ponder: bool,
    pub(super) post: bool,
    /// Whether the opponent is a program.
    pub(super) computer: bool,
    pub(super) clocks: Clocks,
    /// The reply that the engine expects.
    pub(super) expected: Option<Move>,
    /// The score of its last search.
    pub(super) score: Option<Score>,
    pub(super) excluded: Vec<Move>,
    /// The square of the piece picked up in the GUI.
    lifted: Option<Square>,
    /// Whether the last line was `variant`.
    after_variant: bool,
    /// When the input ended.
    closing: Option<Instant>,
}

/// Which side the engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Neither: it only keeps the board.
    Force,
    /// One side.
    Play(Color),
    /// Neither: it analyzes every position.
    Analyze,
}

/// The running task.
#[derive(Debug)]
pub(crate) struct Active {
    pub(super) task: RunningTask,
    pub(super) format: Arc<XboardFormat>,
    pub(super) purpose: Purpose,
    /// Whether its result is ignored.
    pub(super) discarded: bool,
}

/// The purpose of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// The engine's move, on its clock since this moment.
    Think(Instant),
    /// The reply to this move, if it is played.
    Ponder(Move),
    Analyze,
    /// `perft` or `eval`.
    Utility,
}

impl XboardSession {
    /// A session with this state, in force mode until `new`.
    pub(crate) fn new(state: State) -> Self {
        Self {
            state,
            active: None,
            mode: Mode::Force,
            move_due: false,
            ponder: false,
            post: false,
            computer: false,
            clocks: Clocks::default(),
            expected: None,
            score: None,
            excluded: Vec::new(),
            lifted: None,
            after_variant: false,
            closing: None,
        }
    }
}

impl Session for XboardSession {
    fn handle(&mut self, event: Event) -> Flow {
        match event {
            Event::OutputClosed => Flow::End,
            Event::TaskEnded { engine, result } => {
                self.task_ended(engine, result);
                self.execute_pending()
            }
            Event::EndOfInput => self.close(),
            Event::Line(_) if self.closing.is_some() => Flow::Continue,
            Event::Line(InputLine::Text(line)) => self.line(line),
            Event::Line(InputLine::TooLong { bytes }) => {
                self.write(format_args!(
                    "Error (expected a line of at most {MAX_LINE_BYTES} bytes): {bytes} bytes"
                ));
                Flow::Continue
            }
            Event::Line(InputLine::NotText { column }) => {
                self.write(format_args!("Error (expected UTF-8 text): something else at byte {column}"));
                Flow::Continue
            }
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.active.as_ref()?;
        self.closing.map(|since| since + GRACE)
    }

    fn stop(&mut self) {
        self.discard();
    }

    fn state(&mut self) -> &mut State {
        &mut self.state
    }

    fn into_state(self: Box<Self>) -> State {
        self.state
    }
}

impl XboardSession {
    /// Handles a line.
    fn line(&mut self, line: String) -> Flow {
        match XboardCommand::parse(&line) {
            Ok(XboardCommand::Quit) => Flow::End,
            // Lines are executed in order, so a line after a pending one is pending, too. Only the end of the running
            // search cannot wait.
            Ok(XboardCommand::MoveNow) if !self.state.pending.is_empty() => {
                self.move_now();
                Flow::Continue
            }
            Ok(command) if !self.state.pending.is_empty() => {
                if self.schedule(&command) == Schedule::Interrupt {
                    self.discard();
                }
                self.wait(line);
                Flow::Continue
            }
            Err(_) if !self.state.pending.is_empty() => {
                self.wait(line);
                Flow::Continue
            }
            Ok(command) => match self.schedule(&command) {
                Schedule::Now => self.execute(command, &line),
                Schedule::AfterMove => {
                    self.wait(line);
                    Flow::Continue
                }
                Schedule::Interrupt => {
                    self.discard();
                    self.wait(line);
                    Flow::Continue
                }
            },
            Err(error) => {
                self.write(error);
                Flow::Continue
            }
        }
    }

    /// When to execute a command, given the running task.
    fn schedule(&self, command: &XboardCommand<'_>) -> Schedule {
        let Some(active) = &self.active else { return Schedule::Now };
        match command {
            XboardCommand::Protover
            | XboardCommand::MoveNow
            | XboardCommand::Draw
            | XboardCommand::Hint
            | XboardCommand::Book
            | XboardCommand::Post(_)
            | XboardCommand::Computer
            | XboardCommand::Status
            | XboardCommand::Lift(_)
            | XboardCommand::Put(_)
            | XboardCommand::Board
            | XboardCommand::Level(_)
            | XboardCommand::MoveTime(_)
            | XboardCommand::Depth(_)
            | XboardCommand::Time(_)
            | XboardCommand::OpponentTime(_)
            | XboardCommand::Quit
            | XboardCommand::Nothing => Schedule::Now,
            // `pong` follows the end of a discarded task, too.
            XboardCommand::Ping(_) if active.discarded => Schedule::AfterMove,
            // A command that will be refused does not interrupt the task.
            XboardCommand::Variant(name) if self.state.games.game(name).is_none() => Schedule::Now,
            XboardCommand::Undo if self.state.game.moves().is_empty() => Schedule::Now,
            XboardCommand::Remove if self.state.game.moves().len() < 2 => Schedule::Now,
            XboardCommand::Exit if self.mode != Mode::Analyze => Schedule::Now,
            XboardCommand::Move(text) if self.legal_move(text).is_err() => Schedule::Now,
            XboardCommand::Exclude(Some(text)) | XboardCommand::Include(Some(text))
                if !matches!(active.purpose, Purpose::Think(_)) && !self.is_legal(text) =>
            {
                Schedule::Now
            }
            _ => match (active.purpose, command) {
                (Purpose::Think(_) | Purpose::Utility, XboardCommand::Ping(_)) => Schedule::AfterMove,
                (_, XboardCommand::Ping(_)) => Schedule::Now,
                (Purpose::Ponder(expected), XboardCommand::Move(text)) if self.is_move(text, expected) => {
                    Schedule::Now
                }
                (Purpose::Ponder(_), XboardCommand::Ponder(true)) => Schedule::Now,
                (
                    Purpose::Think(_),
                    XboardCommand::Move(_) | XboardCommand::Ponder(_) | XboardCommand::Go,
                ) => Schedule::Now,
                (
                    Purpose::Think(_),
                    XboardCommand::Memory(_) | XboardCommand::Cores(_) | XboardCommand::Option { .. },
                ) => Schedule::AfterMove,
                (Purpose::Think(_), XboardCommand::Exclude(_) | XboardCommand::Include(_)) => {
                    Schedule::AfterMove
                }
                (Purpose::Think(_), XboardCommand::Eval | XboardCommand::Perft(_)) => Schedule::AfterMove,
                (Purpose::Analyze, XboardCommand::Ponder(_) | XboardCommand::Analyze) => Schedule::Now,
                _ => Schedule::Interrupt,
            },
        }
    }

    fn wait(&mut self, line: String) {
        if let Err(line) = self.state.pending.push(line) {
            self.write(CommandError::new("too many commands wait for the search to end", &line));
        }
    }

    /// A task has ended: executes pending lines until the next task blocks them.
    fn execute_pending(&mut self) -> Flow {
        loop {
            self.start_next(self.state.pending.is_empty());
            let Some(line) = self.state.pending.iter().next() else {
                let done = self.closing.is_some() && self.active.is_none();
                return if done { Flow::End } else { Flow::Continue };
            };
            let flow = match XboardCommand::parse(line) {
                Ok(command) if self.schedule(&command) == Schedule::AfterMove => return Flow::Continue,
                Ok(command) if self.schedule(&command) == Schedule::Interrupt => {
                    self.discard();
                    return Flow::Continue;
                }
                _ => {
                    let Some(line) = self.state.pending.pop() else { return Flow::Continue };
                    match XboardCommand::parse(&line) {
                        Ok(command) => self.execute(command, &line),
                        Err(error) => {
                            self.write(error);
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

    /// The input has ended: a move that is due and a utility may still be completed.
    fn close(&mut self) -> Flow {
        if self.active.is_none() {
            return Flow::End;
        }
        self.closing = Some(Instant::now());
        let utility = self.active.as_ref().is_some_and(|active| active.purpose == Purpose::Utility);
        if !self.is_thinking() && !utility {
            self.discard();
        }
        Flow::Continue
    }

    /// Stops the running task and ignores its result.
    pub(super) fn discard(&mut self) {
        if let Some(active) = &mut self.active {
            active.discarded = true;
            active.format.post.store(false, Ordering::Release);
            active.task.stop();
        }
    }

    /// Whether the engine is thinking about its move.
    pub(super) fn is_thinking(&self) -> bool {
        (self.active.as_ref())
            .is_some_and(|active| matches!(active.purpose, Purpose::Think(_)) && !active.discarded)
    }

    pub(super) fn write(&self, text: impl std::fmt::Display) {
        self.state.output.line(text);
    }

    /// Executes a command.
    fn execute(&mut self, command: XboardCommand<'_>, line: &str) -> Flow {
        let after_variant = std::mem::replace(&mut self.after_variant, false);
        match command {
            XboardCommand::Quit => return Flow::End,
            XboardCommand::Uci => return Flow::Switch,
            XboardCommand::Protover => {
                self.write(format::features(&self.state.options, &self.state.games.ids()))
            }
            XboardCommand::New => {
                self.state.options.reseed();
                self.new_game(after_variant);
            }
            XboardCommand::Variant(name) => {
                self.variant(name, line);
                self.after_variant = true;
            }
            XboardCommand::Force => self.set_mode(Mode::Force),
            XboardCommand::Go => self.go(),
            XboardCommand::PlayOther => {
                self.set_mode(Mode::Play(self.state.game.position().turn().opponent()))
            }
            XboardCommand::Level(level) => self.clocks.set_level(level),
            XboardCommand::MoveTime(time) => self.clocks.set_each(time),
            XboardCommand::Depth(depth) => self.clocks.set_depth(depth),
            XboardCommand::Time(time) => self.clocks.set_own(time),
            XboardCommand::Move(text) => self.user_move(text),
            XboardCommand::MoveNow => self.move_now(),
            XboardCommand::Ping(number) => {
                self.write(format_args!("pong {}", number.chars().take(60).collect::<String>()))
            }
            XboardCommand::Draw => self.answer_draw(),
            XboardCommand::Result => self.set_mode(Mode::Force),
            XboardCommand::SetBoard(fen) => self.set_board(fen),
            XboardCommand::Hint => self.hint(),
            // There is no book. An empty line ends the list.
            XboardCommand::Book => self.write(" no book\n"),
            XboardCommand::Undo => self.undo(1, line),
            XboardCommand::Remove => self.undo(2, line),
            XboardCommand::Ponder(on) => self.ponder = on,
            XboardCommand::Post(on) => self.set_post(on),
            XboardCommand::Computer => self.computer = true,
            XboardCommand::Analyze => self.set_mode(Mode::Analyze),
            XboardCommand::Exit if self.mode == Mode::Analyze => self.set_mode(Mode::Force),
            XboardCommand::Exit => self.write(CommandError::new("command not legal now", line)),
            XboardCommand::Status => self.status(),
            XboardCommand::Memory(mib) => self.set_option("Hash", Some(mib), line),
            XboardCommand::Cores(number) => self.set_option("Threads", Some(number), line),
            XboardCommand::Option { name, value } => self.set_option(name, value, line),
            XboardCommand::Exclude(text) => self.exclude(text, line),
            XboardCommand::Include(text) => self.include(text, line),
            XboardCommand::Lift(name) => self.lift(name),
            XboardCommand::Put(name) => self.put(name),
            XboardCommand::Board => {
                self.write(format_args!("\n{}", diagnostics::describe(self.state.game.position())))
            }
            XboardCommand::Eval if self.state.refused.is_some() => self.repeat_refusal(),
            XboardCommand::Eval => {
                self.start(Task::Eval { game: Played::Two(self.state.game.clone()) }, Purpose::Utility)
            }
            XboardCommand::Perft(depth) if depth > perft::MAX_DEPTH => {
                self.write(CommandError::new("too deep", line));
            }
            XboardCommand::Perft(_) if self.state.refused.is_some() => self.repeat_refusal(),
            XboardCommand::Perft(depth) => {
                self.start(
                    Task::Perft { game: Played::Two(self.state.game.clone()), depth },
                    Purpose::Utility,
                );
            }
            XboardCommand::OpponentTime(_) | XboardCommand::Nothing => {
                // A comment between them leaves `variant` and `new` neighbors.
                self.after_variant = after_variant && command == XboardCommand::Nothing;
            }
        }
        if self.state.pending.is_empty() {
            self.start_next(true);
        }
        Flow::Continue
    }

    fn repeat_refusal(&self) {
        if let Some(text) = &self.state.refused {
            self.write(format::comment(format_args!("no valid position: {text}")));
        }
    }

    fn set_post(&mut self, on: bool) {
        self.post = on;
        if let Some(active) = self.active.as_ref().filter(|active| !active.discarded) {
            active.format.post.store(on, Ordering::Release);
        }
    }

    /// `option`, `memory`, `cores`.
    fn set_option(&mut self, name: &str, value: Option<&str>, line: &str) {
        let change = match self.state.options.set_from_xboard(name, value) {
            Ok(change) => change,
            Err(error) => {
                self.write(CommandError::new("option refused", line));
                self.write(format::comment(error));
                return;
            }
        };
        match (change, &mut self.state.engine) {
            (Change::Resources, Some(engine)) => {
                if let Some(comment) = apply_resources(engine, &mut self.state.options) {
                    self.write(format::comment(comment));
                }
            }
            (Change::ClearHash, Some(engine)) => engine.clear(),
            (Change::VariantPath(paths), _) => {
                for path in games::paths(&paths) {
                    match self.state.games.load(path) {
                        Ok(loaded) => {
                            for game in &loaded.games {
                                let (what, id) = match game.two() {
                                    Some(_) => ("loaded", game.id()),
                                    None => ("this protocol is for two players: left out", game.id()),
                                };
                                self.write(format::comment(format_args!("{what} the game `{id}`")));
                            }
                            loaded.remarks.iter().for_each(|remark| self.write(format::comment(remark)));
                        }
                        Err(error) => {
                            self.write(format_args!("tellusererror {}", crate::output::one_line(error)));
                        }
                    }
                }
                self.write(format::variants(&self.state.games.ids()));
            }
            (Change::TablebasePath(folder), _) => {
                self.state.tables_folder = folder;
                let opened = self.state.open_tables();
                self.report(opened);
            }
            (
                Change::Variant(_)
                | Change::Chess960
                | Change::Stored
                | Change::Resources
                | Change::ClearHash,
                _,
            ) => {}
        }
    }

    /// Reports endgame tables that could not be opened.
    pub(super) fn report(&self, opened: Result<(), FileError>) {
        if let Err(error) = opened {
            self.write(format::comment(error));
        }
    }

    fn lift(&mut self, name: &str) {
        self.lifted = setup::square(self.state.game.variant(), name);
        if let Some(from) = self.lifted {
            self.write(setup::highlight(self.state.game.position(), from));
        }
    }

    fn put(&mut self, name: &str) {
        let to = setup::square(self.state.game.variant(), name);
        let choice =
            self.lifted.zip(to).and_then(|(from, to)| setup::choice(self.state.game.position(), from, to));
        if let Some(choice) = choice {
            self.write(choice);
        }
    }
}

/// When a command is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Schedule {
    /// At once.
    Now,
    /// After the engine's move.
    AfterMove,
    /// After the running task has been discarded.
    Interrupt,
}

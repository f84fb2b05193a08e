//! One conversation: what is set up, what is running, what waits.

use super::command::{Command, Go, quote};
use super::format;
use crate::conversation::{self, Event, Flow, Parts};
use crate::games::{self, Games};
use crate::options::{self, Change, Options, equip, fresh_engine};
use crate::work::{Running, Task};
use crate::{Line, MAX_LINE_BYTES, Output, board, perft};
use lozenge_engine::{Clock, Engine, Limits};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Color, Game, Move};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

/// Longest game that `position` takes, in moves.
const MAX_MOVES: usize = 20_000;
/// Most bytes of commands that wait for a search to end.
const MAX_WAITING_BYTES: usize = 16 << 20;
/// How long work with an end of its own may go on after `quit`.
const GRACE: Duration = Duration::from_secs(3);

/// One conversation in UCI.
#[derive(Debug)]
pub(crate) struct Session {
    output: Output,
    games: Games,
    options: Options,
    game: Game,
    /// Away while a task has it.
    engine: Option<Engine>,
    running: Option<Running>,
    /// Commands that came while a task was running and wait for its end.
    waiting: VecDeque<String>,
    waiting_bytes: usize,
    events: SyncSender<Event>,
    leaving: Option<Leaving>,
}

#[derive(Clone, Copy, Debug)]
struct Leaving {
    since: Instant,
    /// By `quit`, not because the input ended.
    asked: bool,
}

/// Why a position was not set up.
#[derive(Debug, thiserror::Error)]
enum PositionFault {
    #[error("position: {0}")]
    Fen(#[from] lozenge_rules::position::PositionError),
    #[error("position: move {number}: {error}")]
    Move { number: usize, error: uci::UciError },
    #[error("position: expected at most {MAX_MOVES} moves, found {0}")]
    Long(usize),
}

impl Session {
    /// A conversation that goes on with these parts.
    pub(crate) fn new(parts: Parts) -> Self {
        Self {
            output: parts.output,
            games: parts.games,
            game: parts.game,
            engine: Some(parts.engine),
            options: parts.options,
            running: None,
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            events: parts.events,
            leaving: None,
        }
    }

    /// The same for somebody who has said `uci` in another protocol.
    pub(crate) fn greet(parts: Parts) -> Self {
        let session = Self::new(parts);
        session.introduce();
        session
    }
}

impl conversation::Session for Session {
    /// Takes in what has happened.
    fn handle(&mut self, event: Event) -> Flow {
        let flow = match event {
            Event::OutputClosed => Flow::End,
            Event::Finished { engine, .. } => self.finished(engine),
            Event::End => self.leave(false),
            Event::Line(_) if self.leaving.is_some() => Flow::Continue,
            Event::Line(Line::Text(line)) => self.line(line),
            Event::Line(Line::TooLong { bytes }) => {
                self.output
                    .info(format_args!("expected a line of at most {MAX_LINE_BYTES} bytes, found {bytes}"));
                Flow::Continue
            }
            Event::Line(Line::NotText { column }) => {
                self.output.info(format_args!(
                    "expected a line of UTF-8 text, found something else at byte {column}"
                ));
                Flow::Continue
            }
        };
        if flow == Flow::End || self.output.is_closed() {
            if let Some(running) = &self.running {
                running.stop();
            }
            return Flow::End;
        }
        flow
    }

    /// When to stop what is running although it was not asked to, since the session is to end.
    fn deadline(&self) -> Option<Instant> {
        let (leaving, running) = (self.leaving?, self.running.as_ref()?);
        if !leaving.asked && !running.search {
            return None;
        }
        Some(leaving.since.max(running.started) + GRACE)
    }

    /// The deadline has passed.
    fn expire(&mut self) {
        self.waiting.clear();
        if let Some(running) = &self.running {
            running.stop();
        }
    }

    fn into_parts(self: Box<Self>) -> Parts {
        let engine = self.engine.unwrap_or_else(|| fresh_engine(&self.options));
        Parts {
            output: self.output,
            games: self.games,
            options: self.options,
            game: self.game,
            engine,
            events: self.events,
            waiting: self.waiting,
        }
    }
}

impl Session {
    fn line(&mut self, line: String) -> Flow {
        let command = match Command::parse(&line) {
            Ok(command) => command,
            Err(_) if !self.waiting.is_empty() => {
                self.wait(line);
                return Flow::Continue;
            }
            Err(error) => {
                self.output.info(error);
                return Flow::Continue;
            }
        };
        match command {
            Command::IsReady => {
                self.output.line("readyok");
            }
            Command::Quit => return self.leave(true),
            Command::Stop | Command::PonderHit => self.signal(command == Command::Stop, line),
            command if self.running.is_some() && (command.waits() || !self.waiting.is_empty()) => {
                drop(command);
                self.wait(line);
            }
            Command::XBoard => return Flow::Switch,
            command => self.execute(command),
        }
        Flow::Continue
    }

    /// `stop` or `ponderhit`. Where a `go` waits behind a search that ends without being told, or
    /// that is ending, it is meant for that `go`; given once more it is meant for all.
    fn signal(&mut self, stop: bool, line: String) {
        let Some(running) = &self.running else { return };
        let later = self.waiting.iter().any(|line| is_go(line)) && (!running.endless || running.is_ending());
        let again = stop && self.waiting.back().is_some_and(|line| is_stop(line));
        match (stop, later && !again) {
            (true, false) => running.stop(),
            (false, false) => running.hit(),
            (_, true) => self.wait(line),
        }
    }

    /// Signals that waited for the task just begun: those before the next `go`.
    fn take_signals(&mut self) {
        let Some(running) = &self.running else { return };
        let mine = self.waiting.iter().position(|line| is_go(line)).unwrap_or(self.waiting.len());
        for number in (0..mine).rev() {
            match Command::parse(&self.waiting[number]) {
                Ok(Command::Stop) => running.stop(),
                Ok(Command::PonderHit) => running.hit(),
                _ => continue,
            }
            self.waiting.remove(number);
        }
    }

    fn wait(&mut self, line: String) {
        if self.waiting_bytes + line.len() > MAX_WAITING_BYTES {
            self.output.info("too many commands wait for the search to end: this one is thrown away");
            return;
        }
        // Every command weighs something, so that their number is bounded too.
        self.waiting_bytes += line.len() + 64;
        self.waiting.push_back(line);
    }

    fn finished(&mut self, engine: Option<Engine>) -> Flow {
        self.running = None;
        self.engine = Some(engine.unwrap_or_else(|| fresh_engine(&self.options)));
        while self.running.is_none() {
            let Some(line) = self.waiting.pop_front() else {
                self.waiting_bytes = 0;
                return if self.leaving.is_some() { Flow::End } else { Flow::Continue };
            };
            match Command::parse(&line) {
                Ok(Command::XBoard) if self.leaving.is_none() => return Flow::Switch,
                Ok(command) => self.execute(command),
                Err(error) => {
                    self.output.info(error);
                }
            }
        }
        self.take_signals();
        if self.leaving.is_some() {
            self.stop_unbounded();
        }
        Flow::Continue
    }

    fn leave(&mut self, asked: bool) -> Flow {
        if self.running.is_none() {
            return Flow::End;
        }
        if self.leaving.is_none() {
            self.leaving = Some(Leaving { since: Instant::now(), asked });
            self.stop_unbounded();
        }
        Flow::Continue
    }

    fn stop_unbounded(&self) {
        if let Some(running) = self.running.as_ref().filter(|running| !running.bounded) {
            running.stop();
        }
    }

    /// Does what a command asks. Nothing is running, unless the command does not mind.
    fn execute(&mut self, command: Command<'_>) {
        match command {
            Command::Uci => self.introduce(),
            Command::NewGame => {
                self.options.reseed();
                if let Some(engine) = &mut self.engine {
                    engine.clear();
                }
            }
            Command::SetOption { name, value } => self.set_option(&name, value),
            Command::Position { fen, moves } => match self.position(fen, &moves) {
                Ok(game) => self.game = game,
                Err(fault) => {
                    self.output.info(fault);
                }
            },
            Command::Go(go) => self.go(&go),
            Command::Draw => {
                self.output.line(format_args!("\n{}", board::describe(self.game.position())));
            }
            Command::Eval => self.start(Task::Eval { game: self.game.clone() }, false),
            Command::Bench { depth } => self.start(Task::Bench { depth }, false),
            Command::IsReady
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::XBoard
            | Command::Nothing => {}
        }
    }

    fn introduce(&self) {
        self.output.line(format_args!(
            "id name Lozenge {}\nid author the Lozenge developers\n\n{}\nuciok",
            env!("CARGO_PKG_VERSION"),
            options::list(&self.games.ids())
        ));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let change = match self.options.set(name, value) {
            Ok(change) => change,
            Err(error) => {
                self.output.info(error);
                return;
            }
        };
        match (change, &mut self.engine) {
            (Change::Hash(_) | Change::Threads(_), Some(engine)) => {
                if let Some(remark) = equip(engine, &mut self.options) {
                    self.output.info(remark);
                }
            }
            (Change::ClearHash, Some(engine)) => engine.clear(),
            (Change::Variant(id), _) => self.set_variant(&id),
            (Change::VariantPath(paths), _) => {
                for path in games::paths(&paths) {
                    if let Err(error) = self.games.load(path) {
                        self.output.info(error);
                    }
                }
            }
            (Change::Stored | Change::Hash(_) | Change::Threads(_) | Change::ClearHash, _) => {}
        }
    }

    fn set_variant(&mut self, id: &str) {
        let Some(variant) = self.games.game(id) else {
            self.output.info(games::unknown(id, &self.games.ids()));
            return;
        };
        if let Some(engine) = &mut self.engine {
            engine.clear();
        }
        self.game = Game::new(&variant);
        self.output.line(format::variant(&variant));
    }

    fn position(&self, fen: Option<String>, moves: &[&str]) -> Result<Game, PositionFault> {
        if moves.len() > MAX_MOVES {
            return Err(PositionFault::Long(moves.len()));
        }
        let variant = self.game.variant();
        let start = match fen {
            None => AnyPosition::start(variant),
            Some(fen) => AnyPosition::from_fen(variant, &fen)?,
        };
        let mut game = Game::from_position(start);
        for (number, text) in (1..).zip(moves) {
            let fault = |error| PositionFault::Move { number, error };
            let next = read_move(game.position(), text).map_err(fault)?;
            game.play(next).map_err(|_| fault(uci::UciError::Illegal((*text).into())))?;
        }
        Ok(game)
    }

    fn go(&mut self, go: &Go<'_>) {
        if let Some(first) = go.ignored.first() {
            self.output.info(format_args!("go: ignored the unknown word {}", quote(first)));
        }
        if let Some(depth) = go.perft {
            if depth > perft::MAX_DEPTH {
                let most = perft::MAX_DEPTH;
                self.output.info(format_args!("go perft: expected a depth of at most {most}, found {depth}"));
                return;
            }
            self.start(Task::Perft { game: self.game.clone(), depth }, false);
            return;
        }
        match self.limits(go) {
            Ok(limits) => {
                let task = Task::Search { game: self.game.clone(), limits, infinite: go.infinite };
                self.start(task, go.ponder);
            }
            Err(error) => {
                self.output.info(format_args!("go searchmoves: {error}"));
            }
        }
    }

    fn limits(&self, go: &Go<'_>) -> Result<Limits, uci::UciError> {
        let position = self.game.position();
        let searchmoves: Vec<Move> = match &go.searchmoves {
            // In a finished position there is nothing to choose from.
            Some(words) if !position.legal_moves().is_empty() => {
                words.iter().map(|word| read_move(position, word)).collect::<Result<_, _>>()?
            }
            _ => Vec::new(),
        };
        let side = usize::from(position.turn() == Color::Black);
        // A side whose clock is not told while the other's is has no time left.
        let clock = (go.time[0].or(go.time[1])).map(|_| Clock {
            remaining: go.time[side].unwrap_or_default(),
            increment: go.increment[side],
            moves_to_go: go.moves_to_go,
        });
        Ok(Limits {
            depth: go.depth,
            nodes: go.nodes,
            movetime: go.movetime,
            clock: clock.filter(|_| !go.infinite),
            mate: go.mate,
            searchmoves,
            multipv: self.options.multipv as usize,
            handicap: self.options.handicap(),
            overhead: Duration::from_millis(self.options.overhead as u64),
        })
    }

    fn start(&mut self, task: Task, ponder: bool) {
        let mut engine = self.engine.take().unwrap_or_else(|| fresh_engine(&self.options));
        let wdl = self.options.show_wdl.then(|| engine.chances(self.game.position()));
        let voice = Arc::new(format::Speech { wdl });
        self.running = Running::start(task, ponder, engine, voice, &self.output, &self.events);
        if self.running.is_none() {
            self.engine = Some(fresh_engine(&self.options));
            self.output.info("no thread to be had for the search");
        }
    }
}

fn is_go(line: &str) -> bool {
    line.split_whitespace().next() == Some("go")
}

fn is_stop(line: &str) -> bool {
    line.split_whitespace().next() == Some("stop")
}

/// Reads a legal move; a promotion letter may also be a capital.
fn read_move(position: &AnyPosition, text: &str) -> Result<Move, uci::UciError> {
    uci::parse(position, text)
        .or_else(|error| uci::parse(position, &text.to_ascii_lowercase()).or(Err(error)))
}

//! One conversation: what is set up, what is running, what waits.

use super::command::{Command, Go, quote};
use super::format;
use crate::conversation::{self, Event, Flow, Parts};
use crate::games;
use crate::options::{self, Change, equip, fresh_engine};
use crate::work::{Running, Task};
use crate::{Line, MAX_LINE_BYTES, board, perft};
use lozenge_engine::{Clock, Engine, Limits};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Color, Game, Move};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longest game that `position` takes, in moves.
const MAX_MOVES: usize = 20_000;
/// How long work with an end of its own may go on after `quit`.
const GRACE: Duration = Duration::from_secs(3);

/// One conversation in UCI.
#[derive(Debug)]
pub(crate) struct Session {
    parts: Parts,
    running: Option<Running>,
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
        Self { parts, running: None, leaving: None }
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
                self.parts
                    .output
                    .info(format_args!("expected a line of at most {MAX_LINE_BYTES} bytes, found {bytes}"));
                Flow::Continue
            }
            Event::Line(Line::NotText { column }) => {
                self.parts.output.info(format_args!(
                    "expected a line of UTF-8 text, found something else at byte {column}"
                ));
                Flow::Continue
            }
        };
        if flow == Flow::End || self.parts.output.is_closed() {
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
        self.parts.waiting.clear();
        if let Some(running) = &self.running {
            running.stop();
        }
    }

    fn into_parts(self: Box<Self>) -> Parts {
        self.parts
    }
}

impl Session {
    fn line(&mut self, line: String) -> Flow {
        let command = match Command::parse(&line) {
            Ok(command) => command,
            Err(_) if !self.parts.waiting.is_empty() => {
                self.wait(line);
                return Flow::Continue;
            }
            Err(error) => {
                self.parts.output.info(error);
                return Flow::Continue;
            }
        };
        match command {
            // What was said after the last line of a task is done before this is answered.
            Command::IsReady
                if self.running.as_ref().is_some_and(Running::is_over) && !self.parts.waiting.is_empty() =>
            {
                drop(command);
                self.wait(line);
            }
            Command::IsReady => self.ready(),
            Command::Quit => return self.leave(true),
            Command::Stop | Command::PonderHit => self.signal(command == Command::Stop, line),
            command if self.running.is_some() && (command.waits() || !self.parts.waiting.is_empty()) => {
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
        let later = self.parts.waiting.iter().any(is_go) && (!running.endless || running.is_ending());
        let again = stop && self.parts.waiting.iter().next_back().is_some_and(is_stop);
        match (stop, later && !again) {
            (true, false) => running.stop(),
            (false, false) => running.hit(),
            (_, true) => self.wait(line),
        }
    }

    /// Signals that waited for the task just begun: those before the next `go`.
    fn take_signals(&mut self) {
        let Some(running) = &self.running else { return };
        let mine = self.parts.waiting.iter().position(is_go).unwrap_or(self.parts.waiting.len());
        for number in (0..mine).rev() {
            match self.parts.waiting.iter().nth(number).map(Command::parse) {
                Some(Ok(Command::Stop)) => running.stop(),
                Some(Ok(Command::PonderHit)) => running.hit(),
                _ => continue,
            }
            self.parts.waiting.remove(number);
        }
    }

    fn wait(&mut self, line: String) {
        if self.parts.waiting.push(line).is_err() {
            self.parts.output.info("too many commands wait for the search to end: this one is thrown away");
        }
    }

    fn finished(&mut self, engine: Option<Engine>) -> Flow {
        self.running = None;
        self.parts.engine = Some(engine.unwrap_or_else(|| fresh_engine(&self.parts.options)));
        while self.running.is_none() {
            let Some(line) = self.parts.waiting.pop() else {
                return if self.leaving.is_some() { Flow::End } else { Flow::Continue };
            };
            match Command::parse(&line) {
                Ok(Command::XBoard) if self.leaving.is_none_or(|leaving| !leaving.asked) => {
                    return Flow::Switch;
                }
                Ok(command) => self.execute(command),
                Err(error) => {
                    self.parts.output.info(error);
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
                self.parts.options.reseed();
                if let Some(engine) = &mut self.parts.engine {
                    engine.clear();
                }
            }
            Command::SetOption { name, value } => self.set_option(&name, value),
            Command::Position { fen, moves } => match self.position(fen, &moves) {
                Ok(game) => self.parts.game = game,
                Err(fault) => {
                    self.parts.output.info(fault);
                }
            },
            Command::Go(go) => self.go(&go),
            Command::Draw => {
                self.parts.output.line(format_args!("\n{}", board::describe(self.parts.game.position())));
            }
            Command::Eval => self.start(Task::Eval { game: self.parts.game.clone() }, false),
            Command::Bench { depth } => self.start(Task::Bench { depth }, false),
            Command::IsReady => self.ready(),
            Command::Stop | Command::PonderHit | Command::Quit | Command::XBoard | Command::Nothing => {}
        }
    }

    fn ready(&self) {
        self.parts.output.line("readyok");
    }

    fn introduce(&self) {
        self.parts.output.line(format_args!(
            "id name Lozenge {}\nid author the Lozenge developers\n\n{}\nuciok",
            env!("CARGO_PKG_VERSION"),
            options::list(&self.parts.games.ids())
        ));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let change = match self.parts.options.set(name, value) {
            Ok(change) => change,
            Err(error) => {
                self.parts.output.info(error);
                return;
            }
        };
        match (change, &mut self.parts.engine) {
            (Change::Equipment, Some(engine)) => {
                if let Some(remark) = equip(engine, &mut self.parts.options) {
                    self.parts.output.info(remark);
                }
            }
            (Change::ClearHash, Some(engine)) => engine.clear(),
            (Change::Variant(id), _) => self.set_variant(&id),
            (Change::VariantPath(paths), _) => {
                for path in games::paths(&paths) {
                    if let Err(error) = self.parts.games.load(path) {
                        self.parts.output.info(error);
                    }
                }
            }
            (Change::Stored | Change::Equipment | Change::ClearHash, _) => {}
        }
    }

    fn set_variant(&mut self, id: &str) {
        let Some(variant) = self.parts.games.game(id) else {
            self.parts.output.info(games::unknown(id, &self.parts.games.ids()));
            return;
        };
        if let Some(engine) = &mut self.parts.engine {
            engine.clear();
        }
        self.parts.game = Game::new(&variant);
        self.parts.output.line(format::variant(&variant));
    }

    fn position(&self, fen: Option<String>, moves: &[&str]) -> Result<Game, PositionFault> {
        if moves.len() > MAX_MOVES {
            return Err(PositionFault::Long(moves.len()));
        }
        let variant = self.parts.game.variant();
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
            self.parts.output.info(format_args!("go: ignored the unknown word {}", quote(first)));
        }
        if let Some(depth) = go.perft {
            if depth > perft::MAX_DEPTH {
                let most = perft::MAX_DEPTH;
                self.parts
                    .output
                    .info(format_args!("go perft: expected a depth of at most {most}, found {depth}"));
                return;
            }
            self.start(Task::Perft { game: self.parts.game.clone(), depth }, false);
            return;
        }
        let searchmoves = self.searchmoves(go);
        let limits = self.limits(go, searchmoves);
        self.start(Task::Search { game: self.parts.game.clone(), limits, infinite: go.infinite }, go.ponder);
    }

    /// The moves to choose from. One that is not legal is told and left out, and if there is none all are searched: whoever
    /// asks waits for a move.
    fn searchmoves(&self, go: &Go<'_>) -> Vec<Move> {
        let position = self.parts.game.position();
        // In a finished position there is nothing to choose from.
        let Some(words) = go.searchmoves.as_ref().filter(|_| !position.legal_moves().is_empty()) else {
            return Vec::new();
        };
        let (mut moves, mut faults) = (Vec::new(), Vec::new());
        for word in words {
            match read_move(position, word) {
                Ok(found) => moves.push(found),
                Err(error) => faults.push(error),
            }
        }
        if let Some(fault) = faults.first() {
            self.parts.output.info(format_args!("go searchmoves: {fault}"));
        }
        moves
    }

    fn limits(&self, go: &Go<'_>, searchmoves: Vec<Move>) -> Limits {
        let position = self.parts.game.position();
        let side = usize::from(position.turn() == Color::Black);
        // A side whose clock is not told while the other's is has no time left.
        let clock = (go.time[0].or(go.time[1])).map(|_| Clock {
            remaining: go.time[side].unwrap_or_default(),
            increment: go.increment[side],
            moves_to_go: go.moves_to_go,
        });
        Limits {
            depth: go.depth,
            nodes: go.nodes,
            movetime: go.movetime,
            clock: clock.filter(|_| !go.infinite),
            mate: go.mate,
            searchmoves,
            multipv: self.parts.options.multipv as usize,
            handicap: self.parts.options.handicap(),
            overhead: Duration::from_millis(self.parts.options.overhead as u64),
        }
    }

    fn start(&mut self, task: Task, ponder: bool) {
        let mut engine = self.parts.engine.take().unwrap_or_else(|| fresh_engine(&self.parts.options));
        let wdl = self.parts.options.show_wdl.then(|| engine.chances(self.parts.game.position()));
        let voice = Arc::new(format::Speech { wdl });
        self.running = Running::start(task, ponder, engine, voice, &self.parts.output, &self.parts.events);
        if self.running.is_none() {
            self.parts.engine = Some(fresh_engine(&self.parts.options));
            self.parts.output.info("no thread to be had for the search");
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

//! A session in UCI: its position and options, the running task and the lines that wait for it.

use super::command::{CommandError, Go, UciCommand};
use super::format;
use super::multi::{self, MultiFault};
use crate::event::Event;
use crate::games;
use crate::options::{self, Change, Options, apply_resources, fresh_engine};
use crate::output::quote;
use crate::session::{Flow, GRACE, MAX_GAME_MOVES, Session, State};
use crate::task::{RunningTask, Task};
use crate::{InputLine, MAX_LINE_BYTES, diagnostics, perft};
use lozenge_engine::{Clock, Engine, Limits};
use lozenge_rules::notation::uci;
use lozenge_rules::position::Played;
use lozenge_rules::position::{AnyPosition, Game, Move, MultiGame};
use lozenge_tablebase::FileError;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A session in UCI.
#[derive(Debug)]
pub(crate) struct UciSession {
    state: State,
    /// The last valid game of four, if the variant is one: it is played instead of the state's.
    four: Option<MultiGame>,
    task: Option<RunningTask>,
    closing: Option<Closing>,
}

#[derive(Clone, Copy, Debug)]
struct Closing {
    since: Instant,
    /// By `quit`; otherwise the input has ended.
    by_quit: bool,
}

/// Why `position` was refused.
#[derive(Debug, thiserror::Error)]
enum PositionFault {
    #[error("position: {0}")]
    Fen(#[from] lozenge_rules::position::PositionError),
    #[error("position: move {number}: {error}")]
    Move { number: usize, error: uci::UciError },
    #[error(transparent)]
    Multi(#[from] MultiFault),
    #[error("position: expected at most {MAX_GAME_MOVES} moves, found {0}")]
    Long(usize),
}

impl UciSession {
    /// A session with this state.
    pub(crate) fn new(state: State) -> Self {
        Self { state, four: None, task: None, closing: None }
    }

    /// A session that begins with the answer to `uci`, for a GUI that sent it in the other protocol.
    pub(crate) fn with_greeting(state: State) -> Self {
        let session = Self::new(state);
        session.send_identity();
        session
    }
}

impl Session for UciSession {
    fn handle(&mut self, event: Event) -> Flow {
        match event {
            Event::OutputClosed => Flow::End,
            Event::TaskEnded { engine, .. } => self.task_ended(engine),
            Event::EndOfInput => self.close(false),
            Event::Line(_) if self.closing.is_some() => Flow::Continue,
            Event::Line(InputLine::Text(line)) => self.line(line),
            // Only a position is that long.
            Event::Line(InputLine::TooLong { bytes }) => {
                self.refuse(&format!("expected a line of at most {MAX_LINE_BYTES} bytes, found {bytes}"));
                Flow::Continue
            }
            Event::Line(InputLine::NotText { column }) => {
                self.info(format_args!(
                    "expected a line of UTF-8 text, found something else at byte {column}"
                ));
                Flow::Continue
            }
        }
    }

    fn deadline(&self) -> Option<Instant> {
        let (closing, task) = (self.closing?, self.task.as_ref()?);
        if !closing.by_quit && !task.is_search {
            return None;
        }
        Some(closing.since.max(task.started) + GRACE)
    }

    fn stop(&mut self) {
        if let Some(task) = &self.task {
            task.stop();
        }
    }

    fn state(&mut self) -> &mut State {
        &mut self.state
    }

    fn into_state(self: Box<Self>) -> State {
        self.state
    }
}

impl UciSession {
    fn line(&mut self, line: String) -> Flow {
        let command = match UciCommand::parse(&line) {
            Ok(command) => command,
            Err(_) if !self.state.pending.is_empty() => {
                self.wait(line);
                return Flow::Continue;
            }
            Err(error) => {
                self.reject(&error);
                return Flow::Continue;
            }
        };
        match command {
            // Lines received after the last line of a task are executed before `readyok`.
            UciCommand::IsReady
                if self.task.as_ref().is_some_and(RunningTask::is_over) && !self.state.pending.is_empty() =>
            {
                drop(command);
                self.wait(line);
            }
            UciCommand::IsReady => self.ready(),
            UciCommand::Quit => return self.close(true),
            UciCommand::Stop | UciCommand::PonderHit => self.signal(command == UciCommand::Stop, line),
            command if self.task.is_some() && (command.waits() || !self.state.pending.is_empty()) => {
                drop(command);
                self.wait(line);
            }
            UciCommand::XBoard => return Flow::Switch,
            command => self.execute(command),
        }
        Flow::Continue
    }

    /// `stop` or `ponderhit`. If a `go` waits behind a search that is limited or ending, the signal applies to that `go`;
    /// a second `stop` applies to all.
    fn signal(&mut self, stop: bool, line: String) {
        let Some(task) = &self.task else { return };
        let later = self.state.pending.iter().any(is_go) && (!task.is_infinite || task.is_ending());
        let again = stop && self.state.pending.iter().next_back().is_some_and(is_stop);
        match (stop, later && !again) {
            (true, false) => task.stop(),
            (false, false) => task.ponder_hit(),
            (_, true) => self.wait(line),
        }
    }

    /// Delivers pending signals to the task just started: those before the next `go`.
    fn deliver_signals(&mut self) {
        let Some(task) = &self.task else { return };
        let end = self.state.pending.iter().position(is_go).unwrap_or(self.state.pending.len());
        for number in (0..end).rev() {
            match self.state.pending.iter().nth(number).map(UciCommand::parse) {
                Some(Ok(UciCommand::Stop)) => task.stop(),
                Some(Ok(UciCommand::PonderHit)) => task.ponder_hit(),
                _ => continue,
            }
            self.state.pending.remove(number);
        }
    }

    fn wait(&mut self, line: String) {
        if self.state.pending.push(line).is_err() {
            self.info("too many commands wait for the search to end: this one is discarded");
        }
    }

    fn task_ended(&mut self, engine: Option<Engine>) -> Flow {
        self.task = None;
        self.put_back(engine);
        while self.task.is_none() {
            let Some(line) = self.state.pending.pop() else {
                return if self.closing.is_some() { Flow::End } else { Flow::Continue };
            };
            match UciCommand::parse(&line) {
                Ok(UciCommand::XBoard) if self.closing.is_none_or(|closing| !closing.by_quit) => {
                    return Flow::Switch;
                }
                Ok(command) => self.execute(command),
                Err(error) => self.reject(&error),
            }
        }
        self.deliver_signals();
        if self.closing.is_some() {
            self.stop_unlimited();
        }
        Flow::Continue
    }

    fn close(&mut self, by_quit: bool) -> Flow {
        if self.task.is_none() {
            return Flow::End;
        }
        if self.closing.is_none() {
            self.closing = Some(Closing { since: Instant::now(), by_quit });
            self.stop_unlimited();
        }
        Flow::Continue
    }

    fn stop_unlimited(&self) {
        if let Some(task) = self.task.as_ref().filter(|task| !task.is_limited) {
            task.stop();
        }
    }

    /// Executes a command. No task is running, unless the command allows it.
    fn execute(&mut self, command: UciCommand<'_>) {
        match command {
            UciCommand::Uci => self.send_identity(),
            UciCommand::NewGame => {
                self.state.options.reseed();
                if let Some(engine) = &mut self.state.engine {
                    engine.clear();
                }
            }
            UciCommand::SetOption { name, value } => self.set_option(&name, value),
            UciCommand::Position { fen, moves } => match self.position(fen, &moves) {
                Ok(game) => self.set_game(game),
                Err(fault) => self.refuse(&fault),
            },
            UciCommand::Go(go) => self.go(&go),
            UciCommand::Draw => {
                let text = match &self.four {
                    Some(game) => diagnostics::multi_describe(game.position()),
                    None => diagnostics::describe(self.state.game.position()),
                };
                self.state.output.line(format_args!("\n{text}"));
            }
            UciCommand::Eval if self.state.refused.is_some() => self.repeat_refusal(),
            UciCommand::Eval => self.start(Task::Eval { game: self.played() }, false),
            UciCommand::Bench { depth } => self.start(Task::Bench { depth }, false),
            UciCommand::IsReady => self.ready(),
            UciCommand::Stop
            | UciCommand::PonderHit
            | UciCommand::Quit
            | UciCommand::XBoard
            | UciCommand::Nothing => {}
        }
    }

    /// Another game or position.
    fn set_game(&mut self, game: Played) {
        match game {
            Played::Two(game) => self.state.game = game,
            Played::Four(game) => self.four = Some(game),
        }
        self.state.refused = None;
    }

    /// The game that is played.
    fn played(&self) -> Played {
        self.four.clone().map_or_else(|| Played::Two(self.state.game.clone()), Played::Four)
    }

    /// Reports why a position is refused. Until a valid one comes, no other position is searched in its place.
    fn refuse(&mut self, fault: &impl ToString) {
        let text = fault.to_string();
        self.info(&text);
        self.state.refused = Some(text);
    }

    /// Reports an invalid line.
    fn reject(&mut self, error: &CommandError) {
        if error.is_of_position() { self.refuse(error) } else { self.info(error) }
    }

    fn repeat_refusal(&self) {
        if let Some(text) = &self.state.refused {
            self.info(format_args!("no valid position: {text}"));
        }
    }

    fn info(&self, text: impl std::fmt::Display) {
        self.state.output.info(text);
    }

    fn ready(&self) {
        self.state.output.line("readyok");
    }

    fn send_identity(&self) {
        self.state.output.line(format_args!(
            "id name Lozenge {}\nid author the Lozenge developers\n\n{}\nuciok",
            env!("CARGO_PKG_VERSION"),
            options::list(&self.state.games.all_ids())
        ));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let change = match self.state.options.set(name, value) {
            Ok(change) => change,
            Err(error) => {
                self.info(error);
                return;
            }
        };
        match (change, &mut self.state.engine) {
            (Change::Resources, Some(engine)) => {
                if let Some(comment) = apply_resources(engine, &mut self.state.options) {
                    self.info(comment);
                }
            }
            (Change::ClearHash, Some(engine)) => engine.clear(),
            (Change::Variant(id), _) => self.set_variant(&id),
            (Change::Chess960, _) => self.set_shuffled(),
            (Change::VariantPath(paths), _) => {
                for path in games::paths(&paths) {
                    match self.state.games.load(path) {
                        Ok(loaded) => loaded.remarks.iter().for_each(|remark| self.info(remark)),
                        Err(error) => self.info(error),
                    }
                }
            }
            (Change::TablebasePath(folder), _) => {
                self.state.tables_folder = folder;
                let opened = self.state.open_tables();
                self.report(opened);
            }
            (Change::Stored | Change::Resources | Change::ClearHash, _) => {}
        }
    }

    /// Reports endgame tables that could not be opened.
    fn report(&self, opened: Result<(), FileError>) {
        if let Err(error) = opened {
            self.info(error);
        }
    }

    fn put_back(&mut self, engine: Option<Engine>) {
        let opened = self.state.put_back(engine);
        self.report(opened);
    }

    /// Takes the game with shuffled starts, or the one without.
    fn set_shuffled(&mut self) {
        if self.four.is_some() {
            return;
        }
        let (on, game) = (self.state.options.chess960, self.state.game.variant());
        let other = if on { self.state.games.shuffled(game) } else { self.state.games.unshuffled(game) };
        match other {
            Some(other) if !Arc::ptr_eq(&other, game) => {
                let opened = self.state.set_variant(&other);
                self.report(opened);
            }
            None if on => self.info(format_args!("UCI_Chess960: no game shuffles `{}`", game.id())),
            _ => {}
        }
    }

    fn set_variant(&mut self, id: &str) {
        if let Some(variant) = self.state.games.multi_game(id) {
            if let Some(engine) = &mut self.state.engine {
                engine.clear();
            }
            self.set_game(Played::Four(MultiGame::new(&variant)));
            self.state.output.line(format::multi_variant(&variant));
            return;
        }
        let Some(variant) = self.state.games.game(id) else {
            self.info(games::unknown(id, &self.state.games.all_ids()));
            return;
        };
        let is_shuffled = self.state.options.chess960;
        let shuffled = is_shuffled.then(|| self.state.games.shuffled(&variant)).flatten();
        let variant = shuffled.unwrap_or(variant);
        self.four = None;
        let opened = self.state.set_variant(&variant);
        self.report(opened);
        self.state.output.line(format::variant(&variant));
    }

    fn position(&self, fen: Option<String>, moves: &[&str]) -> Result<Played, PositionFault> {
        if moves.len() > MAX_GAME_MOVES {
            return Err(PositionFault::Long(moves.len()));
        }
        if let Some(game) = &self.four {
            let variant = game.position().variant();
            return Ok(Played::Four(multi::game(variant, fen.as_deref(), moves)?));
        }
        let variant = self.state.game.variant();
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
        Ok(Played::Two(game))
    }

    fn go(&mut self, go: &Go<'_>) {
        if let Some(first) = go.ignored.first() {
            self.info(format_args!("go: ignored the unknown word {}", quote(first)));
        }
        if let Some(depth) = go.perft {
            if depth > perft::MAX_DEPTH {
                let most = perft::MAX_DEPTH;
                self.info(format_args!("go perft: expected a depth of at most {most}, found {depth}"));
                return;
            }
            match self.state.refused {
                Some(_) => self.repeat_refusal(),
                None => self.start(Task::Perft { game: self.played(), depth }, false),
            }
            return;
        }
        if self.state.refused.is_some() {
            self.repeat_refusal();
            self.start(Task::NoSearch { game: self.played(), infinite: go.infinite }, go.ponder);
            return;
        }
        let searchmoves = self.searchmoves(go);
        let limits = self.limits(go, searchmoves);
        self.start(Task::Search { game: self.played(), limits, infinite: go.infinite }, go.ponder);
    }

    /// The moves of `searchmoves`. Illegal ones are reported and ignored; without a legal one all moves are searched,
    /// because the GUI waits for a move.
    fn searchmoves(&self, go: &Go<'_>) -> Vec<Move> {
        let Some(words) = &go.searchmoves else { return Vec::new() };
        let game = self.played();
        // Without legal moves there is nothing to choose.
        if game.legal_moves().is_empty() {
            return Vec::new();
        }
        let read = |word: &str| match &game {
            Played::Two(game) => read_move(game.position(), word),
            Played::Four(game) => multi::read_move(game.position(), word),
        };
        let (mut moves, mut faults) = (Vec::new(), Vec::new());
        for word in words {
            match read(word) {
                Ok(found) => moves.push(found),
                Err(error) => faults.push(error),
            }
        }
        if let Some(fault) = faults.first() {
            self.info(format_args!("go searchmoves: {fault}"));
        }
        moves
    }

    fn limits(&self, go: &Go<'_>, searchmoves: Vec<Move>) -> Limits {
        let turn = self.state.game.position().turn();
        // A side without a clock, while the other side has one, has no time left.
        let clock_of_two = || {
            (go.time[turn].or(go.time[turn.opponent()])).map(|_| Clock {
                remaining: go.time[turn].unwrap_or_default(),
                increment: go.increment[turn],
                moves_to_go: go.moves_to_go,
            })
        };
        let clock =
            self.four.as_ref().map_or_else(clock_of_two, |game| multi::clock(go, game.position().turn()));
        Limits {
            depth: go.depth,
            nodes: go.nodes,
            movetime: go.movetime,
            clock: clock.filter(|_| !go.infinite),
            mate: go.mate,
            searchmoves,
            multipv: self.state.options.multipv as usize,
            handicap: self.state.options.handicap(),
            overhead: Duration::from_millis(self.state.options.overhead as u64),
        }
    }

    fn start(&mut self, task: Task, ponder: bool) {
        let mut engine = self.state.engine.take().unwrap_or_else(|| fresh_engine(&self.state.options));
        let model = self.four.is_none().then(|| engine.chances(self.state.game.position()));
        let Options { show_wdl, raw_score: raw, .. } = self.state.options;
        let format = Arc::new(format::UciFormat { model, show_wdl, raw });
        self.task = RunningTask::start(task, ponder, engine, format, &self.state.output, &self.state.events);
        if self.task.is_none() {
            self.put_back(None);
            self.info("cannot start a thread for the search");
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

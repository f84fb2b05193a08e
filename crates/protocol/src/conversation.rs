//! A conversation with a GUI, in whichever protocol it speaks: the lines that come in, the events of
//! what runs beside, the deadline after `quit`.

use crate::games::Games;
use crate::options::{Options, fresh_engine};
use crate::work::Found;
use crate::{Line, LineReader, Output, uci, xboard};
use lozenge_engine::Engine;
use lozenge_rules::position::Game;
use lozenge_rules::variant::library;
use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

/// The game that is set at the start.
pub(crate) const DEFAULT_VARIANT: &str = "diagonal";
/// How many lines are read ahead.
const READ_AHEAD: usize = 4;
/// Most bytes of lines that wait for a search to end.
const MAX_WAITING_BYTES: usize = 16 << 20;
/// How long a task that was told to stop may take.
const STOPPING: Duration = Duration::from_secs(2);

/// What a session reacts to.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "few at a time, and moved once")]
pub(crate) enum Event {
    /// A line has come in.
    Line(Line),
    /// No more lines will come.
    End,
    /// What was running is over; the engine comes back unless it has failed.
    Finished {
        /// The engine.
        engine: Option<Engine>,
        /// What a search has found.
        found: Option<Found>,
    },
    /// Nobody reads the output any more.
    OutputClosed,
}

/// How a session goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    Continue,
    /// In the other protocol. Nothing is running.
    Switch,
    End,
}

/// What both protocols have, and what a conversation keeps when it goes on in the other one.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) output: Output,
    pub(crate) games: Games,
    pub(crate) options: Options,
    pub(crate) game: Game,
    /// Away while a task has it.
    pub(crate) engine: Option<Engine>,
    pub(crate) events: SyncSender<Event>,
    pub(crate) waiting: Waiting,
}

/// Lines that have come but cannot be looked at yet: so many bytes of them and no more.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    lines: VecDeque<String>,
    bytes: usize,
}

impl Waiting {
    /// Every line weighs something, so that their number is bounded too.
    const fn weight(line: &str) -> usize {
        line.len() + 64
    }

    /// Adds a line at the end; gives it back where there is no room for it.
    pub(crate) fn push(&mut self, line: String) -> Result<(), String> {
        let bytes = self.bytes + Self::weight(&line);
        if bytes > MAX_WAITING_BYTES {
            return Err(line);
        }
        self.bytes = bytes;
        self.lines.push_back(line);
        Ok(())
    }

    /// Takes the first line off.
    pub(crate) fn pop(&mut self) -> Option<String> {
        self.remove(0)
    }

    /// Takes the line with this number off.
    pub(crate) fn remove(&mut self, number: usize) -> Option<String> {
        let line = self.lines.remove(number)?;
        self.bytes -= Self::weight(&line);
        Some(line)
    }

    /// All lines, in their order.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.lines.iter().map(String::as_str)
    }

    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// One side of a conversation, in one protocol.
pub(crate) trait Session {
    /// Takes in what has happened.
    fn handle(&mut self, event: Event) -> Flow;
    /// When to stop what is running although it was not asked to, since the session is to end.
    fn deadline(&self) -> Option<Instant>;
    /// The deadline has passed.
    fn expire(&mut self);
    /// Gives up what the other protocol goes on with.
    fn into_parts(self: Box<Self>) -> Parts;
}

/// Holds a conversation, in UCI until `xboard` says otherwise: reads `input` line by line on a thread
/// of its own, writes to `output`. Returns after `quit`, at the end of the input, or when nobody reads
/// the output any more. The reading thread ends with its input.
pub fn serve(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static, games: Games) {
    // `None` only where the program's own files are broken.
    let Some(variant) = library::game(DEFAULT_VARIANT) else { return };
    let (events, inbox) = mpsc::sync_channel(READ_AHEAD);
    let options = Options::default();
    let parts = Parts {
        output: Output::new(output),
        games,
        game: Game::new(&variant),
        engine: Some(fresh_engine(&options)),
        options,
        events: events.clone(),
        waiting: Waiting::default(),
    };
    let reader = std::thread::Builder::new().name("input".into());
    if reader.spawn(move || read(input, &events)).is_err() {
        return;
    }
    let mut inbox = Inbox { events: inbox, waiting: VecDeque::new(), ended: false };
    let mut session: Box<dyn Session> = Box::new(uci::Session::new(parts));
    let mut in_uci = true;
    while converse(&mut *session, &mut inbox) == Flow::Switch {
        let mut parts = session.into_parts();
        // What waited in the session comes before what has waited for it.
        for line in std::mem::take(&mut parts.waiting).lines.into_iter().rev() {
            inbox.waiting.push_front(line);
        }
        in_uci = !in_uci;
        session =
            if in_uci { Box::new(uci::Session::greet(parts)) } else { Box::new(xboard::Session::new(parts)) };
    }
}

fn read(input: impl BufRead, events: &SyncSender<Event>) {
    let mut reader = LineReader::new(input);
    // An input that cannot be read any more has ended.
    while let Ok(Some(line)) = reader.next_line() {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::End);
}

/// What a session has still to hear of.
struct Inbox {
    events: Receiver<Event>,
    /// Lines that the session before has left.
    waiting: VecDeque<String>,
    /// Whether the input has ended: every session has to be told once.
    ended: bool,
}

fn converse(session: &mut dyn Session, inbox: &mut Inbox) -> Flow {
    let mut expired: Option<Instant> = None;
    let mut untold = inbox.ended;
    loop {
        let left = inbox.waiting.pop_front().map(|line| Event::Line(Line::Text(line)));
        if let Some(event) = left.or_else(|| std::mem::take(&mut untold).then_some(Event::End)) {
            match session.handle(event) {
                Flow::Continue => continue,
                flow => return flow,
            }
        }
        let deadline = expired.map(|at| at + STOPPING).or_else(|| session.deadline());
        let event = match deadline {
            None => inbox.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(at) => inbox.events.recv_timeout(at.saturating_duration_since(Instant::now())),
        };
        match event {
            Ok(event) => {
                inbox.ended |= matches!(event, Event::End);
                match session.handle(event) {
                    Flow::Continue => {}
                    flow => return flow,
                }
            }
            Err(RecvTimeoutError::Timeout) if expired.is_none() => {
                session.expire();
                expired = Some(Instant::now());
            }
            Err(_) => return Flow::End,
        }
    }
}

//! A conversation with a GUI in either protocol: reads lines, passes events to the session and enforces the deadline
//! after `quit`.

use crate::event::Event;
use crate::games::{DEFAULT_VARIANT, Games};
use crate::options::{Options, fresh_engine};
use crate::session::{Flow, PendingLines, Session, State};
use crate::{InputLine, LineReader, Output, uci, xboard};
use lozenge_rules::library;
use lozenge_rules::position::Game;
use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

/// How many lines are read ahead.
const READ_AHEAD: usize = 4;
/// How long a stopped task may take to end.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// Holds a conversation, in UCI until the GUI sends `xboard`: reads `input` line by line on a thread
/// of its own, writes to `output`. Returns after `quit`, at the end of the input, or when the reader of
/// the output has gone. The reading thread ends with its input.
pub fn serve(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static, games: Games) {
    // `None` only where the program's own files are broken.
    let Some(variant) = library::game(DEFAULT_VARIANT) else { return };
    let (events, receiver) = mpsc::sync_channel(READ_AHEAD);
    let options = Options::default();
    let state = State {
        output: Output::new(output),
        games,
        game: Game::new(&variant),
        tables_folder: String::new(),
        refused: None,
        engine: Some(fresh_engine(&options)),
        options,
        events: events.clone(),
        pending: PendingLines::default(),
    };
    let reader = std::thread::Builder::new().name("input".into());
    if reader.spawn(move || read(input, &events)).is_err() {
        return;
    }
    let mut inbox = Inbox { events: receiver, lines: VecDeque::new(), ended: false };
    let mut session: Box<dyn Session> = Box::new(uci::UciSession::new(state));
    let mut in_uci = true;
    while run_session(&mut *session, &mut inbox) == Flow::Switch {
        let mut state = session.into_state();
        // Lines pending in the session came before those in the inbox.
        let mut lines = state.pending.take();
        lines.append(&mut inbox.lines);
        inbox.lines = lines;
        in_uci = !in_uci;
        session = if in_uci {
            Box::new(uci::UciSession::with_greeting(state))
        } else {
            Box::new(xboard::XboardSession::new(state))
        };
    }
}

fn read(input: impl BufRead, events: &SyncSender<Event>) {
    let mut reader = LineReader::new(input);
    // A read error ends the input.
    while let Ok(Some(line)) = reader.next_line() {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::EndOfInput);
}

/// Events that a session has not handled yet.
struct Inbox {
    events: Receiver<Event>,
    /// Lines that the previous session left.
    lines: VecDeque<String>,
    /// Whether the input has ended. Every session must handle this once.
    ended: bool,
}

/// Passes events to a session until it ends or switches to the other protocol.
fn run_session(session: &mut dyn Session, inbox: &mut Inbox) -> Flow {
    let mut expired: Option<Instant> = None;
    let mut announce_end = inbox.ended;
    loop {
        let line = inbox.lines.pop_front().map(|line| Event::Line(InputLine::Text(line)));
        let left = line.or_else(|| std::mem::take(&mut announce_end).then_some(Event::EndOfInput));
        let event = match left {
            Some(event) => Ok(event),
            None => {
                let deadline = expired.map(|at| at + STOP_TIMEOUT).or_else(|| session.deadline());
                let event = match deadline {
                    None => inbox.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                    Some(at) => inbox.events.recv_timeout(at.saturating_duration_since(Instant::now())),
                };
                inbox.ended |= matches!(event, Ok(Event::EndOfInput));
                event
            }
        };
        let flow = match event {
            Ok(event) => session.handle(event),
            Err(RecvTimeoutError::Timeout) if expired.is_none() => {
                expired = Some(Instant::now());
                session.state().pending.take();
                session.stop();
                Flow::Continue
            }
            Err(_) => return Flow::End,
        };
        if flow == Flow::End || session.state().output.is_closed() {
            session.stop();
            return Flow::End;
        }
        if flow == Flow::Switch {
            return flow;
        }
    }
}

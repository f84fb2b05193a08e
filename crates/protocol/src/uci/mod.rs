//! UCI as Stockfish speaks it, with Fairy-Stockfish's additions.
//!
//! A session never blocks: searches run on a thread of their own, their lines and the session's go
//! through one [`Output`]. How it conducts itself:
//!
//! - A line that makes no sense gets one `info string` and changes nothing. `position` is atomic;
//!   `go` with a number or a move that is none is refused, words it does not know are named and
//!   ignored.
//! - While a search runs, `isready`, `stop`, `ponderhit`, `quit`, `uci` and `d` are answered at once.
//!   `position`, `go`, `setoption`, `ucinewgame`, `eval` and `bench`, and whatever follows them, wait
//!   in their order until it is over, so that a script written in one go is carried out as by
//!   Stockfish. `stop` and `ponderhit` reach the search that runs; only where a `go` waits behind one
//!   that ends anyway, they are meant for that `go` (a second `stop` is meant for all).
//! - `quit` and the end of the input stop a search without a limit of its own at once. Work that
//!   ends by itself (perft, bench, eval, a limit in depth, nodes, time or mate) and what waits
//!   may finish, but after `quit` not for more than three seconds each. A script that ends without
//!   `quit` sees its perft or bench through.
//! - In a position without legal moves `go` gives `info depth 0 score mate 0` (or `cp 0`) and
//!   `bestmove (none)`. In a dead position there are legal moves, and it gives one.
//! - `go infinite` and `go ponder` hold `bestmove` back until `stop` (or `ponderhit`), whatever
//!   the search has found.

mod command;
mod format;
mod options;
mod session;
mod work;

use crate::games::Games;
use crate::{Line, LineReader, Output};
use lozenge_engine::Engine;
use session::Session;
use std::io::{BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

/// How many lines are read ahead.
const READ_AHEAD: usize = 4;
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
    Finished(Option<Engine>),
    /// Nobody reads the output any more.
    OutputClosed,
}

/// Whether a session goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    Continue,
    End,
}

/// Holds a conversation: reads `input` line by line on a thread of its own, writes to `output`.
/// Returns after `quit`, at the end of the input, or when nobody reads the output any more. The
/// reading thread ends with its input.
pub fn serve(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static, games: Games) {
    let Some(variant) = Session::first_variant() else { return };
    let (events, inbox) = mpsc::sync_channel(READ_AHEAD);
    let mut session = Session::new(Output::new(output), games, &variant, events.clone());
    let reader = std::thread::Builder::new().name("input".into());
    if reader.spawn(move || read(input, &events)).is_err() {
        return;
    }
    converse(&mut session, &inbox);
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

fn converse(session: &mut Session, inbox: &Receiver<Event>) {
    let mut expired: Option<Instant> = None;
    loop {
        let deadline = expired.map(|at| at + STOPPING).or_else(|| session.deadline());
        let event = match deadline {
            None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(at) => inbox.recv_timeout(at.saturating_duration_since(Instant::now())),
        };
        match event {
            Ok(event) => {
                if session.handle(event) == Flow::End {
                    return;
                }
            }
            Err(RecvTimeoutError::Timeout) if expired.is_none() => {
                session.expire();
                expired = Some(Instant::now());
            }
            Err(_) => return,
        }
    }
}

//! The common part of the sessions of both protocols: their state, the lines that wait for a task to end, and the
//! interface through which `conversation` drives them.

use crate::Output;
use crate::event::Event;
use crate::games::Games;
use crate::options::{Options, fresh_engine};
use lozenge_engine::Engine;
use lozenge_rules::position::Game;
use lozenge_rules::variant::Variant;
use lozenge_tablebase::{FileError, Tables};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

/// How long a limited task may run after `quit` or the end of the input.
pub(crate) const GRACE: Duration = Duration::from_secs(3);
/// Longest game, in moves.
pub(crate) const MAX_GAME_MOVES: usize = 20_000;
/// Most bytes of lines that wait for a task to end.
const MAX_PENDING_BYTES: usize = 16 << 20;

/// One side of a conversation, in one protocol.
pub(crate) trait Session {
    /// Reacts to an event.
    fn handle(&mut self, event: Event) -> Flow;
    /// When to stop the running task although the GUI did not, because the session is ending.
    fn deadline(&self) -> Option<Instant>;
    /// Stops the running task.
    fn stop(&mut self);
    /// The state that the session of the other protocol takes over.
    fn state(&mut self) -> &mut State;
    /// The same, at the end of the session.
    fn into_state(self: Box<Self>) -> State;
}

/// How a conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    Continue,
    /// In the other protocol. No task is running.
    Switch,
    End,
}

/// State that does not depend on the protocol.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) output: Output,
    pub(crate) games: Games,
    pub(crate) options: Options,
    /// The last valid game.
    pub(crate) game: Game,
    /// The folder of endgame tables; empty without any.
    pub(crate) tables_folder: String,
    /// Why the position was refused, if no valid one has come since.
    pub(crate) refused: Option<String>,
    /// `None` while a task has it.
    pub(crate) engine: Option<Engine>,
    pub(crate) events: SyncSender<Event>,
    pub(crate) pending: PendingLines,
}

impl State {
    /// Begins a game of this variant: nothing of the old game counts, and the engine has the endgame tables of the new one.
    ///
    /// # Errors
    /// As for [`State::open_tables`]. The variant is set in any case.
    pub(crate) fn set_variant(&mut self, variant: &Arc<Variant>) -> Result<(), FileError> {
        if let Some(engine) = &mut self.engine {
            engine.clear();
        }
        self.game = Game::new(variant);
        self.refused = None;
        self.open_tables()
    }

    /// Takes the engine of a task back. After a failure a new one takes its place and gets the endgame tables.
    ///
    /// # Errors
    /// As for [`State::open_tables`]. There is an engine in any case.
    pub(crate) fn put_back(&mut self, engine: Option<Engine>) -> Result<(), FileError> {
        let has_failed = engine.is_none();
        self.engine = Some(engine.unwrap_or_else(|| fresh_engine(&self.options)));
        if has_failed { self.open_tables() } else { Ok(()) }
    }

    /// Gives the engine the endgame tables of the current game.
    ///
    /// # Errors
    /// When a file is damaged or of another version of the game. Then the engine has no tables.
    pub(crate) fn open_tables(&mut self) -> Result<(), FileError> {
        let Some(engine) = &mut self.engine else { return Ok(()) };
        engine.set_tables(None);
        if !self.tables_folder.is_empty() {
            let tables = Tables::open(self.game.variant(), Path::new(&self.tables_folder))?;
            engine.set_tables(Some(Arc::new(tables)));
        }
        Ok(())
    }
}

/// Lines that wait for a task to end, bounded in bytes.
#[derive(Debug, Default)]
pub(crate) struct PendingLines {
    lines: VecDeque<String>,
    bytes: usize,
}

impl PendingLines {
    /// Bytes counted for a line. The constant bounds the number of empty lines.
    const fn weight(line: &str) -> usize {
        line.len() + 64
    }

    /// Adds a line at the end; returns it if there is no room.
    pub(crate) fn push(&mut self, line: String) -> Result<(), String> {
        let bytes = self.bytes + Self::weight(&line);
        if bytes > MAX_PENDING_BYTES {
            return Err(line);
        }
        self.bytes = bytes;
        self.lines.push_back(line);
        Ok(())
    }

    /// Removes the first line.
    pub(crate) fn pop(&mut self) -> Option<String> {
        self.remove(0)
    }

    /// Removes the line with this index.
    pub(crate) fn remove(&mut self, index: usize) -> Option<String> {
        let line = self.lines.remove(index)?;
        self.bytes -= Self::weight(&line);
        Some(line)
    }

    /// All lines, in order.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.lines.iter().map(String::as_str)
    }

    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Removes all lines and returns them, in order.
    pub(crate) fn take(&mut self) -> VecDeque<String> {
        std::mem::take(self).lines
    }
}

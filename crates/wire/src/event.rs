//! What a game tells those who follow it.

use crate::{Game, GameState, HistoryEntry, Problem, Room, SlimState, Step};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One message of a game's stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The whole game: always the first message.
    Game {
        /// The game.
        game: Box<Game>,
    },
    /// The game has changed.
    State {
        /// The half move that was played, if one was. Without one the number of plies tells whether moves were
        /// taken back.
        #[serde(rename = "move")]
        played: Option<HistoryEntry>,
        /// How it stands now.
        state: Box<GameState>,
        /// Id of the rematch, once there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        next: Option<String>,
    },
    /// The game has changed: what a socket hears that was opened with `slim=true`, instead of `state`.
    Change {
        /// The half move that was played, if one was.
        #[serde(rename = "move")]
        played: Option<Step>,
        /// How it stands now.
        state: Box<SlimState>,
        /// Id of the rematch, once there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        next: Option<String>,
    },
    /// Somebody said something.
    Chat {
        /// Who reads it.
        room: Room,
        /// Name of who said it.
        from: String,
        /// What was said.
        text: String,
        /// When, in Unix milliseconds.
        at: i64,
    },
    /// A command has been carried out, and what it changed is on disk.
    Ack {
        /// Number of the command.
        id: Option<u64>,
    },
    /// A command was refused; nothing has changed.
    Error {
        /// Number of the command.
        id: Option<u64>,
        /// Why.
        problem: Problem,
    },
    /// Answer to a ping.
    Pong {
        /// Number of the command.
        id: Option<u64>,
        /// The server's time, in Unix milliseconds.
        at: i64,
    },
}

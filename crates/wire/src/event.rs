//! The events of a game that its followers receive.

use crate::{Color, Game, GameState, GameSummary, PlayedMove, Problem, Room, Since};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One message of a game's stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The whole game: the first message, unless it is `resumed`.
    Game {
        /// The game.
        game: Box<Game>,
    },
    /// The changes since an event: the first message of a socket that was opened with `after`, if they are known.
    Resumed {
        /// The changes.
        since: Box<Since>,
    },
    /// The game has changed.
    State {
        /// The half move that led to the state, if one did. Otherwise a smaller number of plies means a takeback.
        #[serde(rename = "move")]
        played: Option<PlayedMove>,
        /// The new state.
        state: Box<GameState>,
        /// Id of the rematch, once there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        next: Option<String>,
    },
    /// A line of chat.
    Chat {
        /// Its number in the game, to report it by.
        number: i64,
        /// The room.
        room: Room,
        /// Name of the author.
        from: String,
        /// The side of a player; none for a spectator. Two guests may have the same number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<Color>,
        /// The text.
        text: String,
        /// When, in Unix milliseconds.
        at: i64,
    },
    /// A command has been executed, and its changes are on disk.
    Ack {
        /// Number of the command.
        id: Option<u64>,
    },
    /// A command was refused; nothing has changed.
    Error {
        /// Number of the command.
        id: Option<u64>,
        /// The reason.
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

/// One message of the stream of games being played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LiveEvent {
    /// All games of the stream: always the first message.
    Games {
        /// The game that joined last comes first.
        games: Vec<GameSummary>,
    },
    /// A game has joined the stream.
    Begin {
        /// Its state.
        game: GameSummary,
    },
    /// Moves were played in a game, or taken back.
    Move {
        /// Its state.
        game: GameSummary,
    },
    /// A game has ended.
    End {
        /// Its final state.
        game: GameSummary,
    },
    /// A game has left the stream: it has been idle for long, and other games have not.
    Left {
        /// Its id.
        id: String,
    },
}

/// A line of chat has been reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Reported {
    /// Name of the author.
    pub from: String,
    /// The text.
    pub text: String,
    /// A message for people: what happens next.
    pub words: String,
}

//! What a game tells those who follow it.

use crate::{Color, Game, GameState, GameSummary, HistoryEntry, Problem, Room, Since};
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
    /// What has changed since: the first message of a socket that was opened with `after`, if that can be told.
    Resumed {
        /// What is new.
        since: Box<Since>,
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
    /// Somebody said something.
    Chat {
        /// Its number in the game, to report it by.
        number: i64,
        /// Who reads it.
        room: Room,
        /// Name of who said it.
        from: String,
        /// The side of a player; none for somebody who watches. Two guests may have the same number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<Color>,
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

/// One message of the stream of games being played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LiveEvent {
    /// All games that are told: always the first message.
    Games {
        /// The game that joined last comes first.
        games: Vec<GameSummary>,
    },
    /// Another game is told from now on.
    Begin {
        /// As it stands.
        game: GameSummary,
    },
    /// Moves were played in a game, or taken back.
    Move {
        /// As it stands now.
        game: GameSummary,
    },
    /// A game has ended.
    End {
        /// As it ended.
        game: GameSummary,
    },
    /// A game is told no longer: it has been quiet for long, and others are not.
    Left {
        /// Its id.
        id: String,
    },
}

/// A line of chat has been reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Reported {
    /// Name of who said it.
    pub from: String,
    /// What was said.
    pub text: String,
    /// What happens now, for people.
    pub words: String,
}

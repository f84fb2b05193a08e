//! What a player may do in a game.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A message of a player: an action, and a number that comes back with the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Command {
    /// Comes back in the `ack` or `error`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// What is to be done.
    #[serde(flatten)]
    pub action: Action,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Action {
    /// Play a move. One that has already been played at that ply is acknowledged and not played again.
    Move {
        /// In long algebraic form or standard algebraic notation, at most 40 characters.
        #[serde(rename = "move")]
        played: String,
        /// Half moves played before it.
        ply: u32,
    },
    /// Give up.
    Resign,
    /// Break a game off that has not really begun: before both sides have moved.
    Abort,
    /// Offer a draw, or accept the other's offer.
    Draw,
    /// Decline the other's draw.
    DeclineDraw,
    /// Ask to take the last own move back, or accept the other's wish. Sent again within two seconds of accepting, it is
    /// acknowledged and asks for nothing.
    Takeback,
    /// Decline the other's wish to take a move back.
    DeclineTakeback,
    /// Claim a draw by repetition or move count, or the win over a player who has left.
    Claim,
    /// Give the other 15 seconds more: at most once a second, and 20 times a game.
    GiveTime,
    /// Offer another game, or accept it.
    Rematch,
    /// Decline another game.
    DeclineRematch,
    /// Say something.
    Chat {
        /// To whom.
        room: Room,
        /// What, at most 300 characters.
        text: String,
    },
    /// Ask for an answer at once.
    Ping,
}

/// Who reads a line of chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Room {
    /// The two players.
    #[serde(alias = "player")]
    Players,
    /// Everybody who watches, once the game is over also the players.
    #[serde(alias = "spectator")]
    Spectators,
}

/// A line of chat, as a program says it by address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Line {
    /// Who reads it; `player` and `spectator` are understood, too.
    pub room: Room,
    /// One line.
    pub text: String,
}

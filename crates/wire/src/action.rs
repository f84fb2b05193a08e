//! The actions of a player in a game.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A message of a player: an action, and a number that is returned with the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Command {
    /// Returned in the `ack` or `error`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// The action.
    #[serde(flatten)]
    pub action: Action,
}

impl Command {
    /// Reads a message. Nearly all are moves, which are read straight from the text; other messages go through the
    /// copy that serde makes of a message whose type may stand anywhere in it.
    ///
    /// # Errors
    /// If it is not a command.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        #[derive(Deserialize)]
        struct Played<'a> {
            #[serde(rename = "type")]
            kind: &'a str,
            id: Option<u64>,
            #[serde(rename = "move")]
            played: &'a str,
            ply: u32,
        }
        match serde_json::from_str(text) {
            Ok(Played { kind: "move", id, played, ply }) => {
                Ok(Self { id, action: Action::Move { played: played.to_owned(), ply } })
            }
            _ => serde_json::from_str(text),
        }
    }
}

/// An action.
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
    /// Resign.
    Resign,
    /// Abort the game, before both sides have moved.
    Abort,
    /// Offer a draw, or accept the other's offer.
    Draw,
    /// Decline the other's offer of a draw.
    DeclineDraw,
    /// Propose a takeback of the own last move, or accept the other's proposal. Sent again within two seconds of
    /// accepting, it is acknowledged without effect.
    Takeback,
    /// Decline the other's takeback.
    DeclineTakeback,
    /// Claim a draw by repetition or move count, or the win over a player who has left.
    Claim,
    /// Give the other 15 seconds more: at most once a second, and 20 times a game.
    GiveTime,
    /// Offer a rematch, or accept it.
    Rematch,
    /// Decline a rematch.
    DeclineRematch,
    /// Write a line of chat.
    Chat {
        /// The room.
        room: Room,
        /// The text, at most 300 characters.
        text: String,
    },
    /// Measure the latency.
    Ping,
}

/// The readers of a line of chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Room {
    /// The two players.
    #[serde(alias = "player")]
    Players,
    /// The spectators, and after the game also the players.
    #[serde(alias = "spectator")]
    Spectators,
}

/// A line of chat, as a program sends it over HTTP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChatText {
    /// The room; `player` and `spectator` are synonyms.
    pub room: Room,
    /// The text.
    pub text: String,
}

//! How a game stands, in few words: for sockets that ask for it, so that a move costs little to tell.

use crate::game::{Castling, Claim, Clocks, Color, Offers, Present, RatingChanges, Reason, Status};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A half move as it was played. The position after it is that of the state it comes with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Step {
    /// The move in long algebraic form.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// Time left to the side that moved, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<i64>,
    /// When it was played, in Unix milliseconds.
    pub at: i64,
}

/// As a game's state, without what the FEN says and what is not there: the men are in the FEN, an empty list, an open
/// result, an answered offer is left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SlimState {
    /// Number of the event that led here; grows with every change of the game.
    pub seq: u64,
    /// Half moves played.
    pub ply: u32,
    /// The position.
    pub fen: String,
    /// Who is to move.
    pub turn: Color,
    /// Numbers of the squares that the last move left and reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last: Vec<u16>,
    /// Number of the square of the King in check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<u16>,
    /// The legal moves, sorted; none once the game is over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// The castlings among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub castlings: Vec<Castling>,
    /// Where the game is in its life.
    pub status: Status,
    /// `1-0`, `0-1` or `1/2-1/2`, or `*` for a game that was broken off; none while it goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Why it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The clocks, if the game is played by any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    /// What has been offered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offers: Option<Offers>,
    /// A draw that the side to move may claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Claim>,
    /// Who is connected.
    pub present: Present,
    /// When a player may claim the win because the other has left, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_victory_at: Option<i64>,
    /// What the game made of the ratings: a moment after the end of a rated game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_changes: Option<RatingChanges>,
}

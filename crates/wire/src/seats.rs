//! The seats of a game of four: who sits there, and how each stands.

use crate::player::{Color, Player, RatingChange};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A player's place at the board in a game of four.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Seat {
    /// The color of the pieces.
    pub color: Color,
    /// The player; none while the seat is free.
    pub player: Option<Player>,
    /// The color of the partner, in a game of teams.
    pub partner: Option<Color>,
    /// Whether the seat is free for anyone, in the lobby.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub open: bool,
}

/// Why a player of four is out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// The King was mated.
    Checkmate,
    /// The player gave up.
    Resign,
    /// The player's time was over, or the player had left.
    Time,
}

/// The state of one seat in a game of four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SeatState {
    /// The color of the pieces.
    pub color: Color,
    /// Whether the player is still in the game.
    pub living: bool,
    /// Why the player is out.
    pub exit: Option<Exit>,
    /// The place once the game is over, from 1; equal places are shared. None in a game of teams.
    pub place: Option<u8>,
    /// Time left, in milliseconds; none without a clock.
    pub left_ms: Option<i64>,
    /// Whether the player is connected.
    pub present: bool,
    /// Whether the player agrees to a draw.
    pub agrees: bool,
    /// Whether the player resigns on the next own turn; in a game of teams once the partner wants it, too.
    pub resigns: bool,
    /// When the others may claim that the absent player to move goes out, in Unix milliseconds.
    pub claimable_at: Option<i64>,
    /// How the game changed the player's rating, shortly after the end of a rated game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_change: Option<RatingChange>,
}

/// The seats of a game of four in one state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SeatStates {
    /// The seats, in the order of the turns.
    pub list: Vec<SeatState>,
    /// The color whose clock runs.
    pub running: Option<Color>,
    /// When the times were true: the server's time, in Unix milliseconds.
    pub at: i64,
}

/// The player for a seat of a new game of four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum NewSeat {
    /// Its maker: on exactly one seat.
    Me {},
    /// The engine of this server.
    Engine {
        /// Its level, 1 to 8.
        level: u8,
    },
    /// The first player who opens the game's link.
    Link {},
    /// The first player who takes it: the game is in the lobby until such seats are taken, for ten minutes at most, or two weeks
    /// if it is by correspondence.
    Anybody {},
}

/// The engine takes the seats that are still free after a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Fill {
    /// How long after the game was made, in seconds, at most an hour.
    pub after_s: u32,
    /// The engine's level, 1 to 8.
    pub level: u8,
}

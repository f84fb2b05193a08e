//! Players among each other: leaderboards, challenges, notifications of their devices.

use crate::{Clock, Player, Side, Speed};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The best players of one game and speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Leaderboard {
    /// Id of the rules.
    pub variant: String,
    /// Name of the rules.
    pub variant_name: String,
    /// The class of clock.
    pub speed: Speed,
    /// The highest rating first.
    pub leaders: Vec<Leader>,
}

/// A player in a leaderboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Leader {
    /// The player, with the rating.
    pub player: Player,
    /// Deviation of the rating.
    pub deviation: f64,
    /// Rated games.
    pub games: u32,
    /// When the last rated game ended, in Unix milliseconds.
    pub active_at: i64,
}

/// A challenge to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewChallenge {
    /// Id of the rules.
    pub variant: String,
    /// The clock; none for a game without a clock.
    #[serde(default)]
    pub clock: Option<Clock>,
    /// The side that the challenger chooses.
    #[serde(default)]
    pub side: Side,
    /// Whether the game counts for ratings.
    #[serde(default)]
    pub rated: bool,
}

/// An open challenge of one player to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Challenge {
    /// Its id.
    pub id: String,
    /// The challenger, with the current rating.
    pub challenger: Player,
    /// The challenged player, with the current rating.
    pub challenged: Player,
    /// Id of the rules.
    pub variant: String,
    /// Name of the rules.
    pub variant_name: String,
    /// The clock; none for a game without a clock.
    pub clock: Option<Clock>,
    /// The class of the clock.
    pub speed: Speed,
    /// The side that the challenger chooses.
    pub side: Side,
    /// Whether the game counts for ratings.
    pub rated: bool,
    /// When it was sent, in Unix milliseconds.
    pub created_at: i64,
    /// When it expires, in Unix milliseconds.
    pub expires_at: i64,
}

/// The open challenges of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Challenges {
    /// Those of others to the player, newest first.
    pub received: Vec<Challenge>,
    /// Those of the player to others, newest first.
    pub sent: Vec<Challenge>,
}

/// The game that an accepted challenge has led to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Accepted {
    /// Its id.
    pub game: String,
}

/// A browser's subscription to push messages, as its `PushSubscription` has it (RFC 8291).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPushSubscription {
    /// Address of the push service for this browser.
    pub endpoint: String,
    /// The keys that messages are encrypted with.
    pub keys: PushKeys,
}

/// The keys of a browser's subscription, in base64url without padding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PushKeys {
    /// The browser's public key on P-256, uncompressed.
    pub p256dh: String,
    /// The authentication secret, 16 bytes.
    pub auth: String,
}

/// The push messages that a player has chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PushSettings {
    /// The server's public key (VAPID, RFC 8292), for `applicationServerKey`.
    pub key: String,
    /// The browsers that get push messages, the newest first.
    pub subscriptions: Vec<PushSubscription>,
}

/// A browser that gets push messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PushSubscription {
    /// Its id, to end it by.
    pub id: String,
    /// Address of the push service for this browser.
    pub endpoint: String,
    /// When it was made, in Unix milliseconds.
    pub created_at: i64,
}

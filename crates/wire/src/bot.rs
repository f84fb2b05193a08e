//! The event stream of an account, for programs and pages, in the manner of lichess: names are in its camel case.

use crate::Challenge;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Something that happens to a player: games that begin and end, challenges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum PlayerEvent {
    /// A game is in progress.
    GameStart {
        /// Which.
        game: GameId,
    },
    /// A game has ended.
    GameFinish {
        /// Which.
        game: GameId,
    },
    /// A challenge is open.
    Challenge {
        /// Which.
        challenge: Challenge,
    },
    /// A challenge was accepted.
    ChallengeAccepted {
        /// Which.
        challenge: Challenge,
        /// The game that it has become.
        game: GameId,
    },
    /// The challenged player has declined a challenge.
    ChallengeDeclined {
        /// Which.
        challenge: Challenge,
    },
    /// The challenger has withdrawn a challenge.
    ChallengeCanceled {
        /// Which.
        challenge: Challenge,
    },
}

/// A game by its id, under both names that lichess's events have for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameId {
    /// Its id.
    pub id: String,
    /// The same.
    pub game_id: String,
}

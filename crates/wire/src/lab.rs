//! Balance reports that users ask for.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The settings of a new measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMeasurement {
    /// Different games of the engine against itself, from 20 to 1,000; 200 if left out. As many are played at a weaker
    /// level, and half as many each with two and four times the nodes.
    #[serde(default)]
    pub games: Option<u32>,
    /// Nodes for each move, from 100 to 2,000; 1,000 if left out.
    #[serde(default)]
    pub nodes: Option<u32>,
}

/// The state of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MeasurementState {
    /// It waits in the queue.
    Waiting,
    /// Its games are being played.
    Running,
    /// The report is available.
    Finished,
    /// It failed; `fault` has the reason.
    Failed,
    /// It was canceled.
    Cancelled,
}

/// A measurement of a game: the engine plays it against itself, for a report on its balance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Measurement {
    /// Its id.
    pub id: String,
    /// Id of the game when it was asked for.
    pub variant: String,
    /// Identity of the rules that are measured.
    pub digest: String,
    /// Name of the game.
    pub name: String,
    /// Its state.
    pub state: MeasurementState,
    /// Games that have been played.
    pub done: u32,
    /// Games that are to be played; fewer where time runs out.
    pub total: u32,
    /// Its position in the queue, from 1, while it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<u32>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Whether the reader requested it, and may cancel it.
    pub yours: bool,
    /// When it was asked for, in Unix milliseconds.
    pub at: i64,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<i64>,
}

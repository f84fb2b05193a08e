//! Why a request was refused.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A fault, in the form of RFC 9457 (`application/problem+json`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// A reference to the kind of fault.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind of fault in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// The expected and the actual input.
    pub detail: String,
    /// The kind of fault as one word that stays the same, such as `illegal_move`.
    pub code: String,
}

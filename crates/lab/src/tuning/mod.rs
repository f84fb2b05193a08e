//! Tuning of the evaluation, game by game: [`data`] plays the engine against itself and stores the
//! games with their scores, and [`fleet`] does so on many machines. [`record`] is the file
//! of these games. [`fit`] fits the weights to them by logistic regression, and [`weights`] writes the
//! weights as the data that the engine reads. [`wdl`] fits to the records of matches how often a score wins, and
//! [`reliability`] compares that with the results of other records. [`spsa`] tunes the numbers of the search.

pub mod data;
pub mod fit;
pub mod fleet;
pub mod record;
pub mod reliability;
pub mod spsa;
pub mod wdl;
pub mod weights;

use lozenge_rules::variant::Variant;

/// Errors of data and tuning.
#[derive(Debug, thiserror::Error)]
pub enum TuningError {
    /// A file cannot be read or written.
    #[error("{what}: {error}")]
    File {
        /// Which.
        what: String,
        /// Why.
        error: std::io::Error,
    },
    /// A file of games was made for another game, or with other settings.
    #[error("{what}: expected `{expected}`, found `{found}`")]
    OtherData {
        /// Which.
        what: String,
        /// The first line it should have.
        expected: String,
        /// The one it has.
        found: String,
    },
    /// A game of a file of games cannot be.
    #[error("{what}: game {number} of the file: expected {expected}, found something else")]
    Game {
        /// Which file.
        what: String,
        /// Which game, from 1.
        number: u64,
        /// The expected content.
        expected: &'static str,
    },
    /// A file is not the record of a match, or holds games that cannot be.
    #[error("{what}: {error}")]
    Record {
        /// Which file.
        what: String,
        /// Why.
        error: String,
    },
    /// The engine has no number of this name.
    #[error("expected the name of a tunable of the search, found `{0}`")]
    Tunable(String),
    /// There is nothing to learn from.
    #[error("{0}: expected positions, found none")]
    NoPositions(String),
}

/// A number that changes with the rules of a game. Positions and weights of one game are not used for
/// another, also not for a changed game of the same name.
#[must_use]
pub fn fingerprint(variant: &Variant) -> u64 {
    lozenge_engine::fingerprint(variant)
}

//! What can go wrong in a command: each error is what standard error says.

use lozenge_protocol::games::LoadError;
use lozenge_rules::position::PositionError;
use std::io;

/// Why a command failed. [`OutputClosed`](Self::OutputClosed) is no failure; what was asked for wrongly
/// ([`is_usage`](Self::is_usage)) ends with exit status 2, all others with 1.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// No game has this id, and it is not the path of a file.
    #[error("{0}")]
    UnknownVariant(String),
    /// A variant file cannot be read, or is not a game: its first fault.
    #[error("{0}")]
    Variant(#[from] LoadError),
    /// Every fault of some variant files, each on its line.
    #[error("{}", .0.join("\n"))]
    Faults(Vec<String>),
    /// Files were not valid; standard output says why.
    #[error("expected valid variant files")]
    Invalid,
    /// No starting position has this number.
    #[error("expected a starting position from 0 to {last}, found {found}")]
    Start {
        /// The last number.
        last: usize,
        /// What was given.
        found: usize,
    },
    /// A file that is read and written is standard input or output.
    #[error("{0}: expected a file, found `-`, which cannot be read again")]
    Standard(&'static str),
    /// There is no such command to explain.
    #[error("expected a command of lozenge, found `{0}`")]
    UnknownCommand(String),
    /// A FEN is none, or no position of the game: all reasons on one line.
    #[error("{0}")]
    Position(#[from] PositionError),
    /// Standard output or a file cannot be written.
    #[error("{what}: {error}")]
    Write {
        /// Where to.
        what: String,
        /// Why not.
        error: io::Error,
    },
    /// A file cannot be read.
    #[error("{what}: {error}")]
    Read {
        /// Which.
        what: String,
        /// Why not.
        error: io::Error,
    },
    /// Games of PGN are not valid; each was reported.
    #[error("{bad} of {games} games {} not valid", if *bad == 1 { "is" } else { "are" })]
    BadGames {
        /// How many are not.
        bad: u64,
        /// How many there are.
        games: u64,
    },
    /// Nobody reads standard output any more. No failure: the program ends quietly.
    #[error("standard output is closed")]
    OutputClosed,
    /// The move to show is none of this board.
    #[error("expected two squares of the board after --last-move, such as `e2e4`, found `{0}`")]
    LastMove(String),
    /// Nothing says what kind of picture is wanted.
    #[error("expected a file that ends in `.svg` or `.png`, or --format, found `{0}`")]
    PictureFormat(String),
    /// The picture cannot be drawn.
    #[error(transparent)]
    Picture(#[from] lozenge_picture::PictureError),
    /// Something in the laboratory went wrong.
    #[error(transparent)]
    Tuning(#[from] lozenge_lab::tuning::TuningError),
    /// A match cannot be played, or an engine failed where none may.
    #[error(transparent)]
    Match(#[from] crate::commands::matches::MatchFailure),
    /// Games cannot be reviewed.
    #[error(transparent)]
    Analyse(#[from] crate::commands::analyse::AnalyseError),
    /// The site cannot be started.
    #[error(transparent)]
    Serve(#[from] crate::commands::serve::ServeError),
    /// A game in the terminal cannot begin or go on.
    #[error(transparent)]
    Play(#[from] crate::play::PlayError),
}

impl CliError {
    /// Whether the command was not written as it should be, and nothing was tried.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        use crate::commands::matches::MatchFailure;
        match self {
            Self::LastMove(_)
            | Self::PictureFormat(_)
            | Self::Start { .. }
            | Self::UnknownCommand(_)
            | Self::Standard(_) => true,
            Self::Analyse(error) => matches!(error, crate::commands::analyse::AnalyseError::Output(_)),
            Self::Match(failure) => matches!(
                failure,
                MatchFailure::Engine { .. }
                    | MatchFailure::NoLimit
                    | MatchFailure::Twice(_)
                    | MatchFailure::Sprt(_)
            ),
            _ => false,
        }
    }
}

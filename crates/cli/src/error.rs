//! The errors of commands: each is the message on standard error.

use lozenge_protocol::games::LoadError;
use lozenge_rules::position::{GamePositionError, MultiPositionError, PositionError};
use std::io;

/// Why a command failed. [`OutputClosed`](Self::OutputClosed) is not a failure. Wrong arguments
/// ([`is_usage`](Self::is_usage)) end with exit status 2, all other errors with 1.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// No game has this id, and it is not the path of a file.
    #[error("{0}")]
    UnknownVariant(String),
    /// A variant file cannot be read or has faults: the first.
    #[error("{0}")]
    Variant(#[from] LoadError),
    /// All faults of variant files, each on a line.
    #[error("{}", .0.join("\n"))]
    Faults(Vec<String>),
    /// Variant files were not valid; standard output lists the faults.
    #[error("expected valid variant files")]
    Invalid,
    /// No starting position has this number.
    #[error("expected {}, found {found}", start_numbers(*last))]
    Start {
        /// The last number.
        last: usize,
        /// The number given.
        found: usize,
    },
    /// The side does not play in this game.
    #[error("--side: expected {expected} in this game")]
    Side {
        /// The sides of the game.
        expected: &'static str,
    },
    /// `-` for a file that is both read and written.
    #[error("{0}: expected a file, found `-`, which cannot be read again")]
    Standard(&'static str),
    /// `man` of an unknown command.
    #[error("expected a command of lozenge, found `{0}`")]
    UnknownCommand(String),
    /// A FEN is invalid: all faults on one line.
    #[error("{0}")]
    Position(#[from] PositionError),
    /// The same in a game of four.
    #[error("{0}")]
    MultiPosition(#[from] MultiPositionError),
    /// Standard output or a file cannot be written.
    #[error("{what}: {error}")]
    Write {
        /// The file, or standard output.
        what: String,
        /// The system's error.
        error: io::Error,
    },
    /// A file cannot be read.
    #[error("{what}: {error}")]
    Read {
        /// The file, or standard input.
        what: String,
        /// The system's error.
        error: io::Error,
    },
    /// Games of a PGN file are not valid; each was reported.
    #[error("{bad} of {games} games {} not valid", if *bad == 1 { "is" } else { "are" })]
    BadGames {
        /// How many are invalid.
        bad: u64,
        /// How many there are.
        games: u64,
    },
    /// Puzzles do not hold; each was reported.
    #[error("{bad} of {puzzles} puzzles {} not hold", if *bad == 1 { "does" } else { "do" })]
    BadPuzzles {
        /// How many do not.
        bad: u64,
        /// How many there are.
        puzzles: u64,
    },
    /// A book cannot be made.
    #[error(transparent)]
    Book(#[from] lozenge_lab::book::MakeBookError),
    /// The reader of standard output has gone. The program ends quietly.
    #[error("standard output is closed")]
    OutputClosed,
    /// `--last-move` is not a move on this board.
    #[error("expected two squares of the board after --last-move, such as `e2e4`, found `{0}`")]
    LastMove(String),
    /// The format of the picture is unknown.
    #[error("expected a file that ends in `.svg` or `.png`, or --format, found `{0}`")]
    PictureFormat(String),
    /// The picture cannot be drawn.
    #[error(transparent)]
    Picture(#[from] lozenge_picture::PictureError),
    /// Self-play or tuning failed.
    #[error(transparent)]
    Tuning(#[from] lozenge_lab::tuning::TuningError),
    /// An error of one command, defined beside it.
    #[error("{0}")]
    Command(Box<dyn CommandError>),
}

/// An error of one command.
pub trait CommandError: std::error::Error + Send + Sync + 'static {
    /// Whether the arguments are wrong and nothing was tried.
    fn is_usage(&self) -> bool {
        false
    }
}

impl<E: CommandError> From<E> for CliError {
    fn from(error: E) -> Self {
        Self::Command(Box::new(error))
    }
}

impl CliError {
    /// Whether the arguments are wrong and nothing was tried.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        match self {
            Self::LastMove(_)
            | Self::PictureFormat(_)
            | Self::Start { .. }
            | Self::Side { .. }
            | Self::UnknownCommand(_)
            | Self::Standard(_) => true,
            Self::Command(error) => error.is_usage(),
            _ => false,
        }
    }
}

fn start_numbers(last: usize) -> String {
    match last {
        0 => "0, the only starting position".to_owned(),
        _ => format!("a starting position from 0 to {last}"),
    }
}

impl From<GamePositionError> for CliError {
    fn from(error: GamePositionError) -> Self {
        match error {
            GamePositionError::Two(error) => Self::Position(error),
            GamePositionError::Four(error) => Self::MultiPosition(error),
        }
    }
}

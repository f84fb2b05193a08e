//! The client half of UCI: drives an engine as a child process. `process` has its lines with times, `uci` the protocol,
//! `info` the numbers of `info` lines.
//!
//! Not here: legality. Moves stay text; the caller checks them.

mod info;
mod process;
mod uci;

pub use info::SearchInfo;
pub use process::{Process, Program, Received};
pub use uci::{PlayResult, UciEngine, UciOption, Wait};

use std::io;

/// Why an engine gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The program cannot be started.
    #[error("cannot start {program}: {error}")]
    Start {
        /// Its path.
        program: String,
        /// Why not.
        error: io::Error,
    },
    /// The program has ended or closed its output.
    #[error("the engine has ended ({status}){}", after_colon(.stderr_tail))]
    Ended {
        /// Its exit status in words.
        status: String,
        /// The end of what it wrote to standard error; may be empty.
        stderr_tail: String,
    },
    /// The engine did not answer in time.
    #[error("no {expected} from the engine within {seconds:.1} s")]
    Timeout {
        /// The expected answer.
        expected: &'static str,
        /// How long.
        seconds: f64,
    },
    /// The wait was interrupted.
    #[error("interrupted")]
    Interrupted,
}

fn after_colon(stderr_tail: &str) -> String {
    if stderr_tail.is_empty() { String::new() } else { format!(": {stderr_tail}") }
}

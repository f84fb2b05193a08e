//! What can go wrong with an engine process.

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
    #[error("the engine has ended ({status}){}", said(.complaint))]
    Ended {
        /// Its exit status in words.
        status: String,
        /// The end of what it wrote to standard error; may be empty.
        complaint: String,
    },
    /// It did not say what was waited for in time.
    #[error("no {expected} from the engine within {seconds:.1} s")]
    Silent {
        /// What was waited for.
        expected: &'static str,
        /// How long.
        seconds: f64,
    },
    /// The one who waited was told to stop waiting.
    #[error("interrupted")]
    Interrupted,
}

fn said(complaint: &str) -> String {
    if complaint.is_empty() { String::new() } else { format!(": {complaint}") }
}

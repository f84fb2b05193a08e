//! The client half: starting an engine and talking to it. `process` is a child
//! process as lines with times, `uci` the conversation, `info` the numbers of `info` lines.
//!
//! Not here: what the moves mean. Moves stay text; the caller judges them.

mod error;
mod info;
mod process;
mod uci;

pub use error::ClientError;
pub use info::SearchInfo;
pub use process::{Process, Program, Received};
pub use uci::{Answer, UciEngine, UciOption, Wait};

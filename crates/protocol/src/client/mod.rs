//! The other half of the conversation: starting an engine and talking to it. `process` is a child
//! process as lines with times, `uci` the conversation, `info` what an engine says while it thinks.
//!
//! Not here: what the moves mean. An engine's move stays the text that it was; whoever asked judges it.

mod error;
mod info;
mod process;
mod uci;

pub use error::ClientError;
pub use info::Thinking;
pub use process::{Heard, Process, Program};
pub use uci::{Answer, Offered, UciEngine, Wait};

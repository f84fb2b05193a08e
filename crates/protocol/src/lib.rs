//! How programs talk to Lozenge: UCI and XBoard's protocol as state machines, lines in and lines out; and
//! how Lozenge talks to other engines (`client`).
//!
//! Not here: files and standard input, which the host reads; legality and results, which `rules` decides.

pub mod client;
mod conversation;
pub mod diagnostics;
mod event;
pub mod games;
mod lines;
mod options;
mod output;
pub mod perft;
mod session;
mod task;
mod uci;
mod xboard;

pub use conversation::serve;
pub use lines::{InputLine, LineReader, MAX_LINE_BYTES};
pub use output::Output;

//! How programs talk to Lozenge: UCI as a state machine, lines in and lines out; and how Lozenge talks to
//! other engines (`client`). What files there
//! are and where the lines come from is the host's business; who has won is `rules`'.

pub mod bench;
pub mod board;
pub mod client;
pub mod games;
mod lines;
mod output;
pub mod perft;
pub mod uci;

pub use lines::{Line, LineReader, MAX_LINE_BYTES};
pub use output::Output;

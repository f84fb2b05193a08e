//! How programs talk to Lozenge: UCI and XBoard's protocol as state machines, lines in and lines out; and
//! how Lozenge talks to other engines (`client`). What files
//! there are and where the lines come from is the host's business; who has won is `rules`'.

pub mod bench;
pub mod board;
pub mod client;
mod conversation;
mod explain;
pub mod games;
mod lines;
mod options;
mod output;
pub mod perft;
mod uci;
mod work;
mod xboard;

pub use conversation::serve;
pub use lines::{Line, LineReader, MAX_LINE_BYTES};
pub use output::Output;

//! UCI as Stockfish speaks it, with Fairy-Stockfish's additions.
//!
//! A session never blocks: searches run on a thread of their own; search and session write to one
//! [`Output`](crate::Output).
//!
//! - An invalid line gets one `info string` and changes nothing. `position` is atomic: after an invalid one `go`
//!   answers `bestmove (none)`, until a valid one comes. `go` with an invalid number is refused; unknown words and illegal moves are reported and ignored.
//! - While a search runs, `isready`, `stop`, `ponderhit`, `quit`, `uci` and `d` are answered at once.
//!   `position`, `go`, `setoption`, `ucinewgame`, `eval` and `bench`, and all lines after them, wait in order
//!   until it has ended. A script that is sent at once then runs as in Stockfish. `stop` and `ponderhit`
//!   apply to the running search. If a `go` waits behind a search that ends by itself, they apply to that
//!   `go`; a second `stop` applies to all.
//! - `quit` and the end of the input stop a search without a limit at once. Limited tasks (perft, bench,
//!   eval, a limit in depth, nodes, time or mate) and pending lines may finish, but after `quit` each has
//!   at most three seconds. After the end of the input perft and bench have no time limit.
//! - In a position without legal moves `go` writes `info depth 0 score mate 0` (or `cp 0`) and
//!   `bestmove (none)`. A position drawn by count, repetition or material is searched.
//! - `go infinite` and `go ponder` hold `bestmove` back until `stop` (or `ponderhit`).

mod command;
mod format;
mod multi;
mod session;

pub(crate) use session::UciSession;

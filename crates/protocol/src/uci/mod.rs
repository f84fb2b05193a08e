//! UCI as Stockfish speaks it, with Fairy-Stockfish's additions.
//!
//! A session never blocks: searches run on a thread of their own, their lines and the session's go
//! through one [`Output`](crate::Output). How it conducts itself:
//!
//! - A line that makes no sense gets one `info string` and changes nothing. `position` is atomic;
//!   `go` with a number or a move that is none is refused, words it does not know are named and
//!   ignored.
//! - While a search runs, `isready`, `stop`, `ponderhit`, `quit`, `uci` and `d` are answered at once.
//!   `position`, `go`, `setoption`, `ucinewgame`, `eval` and `bench`, and whatever follows them, wait
//!   in their order until it is over, so that a script written in one go is carried out as by
//!   Stockfish. `stop` and `ponderhit` reach the search that runs; only where a `go` waits behind one
//!   that ends anyway, they are meant for that `go` (a second `stop` is meant for all).
//! - `quit` and the end of the input stop a search without a limit of its own at once. Work that
//!   ends by itself (perft, bench, eval, a limit in depth, nodes, time or mate) and what waits
//!   may finish, but after `quit` not for more than three seconds each. A script that ends without
//!   `quit` sees its perft or bench through.
//! - In a position without legal moves `go` gives `info depth 0 score mate 0` (or `cp 0`) and
//!   `bestmove (none)`. In a dead position there are legal moves, and it gives one.
//! - `go infinite` and `go ponder` hold `bestmove` back until `stop` (or `ponderhit`), whatever
//!   the search has found.

pub(crate) mod command;
pub(crate) mod format;
mod session;

pub(crate) use session::Session;

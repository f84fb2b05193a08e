//! XBoard's protocol (CECP, version 2): the one of XBoard, WinBoard and the GUIs that speak with their
//! engines.
//!
//! A session keeps the game and whose side it plays, never blocks, and thinks through the same worker as
//! UCI. How it conducts itself:
//!
//! - `new` is orthodox chess, as the protocol says; the game is chosen by the `variant` after it. Only a
//!   `new` directly after `variant` keeps the game, for those who have the order from elsewhere.
//! - While it thinks, `?`, `.`, `ping`, the clocks and the switches are taken in at once; `memory`,
//!   `cores` and `option` wait for the move; whatever takes the game elsewhere (`new`, `force`, `undo`,
//!   `setboard`, `result`, `quit` …) ends the search without a move. `pong` comes after the move.
//! - Pondering (`hard`) is a search of the position after the expected move; when that move comes, the
//!   search goes on as the engine's own.
//! - A result is claimed only when the game is over by rule, or to claim a draw that the engine, having
//!   the move, does not want to play on from; never in force or analyze mode.
//! - A command that makes no sense gets `Error (…)`, an impossible move `Illegal move`, and changes
//!   nothing. After an illegal position every move is refused until there is a legal one.
//!
//! Source: "Chess Engine Communication Protocol" by Tim Mann and H. G. Muller, as it comes with XBoard
//! 4.9.1; what XBoard makes of `setup`, `piece` and `highlight` was tried out with it.

mod clock;
mod command;
mod format;
mod playing;
mod session;
mod setup;
mod squares;

pub(crate) use session::Session;

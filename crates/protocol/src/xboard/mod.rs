//! XBoard's protocol (CECP, version 2): the one of XBoard, WinBoard and the GUIs that speak with their
//! engines.
//!
//! A session keeps the game and the engine's side. It never blocks and runs the same tasks as UCI.
//!
//! - `new` is orthodox chess, as in the protocol; the `variant` after it chooses the game. Only a `new`
//!   directly after `variant` keeps the game, for GUIs that send them in this order.
//! - While the engine thinks, `?`, `.`, `ping`, the clocks and the switches are executed at once; `memory`,
//!   `cores` and `option` wait for the move; commands that change the game (`new`, `force`, `undo`,
//!   `setboard`, `result`, `quit` …) end the search without a move. `pong` comes after the move.
//! - Pondering (`hard`) is a search of the position after the expected move; when that move comes, the
//!   search goes on as the engine's own.
//! - The engine claims a result only when the game is over by rule, or when it has the move and wants a draw
//!   that can be claimed. It never does so in force or analyze mode.
//! - An invalid command gets `Error (…)`, an illegal move `Illegal move`; neither changes anything. After an
//!   illegal position every move is refused until the next legal one.
//!
//! Source: "Chess Engine Communication Protocol" by Tim Mann and H. G. Muller, as it comes with XBoard
//! 4.9.1; its handling of `setup`, `piece` and `highlight` was tested.

mod clock;
mod command;
mod format;
mod playing;
mod session;
mod setup;
mod squares;

pub(crate) use session::XboardSession;

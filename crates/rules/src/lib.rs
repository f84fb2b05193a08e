//! The rules of the games: boards, pieces, moves, outcomes and notation. No input or output, clock, thread
//! or randomness. `ARCHITECTURE.md` shows the data flow. Each module uses only those before it:
//! `geometry`, `piece`, `seat`, `setup`, `variant`, `position`, `notation`, `library`.

pub mod geometry;
pub mod library;
pub mod notation;
pub mod one_line;
pub mod piece;
pub mod position;
pub mod seat;
pub mod setup;
pub mod variant;

/// The examples of `README.md`, compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

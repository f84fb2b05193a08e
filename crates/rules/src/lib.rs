//! What the games are: boards, pieces, moves, outcomes and notation. No input or output, clock, thread
//! or randomness. `ARCHITECTURE.md` shows the way of the data.

pub mod geometry;
pub mod notation;
pub mod position;
pub mod variant;

/// The examples of `README.md`, compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

//! Tests of the rules, in one program so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod causes;
mod dead;
mod family;
mod faults;
mod movement;
mod perft;
mod records;
mod san;
mod setups;
mod walker;

//! Tests of the engine, in one program so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod common;
mod endings;
mod finds;
mod handicaps;
mod limits;
mod mates;
mod multi;
mod plays;
mod slices;
mod stops;
mod tables;
mod threads;

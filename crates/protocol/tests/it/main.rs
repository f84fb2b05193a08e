//! Tests of both protocols with conversations in memory, in one program so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod conduct;
mod garbage;
mod talk;
mod transcripts;

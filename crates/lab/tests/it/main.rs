//! Tests of whole matches, in one program so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod books;
mod common;
mod faults;
mod matches;

//! Tests of the lessons, in one program so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod attempts;
mod courses;
mod players;
mod random_files;

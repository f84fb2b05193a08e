//! Tests of the rules, in one program so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod betza;
mod book;
mod causes;
mod checks;
mod chess960;
mod dead;
mod family;
mod faults;
mod likely_keys;
mod movement;
mod multi;
mod multi_boards;
mod multi_files;
mod noisy;
mod perft;
mod pgn;
mod reach;
mod records;
mod san;
mod setups;
mod walker;

//! Statistics of results: counts of games and of pairs, differences in Elo with error bars, and the
//! sequential test.
//!
//! The model is the logistic one: a difference of `d` Elo means an expected score of
//! `1 / (1 + 10^(-d/400))`. Two games of the same opening with colors swapped are not independent, so
//! that pairs are the sample wherever there are pairs (pentanomial statistics).
//!
//! Source of the formulas: M. Van den Bergh, "Comments on normalized Elo" and "A practical introduction
//! to the GSPRT" (the mathematics behind Fishtest); the tests compare with numbers published in the
//! tests of fastchess.

mod elo;
pub(crate) mod intervals;
mod sprt;
mod tally;

pub use elo::{Estimate, Interval, elo_of, expected_score};
pub use sprt::{Model, Sprt, SprtError, Verdict};
pub use tally::{Pairs, Points, Score3};

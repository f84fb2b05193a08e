//! The laboratory: it measures how well engines play, and how certain that is.
//!
//! `matches` plays engines against each other, with the rules of `lozenge-rules` as the arbiter;
//! `players` play, `openings` are the positions they start from, `stats` is the evidence of the results; `tuning` learns the weights
//! of the evaluation from games of the engine against itself; `book` plays games for the opening
//! explorer, `puzzles` finds positions with one clearly best move in games. `tables` are endgame tables that other machines make. `ledger` keeps account of work that many
//! machines share.
//!
//! Not here: arguments, progress bars and tables on a terminal (`cli`), and how an engine process is
//! talked to (`lozenge-protocol`'s `client`).

pub mod book;
pub mod ledger;
pub mod matches;
pub mod multi;
pub mod openings;
pub mod players;
pub mod puzzles;
pub mod report;
pub mod rng;
pub mod stats;
pub mod tables;
pub mod tuning;

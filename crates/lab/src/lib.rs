//! The laboratory: how well do engines play, and how well do we know it?
//!
//! `matches` plays engines against each other, with the rules of `lozenge-rules` as the arbiter;
//! `players` are those who play, `openings` where they begin, `stats` what the results prove; `tuning` learns the weights
//! of the evaluation from games of the engine against itself.
//!
//! Not here: arguments, progress bars and tables on a terminal (`cli`), and how an engine process is
//! talked to (`lozenge-protocol`'s `client`).

pub mod matches;
pub mod openings;
pub mod players;
pub mod stats;
pub mod tuning;

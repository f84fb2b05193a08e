//! Matches in games of four: the engines change seats from game to game ([`run`]), and the results are places by engine and seat
//! ([`table`](Table)); games are written as PGN. [`report`] has one engine play all seats.

mod pgn;
mod report;
mod run;
mod table;

pub use pgn::tree;
pub use report::{Measured, MultiPlan, MultiReport, SeatReport, report};
pub use run::{MultiEngine, MultiKind, MultiSettings, run};
pub use table::{MultiRecord, SeatResults, Table};

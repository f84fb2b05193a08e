//! Matches in games of four: the engines change seats from game to game ([`run`]), and the results are places by engine and seat
//! ([`table`](Table)). [`report`] has one engine play all seats.

mod report;
mod run;
mod table;

pub use report::{Measured, MultiPlan, MultiReport, SeatReport, report};
pub use run::{MultiEngine, MultiKind, MultiRecord, MultiSettings, run};
pub use table::{SeatResults, Table};

//! Matches between two engines: which games there are (`schedule`), one game under the arbiter's eyes
//! (`arbiter`, `adjudication`), many at once (`run`), what is written down (`record`, `pgn`) and what it
//! comes to (`table`).

mod adjudication;
mod arbiter;
mod pgn;
mod record;
mod run;
mod settings;
mod table;

pub use adjudication::{Adjudication, DrawRule, WinRule};
pub use pgn::{PgnHeader, tree};
pub use record::{Ending, GameRecord, MoveRecord, WrittenScore};
pub use run::{Course, MatchError, Progress, run};
pub use settings::{EngineSettings, Kind, OpeningSource, Settings};
pub use table::{Faults, GameTable, Table};

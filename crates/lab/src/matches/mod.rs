//! Matches between two engines: what a match is (`settings`, `identity`), one game under the arbiter's eyes
//! (`arbiter`, `adjudication`), many at once (`run`), what is written down (`record`, `journal`, `pgn`) and
//! what it comes to (`table`, `summary`).

mod adjudication;
mod arbiter;
mod identity;
mod journal;
mod pgn;
mod record;
mod run;
mod settings;
mod summary;
mod table;

pub use adjudication::{Adjudication, DrawRule, WinRule};
pub use journal::{Journal, JournalError};
pub use pgn::{PgnHeader, tree};
pub use record::{Ending, GameRecord, MoveRecord, WrittenScore};
pub use run::{Course, MatchError, Progress, openings, run};
pub use settings::{EngineSettings, Kind, OpeningSource, Settings};
pub use summary::summary;
pub use table::{Faults, GameTable, Table};

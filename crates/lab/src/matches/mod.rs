//! Matches between two engines: the definition of a match (`settings`, `identity`), one game (`arbiter`, `adjudication`), many
//! at once (`run`) or on many machines (`fleet`, with jobs of `pairs`), the records (`record`, `journal`, `pgn`) and the results
//! (`table`).

mod adjudication;
mod arbiter;
mod fleet;
mod identity;
mod journal;
mod pairs;
mod pgn;
mod record;
mod run;
mod settings;
mod table;

pub use adjudication::{Adjudication, DrawRule, WinRule};
pub use fleet::Fleet;
pub use journal::{Journal, JournalError};
pub use pairs::{
    NotPortable, OwnEngine, PairGame, PairsFault, PairsJob, PortableEngine, PortableKind, fingerprint,
};
pub use pgn::{PgnHeader, tree};
pub use record::{Ending, GameRecord, MoveRecord, WrittenScore};
pub use run::{MatchEnd, MatchError, Progress, openings, run};
pub use settings::{EngineSettings, Kind, OpeningSource, Settings};
pub use table::{Faults, GameTable, Table, summary};

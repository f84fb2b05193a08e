//! Matches between two engines: the definition of a match (`settings`, `identity`) and one game (`arbiter`, `adjudication`).
//! Many games run at once (`run`) or on many machines (`fleet`, with jobs of `pairs`). They leave records (`record`, `journal`,
//! `pgn`) and results (`table`).

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
pub(crate) use adjudication::{Agreement, Decision};
pub use fleet::Fleet;
pub use journal::{Journal, JournalError};
pub use pairs::{
    NotPortable, OwnEngine, PairGame, PairsFault, PairsJob, PortableEngine, PortableKind, fingerprint,
};
pub(crate) use pgn::date;
pub use pgn::{PgnHeader, tree};
pub(crate) use record::millis;
pub use record::{Ending, GameRecord, MoveRecord, WrittenScore};
pub use run::{MatchError, MatchProgress, openings, run};
pub use settings::{EngineKind, EngineSettings, MatchSettings, OpeningSource};
pub use table::{Faults, GameTable, MatchEnd, Table, summary};

//! The state of a game, without network, disk and clock: its events and the state machine that applies them,
//! chess clocks, offers, seeks, ratings, puzzles and names. Times are passed in as Unix milliseconds.

mod act;
mod action_error;
mod apply;
mod clock;
mod event;
mod explorer;
mod intentions;
mod machine;
mod multi;
#[cfg(test)]
mod multi_tests;
mod offers;
mod player;
mod puzzle;
mod rating;
mod record;
mod seek;
mod snapshot;
#[cfg(test)]
mod tests;
mod view;

pub use action_error::ActionError;
pub use clock::{ClockState, check as check_clock, speed};
pub use event::GameEvent;
pub use explorer::{
    BOOK_MONTH, Bucket, CountedGame, Counts, ExplorerEntry, ExplorerFilter, ExplorerSum, Visit,
    key as explorer_key, month,
};
pub use machine::{GameConfig, GameMachine};
pub use player::NameFault;
pub use player::{check_name, guest_name, is_well_formed, skeleton, with_guest_number};
pub use puzzle::{PuzzleLine, PuzzleProgress, PuzzleText, RatedAttempt, puzzle_rating, vote_weight};
pub use rating::{FinishedGame, PROVISIONAL, RatedOutcome, SeatRatingChanges, new_rating, rate};
pub use record::Record;
pub use seek::OpenSeek;
pub use view::{GameUpdate, PresenceInfo, SeatColumns, seats, status_word};

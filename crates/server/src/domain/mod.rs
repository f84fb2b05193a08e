//! The state of a game, without network, disk and clock: its events and the state machine that applies them,
//! chess clocks, offers, seeks, ratings, puzzles and names. Times are passed in as Unix milliseconds.

mod action_error;
mod clock;
mod event;
mod explorer;
mod machine;
mod offers;
mod player;
mod puzzle;
mod rating;
mod seek;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use action_error::ActionError;
pub(crate) use clock::{ClockState, check as check_clock, speed};
pub(crate) use event::GameEvent;
pub(crate) use explorer::{
    BOOK_MONTH, CountedGame, Counts, Entry, ExplorerFilter, ExplorerSum, key as explorer_key, month,
};
#[cfg(test)]
pub(crate) use explorer::{Bucket, Visit};
pub(crate) use machine::{BEGUN_PLIES, GameConfig, GameMachine};
pub use player::NameFault;
pub(crate) use player::{check_name, guest_name, is_well_formed, skeleton, with_guest_number};
pub(crate) use puzzle::{Progress, PuzzleLine, PuzzleText, RatedAttempt, puzzle_rating, vote_weight};
pub(crate) use rating::{FinishedGame, PROVISIONAL, new_rating, rate};
pub(crate) use seek::OpenSeek;
pub(crate) use view::{GameUpdate, PresenceInfo, SeatColumns, status_word};

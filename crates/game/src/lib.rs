//! One game on the site, and what surrounds it: the state machine of a game, its clock, offers, seeks, ratings, puzzles and
//! names, and the rules' types as the wire's. Everything here is a function of what it is given: no files, no network, no
//! database and nothing asynchronous. Only [`time`] reads a clock, and [`ids`] takes random numbers.

pub mod convert;
mod domain;
pub mod ids;
mod network;
pub mod text;
pub mod time;

pub use domain::{
    ActionError, BOOK_MONTH, Bucket, ClockState, CountedGame, Counts, ExplorerEntry, ExplorerFilter,
    ExplorerSum, FinishedGame, GameConfig, GameEvent, GameMachine, GameUpdate, NameFault, OpenSeek,
    PROVISIONAL, PresenceInfo, PuzzleLine, PuzzleProgress, PuzzleText, RatedAttempt, RatedOutcome, Record,
    SeatColumns, SeatRatingChanges, Visit, check_clock, check_name, explorer_key, guest_name, is_well_formed,
    month, new_rating, puzzle_rating, rate, seats, skeleton, speed, status_word, vote_weight,
    with_guest_number,
};
pub use network::{ClientAddress, Network, TrustedProxies};

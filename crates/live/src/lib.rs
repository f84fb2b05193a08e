//! State and work of the running site: games in memory and their owners among several servers, the lobby, challenges, the
//! engine's jobs, reviews, measurements and puzzles. Not here: HTTP, pages, accounts, SQL (`lozenge_store`).
//!
//! A method that returns a `StoreError` does so if the database fails. A [`GameError`](games::GameError) is that, or a game whose
//! record cannot be read. An `ActionError` says why a game refuses an action, or that its owner cannot be reached. Others are
//! named where they occur. Times are Unix milliseconds.

pub mod challenges;
pub mod closing;
pub mod cluster;
pub mod games;
pub mod jobs;
pub mod laboratory;
pub mod lobby;
pub mod puzzles;
pub mod reviews;
pub mod showcase;

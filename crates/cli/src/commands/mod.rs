//! The commands. `analyse`, `matches` and `worker` are folders; the others are a file each.

pub(crate) mod analyse;
mod content;
pub(crate) mod database;
pub(crate) mod engine;
#[cfg(feature = "nats")]
mod fleet;
pub(crate) mod help;
pub(crate) mod ini;
pub(crate) mod jobs;
pub(crate) mod lab;
pub(crate) mod learn;
pub(crate) mod matches;
pub(crate) mod pgn;
pub(crate) mod position;
pub(crate) mod puzzles;
pub(crate) mod render;
pub(crate) mod reports;
pub(crate) mod seeks;
pub(crate) mod serve;
pub(crate) mod tables;
pub(crate) mod user_games;
pub(crate) mod user_studies;
pub(crate) mod users;
pub(crate) mod variants;
#[cfg(feature = "nats")]
pub(crate) mod worker;

//! The commands that need no more than a few lines each.

pub(crate) mod analyse;
pub(crate) mod backup;
pub(crate) mod bench;
mod connections;
mod database;
pub(crate) mod engine;
pub(crate) mod help;
pub(crate) mod lab;
pub(crate) mod matches;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod pgn;
pub(crate) mod reports;
pub(crate) mod seeks;
pub(crate) mod serve;
mod table;
pub(crate) mod users;
pub(crate) mod variants;

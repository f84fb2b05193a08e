//! Tests of the programs, in one program so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod analyse;
#[cfg(unix)]
mod backup;
#[cfg(all(feature = "nats", unix))]
mod cluster;
mod commands;
mod common;
#[cfg(target_os = "linux")]
mod disk_faults;
#[cfg(feature = "nats")]
mod fleet_lab;
#[cfg(feature = "nats")]
mod fleet_match;
#[cfg(feature = "nats")]
mod fleet_tables;
mod ini;
mod lab;
mod learn;
#[cfg(all(feature = "nats", unix))]
mod live;
mod matches;
#[cfg(feature = "nats")]
mod nats;
mod pgn;
mod programs;
#[cfg(unix)]
mod proxy;
mod python;
mod serve;
mod user_games;
mod user_studies;

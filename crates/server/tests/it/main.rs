//! Tests of the site through its router, in one program so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod accounts;
mod analysis;
mod authorization;
mod commits;
#[path = "../common/mod.rs"]
mod common;
mod costs;
mod database_lock;
mod erasure;
mod explorer;
mod fence;
mod gallery;
mod games;
mod games_of_four;
mod laboratory;
mod lessons;
mod limits;
mod live_games;
mod mail;
mod moderation;
mod openapi;
mod pages;
mod piece_pictures;
mod players;
mod push;
mod puzzles;
mod random_games_of_four;
mod ratings_of_four;
mod reports;
mod security;
mod seeks;
mod share;
mod site;
mod sockets;
mod statistics;
mod studies;
mod study_sockets;
mod tables;
mod upgrade;
mod variants;
mod variants_of_four;

//! Analysis of games: positions with their moves ([`position`]), a tree of moves with variations and notes ([`tree`]), and
//! the engine's lines in a position ([`running`]). [`review`] finds the mistakes of a game and how accurately both sides
//! played. [`lesson`] judges the moves of a learner, and [`faults`] lists the faults of variant files. [`job`] is a search
//! that other machines can do. No files, no threads, no network: which games and where the results go is the caller's
//! business.

pub mod faults;
pub mod job;
pub mod lesson;
pub mod position;
pub mod review;
pub mod running;
pub mod tree;

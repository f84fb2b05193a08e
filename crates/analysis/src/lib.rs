//! Analysis of games: positions with their moves ([`position`]), a tree of moves with variations and notes ([`tree`]), the
//! engine's lines in a position ([`running`]), and which moves were mistakes and how accurately both sides played
//! ([`review`]); moves of a learner ([`lesson`]); the faults of variant files ([`faults`]). [`job`] is a search that other machines can do. No files, no
//! threads, no network: which games and where the results go is the caller's business.

pub mod faults;
pub mod job;
pub mod lesson;
pub mod position;
pub mod review;
pub mod running;
pub mod tree;

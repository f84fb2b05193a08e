//! From the rules' types to those of the wire: boards, positions, moves. Not here: what is legal, and what a
//! game is about.

mod board;
mod position;

pub(crate) use board::role_id;
pub use board::{board, digest};
pub(crate) use position::{
    castlings, check_square, color, last, men, moves, premove_reach, reach, reason, result, rules_color, text,
};

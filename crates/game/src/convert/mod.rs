//! From the rules' types to those of the wire: boards, positions, moves. Not here: what is legal, and what a
//! game is about.

mod board;
mod lessons;
mod multi;
mod position;
mod tree;

pub use board::{any_board, board, digest};
pub use board::{digest_of, is_digest, sha256, usual_view};
pub use lessons::course;
pub use lozenge_analysis::position::{
    castlings, check_square, color, last, multi_outcome, position as analysis_position, reason, result,
    seat_color, text, turn_color,
};
pub use multi::{multi_reach, seat_colors, seat_of};
pub use position::{moves, position_faults, premove_reach, reach, result_of_tag, rules_color};
pub use tree::{read_tree, steps, tree};

/// The wire's own word for a value without data, such as a speed.
pub fn word<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

//! From the rules' types to those of the wire: boards, positions, moves. Not here: what is legal, and what a
//! game is about.

mod analysis;
mod board;
mod position;
mod tree;

pub(crate) use analysis::{position as analysis_position, position_faults};
pub use board::{board, digest};
pub(crate) use board::{digest_of, is_digest, role_id, sha256};
pub(crate) use position::{
    castlings, check_square, color, last, moves, placed_pieces, premove_reach, reach, reason, result,
    result_of_tag, rules_color, text,
};
pub(crate) use tree::{read_tree, steps, tree};

/// The wire's own word for a value without data, such as a speed.
pub(crate) fn word<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

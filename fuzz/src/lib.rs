//! The shared part of the fuzz targets: a game chosen by the first byte of the input.

use lozenge_rules::library;
use lozenge_rules::variant::Variant;
use std::sync::Arc;

/// The built-in game that a byte stands for.
pub fn game(byte: u8) -> Arc<Variant> {
    let ids: Vec<&str> = library::ids().collect();
    library::game(ids[usize::from(byte) % ids.len()]).expect("built-in games compile")
}

/// Splits the choosing byte off; `None` for an empty input.
pub fn choose(data: &[u8]) -> Option<(Arc<Variant>, &[u8])> {
    let (first, rest) = data.split_first()?;
    Some((game(*first), rest))
}

//! Endgame tables in the search: a position that a table covers needs no search. Tables count neither moves nor repetitions, so draws by
//! count come first.

use super::Searcher;
use crate::score::{DRAW, EVALUATION_LIMIT, WIN};
use lozenge_rules::position::Position;
use lozenge_tablebase::Value;
use std::sync::atomic::Ordering;

impl<const N: usize> Searcher<'_, N> {
    /// The score of a position by the game's tables. The distance is exact, so that no slower win is ever preferred. A
    /// damaged table counts as missing.
    #[inline]
    pub(super) fn table_score(&self, position: &Position<N>, ply: usize) -> Option<i32> {
        let tables = self.shared.tables?;
        let value = tables.value(position).ok().flatten()?;
        self.shared.table_hits.fetch_add(1, Ordering::Relaxed);
        Some(score(value, ply))
    }
}

/// Wins that take longer than the search is deep are still better than any evaluation.
fn score(value: Value, ply: usize) -> i32 {
    let won = |distance: u16| (WIN - ply as i32 - i32::from(distance)).max(EVALUATION_LIMIT + 1);
    match value {
        Value::Win(distance) => won(distance),
        Value::Loss(distance) => -won(distance),
        Value::Draw => DRAW,
    }
}

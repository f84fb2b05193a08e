//! Step 11 of a node: extend the TT move if it is singular, or cut the node if several moves fail high.

use super::node_state::Node;
use super::{Accumulator, Searcher, Window};
use crate::Bound;
use crate::score::{DECIDED, is_decided, to_root};
use lozenge_rules::position::Position;

/// Result of the singular search, which excludes the TT move.
pub(super) enum Singular {
    /// Plies to add, or take off.
    Extend(i32),
    /// Several moves are good enough: the node's score.
    Decided(i32),
}

impl<const N: usize> Searcher<'_, N> {
    /// Singular extension (Anantharaman, Campbell and Hsu 1988; in this form Stockfish's), multicut
    /// (Björnsson and Marsland 1998), and less depth where the move is not alone ("negative
    /// extension"). Everything but the TT move is searched to half the depth, with a bound
    /// below the score from the table.
    pub(super) fn extension(
        &mut self,
        position: &Position<N>,
        accumulator: &Accumulator,
        node: &Node,
    ) -> Singular {
        let Node { window, depth, ply, .. } = *node;
        let (Some(hit), Some(tt_move)) = (node.hit, node.tt_move()) else { return Singular::Extend(0) };
        let score = to_root(hit.score, ply);
        let qualified = !self.is_proving()
            && node.excluded.is_none()
            && ply > 0
            && ply < self.most_extended_ply()
            && depth >= self.tunables.singular_depth + i32::from(node.principal)
            && hit.depth >= depth - self.tunables.singular_entry
            && hit.bound != Bound::Upper
            && !is_decided(score);
        if !qualified {
            return Singular::Extend(0);
        }
        let margin = self.tunables.singular_margin * depth / 16;
        let bound = (score - margin).max(-DECIDED + 1);
        self.plies[ply].excluded = Some(tt_move);
        let half = (depth - 1) * self.tunables.singular_search / 16;
        let second = self.search(position, accumulator, Window::null(bound - 1), half, ply, node.cut);
        self.plies[ply].excluded = None;
        if self.stopped {
            return Singular::Extend(0);
        }
        if second < bound {
            let double = !window.is_open() && second < bound - self.tunables.singular_double;
            return Singular::Extend(1 + i32::from(double));
        }
        if !window.is_open() && second >= window.beta && !is_decided(second) {
            return Singular::Decided(second);
        }
        if score >= window.beta {
            return Singular::Extend(i32::from(window.is_open()) - self.tunables.singular_negative);
        }
        Singular::Extend(if node.cut { -self.tunables.singular_negative_cut } else { 0 })
    }
}

//! Trails: the movement representation for everything that is neither a leap nor a full rook or
//! bishop line. A trail is a small forest of squares, built once for each piece and square when the
//! game is compiled (`trail_builder`). Walking it with an occupation finds where the piece may go.
//!
//! ```text
//! node = a square, whether the move may stop there, and what must hold to pass on
//! ```
//!
//! Limited riders, lame leapers, skipping riders and hoppers are trails without branches. Bent and
//! crooked riders are trails with branches; steps that must gain distance and regions that bar a piece
//! are branches that were never built. So new kinds of movement are new ways to build trails; how a
//! trail is walked stays as it is. `capture_paths` covers enemy trails that threaten the King.

use crate::geometry::{Square, SquareSet};

/// The condition on a node's square for the trail to go on beyond it: a bit for "no piece stands
/// there", and one for "a piece stands there".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pass(u8);

impl Pass {
    /// No piece stands there.
    pub(crate) const EMPTY: Self = Self(1);
    /// A piece stands there.
    pub(crate) const OCCUPIED: Self = Self(2);
    /// Nothing has to hold.
    pub(crate) const ANY: Self = Self(3);

    #[inline]
    pub(crate) const fn holds(self, occupied: bool) -> bool {
        self.0 >> occupied as u8 & 1 != 0
    }
}

/// One square on a trail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TrailNode {
    pub(crate) square: Square,
    /// Whether a move may end here.
    pub(crate) stop: bool,
    pub(crate) pass: Pass,
    /// Nodes of this subtree, itself included: how far to skip when the way is barred.
    pub(crate) size: u16,
}

/// How the pieces of a trail's mover treat a piece in the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hop {
    /// It is captured or it blocks.
    No,
    /// It must be hopped over, one piece exactly, before the move may end anywhere beyond.
    One,
    /// It must be hopped over, and the move ends on the next square.
    Behind,
}

/// A forest of squares and its terms. A trail that hops has no branches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trail {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) quiet: bool,
    pub(crate) capture: bool,
    /// Only while the piece stands unmoved on a starting square of its kind.
    pub(crate) initial: bool,
    pub(crate) hop: Hop,
}

/// All trails of a game, by piece and square.
#[derive(Debug, Default)]
pub(crate) struct Trails {
    pub(crate) nodes: Vec<TrailNode>,
    pub(crate) trails: Vec<Trail>,
    /// `ends[piece * squares + square]`: where the trails of that piece from that square end.
    pub(crate) ends: Vec<u32>,
}

/// The pieces on the board as a trail sees them.
#[derive(Clone, Copy)]
pub(crate) struct Occupancy<const N: usize> {
    pub(crate) occupied: SquareSet<N>,
    pub(crate) enemy: SquareSet<N>,
}

impl Trails {
    /// The trails of a piece (by piece index) from a square.
    #[inline]
    pub(crate) fn of(&self, index: usize) -> &[Trail] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.trails[start as usize..self.ends[index] as usize]
    }

    /// Closes the list of trails of the next piece and square.
    pub(crate) fn close(&mut self) {
        self.ends.push(self.trails.len() as u32);
    }

    /// The nodes of a trail.
    #[inline]
    pub(crate) fn nodes(&self, trail: &Trail) -> &[TrailNode] {
        &self.nodes[trail.start as usize..trail.end as usize]
    }

    /// Where the trail may end.
    #[inline]
    pub(crate) fn targets<const N: usize>(&self, trail: &Trail, occupancy: Occupancy<N>) -> SquareSet<N> {
        let seen = match trail.hop {
            Hop::No => self.sweep(trail, occupancy.occupied),
            Hop::One | Hop::Behind => self.hop(trail, occupancy.occupied),
        };
        let empty = if trail.quiet { !occupancy.occupied } else { SquareSet::EMPTY };
        let enemy = if trail.capture { occupancy.enemy } else { SquareSet::EMPTY };
        seen & (empty | enemy)
    }

    /// The squares where a move without hops may end, pieces that may or may not be captured included.
    #[inline]
    fn sweep<const N: usize>(&self, trail: &Trail, occupied: SquareSet<N>) -> SquareSet<N> {
        let nodes = self.nodes(trail);
        let (mut seen, mut at) = (SquareSet::EMPTY, 0);
        while let Some(node) = nodes.get(at) {
            seen.insert_if(node.square, node.stop);
            let passes = node.pass.holds(occupied.contains(node.square));
            at += if passes { 1 } else { usize::from(node.size) };
        }
        seen
    }

    /// The same for a move that hops.
    fn hop<const N: usize>(&self, trail: &Trail, occupied: SquareSet<N>) -> SquareSet<N> {
        let mut seen = SquareSet::EMPTY;
        let mut hopped = false;
        for node in self.nodes(trail) {
            let blocked = occupied.contains(node.square);
            if hopped {
                seen.insert_if(node.square, node.stop);
                if blocked || trail.hop == Hop::Behind {
                    break;
                }
            }
            hopped |= blocked;
        }
        seen
    }

    /// Memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.trails) + size_of_val(&*self.ends)
    }
}

//! Trails: the movement representation for everything that is neither a leap nor a full rook or
//! bishop line. A trail is a small tree of squares, laid out once for each man and square when the
//! game is compiled; walking it with an occupation says where the man may go.
//!
//! ```text
//! node = a square, whether the move may stop there, and what must hold to pass on
//! ```
//!
//! Limited riders, lame leapers, skipping riders and hoppers are trails without branches. Bent and
//! crooked riders are trails with branches; steps that must gain distance and regions that bar a man
//! are branches that were never laid. So new kinds of movement are new ways to lay trails; how a
//! trail is walked stays as it is.

use crate::geometry::{Square, SquareSet};

/// What has to hold on a node's square for the trail to go on beyond it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pass {
    /// No man stands there.
    Empty,
    /// Nothing.
    Any,
    /// A man stands there.
    Occupied,
}

/// One square on a trail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    pub(crate) square: Square,
    /// Whether a move may end here.
    pub(crate) stop: bool,
    pub(crate) pass: Pass,
    /// Nodes of this subtree, itself included: how far to skip when the way is barred.
    pub(crate) size: u16,
}

/// How the men of a trail's mover treat a man in the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hop {
    /// It is captured or it blocks.
    No,
    /// It must be hopped over, one man exactly, before the move may end anywhere beyond.
    One,
    /// It must be hopped over, and the move ends on the next square.
    Behind,
}

/// A tree of squares and its terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trail {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) quiet: bool,
    pub(crate) capture: bool,
    /// Only while the man stands unmoved on a starting square of its kind.
    pub(crate) initial: bool,
    pub(crate) hop: Hop,
}

/// All trails of a game, by man and square.
#[derive(Debug, Default)]
pub(crate) struct Trails {
    pub(crate) nodes: Vec<Node>,
    pub(crate) trails: Vec<Trail>,
    /// `ends[piece * squares + square]`: where the trails of that man from that square end.
    pub(crate) ends: Vec<u32>,
}

/// The men on the board as a trail sees them.
#[derive(Clone, Copy)]
pub(crate) struct View<const N: usize> {
    pub(crate) occupied: SquareSet<N>,
    pub(crate) enemy: SquareSet<N>,
}

impl Trails {
    /// The trails of a man (by piece index) from a square.
    pub(crate) fn of(&self, index: usize) -> &[Trail] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.trails[start as usize..self.ends[index] as usize]
    }

    /// Closes the list of trails of the next man and square.
    pub(crate) fn close(&mut self) {
        self.ends.push(self.trails.len() as u32);
    }

    /// Calls `reach` with every square where the trail may end, and whether by capture.
    pub(crate) fn walk<const N: usize>(
        &self,
        trail: &Trail,
        view: View<N>,
        mut reach: impl FnMut(Square, bool),
    ) {
        let mut at = trail.start as usize;
        let mut hopped = trail.hop == Hop::No;
        while at < trail.end as usize {
            let node = self.nodes[at];
            let occupied = view.occupied.contains(node.square);
            if occupied && !hopped {
                hopped = true;
                at += 1;
                continue;
            }
            if hopped && node.stop {
                if !occupied && trail.quiet {
                    reach(node.square, false);
                } else if occupied && trail.capture && view.enemy.contains(node.square) {
                    reach(node.square, true);
                }
            }
            let passes = match node.pass {
                Pass::Empty => !occupied,
                Pass::Any => true,
                Pass::Occupied => occupied,
            };
            let ends_here = trail.hop == Hop::Behind && hopped;
            at += if passes && !ends_here { 1 } else { usize::from(node.size) };
        }
    }

    /// Memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.trails) + size_of_val(&*self.ends)
    }
}

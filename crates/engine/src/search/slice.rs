//! A search in slices, for callers that cannot wait for the end of it: after some nodes or milliseconds it pauses, and goes
//! on where it was. When it stops, every node on the way back to the root keeps an [`InterruptedNode`]; when it goes on, these nodes take
//! up their move loops where they were. So only pruning in progress and the last captures are searched twice.

use super::Ply;
use super::node_state::InterruptedNode;
use super::progress::ProgressState;
use super::root_state::RootState;
use crate::ordering::Killers;
use crate::{Bound, Info, Score};
use lozenge_rules::position::Move;
use std::time::Duration;
use web_time::Instant;

/// How much of a search is done before it pauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Portion {
    /// This number of nodes.
    Nodes(u64),
    /// This time. The clock is read every few hundred nodes.
    Time(Duration),
}

/// A search that pauses; `P` is the state that it needs to resume.
#[derive(Debug)]
pub(crate) struct Slice<P = Paused> {
    /// When its first slice began.
    pub(crate) begun: Instant,
    /// Most nodes of this slice.
    pub(crate) nodes: u64,
    /// When this slice ends.
    pub(crate) until: Option<Instant>,
    /// The state needed to resume; `None` before the first slice, and once the search has ended.
    pub(crate) paused: Option<P>,
}

/// The state that a search on one thread needs to resume, besides the tables of the engine.
#[derive(Debug)]
pub(crate) struct Paused {
    pub(super) root: RootState,
    /// The nodes that were being searched, the one nearest to the root last.
    pub(super) interrupted: Vec<InterruptedNode>,
    pub(super) plies: Vec<Ply>,
    pub(super) killers: Killers,
    pub(super) progress: ProgressState,
    /// Nodes of all slices.
    pub(super) nodes: u64,
}

impl<P> Slice<P> {
    /// A search that begins now.
    pub(crate) fn new() -> Self {
        Self { begun: Instant::now(), nodes: 0, until: None, paused: None }
    }

    /// Sets the length of the next slice.
    pub(crate) fn allow(&mut self, portion: Portion) {
        (self.nodes, self.until) = match portion {
            Portion::Nodes(nodes) => (nodes, None),
            Portion::Time(time) => (u64::MAX, Instant::now().checked_add(time)),
        };
    }

    /// Time since the first slice began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Whether the search goes on.
    pub(crate) fn is_paused(&self) -> bool {
        self.paused.is_some()
    }
}

impl Slice {
    /// Move and score of the last reported line.
    pub(super) fn reported(&self) -> Option<(Option<Move>, Score, Bound)> {
        self.paused.as_ref()?.progress.best().map(Info::headline)
    }

    /// The number of the node at which the slice ends, over all slices.
    pub(super) fn last_node(&self) -> u64 {
        self.paused.as_ref().map_or(0, |paused| paused.nodes).saturating_add(self.nodes)
    }
}

//! Reports to the caller: each line as it is found, and within an iteration a sign of life every second.

use super::context::SearchShared;
use crate::{CurrentMove, Info};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Time between two reports within an iteration.
const INTERVAL: Duration = Duration::from_secs(1);

/// The reports of one thread so far, and their receiver.
pub(super) struct SearchProgress<'a> {
    on_info: &'a mut dyn FnMut(&Info),
    pub(super) state: ProgressState,
}

/// The reports of one thread so far.
#[derive(Clone, Debug)]
pub(super) struct ProgressState {
    /// The last line reported as the best.
    best: Option<Info>,
    depth: u32,
    current: Option<CurrentMove>,
    next: Duration,
}

impl ProgressState {
    /// Nothing.
    pub(super) const fn new() -> Self {
        Self { best: None, depth: 0, current: None, next: INTERVAL }
    }

    /// The last line reported as the best.
    pub(super) fn best(&self) -> Option<&Info> {
        self.best.as_ref()
    }
}

impl<'a> SearchProgress<'a> {
    /// Reports go on after those of `state`.
    pub(super) fn new(on_info: &'a mut dyn FnMut(&Info), state: ProgressState) -> Self {
        Self { on_info, state }
    }

    /// Reports a line.
    pub(super) fn report(&mut self, info: Info) {
        self.state.next = info.time + INTERVAL;
        (self.on_info)(&info);
        if info.multipv == 1 {
            self.state.best = Some(info);
        }
    }

    /// The search begins another root move.
    pub(super) fn set_current_move(&mut self, depth: u32, current: CurrentMove) {
        self.state.depth = depth;
        self.state.current = Some(current);
    }

    /// Reports the state of the iteration if nothing has been reported for a while.
    pub(super) fn tick(&mut self, shared: &SearchShared<'_>) {
        let time = shared.time.elapsed();
        let state = &mut self.state;
        if time < state.next {
            return;
        }
        state.next = time + INTERVAL;
        let Some(best) = &state.best else { return };
        (self.on_info)(&Info {
            depth: state.depth,
            nodes: shared.nodes(),
            time,
            hashfull: shared.table.fullness(),
            tbhits: shared.table_hits.load(Ordering::Relaxed),
            current: state.current,
            ..best.clone()
        });
    }
}

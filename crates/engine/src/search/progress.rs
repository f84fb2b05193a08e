//! Reports to the caller: each line as it is found, and within an iteration a sign of life every second.

use super::context::Shared;
use crate::{CurrentMove, Info};
use std::time::Duration;

/// Time between two reports within an iteration.
const INTERVAL: Duration = Duration::from_secs(1);

/// What one thread has reported, and to whom.
pub(super) struct Progress<'a> {
    on_info: &'a mut dyn FnMut(&Info),
    /// The last line reported as the best.
    best: Option<Info>,
    depth: u32,
    current: Option<CurrentMove>,
    next: Duration,
}

impl<'a> Progress<'a> {
    pub(super) fn new(on_info: &'a mut dyn FnMut(&Info)) -> Self {
        Self { on_info, best: None, depth: 0, current: None, next: INTERVAL }
    }

    /// Reports a line.
    pub(super) fn report(&mut self, info: Info) {
        self.next = info.time + INTERVAL;
        (self.on_info)(&info);
        if info.multipv == 1 {
            self.best = Some(info);
        }
    }

    /// The search turns to another root move.
    pub(super) fn turn_to(&mut self, depth: u32, current: CurrentMove) {
        self.depth = depth;
        self.current = Some(current);
    }

    /// Reports the state of the iteration if nothing has been reported for a while.
    pub(super) fn tick(&mut self, shared: &Shared<'_>) {
        let time = shared.watch.elapsed();
        if time < self.next {
            return;
        }
        self.next = time + INTERVAL;
        let Some(best) = &self.best else { return };
        (self.on_info)(&Info {
            depth: self.depth,
            nodes: shared.nodes(),
            time,
            hashfull: shared.table.fullness(),
            current: self.current,
            ..best.clone()
        });
    }
}

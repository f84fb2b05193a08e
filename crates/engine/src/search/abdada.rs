//! The moves that threads are currently searching ("simplified ABDADA", Tom Kerrigan 2017, after
//! Jean-Christophe Weill's ABDADA of 1996; wiki). A thread defers a move that another thread is searching;
//! when it returns to the move, the table usually has its score.

use std::sync::atomic::{AtomicU64, Ordering};

/// Slots of the table; a power of two. A collision only hides one of the two moves.
const SLOTS: usize = 1 << 12;

/// The moves being searched, each by the key of the position after it; 0 in empty slots.
pub(super) struct CurrentlySearching(Box<[AtomicU64]>);

impl CurrentlySearching {
    /// A table for a search on `threads` threads; empty and disabled for one.
    pub(super) fn new(threads: usize) -> Self {
        let slots = if threads > 1 { SLOTS } else { 0 };
        Self((0..slots).map(|_| AtomicU64::new(0)).collect())
    }

    /// Whether there is more than one thread.
    #[inline]
    pub(super) fn is_enabled(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether some thread is searching this move.
    #[inline]
    pub(super) fn contains(&self, key: u64) -> bool {
        self.slot(key).is_some_and(|slot| slot.load(Ordering::Relaxed) == key)
    }

    /// Marks a move as being searched until the guard is dropped.
    #[inline]
    pub(super) fn start(&self, key: u64) -> SearchingGuard<'_> {
        let slot = self.slot(key);
        if let Some(slot) = slot {
            slot.store(key, Ordering::Relaxed);
        }
        SearchingGuard { slot, key }
    }

    #[inline]
    fn slot(&self, key: u64) -> Option<&AtomicU64> {
        self.0.get(key as usize % SLOTS)
    }
}

/// A move that is being searched.
pub(super) struct SearchingGuard<'b> {
    slot: Option<&'b AtomicU64>,
    key: u64,
}

impl Drop for SearchingGuard<'_> {
    fn drop(&mut self) {
        if let Some(slot) = self.slot
            && slot.load(Ordering::Relaxed) == self.key
        {
            slot.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_is_marked_until_its_guard_drops_and_collisions_hide_it() {
        let searching = CurrentlySearching::new(2);
        let guard = searching.start(7);
        assert!(searching.contains(7) && !searching.contains(8));
        let other = searching.start(7 + SLOTS as u64);
        assert!(!searching.contains(7));
        drop(guard);
        assert!(searching.contains(7 + SLOTS as u64), "its own end does not end the other");
        drop(other);
        assert!(!searching.contains(7 + SLOTS as u64));
    }

    #[test]
    fn one_thread_defers_nothing() {
        let searching = CurrentlySearching::new(1);
        let _entered = searching.start(7);
        assert!(!searching.is_enabled() && !searching.contains(7));
    }
}

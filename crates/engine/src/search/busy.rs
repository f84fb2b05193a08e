//! Which moves the threads are searching right now. A thread that comes to a move that another is at looks
//! at its other moves first; when it comes back, the table knows the answer ("simplified ABDADA", Tom
//! Kerrigan 2017, after Jean-Christophe Weill's ABDADA of 1996; wiki).

use std::sync::atomic::{AtomicU64, Ordering};

/// Places; a power of two. Two moves that share one only hide each other.
const PLACES: usize = 1 << 12;

/// The moves being searched, each by the key of the position after it; 0 where there is none.
pub(super) struct Busy(Box<[AtomicU64]>);

impl Busy {
    /// For so many threads: one alone has nobody to avoid.
    pub(super) fn new(threads: usize) -> Self {
        let places = if threads > 1 { PLACES } else { 0 };
        Self((0..places).map(|_| AtomicU64::new(0)).collect())
    }

    /// Whether there is more than one thread.
    #[inline]
    pub(super) fn is_shared(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether some thread is searching this move.
    #[inline]
    pub(super) fn contains(&self, key: u64) -> bool {
        self.place(key).is_some_and(|place| place.load(Ordering::Relaxed) == key)
    }

    /// A thread searches this move until what is returned is dropped.
    #[inline]
    pub(super) fn enter(&self, key: u64) -> Entered<'_> {
        let place = self.place(key);
        if let Some(place) = place {
            place.store(key, Ordering::Relaxed);
        }
        Entered { place, key }
    }

    #[inline]
    fn place(&self, key: u64) -> Option<&AtomicU64> {
        self.0.get(key as usize % PLACES)
    }
}

/// A move that is being searched.
pub(super) struct Entered<'b> {
    place: Option<&'b AtomicU64>,
    key: u64,
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        if let Some(place) = self.place
            && place.load(Ordering::Relaxed) == self.key
        {
            place.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_busy_while_it_is_searched_and_others_at_its_place_hide_it() {
        let busy = Busy::new(2);
        let entered = busy.enter(7);
        assert!(busy.contains(7) && !busy.contains(8));
        let other = busy.enter(7 + PLACES as u64);
        assert!(!busy.contains(7));
        drop(entered);
        assert!(busy.contains(7 + PLACES as u64), "its own end does not end the other");
        drop(other);
        assert!(!busy.contains(7 + PLACES as u64));
    }

    #[test]
    fn one_thread_avoids_nobody() {
        let busy = Busy::new(1);
        let _entered = busy.enter(7);
        assert!(!busy.is_shared() && !busy.contains(7));
    }
}

//! History tables that several threads share without locks. Of two simultaneous updates of one entry one may
//! be lost, which is harmless.

use crate::memory::prefer_large_pages;
use std::sync::atomic::{AtomicI16, Ordering};

/// A table of history values, zero at first, with "gravity" (as in Stockfish since 2016). The nearer a value is
/// to its bound, the less a bonus adds, so values stay bounded and old ones decay.
pub(crate) struct HistoryTable(Box<[AtomicI16]>);

impl HistoryTable {
    /// So many zeros.
    pub(crate) fn new(entries: usize) -> Self {
        let mut table: Box<[AtomicI16]> = bytemuck::zeroed_slice_box(entries);
        prefer_large_pages(&mut table[..]);
        Self(table)
    }

    /// Sets all values to zero.
    pub(crate) fn clear(&mut self) {
        self.0.iter_mut().for_each(|number| *number.get_mut() = 0);
    }

    /// Halves all values.
    pub(crate) fn halve(&mut self) {
        self.0.iter_mut().for_each(|number| *number.get_mut() /= 2);
    }

    /// A value.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> i32 {
        i32::from(self.0[at].load(Ordering::Relaxed))
    }

    /// Adds a bonus to a value, which stays between `-most` and `most`.
    #[inline]
    pub(crate) fn add(&self, at: usize, bonus: i32, most: i32) {
        let number = &self.0[at];
        let old = i32::from(number.load(Ordering::Relaxed));
        let bonus = bonus.clamp(-most, most);
        let new = (old + bonus - old * bonus.abs() / most).clamp(-most, most);
        number.store(new as i16, Ordering::Relaxed);
    }

    /// How many numbers there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_bounded_and_can_change_sign() {
        const MOST: i32 = 1 << 14;
        let table = HistoryTable::new(2);
        for _ in 0..1_000 {
            table.add(1, 900, MOST);
        }
        assert!(table.get(1) > MOST * 9 / 10 && table.get(1) <= MOST);
        table.add(1, -i32::MAX, MOST);
        assert!(table.get(1) < 0);
        assert_eq!(table.get(0), 0);
    }

    #[test]
    fn concurrent_updates_stay_bounded() {
        let table = HistoryTable::new(4);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..20_000 {
                        table.add((round + thread) % 4, 100, 1 << 13);
                    }
                });
            }
        });
        assert!((0..4).all(|at| table.get(at) > 7_000 && table.get(at) <= 1 << 13));
    }
}

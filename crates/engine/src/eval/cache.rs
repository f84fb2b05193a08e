//! The evaluation hash table (wiki): evaluations of positions that the search reached lately. Many nodes return before they
//! store anything in the transposition table, and the next iteration evaluates them again.

use crate::memory;
use crate::score::EVALUATION_LIMIT;

/// Entries; a power of two. The index takes as many bits of a key as an entry leaves out, so an entry fits one key only.
const ENTRIES: usize = 1 << 16;

/// The bits of an entry that hold the evaluation; the others are the key's.
const EVALUATION_BITS: u64 = 0xFFFF;

/// Added to evaluations, so that no entry is 0, which an empty one is.
const OFFSET: i32 = 1 << 15;

const _: () = assert!(EVALUATION_LIMIT < OFFSET && ENTRIES as u64 == EVALUATION_BITS + 1);

/// Evaluations by the key of the position.
#[derive(Debug)]
pub(crate) struct EvaluationCache(Vec<u64>);

impl EvaluationCache {
    /// An empty table.
    pub(crate) fn new() -> Self {
        Self(vec![0; ENTRIES])
    }

    /// Prefetches the entry of a key that will soon be looked up.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        memory::prefetch(&self.0[(key & EVALUATION_BITS) as usize]);
    }

    /// The evaluation of the position with this key, which `evaluate` computes if it is not known. It is between
    /// the bounds of evaluations.
    #[inline]
    pub(crate) fn get(&mut self, key: u64, evaluate: impl FnOnce() -> i32) -> i32 {
        let entry = &mut self.0[(key & EVALUATION_BITS) as usize];
        if *entry & !EVALUATION_BITS == key & !EVALUATION_BITS && *entry != 0 {
            return (*entry & EVALUATION_BITS) as i32 - OFFSET;
        }
        let evaluation = evaluate();
        *entry = key & !EVALUATION_BITS | (evaluation + OFFSET) as u64;
        evaluation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_own_evaluation() {
        let mut cache = EvaluationCache::new();
        let keys = [0, 1, 1 << 16, 1 << 63, u64::MAX, 0xFFFF, 0xFFFF_0000];
        for evaluation in [-EVALUATION_LIMIT, -1, 0, 1, EVALUATION_LIMIT] {
            for key in keys {
                let mut cache = EvaluationCache::new();
                assert_eq!(cache.get(key, || evaluation), evaluation);
                assert_eq!(cache.get(key, || unreachable!("{key} is known")), evaluation);
            }
        }
        // Keys that share an entry replace each other.
        for (number, key) in (0..).zip(keys.into_iter().chain(keys)) {
            assert_eq!(cache.get(key ^ (number as u64) << 40, || number), number);
        }
    }
}

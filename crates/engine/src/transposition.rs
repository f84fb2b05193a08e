//! The transposition table: what the search remembers of positions. A fixed number of buckets of
//! four entries; a newer or deeper entry takes the place of the least useful one of its bucket.

use crate::Bound;
use lozenge_rules::position::Move;

/// Entries that share a place: one cache line.
const BUCKET: usize = 4;

/// Most generations told apart; the counter comes round.
const GENERATIONS: u8 = 64;

/// One remembered position: 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The low half of the key; the high half chose the bucket.
    check: u32,
    best: Option<Move>,
    score: i16,
    evaluation: i16,
    depth: u8,
    /// Generation, times 4, plus the kind of bound: 0 for an empty entry.
    stamp: u8,
}

const EMPTY: Entry = Entry { check: 0, best: None, score: 0, evaluation: 0, depth: 0, stamp: 0 };

/// What the table knows of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    /// Perhaps the best move. Not proved legal here: keys can collide.
    pub(crate) best: Option<Move>,
    /// The score, by distance to the node.
    pub(crate) score: i32,
    /// The static evaluation.
    pub(crate) evaluation: i32,
    /// How deep it was searched, in plies.
    pub(crate) depth: i32,
    /// What kind of score it is.
    pub(crate) bound: Bound,
}

/// The table.
#[derive(Clone)]
pub(crate) struct Table {
    buckets: Vec<[Entry; BUCKET]>,
    generation: u8,
}

impl core::fmt::Debug for Table {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Table").field("buckets", &self.buckets.len()).finish_non_exhaustive()
    }
}

impl Table {
    /// A table of so many MiB, at least 1.
    pub(crate) fn new(mib: usize) -> Self {
        let buckets = mib.max(1).saturating_mul(1 << 20) / size_of::<[Entry; BUCKET]>();
        Self { buckets: vec![[EMPTY; BUCKET]; buckets], generation: 0 }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.buckets.fill([EMPTY; BUCKET]);
        self.generation = 0;
    }

    /// A new search begins: what is here grows older.
    pub(crate) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// What is known of the position with this key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Hit> {
        let entry = self.buckets[self.place(key)]
            .iter()
            .find(|entry| entry.stamp & 3 != 0 && entry.check == key as u32)?;
        Some(Hit {
            best: entry.best,
            score: i32::from(entry.score),
            evaluation: i32::from(entry.evaluation),
            depth: i32::from(entry.depth),
            bound: match entry.stamp & 3 {
                1 => Bound::Exact,
                2 => Bound::Lower,
                _ => Bound::Upper,
            },
        })
    }

    /// Remembers a position. A known best move stays when the new visit has none.
    #[inline]
    pub(crate) fn store(&mut self, key: u64, hit: Hit) {
        let generation = self.generation;
        let place = self.place(key);
        let bucket = &mut self.buckets[place];
        let check = key as u32;
        let known = bucket.iter().position(|entry| entry.stamp & 3 != 0 && entry.check == check);
        let which = known.unwrap_or_else(|| least_useful(bucket, generation));
        let entry = &mut bucket[which];
        let depth = hit.depth.clamp(0, 255) as u8;
        if known.is_some() {
            let current = entry.stamp >> 2 == generation;
            if hit.bound != Bound::Exact && current && depth.saturating_add(3) < entry.depth {
                return;
            }
        }
        let kind = match hit.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        *entry = Entry {
            check,
            best: hit.best.or(if known.is_some() { entry.best } else { None }),
            score: hit.score as i16,
            evaluation: hit.evaluation as i16,
            depth,
            stamp: generation << 2 | kind,
        };
    }

    /// How full the table is of entries of this search, in thousandths, by its first buckets.
    pub(crate) fn fullness(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample
            .iter()
            .flatten()
            .filter(|entry| entry.stamp & 3 != 0 && entry.stamp >> 2 == self.generation)
            .count();
        (used * 1000 / (sample.len() * BUCKET).max(1)) as u32
    }
}

/// The entry to give up: empty, or shallow and old.
fn least_useful(bucket: &[Entry; BUCKET], generation: u8) -> usize {
    let worth = |entry: &Entry| {
        if entry.stamp & 3 == 0 {
            return i32::MIN;
        }
        let age = (generation + GENERATIONS - (entry.stamp >> 2)) % GENERATIONS;
        i32::from(entry.depth) - 8 * i32::from(age)
    };
    (0..BUCKET).min_by_key(|&which| worth(&bucket[which])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::geometry::Square;

    #[test]
    fn a_bucket_is_a_cache_line() {
        assert_eq!(size_of::<[Entry; BUCKET]>(), 64);
    }

    #[test]
    fn remembers_and_keeps_the_move() {
        let mut table = Table::new(1);
        let best = Some(Move::plain(Square::new(3), Square::new(9)));
        let hit = Hit { best, score: -31_990, evaluation: 12, depth: 7, bound: Bound::Lower };
        table.store(42, hit);
        table.store(42, Hit { best: None, depth: 8, ..hit });
        let found = table.probe(42).unwrap();
        assert_eq!((found.best, found.score, found.depth), (best, -31_990, 8));
        assert!(table.probe(43).is_none());
        table.clear();
        assert!(table.probe(42).is_none());
    }
}

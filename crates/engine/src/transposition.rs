//! The transposition table: search results by position, shared by all threads of the search
//! without locks. A fixed number of buckets of four entries; a newer or deeper entry takes the
//! place of the least useful one of its bucket.
//!
//! An entry is two words that are written one after the other, so that a reader may see the halves
//! of two different writes. The first word therefore carries the key mixed with the second ("lockless
//! hashing", Hyatt and Mann 2002): halves that do not belong together fit no key.

use crate::{Bound, memory};
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{Move, MoveKind, Role};
use std::sync::atomic::{AtomicU64, Ordering};

/// Entries that share an index: one cache line.
const BUCKET: usize = 4;

/// Words of a bucket.
const WORDS: usize = 2 * BUCKET;

/// Bytes of a cache line, at which buckets begin.
const LINE: usize = 64;

/// Number of generations; the counter wraps around.
const GENERATIONS: u8 = 32;

/// Tables larger than this, in words, are written to when they are made. The system finds the memory for a page when
/// it is first used. For a gigabyte that takes a third of a second, and no search may have to wait for it.
const EAGER_WIPE_WORDS: usize = 1 << 22;

/// The system refused the memory for a transposition table; the old one is still in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashRefused {
    /// The requested size, in MiB.
    pub mib: usize,
}

impl core::fmt::Display for HashRefused {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "expected {} MiB for the transposition table, found less memory", self.mib)
    }
}

impl std::error::Error for HashRefused {}

/// An entry of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hit {
    /// Perhaps the best move. Not proved legal here: keys can collide.
    pub(crate) best: Option<Move>,
    /// The score, by distance to the node.
    pub(crate) score: i32,
    /// The static evaluation; `None` in check.
    pub(crate) evaluation: Option<i32>,
    /// How deep it was searched, in plies.
    pub(crate) depth: i32,
    /// Kind of the score.
    pub(crate) bound: Bound,
    /// Whether it once lay on a principal variation.
    pub(crate) principal: bool,
}

/// The table.
pub(crate) struct TranspositionTable {
    words: Box<[AtomicU64]>,
    /// Words before the first bucket, so that buckets begin with cache lines.
    skipped: usize,
    buckets: usize,
    generation: u8,
    /// Whether nothing has been written since it was made or cleared.
    blank: bool,
}

impl core::fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("TranspositionTable").field("buckets", &self.buckets).finish_non_exhaustive()
    }
}

impl TranspositionTable {
    /// A table of this many MiB, at least 1. Its memory is allocated zeroed, so that of a small one the system need
    /// not touch it before it is used; a large one is ready when this returns.
    pub(crate) fn new(mib: usize) -> Result<Self, HashRefused> {
        let refused = HashRefused { mib };
        let bytes = mib.max(1).checked_mul(1 << 20).ok_or(refused)?;
        let buckets = bytes / (8 * WORDS);
        // One bucket more, for the words skipped.
        let words = buckets.checked_add(1).and_then(|count| count.checked_mul(WORDS)).ok_or(refused)?;
        let mut words: Box<[AtomicU64]> =
            bytemuck::allocation::try_zeroed_slice_box(words).map_err(|()| refused)?;
        memory::prefer_large_pages(&mut words[..]);
        if words.len() > EAGER_WIPE_WORDS {
            memory::wipe(&mut words);
        }
        let skipped = words.as_ptr().align_offset(LINE).min(WORDS);
        Ok(Self { words, skipped, buckets, generation: 0, blank: true })
    }

    /// A table of `mib` MiB; of one MiB if the system refuses that; and an empty table if it refuses that, too. Halving the
    /// size again and again would end with all of the machine's memory.
    pub(crate) fn at_most(mib: usize) -> Self {
        Self::new(mib).or_else(|_| Self::new(1)).unwrap_or_else(|_| Self::without_memory())
    }

    /// A table that stores nothing.
    fn without_memory() -> Self {
        Self { words: Box::default(), skipped: 0, buckets: 0, generation: 0, blank: true }
    }

    /// Its size, in MiB.
    pub(crate) fn mib(&self) -> usize {
        (self.buckets * 8 * WORDS) >> 20
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.generation = 0;
        if core::mem::replace(&mut self.blank, true) {
            return;
        }
        memory::wipe(&mut self.words);
    }

    /// Ages all entries for a new search.
    pub(crate) fn age(&mut self) {
        self.blank = false;
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// The bucket of a key; `None` in a table that stores nothing.
    #[inline]
    fn bucket(&self, key: u64) -> Option<&[AtomicU64; WORDS]> {
        // The high bits of the key choose the bucket, the low ones are checked.
        let number = scaled(key, self.buckets);
        let begin = self.skipped + number * WORDS;
        self.words.get(begin..begin + WORDS)?.try_into().ok()
    }

    /// Prefetches the bucket of a key that will soon be probed.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        if let Some(bucket) = self.bucket(key) {
            memory::prefetch(bucket);
        }
    }

    /// Probes the table for a key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Hit> {
        let bucket = self.bucket(key)?;
        (0..BUCKET).map(|which| Entry::load(bucket, which)).find(|entry| entry.is_of(key)).map(Entry::hit)
    }

    /// Stores an entry. An old best move stays if the new entry has none.
    #[inline]
    pub(crate) fn store(&self, key: u64, hit: Hit) {
        let Some(bucket) = self.bucket(key) else { return };
        let entries: [Entry; BUCKET] = core::array::from_fn(|which| Entry::load(bucket, which));
        let known = entries.iter().position(|entry| entry.is_of(key));
        let which = known.unwrap_or_else(|| least_useful(&entries, self.generation));
        let mut hit = hit;
        if known.is_some() {
            let old = entries[which];
            let current = old.generation() == self.generation;
            if hit.bound != Bound::Exact && current && hit.depth + 3 < old.depth() {
                return;
            }
            hit.best = hit.best.or_else(|| old.hit().best);
        }
        Entry::new(key, hit, self.generation).save(bucket, which);
    }

    /// How full the table is of entries of this search, in thousandths, by its first buckets.
    pub(crate) fn fullness(&self) -> u32 {
        let sample = self.buckets.min(250);
        let words = self.words.get(self.skipped..self.skipped + sample * WORDS).unwrap_or_default();
        let used = words
            .chunks_exact(2)
            .map(|pair| Entry { check: pair[0].load(Ordering::Relaxed), data: 0 })
            .filter(|entry| !entry.is_empty() && entry.generation() == self.generation)
            .count();
        (used * 1000 / (sample * BUCKET).max(1)) as u32
    }
}

/// The number, from 0 below `buckets`, that stands where the key stands among all keys.
#[inline]
fn scaled(key: u64, buckets: usize) -> usize {
    if cfg!(target_pointer_width = "64") {
        ((u128::from(key) * buckets as u128) >> 64) as usize
    } else {
        scaled_in_halves(key, buckets as u64) as usize
    }
}

/// The same for fewer than 2^32 buckets, where words of 128 bits are multiplied by a function.
#[inline]
const fn scaled_in_halves(key: u64, buckets: u64) -> u64 {
    let (high, low) = (key >> 32, key & 0xFFFF_FFFF);
    (high * buckets + ((low * buckets) >> 32)) >> 32
}

/// One stored entry, as its two words.
///
/// `check`, from the low end: 2 bits of bound (0 for an empty entry), 1 bit principal, 5 bits
/// generation, 8 bits depth, and 48 bits of key mixed with `data`. `data`: 32 bits of move, 16 of
/// score, 16 of evaluation.
#[derive(Clone, Copy, Debug)]
struct Entry {
    check: u64,
    data: u64,
}

/// The bits of `check` that are not of the key.
const STAMP: u64 = 0xFFFF;

/// Written where there is no evaluation.
const NO_EVALUATION: i16 = i16::MIN;

impl Entry {
    #[inline]
    fn new(key: u64, hit: Hit, generation: u8) -> Self {
        let bound = match hit.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        let evaluation = hit.evaluation.map_or(NO_EVALUATION, |evaluation| evaluation as i16);
        let data = u64::from(pack(hit.best))
            | u64::from(hit.score as i16 as u16) << 32
            | u64::from(evaluation as u16) << 48;
        let stamp = bound
            | u64::from(hit.principal) << 2
            | u64::from(generation) << 3
            | (hit.depth.clamp(0, 255) as u64) << 8;
        Self { check: mixed(key, data) | stamp, data }
    }

    #[inline]
    fn load(bucket: &[AtomicU64; WORDS], which: usize) -> Self {
        Self {
            check: bucket[2 * which].load(Ordering::Relaxed),
            data: bucket[2 * which + 1].load(Ordering::Relaxed),
        }
    }

    #[inline]
    fn save(self, bucket: &[AtomicU64; WORDS], which: usize) {
        bucket[2 * which].store(self.check, Ordering::Relaxed);
        bucket[2 * which + 1].store(self.data, Ordering::Relaxed);
    }

    const fn is_empty(self) -> bool {
        self.check & 3 == 0
    }

    const fn generation(self) -> u8 {
        (self.check >> 3) as u8 % GENERATIONS
    }

    const fn depth(self) -> i32 {
        (self.check >> 8) as u8 as i32
    }

    /// Whether it was written, whole, for this key.
    #[inline]
    const fn is_of(self, key: u64) -> bool {
        !self.is_empty() && self.check & !STAMP == mixed(key, self.data)
    }

    #[inline]
    fn hit(self) -> Hit {
        let evaluation = (self.data >> 48) as i16;
        Hit {
            best: unpack(self.data as u32),
            score: i32::from((self.data >> 32) as i16),
            evaluation: (evaluation != NO_EVALUATION).then_some(i32::from(evaluation)),
            depth: self.depth(),
            bound: match self.check & 3 {
                1 => Bound::Exact,
                2 => Bound::Lower,
                _ => Bound::Upper,
            },
            principal: self.check & 4 != 0,
        }
    }
}

/// The low 48 bits of the key and all of the data in 48 bits, above the stamp. Other data give
/// other bits: the multiplier is odd, and its product's high bits depend on everything.
const fn mixed(key: u64, data: u64) -> u64 {
    let folded = (data ^ (data >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (key << 16) ^ (folded & !STAMP)
}

/// A move in 32 bits, 0 for none: no move goes from the first square to itself.
pub(crate) fn pack(best: Option<Move>) -> u32 {
    let Some(Move { from, to, kind }) = best else { return 0 };
    let (tag, detail) = match kind {
        MoveKind::Plain => (0, 0),
        MoveKind::Promotion(role) => (1, role.index() as u32),
        MoveKind::EnPassant => (2, 0),
        MoveKind::Castling(number) => (3, u32::from(number)),
        MoveKind::Fuse => (4, 0),
        MoveKind::Split(leaver) => (5, leaver.index() as u32),
    };
    from.index() as u32 | (to.index() as u32) << 8 | tag << 16 | detail << 24
}

/// The inverse of [`pack`].
pub(crate) fn unpack(packed: u32) -> Option<Move> {
    if packed == 0 {
        return None;
    }
    let detail = (packed >> 24) as u8;
    let kind = match packed >> 16 & 0xFF {
        0 => MoveKind::Plain,
        1 => MoveKind::Promotion(Role::new(detail)),
        2 => MoveKind::EnPassant,
        3 => MoveKind::Castling(detail),
        4 => MoveKind::Fuse,
        _ => MoveKind::Split(Role::new(detail)),
    };
    Some(Move { from: Square::new(packed as u8), to: Square::new((packed >> 8) as u8), kind })
}

/// The entry to give up: empty, or shallow and old.
fn least_useful(entries: &[Entry; BUCKET], generation: u8) -> usize {
    let priority = |entry: &Entry| {
        if entry.is_empty() {
            return i32::MIN;
        }
        let age = (generation + GENERATIONS - entry.generation()) % GENERATIONS;
        entry.depth() - 8 * i32::from(age)
    };
    (0..BUCKET).min_by_key(|&which| priority(&entries[which])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(number: u64) -> Hit {
        let best = Move::plain(Square::new(number as u8), Square::new((number >> 8) as u8 | 1));
        Hit {
            best: Some(best),
            score: (number >> 16) as i16 as i32,
            evaluation: Some(i32::from((number >> 32) as i16) / 2),
            depth: (number >> 48) as u8 as i32,
            bound: if number >> 63 == 0 { Bound::Lower } else { Bound::Upper },
            principal: number >> 62 & 1 == 0,
        }
    }

    fn scramble(number: u64) -> u64 {
        let z = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB) ^ (z >> 31)
    }

    #[test]
    fn buckets_are_cache_lines() {
        assert_eq!(8 * WORDS, LINE);
        for mib in [1, 3, 16] {
            let table = TranspositionTable::new(mib).unwrap();
            assert_eq!(table.buckets * LINE, mib << 20);
            let first: *const AtomicU64 = table.bucket(0).unwrap().as_ptr();
            assert_eq!(first.align_offset(LINE), 0);
            assert!(table.bucket(u64::MAX).is_some());
        }
    }

    #[test]
    fn buckets_are_the_same_on_every_machine() {
        for buckets in [1, 3, 1 << 14, (1 << 20) - 1, u32::MAX as usize] {
            for key in (0..1_000).map(scramble).chain([u64::MAX, u64::MAX << 32, u64::MAX >> 32]) {
                assert_eq!(scaled(key, buckets), scaled_in_halves(key, buckets as u64) as usize);
            }
        }
    }

    #[test]
    fn too_large_table_is_refused() {
        for mib in [usize::MAX, usize::MAX >> 20, 1 << 43] {
            assert_eq!(TranspositionTable::new(mib).unwrap_err(), HashRefused { mib });
        }
        let table = TranspositionTable::without_memory();
        table.store(5, hit(5));
        assert_eq!((table.probe(5), table.fullness()), (None, 0));
    }

    #[test]
    fn stores_entry_and_keeps_best_move() {
        let mut table = TranspositionTable::new(1).unwrap();
        let best = Some(Move::plain(Square::new(3), Square::new(9)));
        let hit = Hit {
            best,
            score: -31_990,
            evaluation: Some(12),
            depth: 7,
            bound: Bound::Lower,
            principal: true,
        };
        table.age();
        table.store(42, hit);
        assert_eq!(table.probe(42), Some(hit));
        table.store(42, Hit { best: None, depth: 8, evaluation: None, ..hit });
        assert_eq!(table.probe(42), Some(Hit { depth: 8, evaluation: None, ..hit }));
        assert!(table.probe(43).is_none());
        table.clear();
        assert!(table.probe(42).is_none());
    }

    #[test]
    fn every_kind_of_move_survives() {
        for kind in [
            MoveKind::Plain,
            MoveKind::EnPassant,
            MoveKind::Promotion(Role::new(0)),
            MoveKind::Promotion(Role::new(25)),
            MoveKind::Castling(0),
            MoveKind::Castling(7),
        ] {
            for (from, to) in [(0, 1), (255, 0), (143, 12)] {
                let best = Some(Move { from: Square::new(from), to: Square::new(to), kind });
                assert_eq!(unpack(pack(best)), best);
            }
        }
        assert_eq!(unpack(pack(None)), None);
    }

    #[test]
    fn a_large_table_is_cleared_whole() {
        let mut table = TranspositionTable::new(64).unwrap();
        let keys: Vec<u64> = (1..20_000).map(scramble).collect();
        table.age();
        keys.iter().for_each(|&key| table.store(key, hit(key)));
        assert!(keys.iter().any(|&key| table.probe(key).is_some()));
        table.clear();
        assert!(keys.iter().all(|&key| table.probe(key).is_none()));
        assert!(table.words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
    }

    #[test]
    fn torn_entries_match_no_key() {
        // Eight keys that share one bucket, written by four threads over and over with changing
        // contents: a reader gets an entry written for that key, or none.
        let table = TranspositionTable::new(1).unwrap();
        let keys: Vec<u64> = (1..=8).map(|number| scramble(number) & 0xFFFF_FFFF_FFFF).collect();
        let content = |key: u64, round: u64| {
            let fitting = scramble(key ^ (round % 512));
            Hit { depth: 9, bound: Bound::Exact, ..hit(fitting) }
        };
        let begin = std::sync::Barrier::new(4);
        let read = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let (table, keys, begin, read) = (&table, &keys, &begin, &read);
                scope.spawn(move || {
                    begin.wait();
                    for round in 0..40_000u64 {
                        let key = keys[(scramble(round * 4 + thread) % 8) as usize];
                        table.store(key, content(key, scramble(round + thread)));
                        let key = keys[(scramble(round * 4 + thread + 1) % 8) as usize];
                        if let Some(found) = table.probe(key) {
                            read.fetch_add(1, Ordering::Relaxed);
                            assert!((0..512).any(|round| content(key, round) == found), "{found:?}");
                        }
                    }
                });
            }
        });
        assert!(read.into_inner() > 0);
    }
}

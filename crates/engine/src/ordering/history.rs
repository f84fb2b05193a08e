//! History heuristics: success of moves elsewhere in the tree. Several threads share the tables without locks: of two
//! simultaneous updates of one entry one may be lost, which is harmless.

use crate::memory::prefer_large_pages;
use crate::transposition::{pack, unpack};
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{Move, Piece};
use std::sync::atomic::{AtomicI16, AtomicU32, Ordering};

/// Bound of a history value.
pub(crate) const MAX_HISTORY: i32 = 1 << 14;

/// Most entries of one table of the continuation history: 2 MiB. On small boards every pair of
/// moves has its own; on large ones moves far apart share.
const MAX_ENTRIES: usize = 1 << 20;

/// How many moves back continuation history goes, in plies.
pub(crate) const BACK: [usize; 3] = [1, 2, 4];

/// A table of history values, zero at first, with "gravity" (as in Stockfish since 2016). The nearer a value is
/// to its bound, the less a bonus adds, so values stay bounded and old ones decay.
pub(crate) struct HistoryTable(Box<[AtomicI16]>);

impl HistoryTable {
    /// A table of zeros.
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

/// A piece that went to a square, as the tables find it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo {
    /// Which piece and square.
    pub(crate) slot: u32,
    /// Index of its replies in the continuation history.
    row: u32,
    /// Its index among replies.
    column: u32,
}

/// The moves of the last plies, by [`BACK`].
pub(crate) type Before = [Option<PieceTo>; BACK.len()];

/// The histories of the threads that share them. They last from search to search.
pub(crate) struct History {
    squares: usize,
    roles: usize,
    /// By piece and target, quiet moves ("history heuristic", Schaeffer 1983).
    quiets: HistoryTable,
    /// By piece, target and role captured ("capture history", as in Stockfish since 2017).
    captures: HistoryTable,
    /// By the piece and target of a move before, and role and target ("continuation history", as in
    /// Stockfish since 2016), for moves of the other side and for own ones.
    continuation: [HistoryTable; 2],
    rows: usize,
    /// By the piece and target of the move before: its refutation ("countermove heuristic",
    /// Uiterwijk 1992). Moves are encoded as in the transposition table.
    counters: Box<[AtomicU32]>,
}

impl core::fmt::Debug for History {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("History").field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl History {
    /// Empty tables for this number of pieces (of both colors) and squares.
    pub(crate) fn new(pieces: usize, squares: usize) -> Self {
        let (slots, columns) = (pieces * squares, pieces.div_ceil(2) * squares);
        let rows = slots.min(MAX_ENTRIES / columns.max(1)).max(1);
        Self {
            squares,
            roles: pieces.div_ceil(2),
            quiets: HistoryTable::new(slots),
            captures: HistoryTable::new(slots * (pieces.div_ceil(2) + 1)),
            continuation: [HistoryTable::new(rows * columns), HistoryTable::new(rows * columns)],
            rows,
            counters: bytemuck::zeroed_slice_box(slots),
        }
    }

    /// Clears all tables.
    pub(crate) fn clear(&mut self) {
        let [near, far] = &mut self.continuation;
        for table in [&mut self.quiets, &mut self.captures, near, far] {
            table.clear();
        }
        self.counters.iter_mut().for_each(|counter| *counter.get_mut() = pack(None));
    }

    /// Ages the tables for a new search: halves the history of quiet moves.
    pub(crate) fn age(&mut self) {
        self.quiets.halve();
    }

    /// The tables' view of a piece going to a square.
    #[inline]
    pub(crate) fn step(&self, piece: Piece, to: Square) -> PieceTo {
        let slot = piece.index() * self.squares + to.index();
        let column = piece.role().index() * self.squares + to.index();
        let columns = self.roles * self.squares;
        // Avoid the division if the table has room for all.
        let row = if slot < self.rows { slot } else { slot % self.rows };
        PieceTo { slot: slot as u32, row: (row * columns) as u32, column: column as u32 }
    }

    #[inline]
    fn pair(&self, number: usize, before: PieceTo, now: PieceTo) -> i32 {
        self.continuation[BACK[number] & 1].get((before.row + now.column) as usize)
    }

    /// Main history of a quiet move, from -16384 to 16384.
    #[inline]
    pub(crate) fn quiet(&self, now: PieceTo) -> i32 {
        self.quiets.get(now.slot as usize)
    }

    /// Continuation history of a quiet move over the last two plies, from -32768 to 32768.
    #[inline]
    pub(crate) fn continued(&self, now: PieceTo, before: &Before) -> i32 {
        (0..2).filter_map(|number| Some(self.pair(number, before[number]?, now))).sum()
    }

    /// Ordering score of a quiet move: main history plus continuation history times `weight` 16ths.
    #[inline]
    pub(crate) fn score(&self, now: PieceTo, before: &Before, weight: i32) -> i32 {
        let far = before[2].map_or(0, |step| self.pair(2, step, now));
        self.quiet(now) + (self.continued(now, before) + far / 2) * weight / 16
    }

    /// Updates the histories of a quiet move by a bonus or, negative, a malus.
    #[inline]
    pub(crate) fn update(&self, now: PieceTo, before: &Before, bonus: i32) {
        self.update_quiet(now, bonus);
        self.update_continued(now, before, bonus);
    }

    /// The same, but not as a reply to the moves before.
    #[inline]
    pub(crate) fn update_quiet(&self, now: PieceTo, bonus: i32) {
        self.quiets.add(now.slot as usize, bonus, MAX_HISTORY);
    }

    /// The same, only where it follows on the moves before.
    #[inline]
    pub(crate) fn update_continued(&self, now: PieceTo, before: &Before, bonus: i32) {
        for (back, step) in BACK.iter().zip(before) {
            if let Some(step) = step {
                self.continuation[back & 1].add((step.row + now.column) as usize, bonus, MAX_HISTORY);
            }
        }
    }

    #[inline]
    fn capture_slot(&self, now: PieceTo, victim: Option<Piece>) -> usize {
        let victim = victim.map_or(self.roles, |piece| piece.role().index());
        now.slot as usize * (self.roles + 1) + victim
    }

    /// Capture history of a capture or promotion, from -16384 to 16384.
    #[inline]
    pub(crate) fn capture(&self, now: PieceTo, victim: Option<Piece>) -> i32 {
        self.captures.get(self.capture_slot(now, victim))
    }

    /// Updates the capture history by a bonus or, negative, a malus.
    #[inline]
    pub(crate) fn update_capture(&self, now: PieceTo, victim: Option<Piece>, bonus: i32) {
        self.captures.add(self.capture_slot(now, victim), bonus, MAX_HISTORY);
    }

    /// The counter move to the last move.
    #[inline]
    pub(crate) fn counter(&self, before: &Before) -> Option<Move> {
        unpack(self.counters[before[0]?.slot as usize].load(Ordering::Relaxed))
    }

    /// Sets the counter move to the last move.
    #[inline]
    pub(crate) fn set_counter(&self, before: &Before, refutation: Move) {
        if let Some(step) = before[0] {
            self.counters[step.slot as usize].store(pack(Some(refutation)), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::position::{Color, Role};

    fn piece(role: u8) -> Piece {
        Piece::new(Color::White, Role::new(role))
    }

    #[test]
    fn tables_are_bounded_on_the_largest_boards_and_exact_on_small_ones() {
        let small = History::new(12, 64);
        assert_eq!(small.rows, 12 * 64);
        let large = History::new(52, 256);
        assert!(large.continuation[0].len() <= MAX_ENTRIES && large.rows > 100);
        for role in 0..26 {
            for square in 0..=255 {
                let step = large.step(piece(role), Square::new(square));
                assert!(((step.row + 26 * 256) as usize) <= large.continuation[1].len());
            }
        }
    }

    #[test]
    fn update_changes_its_own_entries_only() {
        let history = History::new(12, 64);
        let now = history.step(piece(2), Square::new(9));
        let other = history.step(piece(2), Square::new(10));
        let before = [Some(history.step(piece(5), Square::new(63))), None, Some(other)];
        history.update(now, &before, 1_000);
        assert_eq!((history.quiet(now), history.quiet(other)), (1_000, 0));
        assert_eq!(history.continued(now, &before), 1_000);
        assert_eq!(history.continued(now, &[None; 3]), 0);
        assert_eq!(history.score(now, &before, 16), 2_500);
        assert_eq!(history.score(now, &before, 0), 1_000);
        history.update_capture(now, Some(piece(1)), -500);
        assert_eq!((history.capture(now, Some(piece(1))), history.capture(now, None)), (-500, 0));
    }

    #[test]
    fn values_stay_bounded_and_can_change_sign() {
        const MAX_HISTORY: i32 = 1 << 14;
        let table = HistoryTable::new(2);
        for _ in 0..1_000 {
            table.add(1, 900, MAX_HISTORY);
        }
        assert!(table.get(1) > MAX_HISTORY * 9 / 10 && table.get(1) <= MAX_HISTORY);
        table.add(1, -i32::MAX, MAX_HISTORY);
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

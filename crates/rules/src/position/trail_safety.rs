//! The King's safety against pieces that capture along trails: slides with turns, hops, pieces that must
//! stand on certain squares.
//!
//! Each way in which an enemy piece could capture the King is a count of pieces on a set of squares
//! (`variant::capture_paths`). A move takes one piece off the board's squares and puts one on. It changes the count by the
//! square that its piece leaves and by the square that it fills. So every way whose count is near the fatal one forbids
//! squares, some to every piece, others only to the pieces on the way. The narrowings are joined by AND, each keyed by its
//! own way, as for lines.

use super::Position;
use super::safety::{KingSafety, Safety};
use crate::geometry::{Square, SquareSet};
use crate::variant::Rules;
use arrayvec::ArrayVec;

/// Most ways at once for which it matters which piece leaves them; with more, each move is tried separately.
const MAX_TRAILS: usize = 24;

/// The squares that the King's safety leaves open to the other pieces, trails included.
pub(super) struct TrailSafety<const N: usize> {
    safety: Safety<N>,
    /// Squares where every piece may end, counting only ways that are the same for all own pieces.
    common: SquareSet<N>,
    /// The same, counting all ways, for pieces that stand on no way in `ways`.
    off_ways: SquareSet<N>,
    /// Own pieces on some way.
    on_ways: SquareSet<N>,
    ways: ArrayVec<Way<N>, MAX_TRAILS>,
    check: bool,
}

/// A way on which own pieces stand.
struct Way<const N: usize> {
    /// Where pieces may end that stay off it.
    others: SquareSet<N>,
    /// Pieces whose leaving changes the count, and where they may end.
    leavers: [(SquareSet<N>, SquareSet<N>); 2],
}

/// More ways depend on which piece leaves them than there is room for.
pub(super) struct TooManyWays;

impl<const N: usize> TrailSafety<N> {
    /// The squares that lines and leaps leave open.
    pub(super) fn new(safety: Safety<N>) -> Self {
        Self {
            common: safety.evasion,
            off_ways: safety.evasion,
            check: safety.check,
            safety,
            on_ways: SquareSet::EMPTY,
            ways: ArrayVec::new(),
        }
    }

    pub(super) fn check(&self) -> bool {
        self.check
    }

    /// Where a piece may end that leaves another one on its square.
    #[inline]
    pub(super) fn allowed_staying(&self) -> SquareSet<N> {
        self.off_ways
    }
}

impl<const N: usize> KingSafety<N> for TrailSafety<N> {
    #[inline]
    fn king_must_move(&self) -> bool {
        self.off_ways.is_empty() && self.ways.is_empty()
    }

    #[inline]
    fn allowed(&self, from: Square) -> SquareSet<N> {
        if !self.on_ways.contains(from) {
            return self.safety.unpinned(from, self.off_ways);
        }
        let mut allowed = self.common;
        for way in &self.ways {
            let of = |(leavers, allowed): &(SquareSet<N>, SquareSet<N>)| {
                leavers.contains(from).then_some(*allowed)
            };
            allowed &= way.leavers.iter().find_map(of).unwrap_or(way.others);
        }
        self.safety.unpinned(from, allowed)
    }
}

impl<const N: usize> Position<N> {
    /// Narrows the squares that lines and leaps leave open by the trails of the enemy.
    ///
    /// # Errors
    /// When too many ways depend on which piece leaves them.
    #[inline]
    pub(super) fn narrow_by_trails(
        &self,
        rules: &Rules<N>,
        trail_safety: &mut TrailSafety<N>,
    ) -> Result<(), TooManyWays> {
        let (king, own, occupied) = (self.king(self.turn), self.own(), self.occupied());
        for from in rules.capture_paths.attackers(self.turn.opponent(), king) & self.enemy() {
            let Some(piece) = self.piece_at(from) else { continue };
            for path in rules.capture_paths.of(piece, from, king) {
                let flipped = rules.capture_paths.flipped(path) & path.way;
                let missing = path.missing(occupied, flipped);
                // One piece can leave and arrive.
                if missing.abs() > 2 || (path.initial && !rules.may_start(piece, from, self.moved)) {
                    continue;
                }
                trail_safety.check |= missing == 0;
                let free = path.way.without(occupied);
                let fatal = Fatal { filled: free.without(flipped), emptied: free & flipped, attacker: from };
                let others = fatal.allowed(missing);
                let pieces = path.way & own;
                let leavers = [
                    (pieces.without(flipped), fatal.allowed(missing + 1)),
                    (pieces & flipped, fatal.allowed(missing - 1)),
                ];
                trail_safety.off_ways &= others;
                if leavers.iter().all(|(pieces, allowed)| pieces.is_empty() || *allowed == others) {
                    trail_safety.common &= others;
                    continue;
                }
                trail_safety.on_ways |= pieces;
                trail_safety.ways.try_push(Way { others, leavers }).map_err(|_| TooManyWays)?;
            }
        }
        Ok(())
    }
}

/// The squares where a piece that arrives changes the count of a way.
struct Fatal<const N: usize> {
    /// Empty squares where it adds one.
    filled: SquareSet<N>,
    /// Empty squares where a piece must stand: it takes one away.
    emptied: SquareSet<N>,
    /// Where the attacker stands: to capture it is always an answer.
    attacker: Square,
}

impl<const N: usize> Fatal<N> {
    /// Where a piece may end whose move must not change the count by exactly `change`.
    #[inline]
    fn allowed(&self, change: i32) -> SquareSet<N> {
        match change {
            0 => self.filled | self.emptied | SquareSet::of(self.attacker),
            1 => !self.filled,
            -1 => !self.emptied,
            _ => SquareSet::FULL,
        }
    }
}

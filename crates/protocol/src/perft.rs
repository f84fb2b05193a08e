//! Perft on several threads, which can be stopped, and its output in Stockfish's format.

use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyMultiPosition, AnyPosition, Move};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Greatest depth accepted, far beyond what can be counted.
pub const MAX_DEPTH: u32 = 100;

/// Node counts by root move, sorted by the moves' texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Each root move and the leaf nodes below it.
    pub by_move: Vec<(String, u64)>,
    /// All leaf nodes; 1 at depth 0.
    pub total: u64,
}

impl Counts {
    /// `move: count` lines if wanted, then a blank line and `Nodes searched: N`.
    #[must_use]
    pub fn text(&self, divide: bool) -> String {
        let mut text = String::new();
        for (name, count) in self.by_move.iter().filter(|_| divide) {
            let _ = writeln!(text, "{name}: {count}");
        }
        let _ = write!(text, "\nNodes searched: {}", self.total);
        text
    }
}

/// Counts the leaf nodes at `depth` on a number of threads; `None` if `stop` returned true.
///
/// ```
/// use lozenge_protocol::perft;
/// use lozenge_rules::{position::AnyPosition, library};
/// let start = AnyPosition::start(&library::game("diamond").unwrap());
/// assert_eq!(perft::count(&start, 3, 2, &|| false).unwrap().total, 608);
/// assert_eq!(perft::count(&start, 9, 2, &|| true), None);
/// ```
#[must_use]
pub fn count(
    position: &AnyPosition,
    depth: u32,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Counts> {
    share(&position.legal_moves(), depth, threads, &|first, depth| {
        let count = position.play_unchecked(first).perft_until(depth, stop)?;
        Some((uci::write(position.variant(), first), count))
    })
}

/// The same in a game of four.
#[must_use]
pub fn count_multi(
    position: &AnyMultiPosition,
    depth: u32,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Counts> {
    share(&position.legal_moves(), depth, threads, &|first, depth| {
        let count = position.play(first).ok()?.perft_until(depth, stop)?;
        Some((uci::write_multi(position.variant(), first), count))
    })
}

/// Counts below each of the moves, on a number of threads; `None` as soon as a count is. `below` gets a move and the depth after it.
fn share(
    moves: &[Move],
    depth: u32,
    threads: usize,
    below: &(dyn Fn(Move, u32) -> Option<(String, u64)> + Sync),
) -> Option<Counts> {
    let Some(after) = depth.checked_sub(1) else { return Some(Counts { by_move: Vec::new(), total: 1 }) };
    let next = AtomicUsize::new(0);
    let counted = Mutex::new(Vec::with_capacity(moves.len()));
    let work = || {
        while let Some(&first) = moves.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(count) = below(first, after) else { return };
            counted.lock().unwrap_or_else(PoisonError::into_inner).push(count);
        }
    };
    if threads <= 1 {
        work();
    } else {
        std::thread::scope(|scope| {
            // A thread that cannot be started is not needed: this one works, too.
            for _ in 1..threads.min(moves.len()) {
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
    }
    let mut by_move = counted.into_inner().unwrap_or_else(PoisonError::into_inner);
    if by_move.len() < moves.len() {
        return None;
    }
    by_move.sort();
    let total = by_move.iter().map(|(_, count)| count).sum();
    Some(Counts { by_move, total })
}

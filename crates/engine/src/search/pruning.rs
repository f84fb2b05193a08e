//! The rules by which branches are cut or shortened, one function each, with their sources. The
//! wiki is the Chess Programming Wiki.

use crate::score::is_decided;
use crate::tunables::Tunables;
use lozenge_rules::geometry::Square;

/// Reverse futility pruning ("static null move", wiki): so far above beta that the other side will
/// not make it up at this depth.
pub(super) fn reverse_futility(
    tunables: &Tunables,
    depth: i32,
    evaluation: i32,
    beta: i32,
    improving: bool,
) -> bool {
    depth <= tunables.reverse_futility_depth
        && !is_decided(beta)
        && evaluation - tunables.reverse_futility * (depth - i32::from(improving)).max(0) >= beta
}

/// Razoring (Birmingham and Kent, 1977; wiki): so far below alpha that only captures can help.
pub(super) fn razoring(tunables: &Tunables, depth: i32, evaluation: i32, alpha: i32) -> bool {
    depth <= tunables.razoring_depth && !is_decided(alpha) && evaluation + tunables.razoring * depth < alpha
}

/// Null move (Beal 1989, Donninger 1993): depth at which passing is tried, if it is. Where few pieces
/// are left, and on small boards, having to move is often bad, so that passing proves little.
pub(super) fn null_move(
    tunables: &Tunables,
    depth: i32,
    evaluation: i32,
    beta: i32,
    officers: i32,
) -> Option<i32> {
    let too_few = officers < tunables.null_move_least_officers;
    if too_few || depth < tunables.null_move_depth || evaluation < beta || is_decided(beta) {
        return None;
    }
    let surplus = ((evaluation - beta) / tunables.null_move_margin).min(tunables.null_move_most);
    Some((depth - tunables.null_move - depth * tunables.null_move_slope / 16 - surplus).max(0))
}

/// Whether a null move that fails high must be proved by a search without null moves ("verified
/// null move pruning", David-Tabibi and Netanyahu 2002): on boards where zugzwang is common.
pub(super) fn null_move_needs_proof(tunables: &Tunables, squares: usize, officers: i32, depth: i32) -> bool {
    let has_zugzwang =
        squares <= tunables.null_move_squares as usize || officers <= tunables.null_move_officers;
    depth >= tunables.null_move_proof || (depth >= tunables.null_move_proof_zugzwang && has_zugzwang)
}

/// Moves in a position for which the number in [`Tunables::quiet_moves`] is.
const USUAL_BRANCHING: u32 = 24;

/// Late move pruning ("move count based pruning", wiki): how many quiet moves are tried at this
/// depth. Games with many moves try more.
pub(super) fn quiet_moves_tried(tunables: &Tunables, depth: i32, improving: bool, branching: u32) -> usize {
    if depth > tunables.quiet_moves_depth {
        return usize::MAX;
    }
    let branching = branching.clamp(USUAL_BRANCHING, tunables.quiet_moves_branching as u32);
    let usual = (tunables.quiet_moves + depth * depth) as usize;
    let count = usual * branching as usize / USUAL_BRANCHING as usize;
    if improving { count } else { count * tunables.quiet_moves_worsening as usize / 100 }
}

/// Futility pruning (Schaeffer 1986; Heinz 1998): a quiet move will not bring the evaluation up to
/// alpha. `depth` is what the move would be searched to after reductions; good history helps.
pub(super) fn futility(tunables: &Tunables, depth: i32, evaluation: i32, alpha: i32, history: i32) -> bool {
    let margin =
        tunables.futility + tunables.futility_slope * depth + history * tunables.futility_history / 1024;
    depth <= tunables.futility_depth && !is_decided(alpha) && evaluation + margin <= alpha
}

/// The same for captures and promotions, with what they win at once in the evaluation.
pub(super) fn futility_of_capture(
    tunables: &Tunables,
    depth: i32,
    evaluation: i32,
    alpha: i32,
    history: i32,
) -> bool {
    let margin = tunables.futility_capture
        + tunables.futility_capture_slope * depth
        + history * tunables.futility_capture_history / 1024;
    depth <= tunables.futility_capture_depth && !is_decided(alpha) && evaluation + margin <= alpha
}

/// History pruning (Stockfish, "countermove based pruning"): quiet moves that have gone badly
/// everywhere are not searched at low depth.
pub(super) fn history(tunables: &Tunables, depth: i32, history: i32) -> bool {
    depth <= tunables.history_pruning_depth && history < -tunables.history_pruning * depth.max(1)
}

/// History bonus for a refutation at this depth.
pub(super) fn history_bonus(tunables: &Tunables, depth: i32) -> i32 {
    (tunables.history_bonus * depth).min(tunables.history_bonus_most)
}

/// History bonus of a quiet move that raised the static evaluation for its side by `gain` centipawns (Stockfish since 2020).
/// Every move that is searched gets one, not only refutations, so the order of moves is good sooner.
pub(super) fn evaluation_bonus(tunables: &Tunables, gain: i32) -> i32 {
    let most = tunables.history_gain_most;
    (gain * tunables.history_gain).clamp(-most, most)
}

/// Exchange pruning (wiki: "static exchange evaluation", pruning): the loss that a capture may cost
/// at this depth and still be searched, as a negative number; more with good history.
pub(super) fn exchange_allowed(tunables: &Tunables, depth: i32, history: i32) -> Option<i32> {
    let allowed = -tunables.exchange_capture * depth - history * tunables.exchange_history / 1024;
    (depth <= tunables.exchange_depth).then_some(allowed.min(0))
}

/// The same for quiet moves, by the depth after reductions: the piece that moves may be lost.
pub(super) fn exchange_allowed_quiet(tunables: &Tunables, depth: i32) -> Option<i32> {
    (depth <= tunables.exchange_depth).then_some(-tunables.exchange_quiet * depth * depth)
}

/// Recaptures only, from some ply of quiescence on (wiki, "quiescence search": limiting quiescence; Stockfish
/// had `DEPTH_QS_RECAPTURES` until 2024). Captures elsewhere are another exchange, begun before the first was
/// settled. On boards where many pieces can capture at once, as hoppers do, such exchanges have very many
/// orders: without this rule the first move alone takes thousands of nodes.
pub(super) fn skip_non_recapture(
    tunables: &Tunables,
    plies: usize,
    last: Option<Square>,
    to: Square,
) -> bool {
    plies >= tunables.quiescence_recaptures as usize && last.is_some_and(|last| last != to)
}

/// Late move reductions (wiki; logarithms of depth and number as in Stockfish since 2013), in
/// 1024ths of a ply by depth and number of the move.
#[derive(Clone, Debug)]
pub(super) struct Reductions(Vec<[i16; 64]>);

impl Reductions {
    /// The table for these tunables.
    pub(super) fn new(tunables: &Tunables) -> Self {
        let logs: [u32; 64] = core::array::from_fn(|number| log2(number as u32));
        let row = |depth: usize| {
            core::array::from_fn(|number| {
                if depth == 0 || number == 0 {
                    return 0;
                }
                let product = (logs[depth] * logs[number] / 256) as i32;
                (4 * (tunables.reduction_base + product * tunables.reduction_slope / 256)).clamp(0, 30_000)
                    as i16
            })
        };
        Self((0..64).map(row).collect())
    }

    /// The reduction, in 1024ths of a ply.
    #[inline]
    pub(super) fn get(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][number.min(63)])
    }
}

/// Logarithm to base 2, in 256ths, by squaring: whole numbers only, the same everywhere.
fn log2(number: u32) -> u32 {
    let whole = number.max(1).ilog2();
    let mut mantissa = (u64::from(number.max(1)) << 24) >> whole;
    let mut log = whole;
    for _ in 0..8 {
        mantissa = (mantissa * mantissa) >> 24;
        log <<= 1;
        if mantissa >= 2 << 24 {
            mantissa >>= 1;
            log |= 1;
        }
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log2_is_in_fixed_point() {
        assert_eq!([log2(1), log2(2), log2(3), log2(8), log2(10)], [0, 256, 405, 768, 850]);
    }

    #[test]
    fn deep_quiescence_keeps_only_recaptures() {
        let tunables = Tunables { quiescence_recaptures: 3, ..Tunables::default() };
        let [here, there] = [4, 5].map(Square::new);
        assert!(!skip_non_recapture(&tunables, 2, Some(here), there));
        assert!(skip_non_recapture(&tunables, 3, Some(here), there));
        assert!(
            !skip_non_recapture(&tunables, 3, Some(here), here)
                && !skip_non_recapture(&tunables, 9, None, here)
        );
    }

    #[test]
    fn later_and_deeper_is_reduced_more() {
        let reductions = Reductions::new(&Tunables::default());
        assert_eq!(reductions.get(1, 1) / 1024, 0);
        assert!((1..=2).contains(&(reductions.get(4, 6) / 1024)));
        assert!(reductions.get(20, 40) > reductions.get(6, 40));
        assert!(reductions.get(200, 200) < 12 * 1024);
    }
}

//! The numbers of the search that a tuner may change, in one table: default, least, most, and the step in which a tuner
//! should try them. Centipawns unless the description has another unit. Not here: the weights of the evaluation, which are
//! data, the sizes of tables, the share of the clock (`time`), and the search for four players (`multi`), which has its own.

/// One number as a tuner sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// Its default value.
    pub default: i32,
    /// Least sensible value.
    pub min: i32,
    /// Largest sensible value.
    pub max: i32,
    /// A change that could be felt.
    pub step: i32,
}

macro_rules! tunables {
    ($($(#[$about:meta])* $name:ident = $default:literal in $min:literal..=$max:literal by $step:literal;)*) => {
        /// The values in use.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Tunables {
            $($(#[$about])* pub $name: i32,)*
        }

        impl Default for Tunables {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Tunables {
            /// Every number that can be tuned.
            pub const TABLE: &'static [Tunable] = &[$(Tunable {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
            },)*];

            /// A number by name.
            #[must_use]
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// Sets a number by name. Returns `false` if no number has that name or the value is out of
            /// range.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) if ($min..=$max).contains(&value) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

tunables! {
    /// Half width of the first aspiration window.
    aspiration = 24 in 5..=100 by 4;
    /// Aspiration windows: least depth, in plies.
    aspiration_depth = 4 in 1..=12 by 1;
    /// Aspiration windows: half width above which a side is opened altogether.
    aspiration_wide = 1000 in 200..=3000 by 100;
    /// Aspiration windows: hundredths by which the half width grows when a search fails.
    aspiration_growth = 200 in 120..=500 by 20;
    /// Extensions: made up to this many plies from the root for each ply of the iteration.
    extension_plies = 2 in 1..=4 by 1;
    /// Reverse futility: margin for each ply of depth.
    reverse_futility = 85 in 30..=200 by 10;
    /// Reverse futility: deepest, in plies.
    reverse_futility_depth = 7 in 1..=12 by 1;
    /// Late move pruning: deepest, in plies.
    quiet_moves_depth = 6 in 0..=12 by 1;
    /// Late move pruning: quiet moves tried at depth 0, for 24 moves in a position.
    quiet_moves = 4 in 1..=12 by 1;
    /// Late move pruning: moves in a position beyond which no more are tried.
    quiet_moves_branching = 96 in 24..=400 by 24;
    /// Late move pruning: hundredths of that where the evaluation does not improve.
    quiet_moves_worsening = 67 in 30..=100 by 5;
    /// Razoring: deepest, in plies.
    razoring_depth = 3 in 0..=8 by 1;
    /// Razoring: margin for each ply of depth.
    razoring = 220 in 80..=500 by 25;
    /// Null move: least depth, in plies.
    null_move_depth = 3 in 1..=8 by 1;
    /// Null move: fewest officers of the side to move.
    null_move_least_officers = 2 in 0..=8 by 1;
    /// Null move: plies taken off at least.
    null_move = 4 in 1..=5 by 1;
    /// Null move: score above beta that takes one more ply off.
    null_move_margin = 200 in 80..=400 by 25;
    /// Null move: plies taken off for that at most.
    null_move_most = 3 in 0..=8 by 1;
    /// Null move: plies taken off for each ply of depth, in 1/16.
    null_move_slope = 4 in 0..=8 by 1;
    /// Null move: depth from which it must be proved.
    null_move_proof = 8 in 2..=99 by 1;
    /// Null move: the same where zugzwang is common.
    null_move_proof_zugzwang = 4 in 2..=99 by 1;
    /// Null move: largest board, in squares, on which zugzwang is common.
    null_move_squares = 50 in 0..=300 by 10;
    /// Null move: most pieces of the side to move, its royal pieces and pawns aside, with which zugzwang is common.
    null_move_officers = 3 in 0..=8 by 1;
    /// Internal iterative reduction: least depth, in plies.
    internal_reduction_depth = 4 in 2..=99 by 1;
    /// Futility: deepest, in plies after reductions.
    futility_depth = 6 in 0..=12 by 1;
    /// Futility: margin at depth 0.
    futility = 110 in 20..=300 by 20;
    /// Futility: margin for each ply of depth.
    futility_slope = 85 in 20..=200 by 10;
    /// Futility: margin for good history, in 1/1024.
    futility_history = 4 in 0..=16 by 1;
    /// Exchange pruning: deepest, in plies, of quiet moves after reductions.
    exchange_depth = 7 in 0..=12 by 1;
    /// Exchange pruning of captures: loss allowed for good history, in 1/1024.
    exchange_history = 16 in 0..=64 by 4;
    /// Exchange pruning of captures: loss allowed for each ply of depth.
    exchange_capture = 90 in 20..=250 by 15;
    /// Exchange pruning of quiet moves: loss allowed, times depth squared.
    exchange_quiet = 25 in 5..=80 by 4;
    /// Futility of captures: deepest, in plies after reductions.
    futility_capture_depth = 6 in 0..=9 by 1;
    /// Futility of captures: margin at depth 0.
    futility_capture = 200 in 50..=500 by 25;
    /// Futility of captures: margin for each ply of depth.
    futility_capture_slope = 150 in 50..=400 by 20;
    /// Futility of captures: margin for good history, in 1/1024.
    futility_capture_history = 16 in 0..=64 by 4;
    /// History pruning: deepest, in plies after reductions.
    history_pruning_depth = 4 in 0..=12 by 1;
    /// History pruning: history below minus this for each ply of depth.
    history_pruning = 4000 in 1000..=20000 by 500;
    /// History: bonus of a refutation, for each ply of depth.
    history_bonus = 170 in 40..=400 by 20;
    /// History: largest bonus of a refutation.
    history_bonus_most = 1700 in 400..=4000 by 100;
    /// History: part of the bonus for a move by which the transposition table cuts, in 1/16.
    history_bonus_table = 8 in 0..=32 by 2;
    /// History: bonus of a quiet move for each centipawn by which the static evaluation rose for its side.
    history_gain = 8 in 0..=64 by 4;
    /// History: largest such bonus.
    history_gain_most = 1500 in 0..=4000 by 100;
    /// Continuation history beside the history of the move itself, in 1/16.
    continuation = 16 in 0..=40 by 2;
    /// Capture history in the order of captures, in 1/16.
    capture_history = 8 in 0..=32 by 2;
    /// Correction of the evaluation by pawns, in 1/64.
    correction_pawns = 64 in 0..=128 by 8;
    /// Correction of the evaluation by other pieces, in 1/64.
    correction_pieces = 48 in 0..=128 by 8;
    /// Correction of the evaluation by the last two moves, in 1/64.
    correction_moves = 48 in 0..=128 by 8;
    /// ProbCut: least depth, in plies.
    probcut_depth = 5 in 3..=99 by 1;
    /// ProbCut: margin above beta.
    probcut = 180 in 60..=400 by 20;
    /// ProbCut: less margin where the evaluation improves.
    probcut_improving = 40 in 0..=200 by 10;
    /// ProbCut: plies taken off.
    probcut_reduction = 4 in 2..=6 by 1;
    /// Singular extension: least depth, in plies.
    singular_depth = 6 in 4..=99 by 1;
    /// Singular extension: plies by which the entry of the table may be shallower.
    singular_entry = 3 in 1..=6 by 1;
    /// Singular extension: margin below the score from the table, in 1/16 for each ply.
    singular_margin = 24 in 8..=80 by 4;
    /// Singular extension: depth of the search without the move, in 1/16 of the rest.
    singular_search = 8 in 4..=12 by 1;
    /// Singular extension: plies taken off where the move fails high without being singular.
    singular_negative = 2 in 0..=4 by 1;
    /// Singular extension: plies taken off where a cut is expected.
    singular_negative_cut = 1 in 0..=4 by 1;
    /// Singular extension: margin from which it is double.
    singular_double = 15 in 0..=100 by 4;
    /// A reduced move this far above alpha is searched a ply deeper.
    deeper_margin = 50 in 10..=2000 by 10;
    /// Late move reductions: least depth, in plies.
    reduction_depth = 3 in 2..=8 by 1;
    /// Late move reductions: moves before the first that is reduced.
    reduction_moves = 2 in 1..=8 by 1;
    /// Late move reductions: moves of the root before the first that is reduced.
    root_reduction_moves = 3 in 1..=8 by 1;
    /// Late move reductions: more where the evaluation does not improve, in 1/1024 ply.
    reduction_worsening = 1024 in 0..=2048 by 128;
    /// Late move reductions: less on what was a principal variation, in 1/1024 ply.
    reduction_principal = 600 in 0..=2048 by 128;
    /// Late move reductions: less in open windows, in 1/1024 ply.
    reduction_open = 700 in 0..=2048 by 128;
    /// Late move reductions: more where a cut is expected, in 1/1024 ply.
    reduction_cut = 1200 in 0..=3072 by 128;
    /// Late move reductions: more where many children failed high, in 1/1024 ply.
    reduction_cutoffs = 700 in 0..=2048 by 128;
    /// Late move reductions: children that failed high above which that holds.
    reduction_many_cutoffs = 3 in 0..=10 by 1;
    /// Late move reductions: less for killers, counter moves and captures that do not lose material, in 1/1024 ply.
    reduction_killer = 1024 in 0..=3072 by 128;
    /// Late move reductions: less for captures, in 1/1024 ply; for those that do not lose material in addition.
    reduction_capture = 1024 in 0..=3072 by 128;
    /// Late move reductions: history that is worth a ply.
    reduction_history = 9000 in 2000..=40000 by 1000;
    /// Late move reductions: constant, in 1/256 ply.
    reduction_base = 140 in 0..=400 by 25;
    /// Late move reductions: factor of log2(depth) log2(number), in 1/256 ply.
    reduction_slope = 58 in 20..=120 by 6;
    /// First iterations, which do without most pruning, so that they find short mates after sacrifices: there the evaluation of the
    /// other side is so high that pruning would cut the reply.
    shallow_iterations = 5 in 0..=8 by 1;
    /// First iterations: least limit in nodes with which they are searched so.
    shallow_nodes = 50_000 in 0..=1_000_000 by 10_000;
    /// Search for short mates: score of the root from which the position is won.
    proof_score = 1000 in 200..=5000 by 100;
    /// Search for short mates: nodes at most, of each.
    proof_nodes = 200_000 in 0..=1_000_000 by 10_000;
    /// Search for short mates: it may use a limit in nodes or time divided by this.
    proof_part = 16 in 2..=100 by 2;
    /// Search for short mates in won positions: longest mate, in moves.
    proof_moves = 4 in 0..=4 by 1;
    /// Quiescence: margin above the value of the captured piece.
    delta = 150 in 50..=400 by 25;
    /// Quiescence: plies from which only recaptures are tried.
    quiescence_recaptures = 3 in 1..=32 by 1;
    /// Threads: plies that every other helper is ahead of the first.
    helper_ahead = 0 in 0..=3 by 1;
    /// Threads: depth from which moves that another thread is searching come last.
    defer_depth = 2 in 2..=100 by 1;
    /// Time: hundredths of the usual time for a best move without any nodes.
    time_effort_base = 160 in 100..=250 by 10;
    /// Time: hundredths less for a best move with all the nodes.
    time_effort = 100 in 0..=200 by 10;
    /// Time: hundredths at least for the share of nodes.
    time_effort_least = 30 in 10..=100 by 5;
    /// Time: hundredths more for each 16 centipawns that the score has fallen.
    time_fallen = 24 in 0..=100 by 4;
    /// Time: hundredths for a score that has risen, at least.
    time_fallen_least = 75 in 20..=100 by 5;
    /// Time: hundredths for a score that has fallen, at most.
    time_fallen_most = 180 in 100..=400 by 20;
    /// Time: hundredths of the usual time, at least.
    time_least = 20 in 5..=100 by 5;
    /// Time: hundredths of the usual time, at most.
    time_most = 300 in 100..=400 by 20;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_in_their_ranges_and_can_be_set() {
        let mut tunables = Tunables::default();
        for tunable in Tunables::TABLE {
            assert!((tunable.min..=tunable.max).contains(&tunable.default), "{}", tunable.name);
            assert!(tunables.set(tunable.name, tunable.max));
            assert_eq!(tunables.get(tunable.name), Some(tunable.max));
            assert!(!tunables.set(tunable.name, tunable.max + 1));
        }
        assert!(!tunables.set("nothing", 0) && tunables.get("nothing").is_none());
    }
}

//! The yardstick of the benches of rules and engine: perft of orthodox chess by the crate
//! cozy-chess, with bulk counting.

/// Leaves of the tree of legal moves.
pub(crate) fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for next in moves {
                let mut after = board.clone();
                after.play_unchecked(next);
                nodes += cozy_perft(&after, depth - 1);
            }
        }
        false
    });
    nodes
}

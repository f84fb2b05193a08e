//! How far a piece is from promotion or a goal, by its own moves on this board, and whether pawns can return to a square
//! that they left.

use lozenge_rules::geometry::Square;

/// Longest path considered, in moves.
const MAX_PATH: usize = 24;

/// The quiet moves and the captures of a piece on an empty board, by square.
#[derive(Debug)]
pub(super) struct MoveMaps {
    /// By square: the destinations of moves without capture.
    pub(super) quiet: Vec<Vec<Square>>,
    /// By square: the destinations of captures.
    pub(super) captures: Vec<Vec<Square>>,
}

/// By square, the bonus in centipawns for squares within reach where `arrival_gain` is not 0. At a distance of one quiet
/// move it is 18 % of the gain, and each further move multiplies it by 45 %. A capture on the way needs a victim and
/// halves it. It is never less than a fortieth of the best gain.
pub(super) fn bonus(move_maps: &MoveMaps, arrival_gain: &[i32]) -> Vec<i32> {
    // In 64ths, so that little is lost by rounding.
    let mut bonus: Vec<i32> = arrival_gain.iter().map(|&arrival_gain| arrival_gain * 64 * 2 / 5).collect();
    for _ in 0..MAX_PATH {
        let mut changed = false;
        for from in 0..bonus.len() {
            if arrival_gain[from] != 0 {
                continue;
            }
            let quiet = move_maps.quiet[from].iter().map(|to| bonus[to.index()] * 9 / 20);
            let captures = move_maps.captures[from].iter().map(|to| bonus[to.index()] * 9 / 40);
            let best = quiet.chain(captures).max().unwrap_or(0);
            if best > bonus[from] {
                bonus[from] = best;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let base = arrival_gain.iter().copied().max().unwrap_or(0) / 40;
    let total = |bonus: i32| if bonus > 0 { base + bonus / 64 } else { 0 };
    // A piece that arrives is promoted or wins, so its square has no bonus.
    bonus
        .iter()
        .zip(arrival_gain)
        .map(|(&bonus, &arrival_gain)| if arrival_gain == 0 { total(bonus) } else { 0 })
        .collect()
}

/// Whether a piece can return to a square by its own quiet moves.
pub(super) fn can_return(move_maps: &MoveMaps) -> bool {
    // Remove dead ends repeatedly: the squares left lie on a cycle or lead to one.
    let mut left: Vec<bool> = move_maps.quiet.iter().map(|targets| !targets.is_empty()).collect();
    loop {
        let mut changed = false;
        for from in 0..left.len() {
            if left[from] && !move_maps.quiet[from].iter().any(|to| left[to.index()]) {
                left[from] = false;
                changed = true;
            }
        }
        if !changed {
            return left.contains(&true);
        }
    }
}

/// The part of the board that a piece can ever reach, in hundredths, on average over all squares:
/// 100, or 50 for a Bishop, or less.
pub(super) fn freedom(move_maps: &MoveMaps) -> i32 {
    let count = move_maps.quiet.len();
    let (mut total, mut queue) = (0, Vec::with_capacity(count));
    // A few squares, spread over the board, stand for all.
    let starts = (0..count).step_by((count / 8).max(1));
    let visits = starts.clone().count().max(1) * count.max(1);
    for start in starts {
        let mut seen = vec![false; count];
        seen[start] = true;
        queue.clear();
        queue.push(start);
        while let Some(from) = queue.pop() {
            total += 1;
            for to in &move_maps.quiet[from] {
                if !core::mem::replace(&mut seen[to.index()], true) {
                    queue.push(to.index());
                }
            }
        }
    }
    (total * 100 / visits) as i32
}

/// Moves of a piece from every square to every square; 255 for unreachable squares.
pub(super) fn steps(move_maps: &[Vec<Square>]) -> Vec<u8> {
    let count = move_maps.len();
    let mut steps = vec![u8::MAX; count * count];
    let mut queue = Vec::with_capacity(count);
    for start in 0..count {
        let row = &mut steps[start * count..][..count];
        row[start] = 0;
        queue.clear();
        queue.push(start);
        let mut next = 0;
        while let Some(&from) = queue.get(next) {
            next += 1;
            for to in &move_maps[from] {
                if row[to.index()] == u8::MAX {
                    row[to.index()] = row[from].saturating_add(1);
                    queue.push(to.index());
                }
            }
        }
    }
    steps
}

//! Prospects of a piece: its distance from promotion or goal, by its own moves on this board. Also whether
//! pawns can ever return to a square they left.

use lozenge_rules::geometry::Square;

/// Longest way looked at, in moves.
const LONGEST: usize = 24;

/// Where a piece can go on an empty board, and where it can capture, by square.
#[derive(Debug)]
pub(super) struct Ways {
    /// By square: where it goes without capture.
    pub(super) quiet: Vec<Vec<Square>>,
    /// By square: where it captures.
    pub(super) captures: Vec<Vec<Square>>,
}

/// By square, centipawns for the hope of arriving where `prize` is not 0. A prize one quiet move
/// away counts 18 in a hundred, and with each further move 45 in a hundred of that; a capture on
/// the way needs a victim and halves it. However far, a fortieth of the best prize is
/// left: a piece that may become another is worth something for that alone.
pub(super) fn hope(ways: &Ways, prize: &[i32]) -> Vec<i32> {
    // In 64ths, so that little is lost by rounding.
    let mut hope: Vec<i32> = prize.iter().map(|&prize| prize * 64 * 2 / 5).collect();
    for _ in 0..LONGEST {
        let mut changed = false;
        for from in 0..hope.len() {
            if prize[from] != 0 {
                continue;
            }
            let quiet = ways.quiet[from].iter().map(|to| hope[to.index()] * 9 / 20);
            let captures = ways.captures[from].iter().map(|to| hope[to.index()] * 9 / 40);
            let best = quiet.chain(captures).max().unwrap_or(0);
            if best > hope[from] {
                hope[from] = best;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let always = prize.iter().copied().max().unwrap_or(0) / 40;
    let total = |hope: i32| if hope > 0 { always + hope / 64 } else { 0 };
    // A piece that arrives is promoted or wins, so the prize itself counts nothing.
    hope.iter().zip(prize).map(|(&hope, &prize)| if prize == 0 { total(hope) } else { 0 }).collect()
}

/// Whether a piece can return to a square by its own quiet moves.
pub(super) fn can_return(ways: &Ways) -> bool {
    // Remove dead ends repeatedly: the squares left lie on a cycle or lead to one.
    let mut left: Vec<bool> = ways.quiet.iter().map(|targets| !targets.is_empty()).collect();
    loop {
        let mut changed = false;
        for from in 0..left.len() {
            if left[from] && !ways.quiet[from].iter().any(|to| left[to.index()]) {
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
pub(super) fn freedom(ways: &Ways) -> i32 {
    let count = ways.quiet.len();
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
            for to in &ways.quiet[from] {
                if !core::mem::replace(&mut seen[to.index()], true) {
                    queue.push(to.index());
                }
            }
        }
    }
    (total * 100 / visits) as i32
}

/// Moves of a piece from every square to every square; 255 for unreachable squares.
pub(super) fn steps(ways: &[Vec<Square>]) -> Vec<u8> {
    let count = ways.len();
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
            for to in &ways[from] {
                if row[to.index()] == u8::MAX {
                    row[to.index()] = row[from].saturating_add(1);
                    queue.push(to.index());
                }
            }
        }
    }
    steps
}

//! Pawn spans: the distance to promotion or goal, the squares on the way, and the squares from which an enemy
//! pawn stops the pawn. Breadth-first search over the real moves of the pawns finds them, so they are right on
//! diagonals, on diamonds and around a torus.

use super::advance::Ways;
use lozenge_rules::geometry::Square;

/// The span of a pawn on one square.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Span {
    /// Moves without capture to the nearest prize; 0 when there is no such way.
    pub(super) steps: u8,
    /// Where the shortest ways end.
    pub(super) ends: Vec<Square>,
    /// All squares on the shortest ways, the end included.
    pub(super) path: Vec<Square>,
    /// Squares from where one enemy pawn, as it advances, bars every way.
    pub(super) stoppers: Vec<Square>,
}

/// By square: squares that an enemy pawn there could block or attack as it advances.
pub(super) fn territories(ways: &Ways) -> Vec<Vec<bool>> {
    let count = ways.quiet.len();
    (0..count)
        .map(|start| {
            let (mut seen, mut guarded) = (vec![false; count], vec![false; count]);
            let mut queue = vec![start];
            seen[start] = true;
            while let Some(at) = queue.pop() {
                guarded[at] = true;
                ways.captures[at].iter().for_each(|to| guarded[to.index()] = true);
                for to in &ways.quiet[at] {
                    if !core::mem::replace(&mut seen[to.index()], true) {
                        queue.push(to.index());
                    }
                }
            }
            guarded
        })
        .collect()
}

/// By square: the span of a pawn with these moves and prizes, against pawns with these territories.
pub(super) fn spans(ways: &Ways, prize: &[i32], enemy: &[Vec<bool>]) -> Vec<Span> {
    let count = prize.len();
    let open = distances(ways, prize, |_| true);
    let mut spans: Vec<Span> = (0..count).map(|from| shortest(ways, prize, &open, from)).collect();
    for (square, guarded) in enemy.iter().enumerate() {
        let left = distances(ways, prize, |at| !guarded[at]);
        for (from, span) in spans.iter_mut().enumerate() {
            let passes = ways.quiet[from].iter().any(|to| left[to.index()] != u8::MAX);
            if span.steps > 0 && from != square && !passes {
                span.stoppers.push(Square::new(square as u8));
            }
        }
    }
    spans
}

/// By square: moves without capture to the nearest prize over allowed squares; 255 when there is no way.
fn distances(ways: &Ways, prize: &[i32], allowed: impl Fn(usize) -> bool) -> Vec<u8> {
    let count = prize.len();
    let mut distance = vec![u8::MAX; count];
    for square in 0..count {
        if prize[square] != 0 && allowed(square) {
            distance[square] = 0;
        }
    }
    // Boards are small and ways short: settled after a few rounds.
    loop {
        let mut changed = false;
        for from in 0..count {
            if prize[from] != 0 || !allowed(from) {
                continue;
            }
            let next = ways.quiet[from].iter().map(|to| distance[to.index()]).min().unwrap_or(u8::MAX);
            if next.saturating_add(1) < distance[from] {
                distance[from] = next + 1;
                changed = true;
            }
        }
        if !changed {
            return distance;
        }
    }
}

/// The shortest ways from a square.
fn shortest(ways: &Ways, prize: &[i32], distance: &[u8], from: usize) -> Span {
    let mut span = Span::default();
    if prize[from] != 0 || distance[from] == u8::MAX {
        return span;
    }
    span.steps = distance[from];
    let mut layer = vec![from];
    for left in (0..span.steps).rev() {
        let mut next: Vec<usize> = layer
            .iter()
            .flat_map(|&at| ways.quiet[at].iter().map(|to| to.index()))
            .filter(|&to| distance[to] == left)
            .collect();
        next.sort_unstable();
        next.dedup();
        span.path.extend(next.iter().map(|&to| Square::new(to as u8)));
        layer = next;
    }
    span.ends = layer.into_iter().map(|to| Square::new(to as u8)).collect();
    span
}

/// By square: 1 or 2 when the moves of a piece divide the board into two halves it never leaves, else 0.
pub(super) fn halves(ways: &Ways) -> Vec<u8> {
    let count = ways.quiet.len();
    let mut part: Vec<usize> = (0..count).collect();
    loop {
        let mut changed = false;
        for from in 0..count {
            for to in ways.quiet[from].iter().chain(&ways.captures[from]) {
                let least = part[from].min(part[to.index()]);
                changed |= part[from] != least || part[to.index()] != least;
                (part[from], part[to.index()]) = (least, least);
            }
        }
        if !changed {
            break;
        }
    }
    let mut leaders = part.clone();
    leaders.sort_unstable();
    leaders.dedup();
    if leaders.len() != 2 {
        return vec![0; count];
    }
    part.iter().map(|leader| if *leader == leaders[0] { 1 } else { 2 }).collect()
}

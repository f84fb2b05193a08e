//! Pawn spans: the distance to promotion or goal, the squares on the way, and the squares from which an enemy
//! pawn stops the pawn. Breadth-first search over the real moves of the pawns finds them, so they are right on
//! diagonals, on diamonds and around a torus.

use super::advance::MoveMaps;
use lozenge_rules::geometry::Square;

/// The span of a pawn on one square.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Span {
    /// Moves without capture to the nearest promotion or goal; 0 if there is no path.
    pub(super) steps: u8,
    /// The ends of the shortest paths.
    pub(super) ends: Vec<Square>,
    /// All squares on the shortest paths, the end included.
    pub(super) path: Vec<Square>,
    /// Squares from where one enemy pawn, as it advances, bars every way.
    pub(super) stoppers: Vec<Square>,
}

/// By square: squares that an enemy pawn there could block or attack as it advances.
pub(super) fn territories(move_maps: &MoveMaps) -> Vec<Vec<bool>> {
    let count = move_maps.quiet.len();
    (0..count)
        .map(|start| {
            let (mut seen, mut guarded) = (vec![false; count], vec![false; count]);
            let mut queue = vec![start];
            seen[start] = true;
            while let Some(at) = queue.pop() {
                guarded[at] = true;
                move_maps.captures[at].iter().for_each(|to| guarded[to.index()] = true);
                for to in &move_maps.quiet[at] {
                    if !core::mem::replace(&mut seen[to.index()], true) {
                        queue.push(to.index());
                    }
                }
            }
            guarded
        })
        .collect()
}

/// By square: the span of a pawn with these moves and arrival gains, against pawns with these territories.
pub(super) fn spans(move_maps: &MoveMaps, arrival_gain: &[i32], enemy: &[Vec<bool>]) -> Vec<Span> {
    let count = arrival_gain.len();
    let open = distances(move_maps, arrival_gain, |_| true);
    let mut spans: Vec<Span> =
        (0..count).map(|from| shortest(move_maps, arrival_gain, &open, from)).collect();
    for (square, guarded) in enemy.iter().enumerate() {
        let left = distances(move_maps, arrival_gain, |at| !guarded[at]);
        for (from, span) in spans.iter_mut().enumerate() {
            let passes = move_maps.quiet[from].iter().any(|to| left[to.index()] != u8::MAX);
            if span.steps > 0 && from != square && !passes {
                span.stoppers.push(Square::new(square as u8));
            }
        }
    }
    spans
}

/// By square: moves without capture over allowed squares to the nearest promotion or goal; 255 if there is no path.
fn distances(move_maps: &MoveMaps, arrival_gain: &[i32], allowed: impl Fn(usize) -> bool) -> Vec<u8> {
    let count = arrival_gain.len();
    let mut distance = vec![u8::MAX; count];
    for square in 0..count {
        if arrival_gain[square] != 0 && allowed(square) {
            distance[square] = 0;
        }
    }
    // Boards are small and paths short: settled after a few rounds.
    loop {
        let mut changed = false;
        for from in 0..count {
            if arrival_gain[from] != 0 || !allowed(from) {
                continue;
            }
            let next = move_maps.quiet[from].iter().map(|to| distance[to.index()]).min().unwrap_or(u8::MAX);
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

/// The shortest paths from a square.
fn shortest(move_maps: &MoveMaps, arrival_gain: &[i32], distance: &[u8], from: usize) -> Span {
    let mut span = Span::default();
    if arrival_gain[from] != 0 || distance[from] == u8::MAX {
        return span;
    }
    span.steps = distance[from];
    let mut layer = vec![from];
    for left in (0..span.steps).rev() {
        let mut next: Vec<usize> = layer
            .iter()
            .flat_map(|&at| move_maps.quiet[at].iter().map(|to| to.index()))
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
pub(super) fn halves(move_maps: &MoveMaps) -> Vec<u8> {
    let count = move_maps.quiet.len();
    let mut part: Vec<usize> = (0..count).collect();
    loop {
        let mut changed = false;
        for from in 0..count {
            for to in move_maps.quiet[from].iter().chain(&move_maps.captures[from]) {
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

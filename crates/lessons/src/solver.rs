//! The shortest way to visit all stars, when only one piece moves.

use crate::learner::{LEARNER, Learned as _};
use crate::sandbox::Sandbox;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{GamePosition, Move};
use std::collections::{BTreeMap, HashSet, VecDeque};

/// Positions that are looked at before a search ends without a result.
const MAX_NODES: usize = 6_000;

/// A piece on its way.
#[derive(Clone)]
struct Node {
    position: GamePosition,
    hero: Square,
    /// The stars that are left, one bit each.
    left: u32,
    way: Vec<Move>,
}

/// Where a piece can be after each number of its moves: the squares with the fewest moves to each.
pub(crate) fn distances(sandbox: &Sandbox, start: &GamePosition, hero: Square) -> BTreeMap<Square, u32> {
    let mut found = BTreeMap::from([(hero, 0)]);
    let mut queue = VecDeque::from([(start.clone(), hero, 0u32)]);
    while let Some((position, at, moves)) = queue.pop_front() {
        for played in moves_of(&position, at) {
            if found.contains_key(&played.to) {
                continue;
            }
            if let Some(next) = sandbox.again(&position, played) {
                found.insert(played.to, moves + 1);
                queue.push_back((next, played.to, moves + 1));
            }
        }
    }
    found
}

/// The shortest way of the piece on a square over all stars with the moves that are allowed; `None` if it takes more than
/// `most` moves.
pub(crate) fn shortest(
    sandbox: &Sandbox,
    start: &GamePosition,
    hero: Square,
    stars: &[Square],
    most: u32,
    allowed: impl Fn(Move) -> bool,
) -> Option<Vec<Move>> {
    let all = (1u32 << stars.len()) - 1;
    let mut seen = HashSet::from([(start.key(), hero, all)]);
    let mut queue = VecDeque::from([Node { position: start.clone(), hero, left: all, way: Vec::new() }]);
    while let Some(node) = queue.pop_front() {
        if node.way.len() >= most as usize || seen.len() > MAX_NODES {
            return None;
        }
        for played in moves_of(&node.position, node.hero).into_iter().filter(|&played| allowed(played)) {
            let star = stars.iter().position(|&star| star == played.to);
            let left = node.left & !star.map_or(0, |star| 1 << star);
            let way: Vec<Move> = node.way.iter().copied().chain([played]).collect();
            if left == 0 {
                return Some(way);
            }
            let Some(next) = sandbox.again(&node.position, played) else { continue };
            if seen.insert((next.key(), played.to, left)) {
                queue.push_back(Node { position: next, hero: played.to, left, way });
            }
        }
    }
    None
}

/// The shortest way of the piece on a square over all stars, if no other own piece can go over them in as few moves.
pub(crate) fn only_way(
    sandbox: &Sandbox,
    start: &GamePosition,
    hero: Square,
    stars: &[Square],
    most: u32,
) -> Option<Vec<Move>> {
    let way = shortest(sandbox, start, hero, stars, most, |_| true)?;
    let own = |square: &Square| start.piece(*square).is_some_and(|piece| piece.owner == Some(LEARNER));
    let others = sandbox.squares.iter().copied().filter(|&square| square != hero).filter(own);
    let limit = way.len() as u32;
    let is_only =
        others.into_iter().all(|other| shortest(sandbox, start, other, stars, limit, |_| true).is_none());
    is_only.then_some(way)
}

/// The moves of one piece, in an order that does not depend on the generator.
fn moves_of(position: &GamePosition, hero: Square) -> Vec<Move> {
    let mut moves = position.legal_moves();
    moves.retain(|played| played.from == hero);
    moves.sort_unstable();
    moves
}

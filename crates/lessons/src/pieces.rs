//! Levels on the moves of each kind of piece: stars to collect.

use crate::learner::own;
use crate::level::{Goal, Level};
use crate::sandbox::Sandbox;
use crate::solver::{distances, only_way};
use crate::text::Sentence;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{GamePosition, Role};

/// Most moves of a level with stars.
const MOST_MOVES: u32 = 6;

/// The kinds of pieces at the start in the order of difficulty: pieces that move as they capture and alike everywhere
/// first, pawns last.
pub(crate) fn in_order(sandbox: &Sandbox) -> Vec<Role> {
    let mut roles: Vec<Role> = sandbox.start_roles().into_iter().collect();
    roles.sort_by_cached_key(|&role| {
        let info = sandbox.tables().roles().info(role);
        let atoms: usize = info.moves.iter().map(|group| group.atoms.len()).sum();
        let turns = info
            .moves
            .iter()
            .flat_map(|group| &group.atoms)
            .any(|atom| atom.crooked || !atom.then.is_empty());
        (info.pawn, !info.royal, turns, info.moves.len(), atoms, role)
    });
    roles
}

/// The first levels of a kind of piece, at most `most`.
pub(crate) fn levels(sandbox: &Sandbox, role: Role, most: usize) -> Vec<Level> {
    let Some(hero) = home(sandbox, role) else { return Vec::new() };
    let Some(position) = sandbox.scene((hero, role), &[]) else { return Vec::new() };
    let reached = distances(sandbox, &position, hero);
    let beginnings = [near(sandbox, &reached, hero), far(&reached, hero)];
    let tours = beginnings.iter().filter_map(|stars| tour(sandbox, &position, (hero, role), stars));
    // The first level, whichever it is, explains how the piece moves.
    let sentences = [Sentence::Piece { role }, Sentence::MoreStars { role }];
    let levels = tours.zip(sentences).map(|(level, sentence)| Level { sentence, ..level });
    levels.take(most).collect()
}

/// A good square to begin from: where a pawn starts, or where another piece reaches farthest.
fn home(sandbox: &Sandbox, role: Role) -> Option<Square> {
    let piece = own(role);
    if sandbox.tables().roles().info(role).pawn {
        let starts = sandbox.start_squares(piece);
        return starts.get(starts.len() / 2).copied();
    }
    let reach = |&square: &Square| {
        let reach = sandbox.reach(piece, square);
        (reach.quiet.len() + reach.first.len(), core::cmp::Reverse(square))
    };
    sandbox.squares.iter().copied().max_by_key(reach)
}

/// Two stars for a beginning: one that the piece reaches at once, and one behind it.
fn near(sandbox: &Sandbox, reached: &std::collections::BTreeMap<Square, u32>, hero: Square) -> Vec<Square> {
    let at =
        |moves: u32| reached.iter().filter(move |&(_, &found)| found == moves).map(|(&square, _)| square);
    let away = |square: Square| apart(sandbox, hero, square);
    let one = at(1).max_by_key(|&square| (away(square), core::cmp::Reverse(square)));
    let two = at(2).max_by_key(|&square| (away(square), core::cmp::Reverse(square)));
    one.into_iter().chain(two).collect()
}

/// Three stars that are far away.
fn far(reached: &std::collections::BTreeMap<Square, u32>, hero: Square) -> Vec<Square> {
    let mut squares: Vec<(u32, Square)> = reached
        .iter()
        .filter(|&(&square, &moves)| square != hero && (1..=3).contains(&moves))
        .map(|(&square, &moves)| (moves, square))
        .collect();
    squares.sort_unstable();
    let count = squares.len();
    let mut stars: Vec<Square> = [count / 3, 2 * count / 3, count.saturating_sub(1)]
        .iter()
        .filter_map(|&i| squares.get(i))
        .map(|s| s.1)
        .collect();
    stars.dedup();
    stars
}

/// How far two squares are apart, in files and ranks.
fn apart(sandbox: &Sandbox, one: Square, other: Square) -> u32 {
    let shape = sandbox.tables().shape();
    let (one, other) = (shape.coord(one), shape.coord(other));
    u32::from(one.file.abs_diff(other.file)) + u32::from(one.rank.abs_diff(other.rank))
}

/// The level with these stars, as many of them as can be visited.
fn tour(
    sandbox: &Sandbox,
    position: &GamePosition,
    (hero, role): (Square, Role),
    stars: &[Square],
) -> Option<Level> {
    (1..=stars.len()).rev().find_map(|count| {
        let stars = &stars[..count];
        let way = only_way(sandbox, position, hero, stars, MOST_MOVES)?;
        Some(Level::new(position, Sentence::Piece { role }, Goal::Stars, stars, &way))
    })
}

//! Levels on captures: of pieces that stand still, and of keeping one's own.

use crate::learner::{LEARNER, Learned as _, next, own};
use crate::level::{Goal, Level};
use crate::random::Random;
use crate::sandbox::Sandbox;
use crate::solver::only_way;
use crate::text::Sentence;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{GamePosition, Move, Role};
use lozenge_rules::seat::OwnedPiece;
use lozenge_rules::variant::Reach;

/// Most moves of a level.
const MOST_MOVES: u32 = 4;

/// Random positions that are tried for a level.
const TRIES: usize = 800;

pub(crate) fn levels(sandbox: &Sandbox, random: &mut Random, kinds: &[Role]) -> Vec<Level> {
    // Pieces that do not capture as they move are those to be learned; of the others one is enough.
    let (unlike, alike): (Vec<Role>, Vec<Role>) = kinds
        .iter()
        .copied()
        .filter(|&role| Some(role) != sandbox.king())
        .partition(|&role| is_unlike(sandbox, role));
    let strongest = alike.into_iter().max_by_key(|&role| sandbox.mobility(role));
    let mut levels: Vec<Level> = strongest
        .into_iter()
        .chain(unlike)
        .filter_map(|role| hunt(sandbox, role, next(victim(sandbox)?), &Sentence::Capture { role }))
        .take(4)
        .collect();
    levels.extend(keep(sandbox, random));
    levels
}

/// Whether a piece captures otherwise than it moves on some square.
fn is_unlike(sandbox: &Sandbox, role: Role) -> bool {
    sandbox.squares.iter().any(|&square| {
        let Reach { quiet, capture, first, .. } = sandbox.reach(own(role), square);
        capture.iter().any(|to| !quiet.contains(to) && !first.contains(to))
            || quiet.iter().any(|to| !capture.contains(to))
    })
}

/// Two or three pieces to capture, one after the other.
pub(crate) fn hunt(sandbox: &Sandbox, role: Role, victim: OwnedPiece, sentence: &Sentence) -> Option<Level> {
    let piece = own(role);
    let mut homes = sandbox.squares.clone();
    homes.sort_by_key(|&square| core::cmp::Reverse(sandbox.reach(piece, square).capture.len()));
    homes.into_iter().take(12).find_map(|hero| {
        let stars = prey(sandbox, piece, hero);
        (1..=stars.len())
            .rev()
            .find_map(|count| hunt_of(sandbox, (hero, role), &stars[..count], victim, sentence))
    })
}

/// Squares of enemies: each can be captured from where the one before stood.
fn prey(sandbox: &Sandbox, piece: OwnedPiece, hero: Square) -> Vec<Square> {
    let mut stars: Vec<Square> = Vec::new();
    let mut at = hero;
    while stars.len() < 3 {
        let Reach { quiet, capture, .. } = sandbox.reach(piece, at);
        let free = |to: &&Square| **to != hero && !stars.contains(to);
        // First a capture that is no move, where there is one.
        let next =
            capture.iter().filter(free).max_by_key(|to| (!quiet.contains(to), core::cmp::Reverse(**to)));
        let Some(&next) = next else { break };
        stars.push(next);
        at = next;
    }
    stars
}

fn hunt_of(
    sandbox: &Sandbox,
    hero: (Square, Role),
    stars: &[Square],
    victim: OwnedPiece,
    sentence: &Sentence,
) -> Option<Level> {
    let others: Vec<(Square, OwnedPiece)> = stars.iter().map(|&star| (star, victim)).collect();
    let position = sandbox.scene(hero, &others)?;
    let way = only_way(sandbox, &position, hero.0, stars, MOST_MOVES)?;
    Some(Level::new(&position, sentence.clone(), Goal::Capture, stars, &way))
}

/// The weakest kind of piece that may stand anywhere.
fn victim(sandbox: &Sandbox) -> Option<Role> {
    sandbox.officers.last().copied()
}

/// A piece is attacked: it has to go where it cannot be captured.
fn keep(sandbox: &Sandbox, random: &mut Random) -> Option<Level> {
    (0..TRIES).find_map(|_| {
        let (kept, enemy) = (random.pick(&sandbox.officers)?, random.pick(&sandbox.officers)?);
        let (position, good) = attacked(sandbox, random, kept, enemy)?;
        let way = good.first().filter(|_| good.len() <= 3)?;
        Some(Level::new(&position, Sentence::Keep { role: kept }, Goal::Keep, &[], &[*way]))
    })
}

/// A random position in which an enemy piece attacks one of the learner's, with the moves after which nothing can be captured: fewer
/// than a quarter of all. One try.
pub(crate) fn attacked(
    sandbox: &Sandbox,
    random: &mut Random,
    kept: Role,
    enemy: Role,
) -> Option<(GamePosition, Vec<Move>)> {
    let king = sandbox.king()?;
    let pieces = [own(king), own(kept), next(king), next(enemy)];
    let position = sandbox.scatter(random, &pieces, LEARNER)?;
    if position.is_check() || is_safe(&position)? {
        return None;
    }
    let legal = position.legal_moves();
    sandbox.spend(legal.len())?;
    let good: Vec<Move> = legal.iter().copied().filter(|&played| keeps(&position, played)).collect();
    (legal.len() > 4 * good.len()).then_some((position, good))
}

/// Whether after a move no own piece can be captured at once.
pub(crate) fn keeps(position: &GamePosition, played: Move) -> bool {
    is_safe(&position.after(played)) == Some(true)
}

/// Whether no enemy could capture a piece of the learner on their turn; `None` where the game does not allow the turn.
fn is_safe(position: &GamePosition) -> Option<bool> {
    for enemy in position.enemies() {
        let turn = position.at_turn(enemy)?;
        let takes = |reply: &Move| turn.piece(reply.to).is_some_and(|piece| piece.owner == Some(LEARNER));
        if turn.legal_moves().iter().any(takes) {
            return Some(false);
        }
    }
    Some(true)
}

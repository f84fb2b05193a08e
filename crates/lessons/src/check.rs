//! Levels on check: to give one, and the three ways out of one.

use crate::learner::{LEARNER, Learned as _, next, own};
use crate::level::{Goal, Level};
use crate::random::Random;
use crate::sandbox::Sandbox;
use crate::text::{Sentence, Way};
use lozenge_rules::position::{GamePosition, Move};
use lozenge_rules::seat::OwnedPiece;

/// Random positions that are tried for a level.
const TRIES: usize = 1_500;

/// Most legal moves of a level that is a way out of check.
const MOST_WAYS: usize = 3;

/// Squares for each enemy officer in a level that is a way out of check: on large boards few pieces rarely give one.
const SQUARES_FOR_EACH: usize = 24;

pub(crate) fn levels(sandbox: &Sandbox, random: &mut Random) -> Vec<Level> {
    let ways = [Way::Move, Way::Capture, Way::Block];
    give(sandbox, random)
        .into_iter()
        .chain(ways.into_iter().filter_map(|way| escape(sandbox, random, way)))
        .collect()
}

/// One move of few gives check.
fn give(sandbox: &Sandbox, random: &mut Random) -> Option<Level> {
    let king = sandbox.king()?;
    (0..TRIES).find_map(|_| {
        let pieces = [own(king), own(random.pick(&sandbox.officers)?), next(king)];
        let position = quiet_position(sandbox, random, &pieces)?;
        let legal = position.legal_moves();
        sandbox.spend(legal.len())?;
        let mut checks = legal.into_iter().filter(|&played| position.checks(played));
        let only = checks.next().filter(|_| checks.next().is_none())?;
        Some(Level::new(&position, Sentence::GiveCheck, Goal::Check, &[], &[only]))
    })
}

/// The few legal moves are all ways out of this kind.
fn escape(sandbox: &Sandbox, random: &mut Random, way: Way) -> Option<Level> {
    let king = sandbox.king()?;
    let hostile = sandbox.start().enemies();
    let enemies = (sandbox.squares.len() / SQUARES_FOR_EACH).clamp(2, 6);
    (0..TRIES).find_map(|_| {
        let mut pieces = sandbox.all_kings(king);
        for _ in 0..2 {
            pieces.push(own(random.pick(&sandbox.officers)?));
        }
        for (_, enemy) in (0..enemies).zip(hostile.iter().cycle()) {
            let role = random.pick(&sandbox.officers)?;
            pieces.push(OwnedPiece { owner: Some(*enemy), role });
        }
        let position = sandbox.scatter(random, &pieces, LEARNER)?;
        if !position.is_check() {
            return None;
        }
        let legal = position.legal_moves();
        let fits = legal.len() <= MOST_WAYS && legal.iter().all(|&out| way_of(&position, out) == way);
        let out = legal.first().filter(|_| fits)?;
        Some(Level::new(&position, Sentence::Escape { way }, Goal::Escape, &[], &[*out]))
    })
}

pub(crate) fn way_of(position: &GamePosition, played: Move) -> Way {
    if Some(played.from) == position.own_king() {
        Way::Move
    } else if position.takes(played) {
        Way::Capture
    } else {
        Way::Block
    }
}

/// A random position in which the learner is to move and not in check.
pub(crate) fn quiet_position(
    sandbox: &Sandbox,
    random: &mut Random,
    pieces: &[OwnedPiece],
) -> Option<GamePosition> {
    sandbox.scatter(random, pieces, LEARNER).filter(|position| !position.is_check() && !position.is_lost())
}

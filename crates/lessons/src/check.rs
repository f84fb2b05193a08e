//! Levels on check: to give one, and the three ways out of one.

use crate::level::{Goal, Level};
use crate::random::Random;
use crate::sandbox::{Sandbox, black, white};
use crate::text::{Sentence, Way};
use lozenge_rules::position::{AnyPosition, Color, Move, Piece};

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
        let pieces = [white(king), white(random.pick(&sandbox.officers)?), black(king)];
        let position = quiet_position(sandbox, random, &pieces)?;
        let legal = position.legal_moves();
        sandbox.spend(legal.len())?;
        let mut checks = legal.into_iter().filter(|&played| checks(&position, played));
        let only = checks.next().filter(|_| checks.next().is_none())?;
        Some(Level::new(&position, Sentence::GiveCheck, Goal::Check, &[], &[only]))
    })
}

/// The few legal moves are all ways out of this kind.
fn escape(sandbox: &Sandbox, random: &mut Random, way: Way) -> Option<Level> {
    let king = sandbox.king()?;
    let enemies = (sandbox.squares.len() / SQUARES_FOR_EACH).clamp(2, 6);
    (0..TRIES).find_map(|_| {
        let mut pieces = vec![white(king), black(king)];
        for _ in 0..2 {
            pieces.push(white(random.pick(&sandbox.officers)?));
        }
        for _ in 0..enemies {
            pieces.push(black(random.pick(&sandbox.officers)?));
        }
        let position = sandbox.scatter(random, &pieces, Color::White)?;
        if !position.is_check() {
            return None;
        }
        let legal = position.legal_moves();
        let fits = legal.len() <= MOST_WAYS && legal.iter().all(|&out| way_of(&position, out) == way);
        let out = legal.first().filter(|_| fits)?;
        Some(Level::new(&position, Sentence::Escape { way }, Goal::Escape, &[], &[*out]))
    })
}

fn way_of(position: &AnyPosition, played: Move) -> Way {
    if played.from == position.king(Color::White) {
        Way::Move
    } else if position.is_capture(played) {
        Way::Capture
    } else {
        Way::Block
    }
}

/// Whether a move gives check, but does not end the game.
fn checks(position: &AnyPosition, played: Move) -> bool {
    let next = position.play_unchecked(played);
    next.is_check() && !next.status().is_win()
}

/// A random position in which White is to move and not in check.
pub(crate) fn quiet_position(
    sandbox: &Sandbox,
    random: &mut Random,
    pieces: &[Piece],
) -> Option<AnyPosition> {
    sandbox
        .scatter(random, pieces, Color::White)
        .filter(|position| !position.is_check() && !position.status().is_win())
}

//! Levels on winning: mate in one, a goal in one, and stopping an enemy who is about to reach a goal.

use crate::check::quiet_position;
use crate::level::{Goal, Level};
use crate::random::Random;
use crate::sandbox::{Sandbox, black, white};
use crate::text::Sentence;
use lozenge_rules::position::{AnyPosition, Move, Piece, Role, Status};

/// Random positions that are tried for each level.
const TRIES: usize = 1_500;

/// Levels with mate in one.
const MATES: usize = 3;

/// Squares for each officer of White in a level with mate: the larger the board, the more pieces a mate takes.
const SQUARES_FOR_EACH: usize = 24;

pub(crate) fn levels(sandbox: &Sandbox, random: &mut Random) -> Vec<Level> {
    let mut levels: Vec<Level> = (0..MATES).filter_map(|_| mate(sandbox, random)).collect();
    levels.extend(reach(sandbox, random));
    levels.extend(stop(sandbox, random));
    levels
}

/// Exactly one move mates.
fn mate(sandbox: &Sandbox, random: &mut Random) -> Option<Level> {
    let king = sandbox.king()?;
    let officers = (sandbox.squares.len() / SQUARES_FOR_EACH).clamp(2, 6);
    (0..TRIES).find_map(|_| {
        let mut pieces = vec![white(king), black(king), black(random.pick(&sandbox.officers)?)];
        for _ in 0..officers {
            pieces.push(white(random.pick(&sandbox.officers)?));
        }
        let position = quiet_position(sandbox, random, &pieces)?;
        let legal = position.legal_moves();
        sandbox.spend(legal.len())?;
        let mut mates = legal.into_iter().filter(|&played| mates(&position, played));
        let only = mates.next().filter(|_| mates.next().is_none())?;
        Some(Level::new(&position, Sentence::Mate, Goal::Mate, &[], &[only]))
    })
}

/// The kinds of pieces that win by reaching a square, with the other pieces that the level needs.
fn goal_role(sandbox: &Sandbox) -> Option<Role> {
    sandbox.variant.goals().iter().find_map(|(roles, _)| roles.iter().next())
}

/// One move of many wins by reaching a goal.
fn reach(sandbox: &Sandbox, random: &mut Random) -> Option<Level> {
    let (king, runner) = (sandbox.king()?, goal_role(sandbox)?);
    (0..TRIES).find_map(|_| {
        let pieces = cast(sandbox, random, (white(king), white(runner)), black(king))?;
        let position = quiet_position(sandbox, random, &pieces)?;
        let legal = position.legal_moves();
        sandbox.spend(legal.len())?;
        let mut wins = legal.into_iter().filter(|&played| reaches(&position, played));
        let only = wins.next().filter(|_| wins.next().is_none())?;
        Some(Level::new(&position, Sentence::Reach, Goal::Reach, &[], &[only]))
    })
}

/// The enemy threatens to reach a goal; few moves stop it.
fn stop(sandbox: &Sandbox, random: &mut Random) -> Option<Level> {
    let (king, runner) = (sandbox.king()?, goal_role(sandbox)?);
    (0..TRIES).find_map(|_| {
        let pieces = cast(sandbox, random, (black(king), black(runner)), white(king))?;
        let position = quiet_position(sandbox, random, &pieces)?;
        let legal = position.legal_moves();
        // Each may be followed by as many replies.
        sandbox.spend(legal.len() * legal.len())?;
        if legal.iter().any(|&played| wins_at_once(&position, played)) {
            return None;
        }
        let stops: Vec<Move> = legal.iter().copied().filter(|&played| stops(&position, played)).collect();
        let few = stops.len() <= 2 && legal.len() > 3 * stops.len();
        let way = stops.first().filter(|_| few)?;
        Some(Level::new(&position, Sentence::Stop, Goal::Stop, &[], &[*way]))
    })
}

/// Both Kings, the piece that runs, which may be the King itself, and an officer of each side.
fn cast(sandbox: &Sandbox, random: &mut Random, own: (Piece, Piece), enemy: Piece) -> Option<Vec<Piece>> {
    let mut pieces = vec![own.0, enemy];
    if own.1 != own.0 {
        pieces.push(own.1);
    }
    pieces.push(white(random.pick(&sandbox.officers)?));
    pieces.push(black(random.pick(&sandbox.officers)?));
    Some(pieces)
}

/// Whether a move checkmates.
pub(crate) fn mates(position: &AnyPosition, played: Move) -> bool {
    let next = position.play_unchecked(played);
    next.is_check() && next.status() == Status::Checkmate
}

/// Whether a move reaches a goal.
pub(crate) fn reaches(position: &AnyPosition, played: Move) -> bool {
    position.play_unchecked(played).status() == Status::Goal
}

fn wins_at_once(position: &AnyPosition, played: Move) -> bool {
    position.play_unchecked(played).status().is_win()
}

/// Whether after a move the enemy cannot reach a goal at once.
pub(crate) fn stops(position: &AnyPosition, played: Move) -> bool {
    let next = position.play_unchecked(played);
    !next.legal_moves().into_iter().any(|reply| reaches(&next, reply))
}

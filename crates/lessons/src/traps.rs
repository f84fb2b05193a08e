//! Levels on the trap of the opening in games of three and four: two moves of one player that mate the next, if the other players
//! do nothing about it. Once to set, and once to see in time. Not here: mates in other positions (`winning`).

use crate::learner::{LEARNER, Learned as _};
use crate::level::{Goal, Level};
use crate::sandbox::Sandbox;
use crate::text::Sentence;
use crate::winning::{mates, stops};
use lozenge_rules::position::{GamePosition, Move};
use lozenge_rules::seat::Seat;

pub(crate) fn levels(sandbox: &Sandbox) -> Vec<Level> {
    if sandbox.game.four().is_none() {
        return Vec::new();
    }
    trap(sandbox).into_iter().chain(escape(sandbox)).collect()
}

/// The learner's first move is on the board, and exactly one move mates.
fn trap(sandbox: &Sandbox) -> Option<Level> {
    sorted_moves(sandbox.start()).into_iter().find_map(|first| {
        let position = sandbox.again(sandbox.start(), first)?;
        let legal = sorted_moves(&position);
        sandbox.spend(legal.len())?;
        let mut mates = legal.into_iter().filter(|&played| mates(&position, played));
        let only = mates.next().filter(|_| mates.next().is_none())?;
        let role = position.piece(only.from)?.role;
        Some(Level::new(&position, Sentence::Trap { role }, Goal::Mate, &[], &[only]))
    })
}

/// An enemy has made the first move of the trap; some moves stop it, others do not.
fn escape(sandbox: &Sandbox) -> Option<Level> {
    sandbox.start().enemies().into_iter().find_map(|seat| {
        let start = sandbox.start().with_mover(seat)?;
        sorted_moves(&start).into_iter().find_map(|first| escape_from(sandbox, seat, &start.after(first)))
    })
}

/// The level after the first move of an enemy, if that sets a trap.
fn escape_from(sandbox: &Sandbox, seat: Seat, trapping: &GamePosition) -> Option<Level> {
    sandbox.spend(1)?;
    let position = trapping.at_turn(LEARNER)?;
    if !may_be_mated(sandbox, &position, seat)? {
        return None;
    }
    let legal = sorted_moves(&position);
    // Each may be followed by as many replies of each enemy.
    sandbox.spend(position.enemies().len() * legal.len() * legal.len())?;
    let stopping: Vec<Move> = legal.iter().copied().filter(|&played| stops(&position, played)).collect();
    let way = stopping.first().filter(|_| 2 * stopping.len() < legal.len())?;
    Some(Level::new(&position, Sentence::StopTrap { seat }, Goal::Stop, &[], &[*way]))
}

/// Whether an enemy could mate the learner if it were the enemy's turn.
fn may_be_mated(sandbox: &Sandbox, position: &GamePosition, seat: Seat) -> Option<bool> {
    let turn = position.with_mover(seat)?;
    let replies = turn.legal_moves();
    sandbox.spend(replies.len())?;
    Some(replies.into_iter().any(|reply| turn.after(reply).is_out_at_turn()))
}

fn sorted_moves(position: &GamePosition) -> Vec<Move> {
    let mut moves = position.legal_moves();
    moves.sort_unstable();
    moves
}

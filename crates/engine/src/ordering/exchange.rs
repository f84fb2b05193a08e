//! Static exchange evaluation: the gain of a move when both sides continue capturing on its target,
//! cheapest piece first, and either may stop. The attackers are found again after each capture, so
//! that lines opened behind a piece count also where a line closes on itself.

use super::taken;
use crate::eval::Values;
use lozenge_rules::position::{Move, MoveKind, Position};
use lozenge_rules::variant::Rules;

/// Most captures looked at.
const MAX_CAPTURES: usize = 24;

/// Whether the move wins at least `threshold` centipawns. Pins are not seen. Only asks for
/// attackers while the answer is open (as in Stockfish since 2016).
pub(crate) fn exchange_wins<const N: usize>(
    position: &Position<N>,
    rules: &Rules<N>,
    values: &Values,
    played: Move,
    threshold: i32,
) -> bool {
    let Some(mover) = position.piece_at(played.from) else { return true };
    let mut standing = values.piece(mover).exchange;
    let mut gain = taken(position, values, played);
    if let Some(role) = played.promotion() {
        gain += values.material(role) - standing;
        standing = values.material(role);
    }
    match played.kind {
        // The compound is worth about as much as its two parts.
        MoveKind::Fuse => {
            standing += position.piece_at(played.to).map_or(0, |joined| values.piece(joined).exchange);
        }
        MoveKind::Split(leaver) => standing = values.material(leaver),
        _ => {}
    }
    // Enough even if the piece is lost for nothing; or not enough even if it is not.
    if gain < threshold {
        return false;
    }
    // By how much the side to answer is behind what it needs, if its last piece is lost: below 0.
    let mut balance = gain - threshold - standing;
    if balance >= 0 {
        return true;
    }
    let mut occupied = position.occupied();
    if played.leaver().is_none() {
        occupied.remove(played.from);
    }
    let us = position.turn();
    let mut side = us.opponent();
    for _ in 0..MAX_CAPTURES {
        let attackers = position.attackers(rules, played.to, side, occupied);
        let cheapest = attackers
            .into_iter()
            .filter_map(|from| Some((values.piece(position.piece_at(from)?).exchange, from)))
            .min();
        // The side without an attacker loses the exchange.
        let Some((value, from)) = cheapest else { break };
        occupied.remove(from);
        if from == position.king(side) {
            // The King captures last, and only on an undefended square.
            let guarded = !position.attackers(rules, played.to, side.opponent(), occupied).is_empty();
            return guarded == (side != us);
        }
        side = side.opponent();
        balance = -balance - 1 - value;
        if balance >= 0 {
            break;
        }
    }
    side != us
}

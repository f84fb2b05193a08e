//! Static exchange evaluation: what a capture wins when both sides go on capturing on its square,
//! cheapest man first, and either may stop. The attackers are found anew after each capture, so
//! that lines opened behind a man count also where a line closes on itself.

use super::taken;
use crate::eval::Values;
use lozenge_rules::position::{Move, MoveKind, Position};
use lozenge_rules::variant::Rules;

/// Most captures looked at.
const LONGEST: usize = 24;

/// What the move wins, in centipawns; negative when it loses. Pins are not seen.
pub(crate) fn exchange<const N: usize>(
    position: &Position<N>,
    rules: &Rules<N>,
    values: &Values,
    played: Move,
) -> i32 {
    let Some(mover) = position.piece_at(played.from) else { return 0 };
    let mut occupied = position.occupied();
    if played.leaver().is_none() {
        occupied.remove(played.from);
    }
    let mut gains = [0; LONGEST];
    gains[0] = taken(position, values, played);
    let mut standing = values.man(mover).exchange;
    if let Some(role) = played.promotion() {
        gains[0] += values.material(role) - standing;
        standing = values.material(role);
    }
    match played.kind {
        // What stands there is worth about as much as the two that made it.
        MoveKind::Fuse => {
            standing += position.piece_at(played.to).map_or(0, |joined| values.man(joined).exchange);
        }
        MoveKind::Split(leaver) => standing = values.material(leaver),
        _ => {}
    }
    let mut side = !position.turn();
    let mut count = 1;
    while count < LONGEST {
        let attackers = position.attackers(rules, played.to, side, occupied);
        let cheapest = attackers
            .into_iter()
            .filter_map(|from| Some((values.man(position.piece_at(from)?).exchange, from)))
            .min();
        let Some((value, from)) = cheapest else { break };
        gains[count] = standing - gains[count - 1];
        // Neither side can improve by going on.
        if gains[count].max(-gains[count - 1]) < 0 {
            break;
        }
        occupied.remove(from);
        let is_king = from == position.king(side);
        side = !side;
        if is_king && !position.attackers(rules, played.to, side, occupied).is_empty() {
            break;
        }
        standing = value;
        count += 1;
    }
    while count > 1 {
        count -= 1;
        gains[count - 1] = -gains[count].max(-gains[count - 1]);
    }
    gains[0]
}

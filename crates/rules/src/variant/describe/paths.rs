//! Moves that turn on their way: legs, and by which angle each turns from the one before.

use super::motion::{Angle, Hand, Stretch, Turn};
use super::moves::directions;
use crate::geometry::{Frame, Vector};
use crate::variant::betza::{Atom, Leap, Leg, Manner};

/// Whether pieces in the way change more than where a straight line ends: worth a drawing of its own.
pub(super) fn turns_or_hops(atom: &Atom) -> bool {
    atom.crooked || !atom.then.is_empty() || matches!(atom.manner, Manner::HopOne | Manner::HopBehind)
}

/// All legs of a path.
pub(super) fn path(
    frame: Frame,
    steps: &[Vector],
    (leap, most): (Leap, Option<u8>),
    then: &[Leg],
) -> Vec<Stretch> {
    let toward = (steps.len() < 4).then(|| directions(steps, frame));
    let mut stretches = vec![Stretch { may_end_before: false, leap, most, toward, turns: Vec::new() }];
    let mut before = steps.first().copied();
    for leg in then {
        let next: Vec<Vector> = before.map_or_else(Vec::new, |before| leg.steps(frame, before));
        let turns = before.map_or_else(Vec::new, |before| turns(frame, before, &next));
        stretches.push(Stretch {
            may_end_before: leg.stop_before,
            leap: leg.leap,
            most: leg.range,
            toward: None,
            turns,
        });
        before = next.first().copied();
    }
    stretches
}

/// By which angles the steps turn from the step before; an angle that is open to both sides is named without a side.
fn turns(frame: Frame, before: Vector, steps: &[Vector]) -> Vec<Turn> {
    let handed = if frame.right == frame.forward.clockwise() { 1 } else { -1 };
    let mut turns: Vec<(Angle, i32)> = steps
        .iter()
        .map(|step| {
            let (ax, ay) = (i32::from(before.dx), i32::from(before.dy));
            let (bx, by) = (i32::from(step.dx), i32::from(step.dy));
            let (along, right) = (ax * bx + ay * by, (ay * bx - ax * by) * handed);
            let angle = match (along.signum(), right) {
                (1, 0) => Angle::Straight,
                (1, _) => Angle::Outward,
                (0, _) => Angle::Right,
                (_, 0) => Angle::Back,
                _ => Angle::Inward,
            };
            (angle, right.signum())
        })
        .collect();
    turns.sort_unstable();
    turns.dedup();
    let mut named: Vec<Turn> = Vec::new();
    for &(angle, _) in &turns {
        let sides: Vec<i32> = turns.iter().filter(|turn| turn.0 == angle).map(|turn| turn.1).collect();
        let side = match sides[..] {
            [-1] => Some(Hand::Left),
            [1] => Some(Hand::Right),
            _ => None,
        };
        named.push(Turn { angle, side });
    }
    named.dedup();
    named
}

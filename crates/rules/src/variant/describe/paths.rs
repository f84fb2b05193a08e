//! Moves that turn on their way, in words: legs, and by which angle each turns from the one before.

use super::moves::oblique;
use super::words::{list, number};
use crate::geometry::{Frame, Vector};
use crate::variant::betza::{Atom, Leap, Leg, Manner, parse};

/// What crooked riders do.
pub(super) const ZIGZAG: &str =
    " in a zigzag, turning by a right angle at every step, left and right by turns";

/// Whether men in the way change more than where a straight line ends: worth a drawing of its own.
pub(super) fn turns_or_hops(betza: &str) -> bool {
    let special = |atom: &Atom| {
        atom.crooked || !atom.then.is_empty() || matches!(atom.manner, Manner::HopOne | Manner::HopBehind)
    };
    parse(betza).is_ok_and(|atoms| atoms.iter().any(special))
}

/// All legs of a path: `one square diagonally, where it may end, then …`.
pub(super) fn path(
    frame: Frame,
    steps: &[Vector],
    (leap, range): (Leap, Option<u8>),
    then: &[Leg],
) -> String {
    let mut words = leg(leap, range);
    let mut before = steps.first().copied();
    for next in then {
        let turns: Vec<Vector> = before.map_or_else(Vec::new, |before| next.steps(frame, before));
        let angles = before.map_or_else(String::new, |before| angles(frame, before, &turns));
        words += if next.stop_before { ", where it may end, then " } else { " without ending there, then " };
        words += &leg(next.leap, next.range);
        words += &angles;
        before = turns.first().copied();
    }
    words
}

/// How far a leg goes, and along what.
fn leg((m, n): Leap, range: Option<u8>) -> String {
    if n != 0 && n != m {
        return oblique(m, n);
    }
    let along = if n == 0 { "along a file or rank" } else { "diagonally" };
    let far = match (m, range) {
        (1, Some(1)) => "one square".to_owned(),
        (1, Some(most)) => format!("one to {} squares", number(most.into())),
        (1, None) => "one or more squares".into(),
        (m, Some(1)) => format!("{} squares at once", number(m.into())),
        (m, Some(most)) => format!("one to {} leaps of {} squares", number(most.into()), number(m.into())),
        (m, None) => format!("one or more leaps of {} squares", number(m.into())),
    };
    format!("{far} {along}")
}

/// By which angles the steps turn from the step before, in words with a space in front.
fn angles(frame: Frame, before: Vector, steps: &[Vector]) -> String {
    let handed = if frame.right == frame.forward.clockwise() { 1 } else { -1 };
    let mut turns: Vec<(i32, i32)> = steps
        .iter()
        .map(|step| {
            let (ax, ay) = (i32::from(before.dx), i32::from(before.dy));
            let (bx, by) = (i32::from(step.dx), i32::from(step.dy));
            let (along, right) = (ax * bx + ay * by, (ay * bx - ax * by) * handed);
            let angle = match (along.signum(), right) {
                (1, 0) => 0,
                (1, _) => 45,
                (0, _) => 90,
                (_, 0) => 180,
                _ => 135,
            };
            (angle, right.signum())
        })
        .collect();
    turns.sort_unstable();
    turns.dedup();
    let mut names: Vec<String> = Vec::new();
    for (angle, name) in [
        (0, "straight on"),
        (45, "outward at 45 degrees"),
        (90, "at a right angle"),
        (135, "back at 135 degrees"),
        (180, "straight back"),
    ] {
        let sides: Vec<i32> = turns.iter().filter(|turn| turn.0 == angle).map(|turn| turn.1).collect();
        match sides[..] {
            [] => {}
            [-1] => names.push(format!("{name} to the left")),
            [1] => names.push(format!("{name} to the right")),
            _ => names.push(name.into()),
        }
    }
    if names.is_empty() { String::new() } else { format!(" {}", list(&names, "or")) }
}

//! Betza's notation: directions, ranges, legs and faults.

use lozenge_rules::geometry::{Frame, Vector};
use lozenge_rules::variant::betza::parse;

const UP: Frame = Frame::first(Vector::new(0, 1));
const RISING: Frame = Frame::first(Vector::new(1, 1));

fn steps(text: &str, frame: Frame) -> Vec<(i8, i8)> {
    let atoms = parse(text).unwrap();
    let mut steps: Vec<_> = atoms.iter().flat_map(|atom| atom.steps(frame)).map(|v| (v.dx, v.dy)).collect();
    steps.sort_unstable();
    steps
}

#[test]
fn directions_are_read_in_the_frame() {
    for (text, frame, expected) in [
        ("fW", UP, vec![(0, 1)]),
        ("fF", UP, vec![(-1, 1), (1, 1)]),
        ("flF", UP, vec![(-1, 1)]),
        ("fsW", UP, vec![(-1, 0), (0, 1), (1, 0)]),
        ("frW", UP, vec![(0, 1), (1, 0)]),
        ("fN", UP, vec![(-1, 2), (1, 2)]),
        ("ffN", UP, vec![(-1, 2), (1, 2)]),
        ("fsN", UP, vec![(-2, 1), (2, 1)]),
        ("fhN", UP, vec![(-2, 1), (-1, 2), (1, 2), (2, 1)]),
        ("vN", UP, vec![(-1, -2), (-1, 2), (1, -2), (1, 2)]),
        ("frN", UP, vec![(2, 1)]),
        ("rfN", UP, vec![(1, 2)]),
        ("fF", RISING, vec![(1, 1)]),
        ("fW", RISING, vec![(0, 1), (1, 0)]),
        ("sF", RISING, vec![(-1, 1), (1, -1)]),
        ("lF", RISING, vec![(-1, 1)]),
        ("rF", RISING, vec![(1, -1)]),
        ("flW", RISING, vec![(0, 1)]),
        ("fA", RISING, vec![(2, 2)]),
    ] {
        assert_eq!(steps(text, frame), expected, "{text}");
    }
}

#[test]
fn riders_and_ranges() {
    let range = |text: &str| parse(text).unwrap().iter().map(|atom| atom.range).collect::<Vec<_>>();
    assert_eq!(range("RW3NNN(4,1)(4,1)0"), [None, Some(3), None, Some(1), Some(1), None]);
    assert_eq!(range("KQ2"), [Some(1), Some(1), Some(2), Some(2)]);
}

/// Not only their first digit.
#[test]
fn numbers_are_quoted_whole() {
    for (text, expected) in [
        ("W999", "expected a range from 0 to 255, found `999`"),
        ("(16,0)", "expected a number from 0 to 15, found `16`"),
        ("(2,123456789)W", "expected a number from 0 to 15, found `123456789`"),
        ("(x,0)", "expected a number from 0 to 15, found `x`"),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn faults_say_where() {
    for (text, at) in [
        ("X", 0),
        ("mf", 2),
        ("WxF", 1),
        ("(2,", 3),
        ("(0,0)", 4),
        ("(16,0)", 1),
        ("nW", 0),
        ("jN", 0),
        ("pW", 0),
        ("fnpR", 2),
        ("W999", 1),
        ("mWé", 2),
    ] {
        assert_eq!(parse(text).unwrap_err().at, at, "{text}");
    }
}

fn after(text: &str, before: (i8, i8), frame: Frame) -> Vec<(i8, i8)> {
    let atoms = parse(text).unwrap();
    let steps = atoms[0].then[0].steps(frame, Vector::new(before.0, before.1));
    let mut steps: Vec<_> = steps.iter().map(|v| (v.dx, v.dy)).collect();
    steps.sort_unstable();
    steps
}

#[test]
fn legs_are_read_from_the_step_before() {
    for (text, before, expected) in [
        ("[F?fR]", (1, 1), vec![(0, 1), (1, 0)]),
        ("[F?R]", (1, 1), vec![(0, 1), (1, 0)]),
        ("[W?fB]", (-1, 0), vec![(-1, -1), (-1, 1)]),
        ("[F-fF]", (1, -1), vec![(1, -1)]),
        ("[F-sF]", (1, -1), vec![(-1, -1), (1, 1)]),
        ("[W-sW]", (0, -1), vec![(-1, 0), (1, 0)]),
        ("[D-rW]", (0, 2), vec![(1, 0)]),
        ("[W-bW]", (0, 1), vec![(0, -1)]),
    ] {
        assert_eq!(after(text, before, UP), expected, "{text}");
    }
    // In the mirror right is left.
    let mirrored = Frame { forward: Vector::new(0, -1), right: Vector::new(1, 0) };
    assert_eq!(after("[W-rW]", (0, -1), mirrored), [(1, 0)]);
    assert_eq!(after("[W-rW]", (0, -1), UP), [(-1, 0)]);
}

#[test]
fn kinds_of_leaps_multiply() {
    assert_eq!(parse("[K-Q]").unwrap().len(), 4);
    let atoms = parse("m[F-fR3-fF]cW").unwrap();
    assert_eq!((atoms.len(), atoms[0].then.len(), atoms[0].then[0].range), (2, 2, Some(3)));
    assert!(atoms[0].quiet && !atoms[0].capture && atoms[1].capture);
}

#[test]
fn faults_of_legs_say_where() {
    for (text, at) in [
        ("[F]", 2),
        ("[F-", 3),
        ("[F-fR", 5),
        ("p[F-fR]", 0),
        ("f[F-fR]", 0),
        ("[F-mR]", 3),
        ("[N-fR]", 2),
        ("[F-fN-fW]", 5),
        ("[W-W-W-W-W]", 8),
        ("zN0", 0),
        ("zW", 0),
    ] {
        assert_eq!(parse(text).map_err(|error| error.at), Err(at), "{text}");
    }
}

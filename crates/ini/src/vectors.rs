//! Moves in our notation as steps on the board, to compare them. A move of several legs counts by its first.

use lozenge_rules::geometry::{Frame, Vector};
use lozenge_rules::variant::betza::{self, Atom};
use std::collections::BTreeSet;

/// Files to the right and ranks up.
pub(crate) type Offset = (i8, i8);

/// White's frame.
fn frame() -> Frame {
    Frame::first(Vector::new(0, 1))
}

fn steps(atom: &Atom) -> Vec<Offset> {
    atom.steps(frame()).into_iter().map(|step| (step.dx, step.dy)).collect()
}

/// The atoms of moves that `betza::read` has written; none if they are not valid, which the game's own check reports.
fn atoms(moves: &str) -> Vec<Atom> {
    betza::parse(moves).unwrap_or_default()
}

/// Steps that move without capture.
pub(crate) fn quiet(moves: &str) -> BTreeSet<Offset> {
    atoms(moves).iter().filter(|atom| atom.quiet).flat_map(steps).collect()
}

/// Single steps and leaps that capture.
pub(crate) fn captures(moves: &str) -> BTreeSet<Offset> {
    let single = |atom: &&Atom| atom.capture && atom.range == Some(1) && atom.then.is_empty();
    atoms(moves).iter().filter(single).flat_map(steps).collect()
}

/// Whether every move leads to a higher rank.
pub(crate) fn only_forward(moves: &str) -> bool {
    atoms(moves).iter().flat_map(steps).all(|(_, ranks)| ranks > 0)
}

/// Whether a move slides, hops or depends on squares on its way.
pub(crate) fn has_ways(moves: &str) -> bool {
    atoms(moves)
        .iter()
        .any(|atom| atom.range != Some(1) || !atom.then.is_empty() || atom.manner != betza::Manner::Free)
}

/// Whether left and right differ.
pub(crate) fn is_lopsided(moves: &str) -> bool {
    let found: BTreeSet<(String, Offset)> = atoms(moves)
        .iter()
        .flat_map(|atom| {
            let kind =
                format!("{:?}", (atom.leap, atom.range, atom.quiet, atom.capture, atom.manner, &atom.then));
            steps(atom).into_iter().map(move |step| (kind.clone(), step))
        })
        .collect();
    let mirrored = found.iter().map(|(kind, (files, ranks))| (kind.clone(), (-files, *ranks))).collect();
    found != mirrored
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_compared_by_their_steps() {
        assert!(is_lopsided("mflFcflW") && !is_lopsided("mfWcfF") && !is_lopsided("flNfrN"));
        assert!(only_forward("mfWcfF") && !only_forward("mfsWcfF"));
        assert_eq!(captures("mfWcfFR"), [(-1, 1), (1, 1)].into());
        assert_eq!(quiet("mfWcfF"), [(0, 1)].into());
        assert!(has_ways("nA") && has_ways("pR") && !has_ways("KAD"));
    }
}

//! The chapter of the men: each with its letter, name, moves, Betza text and diagrams.

use super::diagram::{blocked, diagrams};
use super::document::{Man, Part};
use super::moves;
use super::paths::turns_or_hops;
use super::text::{Mark, Text};
use super::words::{mobility, name};
use crate::variant::Variant;

/// All men: the King, the others in the order of their reach, pawns last.
pub(super) fn men(variant: &Variant) -> Vec<Part<Text>> {
    let mut men: Vec<_> = variant
        .men()
        .iter()
        .map(|(role, info)| {
            let (mut pictures, many) = diagrams(variant, role, info);
            if info.moves.iter().any(|(betza, _)| turns_or_hops(betza)) {
                pictures.extend(blocked(variant, role));
            }
            let man = Man {
                letter: info.letter,
                name: Text::Man(name(variant, role)),
                moves: moves::moves(variant, role, info),
                notation: Text::Notation(info.moves.clone()),
                diagrams: pictures,
                rest: many.then_some(Text::DrawnElsewhere),
            };
            ((!info.royal, info.pawn, core::cmp::Reverse(mobility(variant, role))), man)
        })
        .collect();
    men.sort_by_key(|(order, _)| *order);
    let men: Vec<Man<Text>> = men.into_iter().map(|(_, man)| man).collect();
    let marks = Mark::ALL.into_iter().filter(|mark| men.iter().any(|man| shows(man, mark.sign())));
    let legend = Part::Paragraph(vec![Text::Legend(marks.collect())]);
    core::iter::once(legend).chain(men.into_iter().map(Part::Man)).collect()
}

/// Whether a mark is in the drawings of a man, other than as its letter.
fn shows(man: &Man<Text>, mark: char) -> bool {
    let mut signs = man.diagrams.iter().flat_map(|diagram| &diagram.lines).flat_map(|line| line.chars());
    mark != man.letter && signs.any(|sign| sign == mark)
}

//! The chapter of the pieces: each with its letter, name, moves, Betza text and diagrams.

use crate::diagram::{blocked, diagrams};
use crate::document::{Part, PieceEntry};
use crate::moves::{self, turns_or_hops};
use crate::names::{mobility, name};
use crate::text::{Mark, Text};
use lozenge_rules::variant::Variant;

/// All pieces: the King, the others in the order of their reach, pawns last.
pub(super) fn pieces(variant: &Variant, of_red: bool) -> Vec<Part<Text>> {
    let mut pieces: Vec<_> = variant
        .roles()
        .iter()
        .map(|(role, info)| {
            let (mut pictures, many) = diagrams(variant, role, info);
            if info.moves.iter().flat_map(|moves| &moves.atoms).any(turns_or_hops) {
                pictures.extend(blocked(variant, role));
            }
            let notation =
                info.moves.iter().map(|moves| (moves.betza.clone(), moves.condition.clone())).collect();
            let piece = PieceEntry {
                letter: info.letter,
                name: Text::Piece(name(variant, role)),
                moves: moves::moves(variant, role, info),
                notation: Text::Notation(notation),
                diagrams: pictures,
                rest: many.then_some(Text::OtherSquares),
            };
            ((!info.royal, info.pawn, core::cmp::Reverse(mobility(variant, role))), piece)
        })
        .collect();
    pieces.sort_by_key(|(order, _)| *order);
    let pieces: Vec<PieceEntry<Text>> = pieces.into_iter().map(|(_, piece)| piece).collect();
    let marks = Mark::ALL.into_iter().filter(|mark| pieces.iter().any(|piece| shows(piece, mark.sign())));
    let legend = Part::Paragraph(vec![Text::Legend { marks: marks.collect(), of_red }]);
    core::iter::once(legend).chain(pieces.into_iter().map(Part::Piece)).collect()
}

/// Whether a mark is in the drawings of a piece, other than as its letter.
fn shows(piece: &PieceEntry<Text>, mark: char) -> bool {
    let mut signs = piece.diagrams.iter().flat_map(|diagram| &diagram.lines).flat_map(|line| line.chars());
    mark != piece.letter && signs.any(|sign| sign == mark)
}

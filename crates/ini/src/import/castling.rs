//! Castlings: the King goes to a file of its own side, and the piece that it castles with lands beside it.

use super::Import;
use crate::region;
use crate::rules::PieceKind;
use lozenge_rules::piece::Color;
use std::fmt::Write as _;

impl Import<'_> {
    /// The castlings, and the letters of the rights of the start.
    pub(super) fn castlings(&mut self) -> (String, String) {
        let rank = self.rules.castling_rank;
        let (mut out, mut rights) = (String::new(), String::new());
        if self.rules.castling && (1..=self.ranks).contains(&rank) {
            for (color, row) in Color::BOTH.into_iter().zip([rank - 1, self.ranks - rank]) {
                self.castlings_of(color, row, &mut out, &mut rights);
            }
        }
        if rights.is_empty() {
            rights.push('-');
        }
        (out, rights)
    }

    fn castlings_of(&mut self, color: Color, row: u8, out: &mut String, rights: &mut String) {
        let white = color == Color::White;
        let cased =
            |letter: char| if white { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
        let cells: Vec<char> = (0..self.files).map(|file| self.at((file, row))).collect();
        // The files of the pieces that the rights name, whether they stand left or right of the King.
        let is_rook = |file: &u8| {
            let cell = cells[usize::from(*file)];
            cell.is_ascii_alphabetic()
                && cell == cased(cell)
                && self.rules.kind(cell).is_some_and(|kind| self.rules.castling_rooks[color].contains(&kind))
        };
        let last = self.files - 1;
        let [right, left] = self.rules.castling_rook_files.map(|file| file.min(last));
        let rooks: Vec<u8> = (self.rights.chars())
            .filter(|letter| *letter == cased(*letter))
            .filter_map(|letter| match letter.to_ascii_uppercase() {
                'K' => (0..=right).rev().find(is_rook),
                'Q' => (left..=last).find(is_rook),
                letter @ 'A'..='P' => Some(letter as u8 - b'A').filter(|file| *file <= last).filter(is_rook),
                _ => None,
            })
            .collect();
        if rooks.is_empty() {
            return;
        }
        if self.rules.castling_king[color] != Some(PieceKind::KING) {
            self.cannot_by_color("castlingKingPiece", "the King castles, no other piece");
            return;
        }
        let king = self.starts(PieceKind::KING, color).into_iter().find(|cell| cell.1 == row);
        let (Some((from, _)), side) = (king, if white { "white" } else { "black" }) else { return };
        for (name, right, to) in
            [("short", 'K', self.rules.castling_to[0]), ("long", 'Q', self.rules.castling_to[1])]
        {
            let beside = |rook: &u8| (*rook > from) == (name == "short");
            let Some(&rook) = rooks.iter().rev().find(|rook| beside(rook)) else { continue };
            let key = if name == "short" { "castlingKingsideFile" } else { "castlingQueensideFile" };
            if to.abs_diff(from) <= 1 {
                self.cannot(key, "castling by at most one square reads like a King's step; left out");
                continue;
            }
            let rook_to = if name == "short" { to.checked_sub(1) } else { to.checked_add(1) };
            let Some(rook_to) = rook_to.filter(|file| to <= last && *file <= last) else {
                self.cannot(key, "expected a file of the board; left out");
                continue;
            };
            let square = |file: u8| region::name((file, row));
            let _ = write!(
                out,
                "\n[[castling]]\ncolor = \"{side}\"\nname = \"{name}\"\nking = \"{}-{}\"\nrook = \"{}-{}\"\nright = \"{}\"\n",
                square(from),
                square(to),
                square(rook),
                square(rook_to),
                cased(right)
            );
            let piece = cells[usize::from(rook)].to_ascii_uppercase();
            if piece != 'R' {
                let _ = writeln!(out, "piece = \"{piece}\"");
            }
            rights.push(cased(right));
        }
    }
}

//! Castlings: the outermost piece that may castle lands beside the King.

use super::Import;
use crate::region;
use std::fmt::Write as _;

impl Import<'_> {
    /// The castlings, and the letters of the rights of the start.
    pub(super) fn castlings(&mut self) -> (String, String) {
        let castles = self.flag("castling", true);
        let file = |text: Option<String>, default: u8| {
            let letter = text.and_then(|text| text.chars().next()).map(|letter| letter.to_ascii_lowercase());
            letter.filter(char::is_ascii_lowercase).map_or(default, |letter| letter as u8 - b'a')
        };
        let short = file(self.value("castlingKingsideFile"), 6);
        let long = file(self.value("castlingQueensideFile"), 2);
        let rank: u8 = self.value("castlingRank").and_then(|text| text.parse().ok()).unwrap_or(1);
        let king = self.letters("castlingKingPiece", "");
        let king_by_color =
            ["White", "Black"].map(|color| self.letters(&format!("castlingKingPiece{color}"), ""));
        let rooks = self.letters("castlingRookPieces", "R");
        let rooks_by_color =
            ["White", "Black"].map(|color| self.letters(&format!("castlingRookPieces{color}"), &rooks));
        for key in ["castlingKingFile", "castlingRookKingsideFile", "castlingRookQueensideFile"] {
            let _ = self.value(key);
        }
        let royal = self.pieces.iter().find(|piece| piece.royal).map_or('K', |piece| piece.letter);
        for (key, letters) in ["castlingKingPiece", "castlingKingPieceWhite", "castlingKingPieceBlack"]
            .iter()
            .zip([&king, &king_by_color[0], &king_by_color[1]])
        {
            if castles && !letters.is_empty() && *letters != royal.to_string() {
                self.cannot(key, "the King castles, no other piece");
            }
        }
        if !castles || !(1..=self.ranks).contains(&rank) {
            return (String::new(), "-".into());
        }
        let (mut out, mut rights) = (String::new(), String::new());
        for (color, white) in [("white", true), ("black", false)] {
            let row = if white { rank - 1 } else { self.ranks - rank };
            let cased = |letter: char| if white { letter } else { letter.to_ascii_lowercase() };
            let cells: Vec<char> = (0..self.files).map(|file| self.at((file, row))).collect();
            let Some(from) = cells.iter().position(|&cell| cell == cased(royal)) else { continue };
            let rooks = &rooks_by_color[usize::from(!white)];
            let is_rook = |at: &usize| {
                let cell = cells[*at];
                cell == cased(cell.to_ascii_uppercase())
                    && rooks.contains(cell.to_ascii_uppercase())
                    && cell != '.'
            };
            let kingside = (from + 1..cells.len()).rev().find(is_rook);
            let queenside = (0..from).find(is_rook);
            for (name, right, rook, king_to) in
                [("short", 'K', kingside, short), ("long", 'Q', queenside, long)]
            {
                let Some(rook) = rook else { continue };
                let right = cased(right);
                let letter = cased(char::from(b'A' + rook as u8));
                if !self.rights.contains(right) && !self.rights.contains(letter) {
                    continue;
                }
                if king_to.abs_diff(from as u8) <= 1 {
                    self.cannot(
                        "castlingKingsideFile",
                        "castling by at most one square reads like a King's step; left out",
                    );
                    continue;
                }
                let rook_to = if name == "short" { king_to - 1 } else { king_to + 1 };
                let piece = cells[rook].to_ascii_uppercase();
                let square = |file: u8| region::name((file, row));
                let _ = write!(
                    out,
                    "\n[[castling]]\ncolor = \"{color}\"\nname = \"{name}\"\nking = \"{}-{}\"\nrook = \"{}-{}\"\nright = \"{right}\"\n",
                    square(from as u8),
                    square(king_to),
                    square(rook as u8),
                    square(rook_to)
                );
                if piece != 'R' {
                    let _ = writeln!(out, "piece = \"{piece}\"");
                }
                rights.push(right);
            }
        }
        if rights.is_empty() {
            rights.push('-');
        }
        (out, rights)
    }
}

//! Validates the castlings: squares, rights, paths.

use super::Compiler;
use crate::geometry::{Shape, Square, Vector};
use crate::piece::Color;
use crate::variant::def::{CastlingDef, Text};
use crate::variant::plan::CastlingPlan;
use crate::variant::roles::Roles;

/// Most castlings a game may have: their rights are bits of sixteen.
pub(super) const MAX_CASTLINGS: usize = 16;

impl Compiler<'_> {
    pub(super) fn castlings(&mut self, shape: &Shape, roles: &Roles) -> (Vec<CastlingPlan>, Vec<char>) {
        let defs = &self.def.castlings;
        self.too_many(defs.first().map_or(self.def.at, |c| c.at), "castlings", MAX_CASTLINGS, defs.len());
        let mut letters = Vec::new();
        let plans = (defs.iter().take(MAX_CASTLINGS))
            .filter_map(|castling| self.castling(shape, roles, castling, &mut letters))
            .collect();
        (plans, letters)
    }

    fn castling(
        &mut self,
        shape: &Shape,
        roles: &Roles,
        def: &CastlingDef,
        letters: &mut Vec<char>,
    ) -> Option<CastlingPlan> {
        let color = match def.color.value.as_str() {
            "white" => Some(Color::White),
            "black" => Some(Color::Black),
            _ => {
                self.wrong(&def.color, "`white` or `black`");
                None
            }
        };
        if !matches!(def.name.value.as_str(), "short" | "long") {
            self.wrong(&def.name, "`short` or `long`");
        }
        let king = self.pair_of_squares(shape, &def.king);
        let rook = self.pair_of_squares(shape, &def.rook);
        let partner = match def.piece.value.chars().next().and_then(|letter| roles.role(letter)) {
            Some(role) if def.piece.value.len() == 1 && !roles.info(role).royal => Some(role),
            None if def.piece.value.len() == 1
                && def.piece.value.chars().all(|c| self.may_be_unreadable(c)) =>
            {
                None
            }
            _ => {
                self.wrong(&def.piece, "the letter of the piece that the king castles with");
                None
            }
        };
        let right = match &def.right {
            None => None,
            Some(text) => {
                let mut right = text.value.chars();
                match (right.next(), right.next(), color) {
                    (Some(letter), None, Some(color))
                        if letter.is_ascii_alphabetic()
                            && letter.is_ascii_uppercase() == (color == Color::White)
                            && !letters.contains(&letter) =>
                    {
                        letters.push(letter);
                    }
                    // The color could not be read.
                    (Some(letter), None, None) if letter.is_ascii_alphabetic() => self.rights_known = false,
                    _ => {
                        self.rights_known = false;
                        self.wrong(
                            text,
                            "one letter for this right alone, capital for White, small for Black",
                        );
                    }
                }
                Some(1 << (letters.len().max(1) - 1))
            }
        };
        let (color, king, rook, partner) = (color?, king?, rook?, partner?);
        let line = |from: Square, to: Square| straight_between(shape, from, to);
        let Some(king_path) = line(king.0, king.1).or(def.through_check.then(Vec::new)) else {
            self.wrong(&def.king, "a king's path along a straight line (or `through_check = true`)");
            return None;
        };
        let mut empty = line(king.0, rook.0).unwrap_or_default();
        empty.extend(line(rook.0, rook.1).unwrap_or_default());
        empty.extend(&king_path);
        empty.extend([king.1, rook.1]);
        empty.retain(|&square| square != king.0 && square != rook.0);
        let safe = if def.through_check { Vec::new() } else { king_path };
        let short = def.name.value == "short";
        let out_of_check = def.out_of_check;
        Some(CastlingPlan { color, short, king, rook, partner, right, empty, safe, out_of_check })
    }

    fn pair_of_squares(&mut self, shape: &Shape, text: &Text) -> Option<(Square, Square)> {
        let squares =
            text.value.split_once('-').and_then(|(from, to)| Some((shape.named(from)?, shape.named(to)?)));
        if squares.is_none() {
            self.wrong(text, "two squares of the board, `e1-g1`");
        }
        squares
    }
}

/// The squares strictly between two squares on a straight line that does not cross a joined edge.
fn straight_between(shape: &Shape, from: Square, to: Square) -> Option<Vec<Square>> {
    let (a, b) = (shape.coord(from), shape.coord(to));
    let (dx, dy) = (b.file as i8 - a.file as i8, b.rank as i8 - a.rank as i8);
    let length = dx.abs().max(dy.abs());
    if length == 0 || (dx != 0 && dy != 0 && dx.abs() != dy.abs()) {
        return None;
    }
    let step = Vector::new(dx.signum(), dy.signum());
    (1..length).map(|times| shape.step(from, step.times(times))).collect()
}

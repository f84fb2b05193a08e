//! Promotion and goals.

use super::Import;
use crate::region::Cells;
use crate::rules::{PieceKind, PieceKinds};
use lozenge_rules::piece::{ByColor, Color};
use std::fmt::Write as _;

/// A promotion of one side.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Promotion {
    letter: char,
    /// Squares as its side sees them.
    on: Cells,
    to: String,
}

impl Import<'_> {
    /// The promotions and goals, once for both sides where they are alike.
    pub(super) fn zones(&mut self) -> String {
        let promotions = ByColor::from_fn(|color| self.promotions_of(color));
        let goals = ByColor::from_fn(|color| self.goals_of(color, &promotions[color]));
        let mut out = String::new();
        by_color(&promotions, |Promotion { letter, on, to }, color| {
            let area = self.area(on);
            let _ = write!(
                out,
                "\n[[promotion]]\npieces = \"{letter}\"\non = \"{area}\"\nto = \"{to}\"\n{color}"
            );
        });
        by_color(&goals, |(letters, on), color| {
            let area = self.area(on);
            let _ = write!(out, "\n[[goal]]\npieces = \"{letters}\"\non = \"{area}\"\n{color}");
        });
        out
    }

    fn promotions_of(&mut self, color: Color) -> Vec<Promotion> {
        let region = self.on_board(&self.rules.promotion_region[color].clone());
        let on = if color == Color::White { region } else { self.image(&region) };
        let promoting = self.present(&self.rules.promoting[color]);
        // Kinds that have no piece on this side and cannot get one are not promoted.
        let promoting: PieceKinds = promoting.into_iter().filter(|kind| self.arises(*kind, color)).collect();
        if on.is_empty() || promoting.is_empty() {
            return Vec::new();
        }
        if promoting.contains(&PieceKind::KING) {
            self.cannot_by_color("promotionPawnTypes", "the King is never promoted");
        }
        let mut to = self.present(&self.rules.promoted_to[color]);
        if to.remove(&PieceKind::KING) {
            self.cannot_by_color("promotionPieceTypes", "no piece becomes a King; left out");
        }
        // A piece does not arise on its wall.
        let wall =
            |kind: PieceKind| self.pieces.iter().find(|piece| piece.kind == kind).map(|piece| &piece.wall);
        let overlaps = |kind: &PieceKind| wall(*kind).is_some_and(|wall| !wall.is_disjoint(&on));
        let mut shut: String =
            to.iter().filter(|kind| overlaps(kind)).map(|kind| self.letter(*kind)).collect();
        to.retain(|kind| !wall(*kind).is_some_and(|wall| wall.is_superset(&on)));
        if !shut.is_empty() {
            shut.insert_str(0, "a piece does not arise on its wall: ");
            self.cannot_by_color("promotionPieceTypes", shut);
        }
        let mandatory = self.rules.promotion_is_mandatory;
        let mut found = Vec::new();
        for kind in promoting.into_iter().filter(|kind| *kind != PieceKind::KING) {
            let letter = self.letter(kind);
            let mut to = to.clone();
            let own = to.remove(&kind);
            if own && mandatory {
                self.cannot_by_color(
                    "promotionPieceTypes",
                    format!("`{letter}` to promote to itself is no promotion"),
                );
            }
            if to.is_empty() && !own {
                if mandatory {
                    let why = format!(
                        "without a piece to become, `{letter}` of {color} may not move to a promotion square there; here it may"
                    );
                    self.cannot_by_color("promotionPieceTypes", why);
                }
                continue;
            }
            let mut to: String = to.into_iter().map(|kind| self.letter(kind)).collect();
            if own || !mandatory {
                to.push(letter);
            }
            found.push(Promotion { letter, on: on.clone(), to });
        }
        found
    }

    /// Those of some kinds that the game has.
    fn present(&self, kinds: &PieceKinds) -> PieceKinds {
        self.pieces.iter().map(|piece| piece.kind).filter(|kind| kinds.contains(kind)).collect()
    }

    /// Whether a side has a piece of the kind, or may get one.
    fn arises(&self, kind: PieceKind, color: Color) -> bool {
        !self.starts(kind, color).is_empty() || self.rules.promoted_to[color].contains(&kind)
    }

    fn letter(&self, kind: PieceKind) -> char {
        self.rules.pieces.get(&kind).map_or('?', |piece| piece.letter)
    }

    /// The pieces of a side that win, and where.
    fn goals_of(&mut self, color: Color, promotions: &[Promotion]) -> Vec<(String, Cells)> {
        let region = self.on_board(&self.rules.flag_region[color].clone());
        let on = if color == Color::White { region } else { self.image(&region) };
        let wanted = self.rules.flag_piece[color];
        let wins = |kind: PieceKind| wanted.is_none_or(|wanted| wanted == kind);
        let letters: Vec<char> =
            self.pieces.iter().filter(|piece| wins(piece.kind)).map(|piece| piece.letter).collect();
        let mut goals: Vec<(String, Cells)> = Vec::new();
        for letter in letters {
            // A piece that is promoted where it arrives wins as what it has become.
            let promotion = promotions.iter().find(|promotion| promotion.letter == letter);
            let here: Cells = on
                .iter()
                .filter(|cell| promotion.is_none_or(|promotion| !promotion.on.contains(cell)))
                .copied()
                .collect();
            if here != on && promotion.is_some_and(|promotion| promotion.to.contains(letter)) {
                self.cannot_by_color("flagRegion", "a piece does not win where it may be promoted or not");
            }
            match goals.iter_mut().find(|(_, cells)| *cells == here) {
                _ if here.is_empty() => {}
                Some((letters, _)) => letters.push(letter),
                None => goals.push((letter.to_string(), here)),
            }
        }
        goals
    }
}

/// Writes what White has, without a color where Black has the same, and then what Black alone has.
fn by_color<T: PartialEq>(items: &ByColor<Vec<T>>, mut write: impl FnMut(&T, &str)) {
    let [white, black] = items.each_ref().into_array();
    for item in white {
        write(item, if black.contains(item) { "" } else { "color = \"white\"\n" });
    }
    for item in black.iter().filter(|item| !white.contains(item)) {
        write(item, "color = \"black\"\n");
    }
}

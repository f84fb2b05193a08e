//! The drawn pieces as one SVG of `<symbol>`s, for pages that show many boards: a page has
//! `<use href="pieces.svg#king-white"/>`. Not here: the drawing of a piece (`glyphs`).

use crate::drawing::Drawings;
use crate::glyphs;
use crate::scene::Glyph;
use crate::theme::Side;
use crate::xml;
use std::collections::BTreeMap;

/// How pieces are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PieceSet {
    /// Standing pieces.
    #[default]
    Classic,
    /// Flat discs in the side's color that bear the drawing.
    Medallion,
}

/// The sprite of every named drawing (compounds left out), each in both colors.
///
/// ```
/// let sprite = lozenge_picture::sprite();
/// assert!(sprite.contains("<symbol id=\"king-white\" viewBox=\"0 0 100 100\""));
/// assert!(sprite.contains("<symbol id=\"pawn-black\""));
/// ```
#[must_use]
pub fn sprite() -> String {
    sprite_of(PieceSet::Classic, glyphs::glyph_names().iter().copied())
}

/// The sprite of these names in both colors, compounds such as `rook+ferz` too.
///
/// A name without a drawing has no symbol, and a name that is given twice has one.
///
/// ```
/// use lozenge_picture::{PieceSet, sprite_of};
/// let sprite = sprite_of(PieceSet::Classic, ["rook+ferz", "no such piece"]);
/// assert_eq!(sprite.matches("<symbol ").count(), 2);
/// assert!(sprite.contains("id=\"rook-ferz-white\""));
/// ```
pub fn sprite_of<'a>(set: PieceSet, names: impl IntoIterator<Item = &'a str>) -> String {
    sprite_with(set, names, &Drawings::default())
}

/// The same, where some of the names are those of pictures that users have drawn.
pub fn sprite_with<'a>(
    set: PieceSet,
    names: impl IntoIterator<Item = &'a str>,
    drawings: &Drawings,
) -> String {
    let glyph = |name: &str| {
        let drawn = drawings.get(name).map(|drawing| Glyph::Drawn(drawing.clone(), '?'));
        drawn.or_else(|| glyphs::has_glyph(name).then(|| Glyph::Named(name.to_owned())))
    };
    let known: BTreeMap<&str, Glyph> =
        names.into_iter().filter_map(|name| Some((name, glyph(name)?))).collect();
    let symbols: String = known
        .iter()
        .flat_map(|(name, glyph)| {
            [Side::First, Side::Second].map(|side| symbol(set, &symbol_id(name, side), glyph, side))
        })
        .collect();
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\">\n{symbols}</svg>\n")
}

/// The id of a piece's symbol: its name with `-` for the `+` of a compound, then `-white` or `-black`.
///
/// ```
/// use lozenge_picture::{Side, symbol_id};
/// assert_eq!(symbol_id("rook+ferz", Side::Second), "rook-ferz-black");
/// ```
#[must_use]
pub fn symbol_id(name: &str, side: Side) -> String {
    let color = match side {
        Side::First => "white",
        Side::Second => "black",
        Side::Red => "red",
        Side::Blue => "blue",
        Side::Yellow => "yellow",
        Side::Green => "green",
        Side::Dead => "dead",
    };
    format!("{}-{color}", name.replace('+', "-"))
}

/// The disc of a medallion and the rim within it, around the middle of the box.
const DISC: f64 = 46.0;
const RIM: f64 = 40.5;
/// The size of the drawing on it, and where the drawing's middle is.
const ENGRAVED: f64 = 0.66;
const ENGRAVED_MIDDLE: (f64, f64) = (50.0, 48.0);

/// The disc and the drawing on it.
fn medallion(elements: &str) -> String {
    let left = xml::number(50.0 - ENGRAVED * ENGRAVED_MIDDLE.0);
    let top = xml::number(50.0 - ENGRAVED * ENGRAVED_MIDDLE.1);
    let [disc, rim, size] = [DISC, RIM, ENGRAVED].map(xml::number);
    format!(
        "<circle cx=\"50\" cy=\"50\" r=\"{disc}\" stroke-width=\"3\"/>\
         <circle cx=\"50\" cy=\"50\" r=\"{rim}\" fill=\"none\" stroke-width=\"1.5\"/>\
         <g transform=\"translate({left} {top})scale({size} {size})\" stroke-width=\"5\">{elements}</g>"
    )
}

fn symbol(set: PieceSet, id: &str, glyph: &Glyph, side: Side) -> String {
    let attributes = glyphs::attributes_in_box(side);
    let drawn = glyphs::elements(glyph, side);
    let elements = match set {
        PieceSet::Classic => drawn,
        PieceSet::Medallion => medallion(&drawn),
    };
    format!(
        "<symbol id=\"{id}\" viewBox=\"0 0 100 100\" overflow=\"visible\"><g {attributes}>{elements}</g></symbol>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_drawing_has_a_symbol_of_each_color_and_each_symbol_is_drawn() {
        let sprite = sprite();
        for name in crate::glyph_names() {
            for side in [Side::First, Side::Second] {
                let id = symbol_id(name, side);
                assert_eq!(sprite.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
                // Read as a picture of its own, the symbol shows something in the middle of its box.
                let elements = glyphs::elements(&Glyph::Named((*name).to_owned()), side);
                let attributes = glyphs::attributes_in_box(side);
                let text = format!(
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"100\"><g {attributes}>{elements}</g></svg>"
                );
                let tree = resvg::usvg::Tree::from_str(&text, &resvg::usvg::Options::default()).unwrap();
                let bounds = tree.root().abs_stroke_bounding_box();
                assert!(bounds.left() >= 0.0 && bounds.right() <= 100.0, "{id} {bounds:?}");
                assert!(bounds.top() >= -1.0 && bounds.bottom() <= 101.0, "{id} {bounds:?}");
                assert!(bounds.width() > 30.0 && bounds.height() > 30.0, "{id} {bounds:?}");
            }
        }
    }

    #[test]
    fn both_sets_have_the_same_symbols() {
        let ids = |set| -> Vec<String> {
            let sprite = sprite_of(set, crate::glyph_names().iter().copied());
            let ids = sprite.split("<symbol id=\"").skip(1).filter_map(|rest| rest.split('"').next());
            ids.map(str::to_owned).collect()
        };
        assert_eq!(ids(PieceSet::Classic), ids(PieceSet::Medallion));
        let medallions = sprite_of(PieceSet::Medallion, ["king"]);
        assert_eq!(medallions.matches("r=\"46\"").count(), 2);
    }

    #[test]
    fn compounds_are_symbols_too_and_unknown_names_are_not() {
        let sprite = sprite_of(PieceSet::Classic, ["rook+ferz", "king", "king", "unknown", "king+unknown"]);
        let ids: Vec<&str> =
            sprite.split("<symbol id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(ids, ["king-white", "king-black", "rook-ferz-white", "rook-ferz-black"]);
    }
}

//! Our own drawn pieces and the lettered disc for all others. Not here: where a piece stands.
//!
//! Each drawing is a file of `pieces/`, 100 by 100 units, one element a line, every element of one class:
//! `body` (filled and outlined), `line` (a stroke in the outline's color) or `mark` (filled with the
//! outline's color). The files look right when opened by themselves; the colors in them are placeholders.

use crate::alphabet;
use crate::compound;
use crate::drawing::Drawing;
use crate::scene::Glyph;
use crate::theme::Side;
use crate::theme::{Ink, ink, sign};
use crate::xml;

/// The color that the files use for outlines and marks.
const LINE_PLACEHOLDER: &str = "#222";

/// How much larger Black is drawn, see [`attributes`].
const BLACK_SCALE: f64 = 1.04;

/// Lists the names, each with its file where that is another one.
macro_rules! drawings {
    (@file $name:literal) => { $name };
    (@file $name:literal $file:literal) => { $file };
    ($($name:literal $(as $file:literal)?),* $(,)?) => {
        /// The names, in the order of the sheet.
        const NAMES: &[&str] = &[$($name),*];
        /// The text of the files, in the same order.
        const FILES: &[&str] =
            &[$(include_str!(concat!("../pieces/", drawings!(@file $name $($file)?), ".svg"))),*];
    };
}

drawings!(
    "king",
    "queen",
    "rook",
    "bishop",
    "knight",
    "pawn",
    "camel",
    "marshall",
    "archbishop",
    "vizier",
    "ferz",
    "wazir",
    "elephant",
    "dabbaba",
    "cardinal",
    "cannon",
    "arrow",
    "tank",
    "gnu",
    "griffon",
    "anchorite",
    "girlscout",
    "boyscout",
    "wolf",
    "fox",
    "wing",
    "mitre",
    "gold",
    "silver",
    // Rook and knight in other games: the same piece, so the same drawing.
    "chancellor" as "marshall",
);

/// The names that [`Glyph::Named`] knows, compounds of two of them left out (see [`has_glyph`]).
pub fn glyph_names() -> &'static [&'static str] {
    NAMES
}

/// Whether there is a drawing for the name: one of [`glyph_names`], or two of them with `+` between them,
/// such as `rook+ferz`.
pub fn has_glyph(name: &str) -> bool {
    !matches!(resolve_name(name), Resolved::Letter(_))
}

/// The middle of the drawings: the finials on top reach higher than the base plate reaches down.
const MIDDLE: (f64, f64) = (50.0, 48.0);

/// The points that the drawings keep within, seen from [`MIDDLE`], in sizes of the box: the base plate
/// below, the shoulders and the tip on top.
pub(crate) const HULL: [(f64, f64); 12] = [
    (-0.3, 0.47),
    (0.3, 0.47),
    (-0.47, 0.12),
    (0.47, 0.12),
    (-0.47, -0.12),
    (0.47, -0.12),
    (-0.4, -0.24),
    (0.4, -0.24),
    (-0.26, -0.38),
    (0.26, -0.38),
    (-0.16, -0.47),
    (0.16, -0.47),
];

/// A short name for the glyph that can be part of an XML id: letters, digits, `-` and `_` only.
pub(crate) fn id(glyph: &Glyph) -> String {
    match resolve(glyph) {
        Resolved::File(index) => NAMES[index].to_owned(),
        Resolved::Both(first, second) => format!("{}-{}", NAMES[first], NAMES[second]),
        Resolved::Letter(letter) if letter.is_ascii_alphanumeric() => format!("_{letter}"),
        Resolved::Letter(letter) => format!("_{:x}_", u32::from(letter)),
        Resolved::Drawn(drawing) => drawing.name().to_owned(),
    }
}

/// The elements of the glyph in the given colors, in units of the 100 by 100 box.
pub(crate) fn elements(glyph: &Glyph, side: Side) -> String {
    let ink = &ink(side);
    let elements = match resolve(glyph) {
        Resolved::File(index) => file_elements(FILES[index], ink),
        Resolved::Both(first, second) => {
            let [first, second] = [first, second].map(|index| file_elements(FILES[index], ink));
            compound::elements(&first, &second, line_width(side))
        }
        Resolved::Letter(letter) => disc(letter, ink),
        Resolved::Drawn(drawing) => drawing.elements(side),
    };
    match sign(side) {
        None => elements,
        Some(shape) => format!(
            "{elements}<path transform=\"translate(39.5 70)scale(1.05)\" fill=\"{}\" stroke=\"{}\" stroke-width=\"4\" \
             paint-order=\"stroke\" d=\"{shape}\"/>",
            ink.line, ink.fill
        ),
    }
}

/// The attributes that all elements of a piece share.
///
/// White has a dark line on the edge of every part. Black has a light line outside of it, so that the dark
/// parts stay whole and bold. Black's scale makes up for the background that White's line covers.
pub(crate) fn attributes(side: Side, size: f64) -> String {
    let scale = size * own_scale(side);
    let (left, top) = (xml::number(-scale * MIDDLE.0 / 100.0), xml::number(-scale * MIDDLE.1 / 100.0));
    format!("transform=\"translate({left} {top})scale({:.5})\" {}", scale / 100.0, strokes(side))
}

/// The same for a piece in the 100 by 100 box itself.
pub(crate) fn attributes_in_box(side: Side) -> String {
    let scale = own_scale(side);
    let (left, top) = (xml::number(MIDDLE.0 * (1.0 - scale)), xml::number(MIDDLE.1 * (1.0 - scale)));
    format!("transform=\"translate({left} {top})scale({scale:.5})\" {}", strokes(side))
}

fn own_scale(side: Side) -> f64 {
    if side.is_dark() { BLACK_SCALE } else { 1.0 }
}

fn strokes(side: Side) -> String {
    let ink = ink(side);
    let order = if side.is_dark() { " paint-order=\"stroke\"" } else { "" };
    let width = xml::number(line_width(side));
    format!(
        "fill=\"{}\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"{order}",
        ink.fill, ink.line
    )
}

/// How wide the lines of a side's pieces are.
fn line_width(side: Side) -> f64 {
    if side.is_dark() { 5.0 } else { 4.0 }
}

enum Resolved<'a> {
    File(usize),
    Both(usize, usize),
    Letter(char),
    Drawn(&'a Drawing),
}

fn resolve(glyph: &Glyph) -> Resolved<'_> {
    match glyph {
        Glyph::Letter(letter) => Resolved::Letter(*letter),
        Glyph::Drawn(drawing, _) => Resolved::Drawn(drawing),
        Glyph::Named(name) => resolve_name(name),
    }
}

fn resolve_name(name: &str) -> Resolved<'static> {
    let file = |name: &str| NAMES.iter().position(|known| *known == name);
    let both = || {
        let (first, second) = compound::parts(name)?;
        Some(Resolved::Both(file(first)?, file(second)?))
    };
    let letter = || Resolved::Letter(name.chars().next().map_or('?', |first| first.to_ascii_uppercase()));
    file(name).map(Resolved::File).or_else(both).unwrap_or_else(letter)
}

fn file_elements(file: &str, ink: &Ink) -> String {
    let drawn = file.lines().filter(|line| line.contains(" class=\""));
    drawn
        .map(|line| {
            line.replace(" class=\"body\"", "")
                .replace(" class=\"line\"", "")
                .replace(" class=\"mark\"", "")
                .replace(LINE_PLACEHOLDER, ink.line)
        })
        .collect()
}

/// A disc with one letter on it.
fn disc(letter: char, ink: &Ink) -> String {
    let mut path = String::new();
    let mut buffer = [0; 4];
    alphabet::push_path(&mut path, letter.encode_utf8(&mut buffer), MIDDLE, 56.0);
    let width = xml::number(6.5);
    format!(
        "<circle cx=\"50\" cy=\"48\" r=\"36\"/><path fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" d=\"{path}\"/>",
        ink.line
    )
}

#[cfg(test)]
mod tests {
    use resvg::{tiny_skia, usvg};

    use super::*;

    #[test]
    fn every_file_keeps_the_form_that_the_renderer_reads() {
        for (name, file) in NAMES.iter().zip(FILES) {
            let lines: Vec<&str> = file.lines().collect();
            assert!(lines[0].starts_with("<svg ") && lines[0].contains("viewBox=\"0 0 100 100\""), "{name}");
            assert_eq!(lines.last(), Some(&"</svg>"), "{name}");
            for line in &lines[1..lines.len() - 1] {
                let classes = ["class=\"body\"", "class=\"line\"", "class=\"mark\""];
                assert!(classes.iter().any(|class| line.contains(class)), "{name}: {line}");
                assert!(line.starts_with('<') && line.ends_with("/>"), "{name}: {line}");
            }
        }
    }

    /// How far the drawing reaches from [`MIDDLE`] in a direction, in sizes of the box, lines included.
    fn reach(group: &usvg::Group, (x, y): (f64, f64)) -> f64 {
        let turn = tiny_skia::Transform::from_row(x as f32, -y as f32, y as f32, x as f32, 0.0, 0.0);
        let reaches = group.children().iter().map(|node| match node {
            usvg::Node::Group(group) => reach(group, (x, y)),
            usvg::Node::Path(path) => {
                let placed = path.abs_transform();
                let turned = path.data().clone().transform(placed.post_concat(turn)).unwrap();
                let line = path.stroke().map_or(0.0, |stroke| stroke.width().get() * placed.get_scale().1);
                let bounds = turned.compute_tight_bounds().unwrap();
                (f64::from(bounds.right() + line / 2.0) - x * MIDDLE.0 - y * MIDDLE.1) / 100.0
            }
            other => panic!("{other:?} in a drawing"),
        });
        reaches.fold(f64::MIN, f64::max)
    }

    /// Which directions the drawing leaves the hull in, as texts.
    fn beyond_hull(name: &str) -> Vec<String> {
        let elements = elements(&Glyph::Named(name.to_owned()), Side::First);
        let (head, width) = (FILES[0].lines().next().unwrap(), line_width(Side::First));
        assert!(head.contains(&format!("stroke-width=\"{width}\"")), "{head}");
        let tree =
            usvg::Tree::from_str(&format!("{head}{elements}</svg>"), &usvg::Options::default()).unwrap();
        let directions = (0..16).map(|step| (f64::from(step) * std::f64::consts::TAU / 16.0).sin_cos());
        directions
            .enumerate()
            .filter_map(|(step, (y, x))| {
                let hull = HULL.iter().map(|point| point.0 * x + point.1 * y).fold(f64::MIN, f64::max);
                let reached = BLACK_SCALE * reach(tree.root(), (x, y));
                let beyond = format!("{name} reaches {reached:.3} of {hull:.3} at {step}/16");
                (reached > hull + 1e-3).then_some(beyond)
            })
            .collect()
    }

    #[test]
    fn every_drawing_stays_within_the_hull() {
        let beyond: Vec<String> = NAMES.iter().flat_map(|name| beyond_hull(name)).collect();
        assert!(beyond.is_empty(), "{beyond:#?}");
    }

    #[test]
    fn every_compound_stays_within_the_hull() {
        let pairs = NAMES.iter().flat_map(|one| NAMES.iter().map(move |other| format!("{one}+{other}")));
        let beyond: Vec<String> = pairs.flat_map(|name| beyond_hull(&name)).collect();
        assert!(beyond.is_empty(), "{beyond:#?}");
    }
}

//! Two pieces in one cell: the piece of a name such as `rook+ferz`, which moves as both.
//!
//! The first stands in front at the lower left, the second smaller behind it at the upper right, mirrored.
//! Most pieces face left, so the second faces outward too and nothing hides its face. Not here: the
//! drawing of either.

use crate::xml;

/// The separator of the two names.
const JOINT: char = '+';

/// How much thinner the lines of a compound are. It has twice as many, and at full width they would hide the fills.
const THINNER: f64 = 0.8;

/// Placement of one of the two: its size, and the middle of its base plate's lower edge.
struct Placement {
    size: f64,
    mirrored: bool,
    foot: (f64, f64),
}

/// The middle of the lower edge of every drawing's base plate.
const FOOT: (f64, f64) = (50.0, 91.0);

const FRONT: Placement = Placement { size: 0.72, mirrored: false, foot: (40.5, 91.0) };
const BEHIND: Placement = Placement { size: 0.62, mirrored: true, foot: (63.5, 65.0) };

/// The two names of a compound; `None` for a name that is not one.
pub(crate) fn parts(name: &str) -> Option<(&str, &str)> {
    name.split_once(JOINT).filter(|(_, second)| !second.contains(JOINT))
}

/// The elements of the compound, from those of its pieces and the width that a piece's lines have.
pub(crate) fn elements(first: &str, second: &str, line_width: f64) -> String {
    placed(second, &BEHIND, line_width) + &placed(first, &FRONT, line_width)
}

fn placed(elements: &str, place: &Placement, line_width: f64) -> String {
    let across = if place.mirrored { -place.size } else { place.size };
    let left = xml::number(place.foot.0 - across * FOOT.0);
    let top = xml::number(place.foot.1 - place.size * FOOT.1);
    let (across, down) = (xml::number(across), xml::number(place.size));
    let width = xml::number(line_width * THINNER / place.size);
    format!(
        "<g transform=\"translate({left} {top})scale({across} {down})\" stroke-width=\"{width}\">{elements}</g>"
    )
}

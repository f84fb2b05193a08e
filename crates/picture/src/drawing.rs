//! Pictures of pieces that users have drawn, in the one form in which they are stored: paths in shades of gray in a box of
//! 100 by 100. Each side colors them. Not here: how an SVG from elsewhere comes into this form (`clean`).

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::theme::{Side, ink};

/// The first and the last line of the form.
pub(crate) const HEAD: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\">\n";
pub(crate) const TAIL: &str = "</svg>\n";

/// The beginning of every color in this form; it occurs nowhere else.
const COLOR: &str = "=\"#";

/// A picture that [`clean`](crate::clean) has made, with its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Drawing {
    name: Arc<str>,
    /// The paths, one a line.
    paths: Arc<str>,
}

impl Drawing {
    /// Reads the output of [`clean`](crate::clean). The name, of letters and digits, is used in ids and names the picture in
    /// [`Drawings`]. `None` for any other text or name.
    #[must_use]
    pub fn read(name: &str, svg: &str) -> Option<Self> {
        let is_path = |line: &str| {
            let inner = line.strip_prefix("<path ").and_then(|rest| rest.strip_suffix("/>"));
            inner.is_some_and(|inner| !inner.contains(['<', '>', '&', '\'', ':']))
        };
        let paths = svg.strip_prefix(HEAD)?.strip_suffix(TAIL)?;
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_name && !paths.is_empty() && paths.lines().all(is_path))
            .then(|| Self { name: name.into(), paths: paths.into() })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The paths in the colors of a side: the lighter its gray, the more a point has of the fill of the side's pieces.
    pub(crate) fn elements(&self, side: Side) -> String {
        let ink = ink(side);
        let [dark, light] = [ink.line, ink.fill].map(channels);
        let mut parts = self.paths.split(COLOR);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let gray = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()).unwrap_or(0);
            let share = f64::from(gray) / 255.0;
            out.push_str(COLOR);
            for (dark, light) in dark.into_iter().zip(light) {
                let mixed = f64::from(dark) + (f64::from(light) - f64::from(dark)) * share;
                out.push_str(&format!("{:02x}", mixed.round() as u8));
            }
            out.push_str(part.get(6..).unwrap_or_default());
        }
        out.replace('\n', "")
    }
}

/// Red, green and blue of `#rrggbb`.
fn channels(color: &str) -> [u8; 3] {
    let number = color.strip_prefix('#').and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0);
    let [_, red, green, blue] = number.to_be_bytes();
    [red, green, blue]
}

/// Drawings by name: those that the roles of a game name. Clones share them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawings(Arc<BTreeMap<String, Drawing>>);

impl Drawings {
    /// The drawing of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Drawing> {
        self.0.get(name)
    }
}

impl FromIterator<Drawing> for Drawings {
    fn from_iter<I: IntoIterator<Item = Drawing>>(drawings: I) -> Self {
        let named = drawings.into_iter().map(|drawing| (drawing.name().to_owned(), drawing));
        Self(Arc::new(named.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(path: &str) -> String {
        format!("{HEAD}{path}\n{TAIL}")
    }

    #[test]
    fn each_side_colors_the_grays() {
        let path = "<path fill=\"#ffffff\" stroke=\"#000000\" stroke-width=\"4\" d=\"M0 0h9\"/>";
        let drawing = Drawing::read("a1", &wrapped(path)).expect("the form");
        let white = "<path fill=\"#fffdf8\" stroke=\"#2a2033\" stroke-width=\"4\" d=\"M0 0h9\"/>";
        assert_eq!(drawing.elements(Side::First), white);
        assert!(drawing.elements(Side::Second).contains("fill=\"#33283e\" stroke=\"#f4ecf0\""));
        let gray = Drawing::read("a1", &wrapped("<path fill=\"#808080\" d=\"\"/>")).expect("the form");
        assert_eq!(gray.elements(Side::First), "<path fill=\"#958f96\" d=\"\"/>");
    }

    #[test]
    fn other_forms_are_rejected() {
        for text in [
            "",
            "<svg/>",
            &wrapped(""),
            &wrapped("<script>alert(1)</script>"),
            &wrapped("<path d=\"\"/><path/>"),
            &wrapped("<path style=\"fill:url(http://e.org)\" d=\"\"/>"),
        ] {
            assert_eq!(Drawing::read("a", text), None, "{text}");
        }
        assert_eq!(Drawing::read("a\"b", &wrapped("<path d=\"\"/>")), None);
    }
}

//! Numbers and texts as they are written in SVG. Not here: reading them.

use std::fmt::Write as _;

/// Appends `value` rounded to thousandths, without needless zeros: `0.5` is `.5`, `3.000` is `3`.
pub(crate) fn push_number(out: &mut String, value: f64) {
    let thousandths = (value * 1000.0).round() as i64;
    let (whole, rest) = (thousandths.unsigned_abs() / 1000, thousandths.unsigned_abs() % 1000);
    if thousandths < 0 {
        out.push('-');
    }
    if whole > 0 || rest == 0 {
        let _ = write!(out, "{whole}");
    }
    if rest > 0 {
        let digits = format!("{rest:03}");
        out.push('.');
        out.push_str(digits.trim_end_matches('0'));
    }
}

/// `value` as [`push_number`] writes it.
pub(crate) fn number(value: f64) -> String {
    let mut out = String::new();
    push_number(&mut out, value);
    out
}

/// Appends `x y`, leaving out the space before a minus sign.
pub(crate) fn push_pair(out: &mut String, (x, y): (f64, f64)) {
    push_number(out, x);
    let second = number(y);
    if !second.starts_with('-') {
        out.push(' ');
    }
    out.push_str(&second);
}

/// Appends `text` as XML character data: markup is escaped, characters that XML forbids are replaced.
pub(crate) fn push_escaped(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(character),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [(0.0, "0"), (-0.0, "0"), (0.5, ".5"), (-0.25, "-.25"), (3.0, "3"), (12.3456, "12.346")];
        for (value, expected) in cases.into_iter().chain([(-0.0001, "0"), (-1.05, "-1.05")]) {
            assert_eq!(number(value), expected, "{value}");
        }
    }
}

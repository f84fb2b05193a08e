//! Numbers as short SVG text. Not here: reading numbers.

use std::fmt::Write as _;

/// Appends `value` rounded to thousandths, without needless zeros: `0.5` is `.5`, `3.000` is `3`.
pub(crate) fn push(out: &mut String, value: f64) {
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

/// `value` as [`push`] writes it.
pub(crate) fn text(value: f64) -> String {
    let mut out = String::new();
    push(&mut out, value);
    out
}

/// Appends `x y`, leaving out the space before a minus sign.
pub(crate) fn push_pair(out: &mut String, (x, y): (f64, f64)) {
    push(out, x);
    let second = text(y);
    if !second.starts_with('-') {
        out.push(' ');
    }
    out.push_str(&second);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [(0.0, "0"), (-0.0, "0"), (0.5, ".5"), (-0.25, "-.25"), (3.0, "3"), (12.3456, "12.346")];
        for (value, expected) in cases.into_iter().chain([(-0.0001, "0"), (-1.05, "-1.05")]) {
            assert_eq!(text(value), expected, "{value}");
        }
    }
}

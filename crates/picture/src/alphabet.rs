//! A stroke alphabet of our own, so that texts look the same on every machine, with or without fonts.
//!
//! Each character is a line drawing: capitals and digits reach from 0 (top) to 10 (the baseline), small
//! letters begin at 3.4, descenders end near 13.4. Not here: colors and line widths.

use crate::xml;

/// The em in units of the drawings.
const EM: f64 = 100.0 / 7.0;
/// The space between two characters.
const GAP: f64 = 2.6;

/// The width of the strokes as a part of the em.
pub(crate) const STROKE: f64 = 0.098;

/// Appends the strokes of `text`, centered on `middle`, with an em of `size`, as SVG path data.
pub(crate) fn push_path(out: &mut String, text: &str, middle: (f64, f64), size: f64) {
    let scale = size / EM;
    let mut x = middle.0 - width_units(text) * scale / 2.0;
    let top = middle.1 - 5.0 * scale;
    for character in text.chars() {
        let (width, strokes) = strokes(character);
        push_strokes(out, strokes, |(u, v)| (x + u * scale, top + v * scale));
        x += (width + GAP) * scale;
    }
}

/// How wide `text` is with an em of `size`, in the units of `size`.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    width_units(text) * size / EM
}

fn width_units(text: &str) -> f64 {
    let widths: f64 = text.chars().map(|character| strokes(character).0 + GAP).sum();
    (widths - GAP).max(0.0)
}

/// Copies path data made of the commands M, L, C and Z, with every point moved by `place`.
fn push_strokes(out: &mut String, strokes: &str, place: impl Fn((f64, f64)) -> (f64, f64)) {
    let mut rest = strokes;
    while let Some(command) = rest.chars().next() {
        let numbers = rest[1..].split(|c: char| c.is_ascii_alphabetic()).next().unwrap_or_default();
        out.push(command);
        push_points(out, numbers, &place);
        rest = &rest[1 + numbers.len()..];
    }
}

fn push_points(out: &mut String, numbers: &str, place: &impl Fn((f64, f64)) -> (f64, f64)) {
    let values: Vec<f64> = numbers.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
    for (index, pair) in values.chunks_exact(2).enumerate() {
        let mut point = String::new();
        xml::push_pair(&mut point, place((pair[0], pair[1])));
        if index > 0 && !point.starts_with('-') {
            out.push(' ');
        }
        out.push_str(&point);
    }
}

/// The width and the strokes of one character; a box for characters that have none.
#[rustfmt::skip]
fn strokes(character: char) -> (f64, &'static str) {
    match character {
        'A' => (7.0, "M0 10L3.5 0L7 10M1.3 6.6L5.7 6.6"),
        'B' => (5.9, "M0 4.8L3.2 4.8C6.2 4.8 6.2 0 3.2 0L0 0L0 10L3.4 10C6.8 10 6.8 4.8 3.4 4.8"),
        'C' => (6.6, "M6.6 1.8C4.5 -.9 0 -.6 0 5C0 10.6 4.5 10.9 6.6 8.2"),
        'D' => (6.6, "M0 0L0 10L2.6 10C7.9 10 7.9 0 2.6 0Z"),
        'E' => (5.2, "M5.2 0L0 0L0 10L5.2 10M0 4.8L4.4 4.8"),
        'F' => (5.2, "M5.2 0L0 0L0 10M0 4.8L4.4 4.8"),
        'G' => (6.8, "M6.6 1.8C4.5 -.9 0 -.6 0 5C0 10.6 4.6 10.8 6.8 8.6L6.8 5.4L4 5.4"),
        'H' => (6.4, "M0 0L0 10M6.4 0L6.4 10M0 4.9L6.4 4.9"),
        'I' => (3.0, "M0 0L3 0M1.5 0L1.5 10M0 10L3 10"),
        'J' => (4.4, "M4.4 0L4.4 7C4.4 10.8 .5 11 0 8"),
        'K' => (6.0, "M0 0L0 10M5.8 0L0 6M2.2 3.9L6 10"),
        'L' => (5.0, "M0 0L0 10L5 10"),
        'M' => (7.8, "M0 10L0 0L3.9 6.5L7.8 0L7.8 10"),
        'N' => (6.6, "M0 10L0 0L6.6 10L6.6 0"),
        'O' => (7.4, "M3.7 0C8.6 0 8.6 10 3.7 10C-1.2 10 -1.2 0 3.7 0Z"),
        'P' => (5.8, "M0 10L0 0L3.2 0C6.7 0 6.7 5.4 3.2 5.4L0 5.4"),
        'Q' => (7.4, "M3.7 0C8.6 0 8.6 10 3.7 10C-1.2 10 -1.2 0 3.7 0ZM4.7 7L7.4 10.8"),
        'R' => (6.0, "M0 10L0 0L3.2 0C6.7 0 6.7 5.4 3.2 5.4L0 5.4M3 5.4L6 10"),
        'S' => (5.8, "M5.5 1.6C4 -.7 .3 -.4 .3 2.4C.3 5.6 5.8 4.2 5.8 7.3C5.8 10.6 1.4 10.9 0 8.2"),
        'T' => (6.2, "M0 0L6.2 0M3.1 0L3.1 10"),
        'U' => (6.4, "M0 0L0 6.4C0 11.2 6.4 11.2 6.4 6.4L6.4 0"),
        'V' => (6.8, "M0 0L3.4 10L6.8 0"),
        'W' => (9.2, "M0 0L2.3 10L4.6 2.5L6.9 10L9.2 0"),
        'X' => (6.2, "M0 0L6.2 10M6.2 0L0 10"),
        'Y' => (6.4, "M0 0L3.2 5L6.4 0M3.2 5L3.2 10"),
        'Z' => (6.0, "M0 0L6 0L0 10L6 10"),
        'a' => (5.2, "M5.2 3.4L5.2 10M5.2 6.7C5.2 2.3 0 2.3 0 6.7C0 11.1 5.2 11.1 5.2 6.7"),
        'b' => (5.2, "M0 0L0 10M0 6.7C0 2.3 5.2 2.3 5.2 6.7C5.2 11.1 0 11.1 0 6.7"),
        'c' => (4.7, "M4.7 4.6C3.2 2.4 0 3.2 0 6.7C0 10.2 3.2 11 4.7 8.8"),
        'd' => (5.2, "M5.2 0L5.2 10M5.2 6.7C5.2 2.3 0 2.3 0 6.7C0 11.1 5.2 11.1 5.2 6.7"),
        'e' => (5.2, "M0 6.6L5.2 6.6C5.2 2.2 0 2.4 0 6.7C0 10.6 3.6 11 5 8.7"),
        'f' => (3.6, "M3.8 .4C2.2 -.4 1.3 .6 1.3 2.2L1.3 10M0 3.6L3.4 3.6"),
        'g' => (5.2, "M5.2 6.7C5.2 2.3 0 2.3 0 6.7C0 11.1 5.2 11.1 5.2 6.7M5.2 3.4L5.2 10.4C5.2 13.8 1.6 14.2 .4 12.2"),
        'h' => (5.0, "M0 0L0 10M0 6.2C0 2.5 5 2.3 5 6.2L5 10"),
        'i' => (1.2, "M.6 3.4L.6 10M.4 .4L.8 .4L.8 .8L.4 .8Z"),
        'j' => (2.0, "M2 3.4L2 11C2 13.2 .8 13.7 -.2 13.2M1.8 .4L2.2 .4L2.2 .8L1.8 .8Z"),
        'k' => (4.9, "M0 0L0 10M4.6 3.4L0 7.6M1.8 6L4.9 10"),
        'l' => (1.8, "M.2 0L.2 8C.2 9.4 .8 10 1.8 10"),
        'm' => (8.0, "M0 3.4L0 10M0 6C0 2.6 4 2.6 4 6L4 10M4 6C4 2.6 8 2.6 8 6L8 10"),
        'n' => (5.0, "M0 3.4L0 10M0 6.2C0 2.5 5 2.3 5 6.2L5 10"),
        'o' => (5.4, "M2.7 3.4C6.3 3.4 6.3 10 2.7 10C-.9 10 -.9 3.4 2.7 3.4Z"),
        'p' => (5.2, "M0 3.4L0 13.4M0 6.7C0 2.3 5.2 2.3 5.2 6.7C5.2 11.1 0 11.1 0 6.7"),
        'q' => (5.2, "M5.2 3.4L5.2 13.4M5.2 6.7C5.2 2.3 0 2.3 0 6.7C0 11.1 5.2 11.1 5.2 6.7"),
        'r' => (3.4, "M0 3.4L0 10M0 6.4C0 4 1.6 3 3.4 3.6"),
        's' => (4.4, "M4.2 4.6C3 2.8 .2 3 .2 5C.2 7.2 4.4 6.2 4.4 8.2C4.4 10.4 1.2 10.6 0 8.8"),
        't' => (3.8, "M1.4 .8L1.4 8C1.4 9.8 2.4 10.4 3.8 9.8M0 3.6L3.6 3.6"),
        'u' => (5.0, "M0 3.4L0 7.2C0 11 5 10.8 5 7.2M5 3.4L5 10"),
        'v' => (5.2, "M0 3.4L2.6 10L5.2 3.4"),
        'w' => (7.6, "M0 3.4L1.9 10L3.8 4.6L5.7 10L7.6 3.4"),
        'x' => (4.8, "M0 3.4L4.8 10M4.8 3.4L0 10"),
        'y' => (5.2, "M0 3.4L2.7 9.8M5.2 3.4L1.4 13.4"),
        'z' => (4.6, "M0 3.4L4.6 3.4L0 10L4.6 10"),
        '0' => (5.8, "M2.9 0C6.8 0 6.8 10 2.9 10C-1 10 -1 0 2.9 0Z"),
        '1' => (2.8, "M0 2.2L2.8 0L2.8 10"),
        '2' => (5.8, "M.3 2.4C.8 -1 5.5 -.7 5.5 2.8C5.5 5 3 6.6 0 10L5.8 10"),
        '3' => (5.7, "M.3 1.5C1.8 -.8 5.3 -.3 5.3 2.4C5.3 4.2 3.9 4.8 2.4 4.8C4.1 4.8 5.7 5.5 5.7 7.3C5.7 10.7 1.2 10.8 0 8.3"),
        '4' => (6.0, "M4.5 10L4.5 0L0 7L6 7"),
        '5' => (5.7, "M5.2 0L.9 0L.5 4.6C2 3.3 5.7 3.6 5.7 6.8C5.7 10.5 1.4 10.8 0 8.4"),
        '6' => (5.8, "M4.8 .4C2 .6 0 3.6 0 6.8C0 11.1 5.8 11.1 5.8 6.8C5.8 2.9 .8 3.1 .1 6.2"),
        '7' => (5.6, "M0 0L5.6 0L2 10"),
        '8' => (5.8, "M2.9 4.7C-.5 4.7 -.3 0 2.9 0C6.1 0 6.3 4.7 2.9 4.7C-.9 4.7 -1 10 2.9 10C6.8 10 6.7 4.7 2.9 4.7Z"),
        '9' => (5.8, "M1 9.6C3.8 9.4 5.8 6.4 5.8 3.2C5.8 -1.1 0 -1.1 0 3.2C0 7.1 5 6.9 5.7 3.8"),
        ' ' => (2.4, ""),
        '.' => (1.0, "M.3 9.6L.7 9.6L.7 10L.3 10Z"),
        ',' => (1.4, "M1 9.4L1 10L.2 11.9"),
        ':' => (1.0, "M.3 3.9L.7 3.9L.7 4.3L.3 4.3ZM.3 9.6L.7 9.6L.7 10L.3 10Z"),
        ';' => (1.4, "M.8 3.9L1.2 3.9L1.2 4.3L.8 4.3ZM1 9.4L1 10L.2 11.9"),
        '!' => (1.0, "M.5 0L.5 6.8M.3 9.6L.7 9.6L.7 10L.3 10Z"),
        '?' => (4.8, "M0 1.8C.8 -.9 4.8 -.5 4.8 2.4C4.8 4.4 2.3 4.6 2.3 7M2.1 9.6L2.5 9.6L2.5 10L2.1 10Z"),
        '-' => (4.0, "M0 5.8L4 5.8"),
        '+' => (6.0, "M0 5.8L6 5.8M3 2.8L3 8.8"),
        '=' => (6.0, "M0 4.2L6 4.2M0 7.4L6 7.4"),
        '_' => (6.0, "M0 11.4L6 11.4"),
        '/' => (4.4, "M0 11L4.4 -1"),
        '\\' => (4.4, "M0 -1L4.4 11"),
        '|' => (1.0, "M.5 -1L.5 12"),
        '(' => (2.2, "M2.2 -1C-.6 2.4 -.6 8.6 2.2 12"),
        ')' => (2.2, "M0 -1C2.8 2.4 2.8 8.6 0 12"),
        '[' => (2.2, "M2.2 -1L0 -1L0 12L2.2 12"),
        ']' => (2.2, "M0 -1L2.2 -1L2.2 12L0 12"),
        '{' => (2.8, "M2.8 -1C.6 -1 1.8 5.5 0 5.5C1.8 5.5 .6 12 2.8 12"),
        '}' => (2.8, "M0 -1C2.2 -1 1 5.5 2.8 5.5C1 5.5 2.2 12 0 12"),
        '<' => (5.0, "M5 2.8L0 5.8L5 8.8"),
        '>' => (5.0, "M0 2.8L5 5.8L0 8.8"),
        '\'' => (1.0, "M.5 -.2L.5 2.4"),
        '"' => (2.8, "M.3 -.2L.3 2.4M2.5 -.2L2.5 2.4"),
        '`' => (1.6, "M0 -.6L1.6 1.4"),
        '^' => (4.4, "M0 2.6L2.2 -.2L4.4 2.6"),
        '~' => (5.6, "M0 6.4C1.4 3.6 4.2 8.2 5.6 5.2"),
        '*' => (5.0, "M2.5 0L2.5 5.6M.1 1.4L4.9 4.2M4.9 1.4L.1 4.2"),
        '#' => (6.4, "M2.2 0L1.2 10M5.2 0L4.2 10M.4 3.2L6.4 3.2M0 6.8L6 6.8"),
        '%' => (7.6, "M6.8 0L.8 10M1.7 0C4 0 4 3.8 1.7 3.8C-.6 3.8 -.6 0 1.7 0ZM5.9 6.2C8.2 6.2 8.2 10 5.9 10C3.6 10 3.6 6.2 5.9 6.2Z"),
        '&' => (6.8, "M6.8 10L1.8 3.6C-.2 .4 4.8 -1.4 4.8 1.9C4.8 4.4 0 4.6 0 7.4C0 11.2 6 10.8 6.4 5.8"),
        '@' => (8.2, "M5.9 4C4.6 1.8 2.2 3.2 2.2 5.4C2.2 7.8 4.8 8 5.8 6L6 3.4C5.4 8.6 8.2 7.6 8.2 4.8C8.2 -1.6 0 -1.4 0 5C0 10.6 4.6 11 6.8 9.4"),
        '$' => (5.8, "M5.5 2.2C4 .3 .3 .4 .3 2.8C.3 5.6 5.8 4.2 5.8 7C5.8 9.8 1.4 10 0 7.8M2.9 -1L2.9 11"),
        _ => (5.4, "M0 0L5.4 0L5.4 10L0 10Z"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_ascii_character_has_its_own_strokes() {
        let (_, missing) = strokes('\u{fffd}');
        for code in 0x21..=0x7e_u8 {
            let (width, path) = strokes(char::from(code));
            assert!(width > 0.0 && path.starts_with('M') && path != missing, "{:?}", char::from(code));
            assert!(path.chars().all(|c| "MLCZ -.".contains(c) || c.is_ascii_digit()), "{path}");
        }
    }

    #[test]
    fn a_text_is_centered() {
        let mut path = String::new();
        push_path(&mut path, "I", (0.0, 0.0), EM);
        assert_eq!(path, "M-1.5-5L1.5-5M0-5L0 5M-1.5 5L1.5 5");
    }
}

//! The picture in words, for people who cannot see it. Not here: anything drawn.

use crate::scene::{Glyph, Scene, Side};

/// A sentence or two: how large the board is and which pieces each side has, in order of first appearance.
/// Ghosts are not counted: they are the same pieces seen twice.
pub(crate) fn describe(scene: &Scene) -> String {
    let cells = scene.cells.iter().filter(|cell| !cell.ghost).count();
    let mut text = format!("A board of {}.", counted(cells, "cell"));
    for (side, name) in [(Side::First, "White"), (Side::Second, "Black")] {
        let pieces = pieces_of(scene, side);
        if !pieces.is_empty() {
            let list: Vec<String> = pieces.iter().map(|(name, count)| counted(*count, name)).collect();
            text.push_str(&format!(" {name}: {}.", list.join(", ")));
        }
    }
    text
}

fn pieces_of(scene: &Scene, side: Side) -> Vec<(String, usize)> {
    let mut pieces: Vec<(String, usize)> = Vec::new();
    for piece in scene.pieces.iter().filter(|piece| piece.side == side && !piece.ghost) {
        let name = match &piece.glyph {
            Glyph::Named(name) => name.clone(),
            Glyph::Letter(letter) | Glyph::Drawn(_, letter) => letter.to_string(),
        };
        match pieces.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => pieces.push((name, 1)),
        }
    }
    pieces
}

fn counted(count: usize, name: &str) -> String {
    if count == 1 { format!("1 {name}") } else { format!("{count} {name}s") }
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

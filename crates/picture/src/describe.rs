//! The picture in words, for people who cannot see it. Not here: anything drawn.

use crate::scene::{Glyph, Scene, Side};

/// A sentence or two: how large the board is and which men each side has, in order of first appearance.
/// Ghosts are not counted: they are the same men seen twice.
pub(crate) fn describe(scene: &Scene) -> String {
    let cells = scene.cells.iter().filter(|cell| !cell.ghost).count();
    let mut text = format!("A board of {}.", counted(cells, "cell"));
    for (side, name) in [(Side::First, "White"), (Side::Second, "Black")] {
        let men = men_of(scene, side);
        if !men.is_empty() {
            let list: Vec<String> = men.iter().map(|(name, count)| counted(*count, name)).collect();
            text.push_str(&format!(" {name}: {}.", list.join(", ")));
        }
    }
    text
}

fn men_of(scene: &Scene, side: Side) -> Vec<(String, usize)> {
    let mut men: Vec<(String, usize)> = Vec::new();
    for man in scene.men.iter().filter(|man| man.side == side && !man.ghost) {
        let name = match &man.glyph {
            Glyph::Named(name) => name.clone(),
            Glyph::Letter(letter) => letter.to_string(),
        };
        match men.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => men.push((name, 1)),
        }
    }
    men
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

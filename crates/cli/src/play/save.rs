//! The game as text for other programs: PGN.

use super::moves::write_move;
use lozenge_rules::position::{Color, Game};
use std::fmt::Write as _;

/// The game as PGN. `result` is `1-0`, `0-1`, `1/2-1/2` or `*`.
pub(crate) fn pgn(game: &Game, human: Color, result: &str) -> String {
    let variant = game.variant();
    let name = |color: Color| if color == human { "Player" } else { "Lozenge" };
    let mut tags = vec![
        ("Event", "Game in the terminal".to_owned()),
        ("Site", "?".into()),
        ("Date", "????.??.??".into()),
        ("Round", "-".into()),
        ("White", name(Color::White).into()),
        ("Black", name(Color::Black).into()),
        ("Result", result.into()),
        ("Variant", variant.name().into()),
    ];
    let start = game.start().fen();
    if variant.starts().first().is_none_or(|first| first.fen != start) {
        tags.push(("SetUp", "1".into()));
        tags.push(("FEN", start));
    }
    let mut text = String::new();
    for (tag, value) in tags {
        let _ = writeln!(text, "[{tag} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
    }
    text.push('\n');
    let mut line = String::new();
    let mut words = Vec::new();
    for (number, (position, &played)) in game.positions().iter().zip(game.moves()).enumerate() {
        if position.turn() == Color::White {
            words.push(format!("{}.", position.fullmove_number()));
        } else if number == 0 {
            words.push(format!("{}...", position.fullmove_number()));
        }
        words.push(write_move(position, played));
    }
    words.push(result.into());
    for word in words {
        if !line.is_empty() && line.len() + 1 + word.len() > 79 {
            text += &line;
            text.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += &word;
    }
    text + &line + "\n"
}

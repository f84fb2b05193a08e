//! The game as text for other programs: PGN.

use lozenge_rules::notation::pgn::{MoveNumber, ResultTag, write_game};
use lozenge_rules::notation::record;
use lozenge_rules::position::{Color, Game};

/// The game as PGN. `result` is `1-0`, `0-1`, `1/2-1/2` or `*`: it may have been resigned.
pub(crate) fn pgn(game: &Game, human: Color, result: &str) -> String {
    let mut tree = record::tree(game);
    let name = |color: Color| if color == human { "Player" } else { "Lozenge" };
    let result = result.parse().unwrap_or(ResultTag::Unknown);
    let termination = if result == ResultTag::Unknown { "unterminated" } else { "normal" };
    let today = jiff::Zoned::now().strftime("%Y.%m.%d").to_string();
    for (tag, value) in [
        ("Event", "Game in the terminal"),
        ("Date", &today),
        ("White", name(Color::White)),
        ("Black", name(Color::Black)),
        // There is no clock.
        ("TimeControl", "-"),
        ("Termination", termination),
    ] {
        // These tags are well formed.
        let _ = tree.tags.set(tag, value);
    }
    tree.set_result(result);
    let mut text = String::new();
    // Moves written by the rules are always moves of PGN, and a string takes all.
    let _ = write_game(&mut text, &tree, MoveNumber::of_fen(&game.start().fen()));
    text
}

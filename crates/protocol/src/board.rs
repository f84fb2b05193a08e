//! The board drawn with letters, in the manner of Fairy-Stockfish's `d`.

use lozenge_rules::geometry::Coord;
use lozenge_rules::position::{AnyPosition, Color};
use std::fmt::Write as _;

/// The board, rank 1 at the bottom: letters of the men, `*` for holes. A `*` after the number of
/// the lowest rank says that White is to move, after the highest that Black is.
///
/// ```
/// use lozenge_rules::{position::AnyPosition, variant::library};
/// let start = AnyPosition::start(&library::game("gardner").unwrap());
/// let board = lozenge_protocol::board::draw(&start);
/// assert!(board.starts_with(" +---+---+---+---+---+\n | r | n | b | q | k |5\n"));
/// assert!(board.ends_with(" | R | N | B | Q | K |1 *\n +---+---+---+---+---+\n   a   b   c   d   e"));
/// ```
#[must_use]
pub fn draw(position: &AnyPosition) -> String {
    let variant = position.variant();
    let (width, height) = (variant.shape().width(), variant.shape().height());
    let rule = format!(" +{}", "---+".repeat(usize::from(width)));
    let marked = match position.turn() {
        Color::White => 0,
        Color::Black => height - 1,
    };
    let mut text = format!("{rule}\n");
    for rank in (0..height).rev() {
        text.push_str(" |");
        for file in 0..width {
            let letter = match variant.shape().at(Coord { file, rank }) {
                None => '*',
                Some(square) => position.piece_at(square).map_or(' ', |piece| variant.roles().letter(piece)),
            };
            let _ = write!(text, " {letter} |");
        }
        let _ = write!(text, "{}{}\n{rule}\n", rank + 1, if rank == marked { " *" } else { "" });
    }
    text.push_str("  ");
    for file in 0..width {
        let _ = write!(text, "{}{}", if file == 0 { " " } else { "   " }, char::from(b'a' + file));
    }
    text
}

/// The board and what else there is to say of a position: `Fen: `, `Key: ` and `Checkers: ` lines.
#[must_use]
pub fn describe(position: &AnyPosition) -> String {
    let shape = position.variant().shape();
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| shape.name(square)).collect();
    format!(
        "{}\n\nFen: {}\nKey: {:016X}\nCheckers: {}",
        draw(position),
        position.fen(),
        position.key(),
        checkers.join(" ")
    )
}

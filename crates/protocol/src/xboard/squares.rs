//! Squares and moves in XBoard's notation, which counts the ranks of boards with exactly ten ranks from 0.

use lozenge_rules::notation::uci::{self, UciError};
use lozenge_rules::position::{AnyPosition, Move};
use lozenge_rules::variant::Variant;

/// The board height with ranks counted from 0.
const ZERO_BASED_HEIGHT: u8 = 10;

/// The move as XBoard writes it.
pub(crate) fn write(variant: &Variant, written: Move) -> String {
    to_xboard(variant, &uci::write(variant, written))
}

/// Reads a legal move as XBoard writes it. A promotion letter may be a capital or follow a `=`. It is ignored where
/// there is no promotion, because XBoard adds one to every pawn's move to the last rank.
pub(crate) fn parse(position: &AnyPosition, text: &str) -> Result<Move, UciError> {
    let text = from_xboard(position.variant(), &text.replace('=', ""));
    let without_letter = text.strip_suffix(|letter: char| letter.is_ascii_alphabetic());
    uci::parse(position, &text).or_else(|error| {
        uci::parse(position, &text.to_ascii_lowercase())
            .or_else(|_| uci::parse(position, without_letter.unwrap_or_default()))
            .or(Err(error))
    })
}

/// Converts squares from XBoard's notation.
pub(crate) fn from_xboard(variant: &Variant, text: &str) -> String {
    shift(variant, text, 1)
}

/// Converts squares to XBoard's notation.
pub(crate) fn to_xboard(variant: &Variant, text: &str) -> String {
    shift(variant, text, -1)
}

/// Adds to every number, on boards of ten ranks.
fn shift(variant: &Variant, text: &str, by: i32) -> String {
    if variant.shape().height() != ZERO_BASED_HEIGHT {
        return text.to_owned();
    }
    let mut shifted = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.bytes().take(3).take_while(u8::is_ascii_digit).count();
        match rest[..digits].parse::<i32>() {
            Ok(number) => {
                shifted.push_str(&(number + by).to_string());
                rest = &rest[digits..];
            }
            Err(_) => {
                shifted.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    shifted
}

/// Converts the en passant square of a FEN from XBoard's notation.
pub(crate) fn fen_from_xboard(variant: &Variant, fen: &str) -> String {
    let mut fields: Vec<String> = fen.split_whitespace().map(str::to_owned).collect();
    if let Some(target) = fields.get_mut(3) {
        *target = from_xboard(variant, target);
    }
    fields.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    #[test]
    fn ten_ranks_are_counted_from_zero() {
        let text = library::text("chess").unwrap().replace("id = \"chess\"", "id = \"tall\"");
        let board = text.replace("........\n\"\"\"", "........\n........\n........\n\"\"\"");
        let tall = board
            .replace("8/8/8/8/PPPP", "8/8/8/8/8/8/PPPP")
            .replace("rank-8", "rank-10")
            .split("[[castling]]")
            .next()
            .unwrap()
            .replace(" KQkq ", " - ");
        let game = Variant::parse("tall", &tall, &library::text).unwrap();
        let start = AnyPosition::start(&game);
        let first = parse(&start, "e1e3").unwrap();
        assert_eq!((write(&game, first), uci::write(&game, first)), ("e1e3".into(), "e2e4".into()));
        let knight = parse(&start, "b0c2").unwrap();
        assert_eq!(uci::write(&game, knight), "b1c3");
        assert_eq!(to_xboard(&game, "a10b9"), "a9b8");
        let fen = "k9/10/10/10/10/4p5/10/10/10/K9 b - e1 0 1";
        assert_eq!(fen_from_xboard(&game, fen), "k9/10/10/10/10/4p5/10/10/10/K9 b - e2 0 1");
    }

    #[test]
    fn superfluous_promotion_letter_is_ignored() {
        let game = library::game("diagonal").unwrap();
        let position = AnyPosition::from_fen(&game, "8/6P1/8/8/3k4/8/8/K7 w - - 0 1").unwrap();
        assert_eq!(parse(&position, "g7h8q"), parse(&position, "g7h8"));
        assert!(parse(&position, "g7h8q").is_ok());
        let position = AnyPosition::from_fen(&game, "8/4P3/8/8/3k4/8/8/K7 w - - 0 1").unwrap();
        assert_eq!(parse(&position, "e7f8=R"), parse(&position, "e7f8r"));
        // There is no promotion to a queen, and we must not choose another piece.
        assert!(parse(&position, "e7f8q").is_err());
    }
}

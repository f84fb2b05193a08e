//! Squares and moves as XBoard writes them: as everywhere, but boards of exactly ten ranks count these
//! from 0.

use lozenge_rules::notation::uci::{self, UciError};
use lozenge_rules::position::{AnyPosition, Move};
use lozenge_rules::variant::Variant;

/// The height of board whose ranks XBoard counts from 0.
const FROM_ZERO: u8 = 10;

/// The move as XBoard writes it.
pub(crate) fn write(variant: &Variant, written: Move) -> String {
    to_xboard(variant, &uci::write(variant, written))
}

/// Reads a legal move as XBoard writes it. A promotion letter may also be a capital, or follow a `=`.
pub(crate) fn parse(position: &AnyPosition, text: &str) -> Result<Move, UciError> {
    let text = from_xboard(position.variant(), &text.replace('=', ""));
    uci::parse(position, &text)
        .or_else(|error| uci::parse(position, &text.to_ascii_lowercase()).or(Err(error)))
}

/// A name of squares as we write it, from XBoard's.
pub(crate) fn from_xboard(variant: &Variant, text: &str) -> String {
    shift(variant, text, 1)
}

/// A name of squares as XBoard writes it, from ours.
pub(crate) fn to_xboard(variant: &Variant, text: &str) -> String {
    shift(variant, text, -1)
}

/// Adds to every number, on boards of ten ranks.
fn shift(variant: &Variant, text: &str, by: i32) -> String {
    if variant.shape().height() != FROM_ZERO {
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

/// A FEN as XBoard writes it in our form: its en passant square counts ranks as XBoard does, and what
/// follows the fullmove number is none of ours unless the game has such a field.
pub(crate) fn fen_from_xboard(variant: &Variant, fen: &str) -> String {
    let mut fields: Vec<String> = fen.split_whitespace().map(str::to_owned).collect();
    if let Some(target) = fields.get_mut(3) {
        *target = from_xboard(variant, target);
    }
    fields.join(" ")
}

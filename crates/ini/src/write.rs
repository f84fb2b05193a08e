//! Parts of a variant file as text.

use super::betza;
use super::region::Cells;
use super::rules::PieceKind;
use std::fmt::Write as _;

/// A piece of the game.
pub(crate) struct Piece {
    pub(crate) kind: PieceKind,
    pub(crate) letter: char,
    pub(crate) name: String,
    pub(crate) picture: String,
    pub(crate) moves: betza::Moves,
    /// Whether its moves begin the count of moves anew.
    pub(crate) counted: bool,
    pub(crate) en_passant: bool,
    /// The area that its first moves begin from; `None`: wherever a piece of the kind starts.
    pub(crate) initial_on: Option<String>,
    pub(crate) wall: Cells,
}

/// `i` before every group.
pub(super) fn with_i(betza: &str) -> String {
    let mut out = String::new();
    let mut begins = true;
    for letter in betza.chars() {
        if begins && (letter.is_ascii_lowercase() || letter.is_ascii_uppercase()) {
            out.push('i');
        }
        begins = letter.is_ascii_uppercase() || letter.is_ascii_digit();
        if letter.is_ascii_digit() && out.ends_with('i') {
            out.pop();
        }
        out.push(letter);
    }
    out
}

pub(super) fn role(piece: &Piece, wall: &str) -> String {
    let mut out = format!("\n[roles.{}]\nname = \"{}\"\n", piece.letter, piece.name);
    if !piece.picture.is_empty() {
        let _ = writeln!(out, "picture = \"{}\"", piece.picture);
    }
    for (flag, set) in
        [("royal", piece.kind == PieceKind::KING), ("pawn", piece.counted), ("en_passant", piece.en_passant)]
    {
        if set {
            let _ = writeln!(out, "{flag} = true");
        }
    }
    if !wall.is_empty() {
        let _ = writeln!(out, "wall = \"{wall}\"");
    }
    match &piece.initial_on {
        Some(on) if !piece.moves.initial.is_empty() => {
            if !piece.moves.always.is_empty() {
                let _ =
                    write!(out, "\n[[roles.{}.moves]]\nbetza = \"{}\"\n", piece.letter, piece.moves.always);
            }
            let _ = write!(
                out,
                "\n[[roles.{}.moves]]\nbetza = \"{}\"\non = \"{on}\"\n",
                piece.letter, piece.moves.initial
            );
        }
        _ => {
            let _ = writeln!(out, "moves = \"{}{}\"", piece.moves.always, piece.moves.initial);
        }
    }
    out
}

/// An id of ours for a section's name.
pub(super) fn id_of(name: &str) -> String {
    let clean = |letter: char| {
        let letter = letter.to_ascii_lowercase();
        if letter.is_ascii_lowercase() || letter.is_ascii_digit() { letter } else { '-' }
    };
    let id: String = name.chars().map(clean).take(40).collect();
    let id = id.trim_matches('-').to_owned();
    if id.is_empty() { "imported".into() } else { id }
}

/// A name for people.
pub(super) fn title(name: &str) -> String {
    let words = name.split(['-', '_', ' ']).filter(|word| !word.is_empty()).map(|word| {
        let mut letters: Vec<char> = word.chars().filter(|letter| letter.is_alphanumeric()).collect();
        if let Some(first) = letters.first_mut() {
            *first = first.to_ascii_uppercase();
        }
        letters.into_iter().collect::<String>()
    });
    let title = words.collect::<Vec<_>>().join(" ");
    if title.is_empty() { "Imported".into() } else { title.chars().take(60).collect() }
}

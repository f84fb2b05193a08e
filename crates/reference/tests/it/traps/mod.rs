//! Positions made by hand for the rules that are easiest to get wrong, one file per game.

mod diagonal;
mod diamond;
mod diamondback;
mod diamondring;
mod doublediamond;
mod family;
mod fen;
mod others;

use lozenge_reference::{Variant, Walker};

/// Reads a position that must be readable.
fn walker(id: &str, fen: &str) -> Walker {
    let game = Variant::by_id(id).expect("a known game");
    Walker::from_fen(&game, fen).expect("a readable position")
}

/// The complaint about a position that must not be readable.
fn complaint(id: &str, fen: &str) -> String {
    let game = Variant::by_id(id).expect("a known game");
    Walker::from_fen(&game, fen).expect_err("an unreadable position")
}

/// The legal moves from a square, without its name: each a destination and any letters after it.
fn moves_from(walker: &Walker, from: &str) -> Vec<String> {
    let moves = walker.legal_moves();
    let own = moves.iter().filter_map(|mv| mv.strip_prefix(from));
    own.filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase())).map(String::from).collect()
}

/// The position after moves that must all be legal.
fn after(walker: &Walker, moves: &[&str]) -> Walker {
    let mut walker = walker.clone();
    for mv in moves {
        walker = walker.play(mv).unwrap_or_else(|| panic!("{mv} is legal in {}", walker.fen()));
    }
    walker
}

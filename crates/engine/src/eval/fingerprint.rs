//! A number that changes with the rules of a game, so that weights tuned for one game are never
//! used for another. That includes another author's game of the same name, and the same game after
//! a change.

use lozenge_rules::geometry::Square;
use lozenge_rules::position::{Color, Piece, RoleSet};
use lozenge_rules::variant::{Draws, Reach, Stalemate, Variant};

/// Everything about a game that changes how it is played, as far as a piece's moves on an otherwise
/// empty board, promotions, goals, draws and the first start show it. Names and prose do not count.
#[must_use]
pub fn fingerprint(variant: &Variant) -> u64 {
    let mut hash = Hash(0xCBF2_9CE4_8422_2325);
    let list = |hash: &mut Hash, squares: &[Square]| {
        hash.add(squares.len() as u64);
        squares.iter().for_each(|square| hash.add(square.index() as u64));
    };
    let squares: Vec<Square> = variant.shape().squares().collect();
    hash.add(squares.len() as u64);
    for (role, info) in variant.roles().iter() {
        hash.text(&format!("{} {} {}", info.letter, info.royal, info.pawn));
        for color in Color::BOTH {
            for &from in &squares {
                let Reach { quiet, capture, first, over, .. } = variant.reach(Piece::new(color, role), from);
                for targets in [quiet, capture, first, over] {
                    list(&mut hash, &targets);
                }
            }
        }
    }
    let roles = |hash: &mut Hash, roles: RoleSet| {
        hash.add(u64::from(roles.len()));
        roles.iter().for_each(|role| hash.add(role.index() as u64));
    };
    for (pieces, places, choices) in variant.promotions() {
        roles(&mut hash, *pieces);
        roles(&mut hash, *choices);
        places.iter().for_each(|squares| list(&mut hash, squares));
    }
    for (pieces, places) in variant.goals() {
        roles(&mut hash, *pieces);
        places.iter().for_each(|squares| list(&mut hash, squares));
    }
    for castling in variant.castlings() {
        hash.add(castling.color.index() as u64);
        list(&mut hash, &[castling.king.0, castling.king.1, castling.rook.0, castling.rook.1]);
    }
    let Draws { repetition, moves, stalemate } = variant.draws();
    for count in [repetition.claim, repetition.end, moves.claim, moves.end] {
        hash.add(u64::from(count));
    }
    hash.add(match stalemate {
        Stalemate::Draw => 0,
        Stalemate::Loss => 1,
        Stalemate::Win => 2,
    });
    hash.text(&variant.starts().get(variant.usual_start()).map_or(String::new(), |start| start.fen.clone()));
    hash.0
}

/// FNV-1a (Fowler, Noll and Vo), 64 bits.
struct Hash(u64);

impl Hash {
    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    }

    fn add(&mut self, number: u64) {
        number.to_le_bytes().into_iter().for_each(|byte| self.byte(byte));
    }

    fn text(&mut self, text: &str) {
        self.add(text.len() as u64);
        text.bytes().for_each(|byte| self.byte(byte));
    }
}

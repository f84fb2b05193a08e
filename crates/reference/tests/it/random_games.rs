//! Random games: what must hold in every position, and that no text makes the reader panic.

use lozenge_reference::{Variant, Walker};

/// The splitmix64 generator, so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit.max(1) as u64) as usize
    }
}

/// Plays random moves and shows every position on the way.
fn play(game: &Variant, dice: &mut Dice, plies: usize, mut show: impl FnMut(&Walker, &[String])) {
    let starts = game.start_fens();
    let mut walker = Walker::from_fen(game, &starts[dice.below(starts.len())]).expect("a start position");
    for _ in 0..plies {
        let moves = walker.legal_moves();
        show(&walker, &moves);
        if moves.is_empty() {
            break;
        }
        walker = walker.play(&moves[dice.below(moves.len())]).expect("a legal move");
    }
}

#[test]
fn every_position_is_consistent() {
    for (number, id) in Variant::ids().iter().enumerate() {
        let game = Variant::by_id(id).expect("a known game");
        let mut dice = Dice(number as u64);
        for _ in 0..2 {
            play(&game, &mut dice, 60, |walker, moves| {
                let fen = walker.fen();
                let again = Walker::from_fen(&game, &fen).unwrap_or_else(|e| panic!("{id}: {fen}: {e}"));
                assert_eq!(again.fen(), fen);
                assert_eq!(again.legal_moves(), moves, "{id}: {fen}");
                assert!(moves.is_sorted_by(|one, next| one < next), "{id}: {fen}: {moves:?}");
                assert_eq!(walker.in_check(), !walker.checkers().is_empty(), "{id}: {fen}");
                let expected: &[&str] = match (moves.is_empty(), walker.in_check()) {
                    (true, true) => &["goal", "checkmate"],
                    (true, false) => &["goal", "stalemate"],
                    (false, true) => &["check"],
                    (false, false) => &["ongoing", "dead"],
                };
                assert!(expected.contains(&walker.status()), "{id}: {fen}: {}", walker.status());
            });
        }
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    const ALPHABET: &[u8] = b"KQRBNPkqrbnpAMXZxz*/0123456789 -wabgil,.\xc3";
    for (number, id) in Variant::ids().iter().enumerate() {
        let game = Variant::by_id(id).expect("a known game");
        let mut dice = Dice(1_000 + number as u64);
        let mut text_dice = Dice(2_000 + number as u64);
        play(&game, &mut dice, 40, |walker, _| {
            for _ in 0..20 {
                let mut bytes = walker.fen().into_bytes();
                for _ in 0..=text_dice.below(3) {
                    let at = text_dice.below(bytes.len());
                    let byte = ALPHABET[text_dice.below(ALPHABET.len())];
                    match text_dice.below(3) {
                        0 => bytes[at] = byte,
                        1 => bytes.insert(at, byte),
                        _ => drop(bytes.remove(at)),
                    }
                }
                let text = String::from_utf8_lossy(&bytes);
                if let Ok(odd) = Walker::from_fen(&game, &text) {
                    let moves = odd.legal_moves();
                    if let Some(mv) = moves.first() {
                        odd.play(mv).expect("a legal move").legal_moves();
                    }
                    odd.status();
                    let again = Walker::from_fen(&game, &odd.fen()).expect("what was written can be read");
                    assert_eq!(again.legal_moves(), moves, "{id}: {text}");
                }
            }
        });
    }
}

//! Variant files: every text gives a game or faults with locations, in bounded time and memory; a game
//! that compiles can be played and explained.
#![no_main]
use libfuzzer_sys::fuzz_target;
use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::position::{AnyMultiPosition, AnyPosition};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    match AnyGame::parse("fuzz", &text, &library::text) {
        Err(error) => {
            assert!(!error.faults.is_empty());
            assert!(error.faults.iter().all(|fault| fault.location.line >= 1 && fault.location.column >= 1));
        }
        Ok(AnyGame::Four(variant)) => {
            let mut position = AnyMultiPosition::start(&variant);
            for ply in 0..20 {
                position.assert_consistent();
                let moves = position.legal_moves();
                let fen = position.fen();
                let again = AnyMultiPosition::from_fen(&variant, &fen);
                assert!(again.is_ok(), "{fen}: {again:?}");
                let Some(&next) = moves.get((ply * 31 + data.len()) % moves.len().max(1)) else { break };
                position = position.play(next).expect("a legal move");
            }
        }
        Ok(AnyGame::Two(variant)) => {
            let mut position = AnyPosition::start(&variant);
            for ply in 0..20 {
                position.assert_consistent();
                let moves = position.legal_moves();
                assert_eq!(moves.len() as u64, position.perft(1));
                let fen = position.fen();
                let again = AnyPosition::from_fen(&variant, &fen);
                assert!(again.is_ok(), "{fen}: {again:?}");
                let Some(&next) = moves.get((ply * 31 + data.len()) % moves.len().max(1)) else { break };
                position = position.play_unchecked(next);
            }
        }
    }
});

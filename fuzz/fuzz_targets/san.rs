//! SAN and long algebraic moves in positions a few moves into any game.
#![no_main]
use libfuzzer_sys::fuzz_target;
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::AnyPosition;

fuzz_target!(|data: &[u8]| {
    let Some((game, data)) = lozenge_fuzz::choose(data) else { return };
    let Some((&plies, text)) = data.split_first() else { return };
    let mut position = AnyPosition::start(&game);
    for ply in 0..usize::from(plies % 24) {
        let moves = position.legal_moves();
        let Some(&next) = moves.get((ply * 13 + usize::from(plies)) % moves.len().max(1)) else { break };
        position = position.play_unchecked(next);
    }
    let text = String::from_utf8_lossy(text);
    for word in text.split_whitespace() {
        if let Ok(read) = san::parse(&position, word) {
            assert!(position.is_legal(read));
            assert_eq!(san::parse(&position, &san::write(&position, read)), Ok(read));
            assert_eq!(uci::parse(&position, &uci::write(&game, read)), Ok(read));
        }
        let _ = uci::parse(&position, word);
    }
});

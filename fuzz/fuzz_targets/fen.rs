//! FEN of any game: no panic; what is read is written back to the same position.
#![no_main]
use libfuzzer_sys::fuzz_target;
use lozenge_rules::library;
use lozenge_rules::position::{AnyMultiPosition, AnyPosition};

fuzz_target!(|data: &[u8]| {
    let Some((game, text)) = lozenge_fuzz::choose(data) else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    for game in library::multi_ids().filter_map(library::multi_game) {
        if let Ok(position) = AnyMultiPosition::from_fen(&game, text) {
            position.assert_consistent();
            let _ = position.status();
            let fen = position.fen();
            let again = AnyMultiPosition::from_fen(&game, &fen).expect("a written FEN can be read");
            assert_eq!(again.fen(), fen);
        }
    }
    if let Ok(position) = AnyPosition::from_fen(&game, text) {
        position.assert_consistent();
        let _ = position.status();
        let fen = position.fen();
        let again = AnyPosition::from_fen(&game, &fen).expect("a written FEN can be read");
        assert_eq!(again.fen(), fen);
        assert_eq!(again.legal_moves().len() as u64, again.perft(1));
    }
});

//! Play and undo in any game of three or four: everything updated by moves equals everything recomputed, FEN goes there and
//! back, and undo restores every position exactly.
#![no_main]
use libfuzzer_sys::fuzz_target;
use lozenge_rules::library;
use lozenge_rules::position::{AnyMultiPosition, MultiGame};
use lozenge_rules::variant::MultiVariant;
use std::sync::{Arc, LazyLock};

static GAMES: LazyLock<Vec<Arc<MultiVariant>>> =
    LazyLock::new(|| library::multi_ids().filter_map(library::multi_game).collect());

fuzz_target!(|data: &[u8]| {
    let Some((&first, choices)) = data.split_first() else { return };
    let game = &GAMES[usize::from(first) % GAMES.len()];
    let mut played = MultiGame::new(game);
    for &choice in choices.iter().take(300) {
        // One value in sixteen takes back, and one in two hundred resigns.
        if choice % 16 == 15 {
            played.undo();
            continue;
        }
        let before = played.position().clone();
        if choice == 0 && played.resign() {
            played.position().assert_consistent();
            continue;
        }
        let moves = before.legal_moves();
        if moves.is_empty() || played.outcome().is_some() {
            assert!(played.outcome().is_some());
            break;
        }
        let next = moves[usize::from(choice) % moves.len()];
        played.play(next).expect("a generated move is legal");
        let after = played.position();
        after.assert_consistent();
        let again = AnyMultiPosition::from_fen(game, &after.fen()).expect("a written FEN can be read");
        assert_eq!((again.fen(), again.key()), (after.fen(), after.key()));
        assert!(played.undo().is_some());
        assert_eq!(*played.position(), before);
        played.play(next).expect("still legal");
    }
    while played.undo().is_some() {}
    assert_eq!(played.position().fen(), game.start());
});

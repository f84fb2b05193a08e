//! Play and undo in any game: everything updated by moves equals everything recomputed, and undo
//! restores every position exactly.
#![no_main]
use libfuzzer_sys::fuzz_target;
use lozenge_rules::position::{AnyPosition, Game};

fuzz_target!(|data: &[u8]| {
    let Some((game, choices)) = lozenge_fuzz::choose(data) else { return };
    let Some((&start, choices)) = choices.split_first() else { return };
    let start = AnyPosition::start_number(&game, usize::from(start) % game.starts().len()).expect("a start");
    let mut played = Game::from_position(start);
    for &choice in choices.iter().take(400) {
        // One value in sixteen takes back.
        if choice % 16 == 15 {
            played.undo();
            continue;
        }
        let moves = played.position().legal_moves();
        if moves.is_empty() {
            assert!(played.outcome().is_some());
            break;
        }
        let before = played.position().clone();
        let next = moves[usize::from(choice) % moves.len()];
        played.play(next).expect("a generated move is legal");
        played.position().assert_consistent();
        assert_eq!(played.undo(), Some(next));
        assert_eq!(*played.position(), before);
        played.play(next).expect("still legal");
    }
    while played.undo().is_some() {}
    assert_eq!(played.position(), played.start());
});

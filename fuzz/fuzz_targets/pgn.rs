//! PGN files: no panic, no hang; what is read, also of a broken game, can be written and read again as the same tree.
#![no_main]
use libfuzzer_sys::fuzz_target;
use lozenge_rules::library;
use lozenge_rules::notation::pgn::{MAX_FAULTS, MoveNumber, Reader, write_game};
use lozenge_rules::notation::record;

fuzz_target!(|data: &[u8]| {
    for read in Reader::new(data).take(50) {
        let tree = read.unwrap_or_else(|bad| {
            assert!((1..=MAX_FAULTS).contains(&bad.faults.listed().len()));
            *bad.game
        });
        let mut text = String::new();
        write_game(&mut text, &tree, MoveNumber::of_tags(&tree.tags)).expect("what was read can be written");
        let again = Reader::new(text.as_bytes()).next().expect("a game").expect("well formed");
        assert_eq!(again, tree, "{text}");
        let find = |name: &str| {
            let mut games = library::ids().chain(library::multi_ids()).filter_map(library::any_game);
            games.find(|game| game.id() == name || game.name() == name)
        };
        if let Ok(record) = record::resolve_any(tree, &find) {
            assert_eq!(record.game.plies(), record.tree.line.nodes.len());
        }
    }
});

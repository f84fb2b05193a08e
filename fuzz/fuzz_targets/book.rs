//! Books of games: no panic, no hang; a game that is read can be encoded, and is the same when it is read again.
#![no_main]
use libfuzzer_sys::fuzz_target;
use lozenge_rules::library;
use lozenge_rules::notation::book::{self, Book};
use lozenge_rules::position::AnyPosition;

/// Games that are read: each costs the moves of a whole game.
const GAMES: usize = 20;

fuzz_target!(|data: &[u8]| {
    let Ok((parsed, rest)) = Book::parse_whole(data) else { return };
    assert!(book::is_book(data));
    assert_eq!(Book::parse(data).is_ok(), rest == 0);
    let Some(variant) = library::game(parsed.variant) else { return };
    for number in 0..parsed.len().min(GAMES) {
        let Some(Ok(read)) = parsed.game(&variant, number) else { continue };
        let key = read.game.start().key();
        let start = (0..=u8::MAX)
            .find(|&start| {
                AnyPosition::start_number(&variant, start.into()).is_some_and(|it| it.key() == key)
            })
            .expect("the game began with a start of its variant");
        let record = book::encode(&read.game, start, read.winner).expect("what was read can be encoded");
        let bytes = [book::heading(&variant, parsed.settings).into_bytes(), record].concat();
        let again =
            Book::parse(&bytes).expect("a book").game(&variant, 0).expect("one game").expect("a game");
        assert_eq!(again.game.moves(), read.game.moves());
        assert_eq!(again.winner, read.winner);
    }
});

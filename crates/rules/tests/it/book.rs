//! Books of games as bytes.

use lozenge_rules::library;
use lozenge_rules::notation::book::{Book, BookError, BookGame, encode, heading};
use lozenge_rules::position::{Color, Game, Outcome};
use lozenge_rules::variant::Variant;
use std::sync::Arc;

/// Bytes of a record before its moves, according to the description of the format in the module.
const FIXED: usize = 8;

/// A game of at most `plies` plies; `choose` and the ply choose each move.
fn game(id: &str, choose: usize, plies: usize) -> Game {
    let mut game = Game::new(&library::game(id).unwrap());
    while game.moves().len() < plies && game.outcome().is_none() {
        let mut legal = game.position().legal_moves();
        legal.sort_unstable();
        game.play(legal[(choose * (game.moves().len() + 1)) % legal.len()]).unwrap();
    }
    game
}

/// Reads a book of this one record, as a game of the variant.
fn read(variant: &Arc<Variant>, record: &[u8]) -> Result<BookGame, BookError> {
    let book = [heading(variant, "x").as_bytes(), record].concat();
    Book::parse(&book).unwrap().game(variant, 0).unwrap()
}

fn winner(game: &Game) -> Option<Color> {
    match game.outcome() {
        Some(Outcome::Win { winner, .. }) => Some(winner),
        _ => None,
    }
}

#[test]
fn games_are_read_as_they_were_written() {
    // A record has one byte for the number of the start.
    for variant in library::ids().filter_map(library::game).filter(|game| !game.is_shuffled()) {
        let id = variant.id();
        let games: Vec<Game> = (0..6).map(|choose| game(id, choose, 12 * choose)).collect();
        let mut bytes = heading(&variant, "nodes=1").into_bytes();
        for game in &games {
            bytes.extend(encode(game, 0, winner(game)).unwrap());
        }
        let book = Book::parse(&bytes).unwrap();
        assert_eq!((book.variant, book.settings, book.len()), (id, "nodes=1", games.len()));
        for (number, game) in games.iter().enumerate() {
            let read = book.game(&variant, number).unwrap().unwrap();
            assert_eq!((read.game.moves(), read.winner), (game.moves(), winner(game)), "{id} {number}");
        }
        assert!(book.game(&variant, games.len()).is_none());
    }
}

#[test]
fn a_book_of_other_rules_or_with_a_flipped_bit_is_refused() {
    let diamond = library::game("diamond").unwrap();
    let record = encode(&game("diamond", 3, 30), 0, None).unwrap();
    let read_record = |record: &[u8]| read(&diamond, record);
    let good = read_record(&record).unwrap();
    assert!(read(&library::game("diagonal").unwrap(), &record).is_err());
    for byte in 2..record.len() {
        for bit in 0..8 {
            let mut other = record.clone();
            other[byte] ^= 1 << bit;
            let accepted = match read_record(&other) {
                Err(_) => continue,
                Ok(accepted) => accepted.game,
            };
            // Another result, or other moves to the same position.
            let last = accepted.position().key() == good.game.position().key();
            assert!((byte == 3 || byte >= FIXED) && last, "byte {byte}, bit {bit}");
        }
    }
}

#[test]
fn an_unfinished_record_is_found() {
    let diamond = library::game("diamond").unwrap();
    let mut bytes = heading(&diamond, "x").into_bytes();
    let begin = bytes.len();
    bytes.extend(encode(&game("diamond", 1, 9), 0, None).unwrap());
    for end in begin + 1..bytes.len() {
        let (book, rest) = Book::parse_whole(&bytes[..end]).unwrap();
        assert_eq!((book.len(), rest), (0, end - begin));
        assert_eq!(Book::parse(&bytes[..end]), Err(BookError::Cut(rest)));
    }
    for bad in ["", "lozenge book 1 diamond x", "lozenge book 2 diamond x\n", "lozenge book 1 diamond\n"] {
        assert_eq!(Book::parse(bad.as_bytes()), Err(BookError::Heading), "{bad}");
    }
}

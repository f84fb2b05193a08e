//! Long inputs that no memory holds: produced while they are read.

use std::io::{self, BufReader, Read};

use lozenge_rules::notation::pgn::{MAX_LINE, PgnError, Reader};

/// An input that repeats a piece of text, then ends with another.
struct Repeated<'a> {
    piece: &'a [u8],
    left: u64,
    end: &'a [u8],
    at: usize,
}

impl Read for Repeated<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut written = 0;
        while written < out.len() {
            let source = if self.left > 0 { self.piece } else { self.end };
            let count = (source.len() - self.at).min(out.len() - written);
            out[written..written + count].copy_from_slice(&source[self.at..self.at + count]);
            written += count;
            self.at += count;
            if self.left == 0 {
                break;
            }
            if self.at == source.len() {
                (self.at, self.left) = (0, self.left - 1);
            }
        }
        Ok(written)
    }
}

fn reader<'a>(piece: &'a str, count: u64, end: &'a str) -> Reader<BufReader<Repeated<'a>>> {
    let input = Repeated { piece: piece.as_bytes(), left: count, end: end.as_bytes(), at: 0 };
    Reader::new(BufReader::with_capacity(8192, input))
}

#[test]
fn many_games_need_one_line() {
    let piece = "[Event \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 {[%clk 0:01:00] a long\ncomment} 2. d4 (2. c4 c5) 1-0\n\n";
    let mut reader = reader(piece, 200_000, "");
    let mut games = 0;
    for game in &mut reader {
        let game = game.unwrap();
        games += 1;
        assert_eq!((game.line.nodes.len(), game.at.game), (3, games));
        assert_eq!(game.at.byte, (games - 1) * piece.len() as u64);
    }
    assert_eq!(games, 200_000);
    assert!(reader.buffer_capacity() < 1024, "{}", reader.buffer_capacity());
}

#[test]
fn every_second_game_broken() {
    let mut reader = reader("[A \"1\"]\n\ne4 {\n\n[A \"2\"]\n\ne4 *\n\n", 50_000, "");
    let (mut good, mut bad) = (0, 0);
    for game in &mut reader {
        *if game.is_ok() { &mut good } else { &mut bad } += 1;
    }
    assert_eq!((good, bad), (50_000, 50_000));
    assert!(reader.buffer_capacity() < 1024);
}

#[test]
fn endless_lines_comments_and_garbage_stay_in_bounds() {
    let end = "\n\n[Event \"good\"]\n\ne4 *\n";
    let cases = [
        ("xyz ", 10_000_000, PgnError::LineTooLong),
        ("{ ", 10_000_000, PgnError::LineTooLong),
        ("{never closed\n", 2_000_000, PgnError::GameTooLong),
        ("\u{1}\u{2}", 10_000_000, PgnError::LineTooLong),
        ("(\n", 10_000_000, PgnError::VariationBeforeMove),
        ("a(\n", 10_000_000, PgnError::NestingTooDeep),
        ("a\n", 10_000_000, PgnError::TooManyElements),
        ("[A \"\"]\n", 10_000_000, PgnError::TooManyTags),
    ];
    for (piece, count, error) in cases {
        let mut reader = reader(piece, count, end);
        let first = reader.next().unwrap().unwrap_err();
        assert_eq!(first.faults.listed()[0].error, error, "{piece:?}");
        let last = reader.by_ref().last().unwrap().unwrap();
        assert_eq!(last.tags.get("Event"), Some("good"), "{piece:?}");
        assert!(reader.buffer_capacity() <= 6 * MAX_LINE, "{piece:?}");
    }
}

#[test]
fn endless_empty_lines_are_passed_over() {
    assert!(reader("\n", 20_000_000, "").next().is_none());
    assert!(reader("%\r", 20_000_000, "").next().is_none());
}

/// An input that fails after some text.
struct Failing(&'static [u8]);

impl Read for Failing {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Err(io::Error::new(io::ErrorKind::ConnectionReset, "gone"));
        }
        self.0.read(out)
    }
}

#[test]
fn an_input_that_fails_ends_the_games() {
    let mut reader = Reader::new(BufReader::new(Failing(b"e4 *\n[Event \"B\"]\n\nd4")));
    assert!(reader.next().unwrap().is_ok());
    let bad = reader.next().unwrap().unwrap_err();
    let error = PgnError::Io { kind: io::ErrorKind::ConnectionReset, message: "gone".to_owned() };
    assert_eq!(bad.faults.listed()[0].error, error);
    assert_eq!(bad.game.tags.get("Event"), Some("B"));
    assert_eq!(bad.to_string(), "game 2, line 3, column 1: the text could not be read: gone");
    assert!(reader.next().is_none());
}

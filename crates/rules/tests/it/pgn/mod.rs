//! Tests of the PGN syntax. Here: how a test sees what was read, as short text.

mod broken;
mod commands;
mod limits;
mod oddities;
mod round_trip;
mod stream;
mod well_formed;

use std::fmt::Write;

use lozenge_rules::notation::pgn::{
    BadGame, Comment, Fault, MoveNumber, PgnGame, PgnLine, PgnLocation, Reader, write_game,
};

/// Reads `input` and compares what comes out, one line for each game, with `expected`.
#[track_caller]
fn check(input: impl AsRef<[u8]>, expected: &[&str]) {
    let input = input.as_ref();
    let seen: Vec<String> = Reader::new(input).map(|item| sketch(&item)).collect();
    assert_eq!(seen, expected, "of {:?}", String::from_utf8_lossy(input));
    let in_pieces = std::io::BufReader::with_capacity(1, input);
    let again: Vec<String> = Reader::new(in_pieces).map(|item| sketch(&item)).collect();
    assert_eq!(again, expected, "byte by byte");
}

/// `Name=value … | moves | result | warnings`; of a broken game every fault as `line:column+byte: error` before it, and no
/// warnings.
fn sketch(item: &Result<PgnGame, BadGame>) -> String {
    match item {
        Ok(game) => {
            let mut text = sketch_game(game);
            for warning in &game.warnings {
                write!(text, " | {}: {:?}", spot(warning.location), warning.kind).unwrap();
            }
            text
        }
        Err(bad) => {
            let mut text = String::new();
            for Fault { error, location } in bad.faults.listed() {
                write!(text, "{}+{}: {error} | ", spot(*location), location.byte).unwrap();
            }
            if bad.faults.more() > 0 {
                write!(text, "and {} more | ", bad.faults.more()).unwrap();
            }
            text + &sketch_game(&bad.game)
        }
    }
}

fn sketch_game(game: &PgnGame) -> String {
    let mut text = String::new();
    for (name, value) in game.tags.iter() {
        write!(text, "{name}={value} ").unwrap();
    }
    text.push_str("| ");
    sketch_line(&game.line, &mut text);
    write!(text, "| {}", game.result).unwrap();
    text
}

fn spot(location: PgnLocation) -> String {
    format!("{}:{}", location.line, location.column)
}

/// The moves without numbers; comments between number and move are in `<>`, others in `{}`.
fn sketch_line(line: &PgnLine, text: &mut String) {
    sketch_comments(&line.start_comments, "{}", text);
    for node in &line.nodes {
        sketch_comments(&node.comments_before, "<>", text);
        write!(text, "{} ", node.san).unwrap();
        for nag in &node.nags {
            write!(text, "${nag} ").unwrap();
        }
        sketch_comments(&node.comments_after, "{}", text);
        for variation in &node.variations {
            text.push_str("( ");
            sketch_line(&variation.line, text);
            text.push_str(") ");
            sketch_comments(&variation.comments_after, "{}", text);
        }
    }
}

fn sketch_comments(comments: &[Comment], around: &str, text: &mut String) {
    for comment in comments {
        write!(text, "{}{}{} ", &around[..1], comment.text(), &around[1..]).unwrap();
    }
}

fn read(text: &str) -> Vec<Result<PgnGame, BadGame>> {
    Reader::new(text.as_bytes()).collect()
}

fn written(game: &PgnGame) -> String {
    let mut text = String::new();
    write_game(&mut text, game, MoveNumber::of_tags(&game.tags)).unwrap();
    text
}

//! Broken games: their errors, and that the games after them are read. Texts with mistakes that are read with a warning.

use super::check;

const NEXT: &str = "\n\n[Event \"B\"]\n\nd4 *\n";
const NEXT_READ: &str = "Event=B | d4 | *";

/// A broken game by itself, and with a good one behind it.
#[track_caller]
fn check_broken(input: &str, expected: &str) {
    check_broken_flush(input, expected);
    check(input.to_owned() + &NEXT.replace('[', "  ["), &[expected, NEXT_READ]);
}

/// The same where only a tag in the first column tells the next game.
#[track_caller]
fn check_broken_flush(input: &str, expected: &str) {
    check(input.to_owned() + NEXT, &[expected, NEXT_READ]);
    check(input.to_owned() + &NEXT.replace('\n', "\r\n"), &[expected, NEXT_READ]);
}

#[test]
fn tags() {
    check("[\n\n[Event \"B\"]\n*", &["3:1+3: expected the name of a tag, found `[`", "Event=B | | *"]);
    check("[", &["1:2+1: expected the name of a tag, found the end of the text"]);
    check("[Event", &["1:7+6: expected the value of the tag in quotation marks, found the end of the text"]);
    check("[Event \"A\"", &["1:11+10: expected the `]` that ends the tag, found the end of the text"]);
    check_broken(
        "[Event \"A]\n[Site \"X\"]\n\ne4 *",
        "1:11+10: expected the quotation mark that ends the value, found the end of the line",
    );
    check_broken(
        "[Event \"A\"\n[Site \"X\"]\n\ne4 *",
        "2:1+11: expected the `]` that ends the tag, found `[`",
    );
    check_broken(
        "[Event A]\n[Site \"X\"]\n\ne4 *",
        "1:8+7: expected the value of the tag in quotation marks, found `A`",
    );
    check_broken(
        "[Event \"A\"]\n[Site X]\n[Round \"1\"]\n\ne4 *",
        "2:7+18: expected the value of the tag in quotation marks, found `X` Event=A",
    );
    check_broken("[Event \"A\"]\n[\"x\"]\n", "2:2+13: expected the name of a tag, found `\"` Event=A");
    check_broken(
        "[Event \"A\"]\n[Bad!]\n[Site \"X\"]\ne4 *",
        "2:5+16: expected the value of the tag in quotation marks, found `!` Event=A",
    );
}

#[test]
fn comments() {
    check_broken_flush("e4 {oops", "1:4+3: this comment is never closed");
    check_broken_flush("[White \"A\"]\n\ne4 {oops\ne5 1-0", "3:4+16: this comment is never closed White=A");
    check_broken_flush("{head", "1:1+0: this comment is never closed");
    check_broken_flush("e4 * {tail", "1:6+5: this comment is never closed");
    check_broken_flush("[A \"1\"]{", "1:8+7: this comment is never closed A=1");
    check("e4 {oops 1-0\n[Event \"B\"]\n*", &["1:4+3: this comment is never closed", "Event=B | | *"]);
    check("e4 {", &["1:4+3: this comment is never closed"]);
    check_broken("e4 } e5 *", "1:4+3: expected a move, a comment or a result, found `}`");
}

#[test]
fn variations() {
    check_broken("e4 (d4", "1:4+3: this variation is never closed");
    check_broken("e4 (d4 (c4) *", "1:4+3: this variation is never closed");
    check_broken("e4 (d4 (c4 *", "1:8+7: this variation is never closed");
    check_broken("e4 (d4 {c}", "1:4+3: this variation is never closed");
    check("e4 (d4", &["1:4+3: this variation is never closed"]);
    check("e4 (d4\n[Event \"B\"]\n*", &["1:4+3: this variation is never closed", "Event=B | | *"]);
    check("e4 (d4 *\n\nc4 *", &["1:4+3: this variation is never closed", "| c4 | *"]);
    check_broken("e4 ) e5 *", "1:4+3: `)` closes no variation");
    check_broken("1. (e4) d4 *", "1:4+3: a variation needs a move before it");
    check_broken("e4 ((c4) d4) *", "1:5+4: a variation needs a move before it");
}

#[test]
fn words() {
    check_broken("e4 $ e5 *", "1:5+4: expected a number after `$`, found ` `");
    check_broken("e4 $", "1:5+4: expected a number after `$`, found the end of the line");
    check_broken("e4 $256 e5 *", "1:4+3: a `$` number goes up to 255");
    check_broken("e4 $99999999999999999999 *", "1:4+3: a `$` number goes up to 255");
    check_broken("e4 ♘f3 *", "1:4+3: expected a move, a comment or a result, found `♘`");
    check_broken("é4 <x> *", "1:1+0: expected a move, a comment or a result, found `é`");
    check_broken("e4 - e5 *", "1:4+3: expected a move, a comment or a result, found `-`");
    check_broken("e4 [x] *", "1:4+3: expected a move, a comment or a result, found `[`");
    check_broken("e4\n[%clk 1] *", "2:1+3: expected a move, a comment or a result, found `[`");
    check_broken("e4 e\0 *", "1:5+4: expected a move, a comment or a result, found the character U+0000");
    check_broken(
        "{é\n} {é} \u{1}",
        "2:7+11: expected a move, a comment or a result, found the character U+0001",
    );
    check_broken("1-0x *", "1:2+1: expected a move, a comment or a result, found `-`");
}

#[test]
fn garbage() {
    let mut garbage: Vec<u8> =
        (0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8 | 0x80).collect();
    garbage.extend_from_slice(NEXT.as_bytes());
    check(garbage, &["1:1+0: expected a move, a comment or a result, found the character U+0080", NEXT_READ]);
    check("\0\0\0\0", &["1:1+0: expected a move, a comment or a result, found the character U+0000"]);
    check_broken("#!/bin/sh\necho hello", "1:1+0: expected a move, a comment or a result, found `#`");
}

#[test]
fn the_next_game_without_blank_lines() {
    check(
        "e4 &\n[Event \"B\"]\n*",
        &["1:4+3: expected a move, a comment or a result, found `&`", "Event=B | | *"],
    );
    check(
        "[Event \"A\"]\n\n&\n[Event \"B\"]\n*",
        &["3:1+13: expected a move, a comment or a result, found `&` Event=A", "Event=B | | *"],
    );
    check(
        "[Event A]\n[Site \"x\"]\ne4 1-0\n[Event \"B\"]\n*",
        &["1:8+7: expected the value of the tag in quotation marks, found `A`", "Event=B | | *"],
    );
}

#[test]
fn the_next_game_without_tags() {
    check("e4 & 1-0\n\nd4 *", &["1:4+3: expected a move, a comment or a result, found `&`", "| d4 | *"]);
    check(
        "[Event A]\n\ne4 e5\n\nd4 1-0\n\n% x\n{c} d4 *",
        &["1:8+7: expected the value of the tag in quotation marks, found `A`", "| {c} d4 | *"],
    );
}

#[test]
fn several_broken_games() {
    check(
        "&\n[A \"1\"]\n&\n\n[A \"2\"]\n*\n[A \"3\"]\ne4 )\n[A \"4\"]\n*",
        &[
            "1:1+0: expected a move, a comment or a result, found `&`",
            "3:1+10: expected a move, a comment or a result, found `&` A=1",
            "A=2 | | *",
            "8:4+34: `)` closes no variation A=3",
            "A=4 | | *",
        ],
    );
}

#[test]
fn missing_results() {
    check("e4 e5", &["| e4 e5 | * | 1:6: MissingResult"]);
    check("e4 e5\n", &["| e4 e5 | * | 1:6: MissingResult"]);
    check("[Event \"A\"]", &["Event=A | | * | 1:12: MissingResult"]);
    check("[Result \"0-1\"]\n\ne4", &["Result=0-1 | e4 | 0-1 | 3:3: MissingResult"]);
    check("[Event \"A\"]\ne4\n[Event \"B\"]\n*", &["Event=A | e4 | * | 3:1: MissingResult", "Event=B | | *"]);
    check("[Event \"A\"]\n\n[Event \"B\"]\n\n*", &["Event=A | | * | 3:1: MissingResult", "Event=B | | *"]);
    check("[White \"A\"]\n\n  [White \"B\"]\n\n*", &["White=A | | * | 3:3: MissingResult", "White=B | | *"]);
}

#[test]
fn results_that_disagree() {
    check("[Result \"1-0\"]\n0-1", &["Result=1-0 | | 0-1 | 2:1: ResultMismatch { tag: WhiteWins }"]);
    check("[Result \"?\"]\n0-1", &["Result=? | | 0-1"]);
}

#[test]
fn results_inside_variations() {
    check("e4 (d4 1-0) e5 *", &["| e4 ( d4 ) e5 | * | 1:8: ResultInVariation"]);
    check("e4 (d4 *\n) e5 *", &["| e4 ( d4 ) e5 | * | 1:8: ResultInVariation"]);
}

#[test]
fn tags_that_repeat() {
    check("[A \"1\"]\n[a \"2\"]\n*", &["A=1 | | * | 2:1: DuplicateTag { name: \"a\" }"]);
    check("[Event \"1\"]\n[Event \"2\"]\n*", &["Event=1 | | * | 2:1: DuplicateTag { name: \"Event\" }"]);
}

#[test]
fn bare_quotation_marks() {
    check(
        "[Event \"the \"Big\" one\"]\n*",
        &["Event=the \"Big\" one | | * | 1:13: UnescapedQuote | 1:17: UnescapedQuote"],
    );
    check("[Event \"x\"  ] [Site \"y\"]\n*", &["Event=x Site=y | | *"]);
}

#[test]
fn latin_1() {
    check(b"[White \"J\xF6rg\"]\n\n*", &["White=Jörg | | * | 1:10: Latin1"]);
    check(b"\n; \xE9\n{\xE9}\n*", &["| { é} {é} | * | 2:3: Latin1"]);
    check(b"e4 {\xE9} *\n\nd4 {\xE8} *", &["| e4 {é} | * | 1:5: Latin1", "| d4 {è} | * | 3:5: Latin1"]);
    check(b"e4 * d4 {\xE9} *", &["| e4 | *", "| d4 {é} | * | 1:10: Latin1"]);
    check(b"e4\n[White \"\xE9\"]\n*", &["| e4 | * | 2:1: MissingResult", "White=é | | * | 2:9: Latin1"]);
    check(b"{\xE9} &", &["1:5+4: expected a move, a comment or a result, found `&`"]);
}

#[test]
fn glyphs_before_moves() {
    check("$1 e4 ($2 d4) *", &["| e4 ( d4 ) | * | 1:1: NagBeforeMove | 1:8: NagBeforeMove"]);
}

//! Texts that are not quite right and are read all the same, each with a warning.

use super::check;

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
    check(b"{\xE9} &", &["1:5+4: expected a move, a comment or a result, found `&` | | {é} | *"]);
}

#[test]
fn glyphs_before_moves() {
    check("$1 e4 ($2 d4) *", &["| e4 ( d4 ) | * | 1:1: NagBeforeMove | 1:8: NagBeforeMove"]);
}

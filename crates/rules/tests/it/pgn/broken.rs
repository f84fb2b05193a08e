//! Broken games: every fault of them is named, the readable rest stays, and the games after them are read.

use super::check;

const NEXT: &str = "\n\n[Event \"B\"]\n\nd4 *\n";
const NEXT_READ: &str = "Event=B | d4 | *";

/// A broken game by itself, and with a good one behind it.
#[track_caller]
fn check_broken(input: &str, expected: &str) {
    check_broken_flush(input, expected);
    check(input.to_owned() + &NEXT.replace('[', "  ["), &[expected, NEXT_READ]);
}

/// The same where only a tag in the first column begins the next game.
#[track_caller]
fn check_broken_flush(input: &str, expected: &str) {
    check(input.to_owned() + NEXT, &[expected, NEXT_READ]);
    check(input.to_owned() + &NEXT.replace('\n', "\r\n"), &[expected, NEXT_READ]);
}

#[test]
fn tags() {
    check(
        "[\n\n[Event \"B\"]\n*",
        &["3:1+3: expected the name of a tag, found `[` | | | *", "Event=B | | *"],
    );
    check("[", &["1:2+1: expected the name of a tag, found the end of the text | | | *"]);
    check(
        "[Event",
        &["1:7+6: expected the value of the tag in quotation marks, found the end of the text | | | *"],
    );
    check(
        "[Event \"A\"",
        &["1:11+10: expected the `]` that ends the tag, found the end of the text | Event=A | | *"],
    );
    check_broken(
        "[Event \"A]\n[Site \"X\"]\n\ne4 *",
        "1:11+10: expected the quotation mark that ends the value, found the end of the line | \
         Site=X | {[Event \"A]} e4 | *",
    );
    check_broken(
        "[Event \"A\"\n[Site \"X\"]\n\ne4 *",
        "2:1+11: expected the `]` that ends the tag, found `[` | Event=A Site=X | e4 | *",
    );
    check_broken(
        "[Event A]\n[Site \"X\"]\n\ne4 *",
        "1:8+7: expected the value of the tag in quotation marks, found `A` | Site=X | {[Event A]} e4 | *",
    );
    check_broken(
        "[Event \"A\"]\n[Site X]\n[Round \"1\"]\n\ne4 *",
        "2:7+18: expected the value of the tag in quotation marks, found `X` | \
         Event=A Round=1 | {[Site X]} e4 | *",
    );
    check_broken(
        "[Event \"A\"]\n[\"x\"]\n",
        "2:2+13: expected the name of a tag, found `\"` | Event=A | {[\"x\"]} | *",
    );
    check_broken(
        "[Event \"A\"]\n[Bad!] [Site \"X\"]\ne4 *",
        "2:5+16: expected the value of the tag in quotation marks, found `!` | Event=A Site=X | {[Bad!]} e4 | *",
    );
    check_broken(
        "[Event \"A\" B]\n[Site\n\"X\"\ne4 *",
        "1:14+13: expected the quotation mark that ends the value, found the end of the line | \
         4:1+24: expected the `]` that ends the tag, found `e` | Site=X | {[Event \"A\" B]} e4 | *",
    );
}

#[test]
fn every_fault_of_a_game() {
    check_broken(
        "[Event A]\n[Site \"X\"\n[Round \"1\"]\n\n1. e4 $ } (1. d4 ♘f3 (1. c4) e5 ) 2. $999 Nf3 & $1 1-0",
        "1:8+7: expected the value of the tag in quotation marks, found `A` | \
         3:1+20: expected the `]` that ends the tag, found `[` | \
         5:8+40: expected a number after `$`, found ` ` | \
         5:9+41: expected a move, a comment or a result, found `}` | \
         5:18+50: expected a move, a comment or a result, found `♘` | \
         5:38+72: a `$` number goes up to 255 | \
         5:47+81: expected a move, a comment or a result, found `&` | \
         Site=X Round=1 | {[Event A]} e4 ( d4 {♘f3} ( c4 ) e5 ) <$999> Nf3 $1 | 1-0",
    );
}

#[test]
fn comments() {
    check_broken_flush("e4 {oops", "1:4+3: this comment is never closed | | e4 {oops} | *");
    check_broken_flush(
        "[White \"A\"]\n\ne4 {oops\ne5 1-0",
        "3:4+16: this comment is never closed | White=A | e4 {oops e5 1-0} | *",
    );
    check_broken_flush("{head", "1:1+0: this comment is never closed | | {head} | *");
    check_broken_flush("e4 * {tail", "1:6+5: this comment is never closed | | e4 {tail} | *");
    check_broken_flush("[A \"1\"]{", "1:8+7: this comment is never closed | A=1 | | *");
    check(
        "e4 {oops 1-0\n[Event \"B\"]\n*",
        &["1:4+3: this comment is never closed | | e4 {oops 1-0} | *", "Event=B | | *"],
    );
    check("e4 {", &["1:4+3: this comment is never closed | | e4 | *"]);
    check_broken("e4 } e5 *", "1:4+3: expected a move, a comment or a result, found `}` | | e4 e5 | *");
}

#[test]
fn variations() {
    check_broken("e4 (d4", "1:4+3: this variation is never closed | | e4 ( d4 ) | *");
    check_broken("e4 (d4 (c4) *", "1:4+3: this variation is never closed | | e4 ( d4 ( c4 ) ) | *");
    check_broken(
        "e4 (d4 (c4 *",
        "1:4+3: this variation is never closed | 1:8+7: this variation is never closed | | e4 ( d4 ( c4 ) ) | *",
    );
    check_broken("e4 (d4 {c}", "1:4+3: this variation is never closed | | e4 ( d4 {c} ) | *");
    check("e4 (d4", &["1:4+3: this variation is never closed | | e4 ( d4 ) | *"]);
    check(
        "e4 (d4\n[Event \"B\"]\n*",
        &["1:4+3: this variation is never closed | | e4 ( d4 ) | *", "Event=B | | *"],
    );
    check("e4 (d4 *\n\nc4 *", &["1:4+3: this variation is never closed | | e4 ( d4 ) | *", "| c4 | *"]);
    check_broken("e4 ) e5 *", "1:4+3: `)` closes no variation | | e4 e5 | *");
    check_broken(
        "1. (e4 $1 {x} (1. c4)) d4 *",
        "1:4+3: a variation needs a move before it | | <(e4 $1 x (c4))> d4 | *",
    );
    check_broken("e4 ((c4) d4) *", "1:5+4: a variation needs a move before it | | e4 ( {(c4)} d4 ) | *");
    check_broken(
        "(e4",
        "1:1+0: a variation needs a move before it | 1:1+0: this variation is never closed | | {(e4} | *",
    );
}

#[test]
fn words() {
    check_broken("e4 $ e5 *", "1:5+4: expected a number after `$`, found ` ` | | e4 e5 | *");
    check_broken("e4 $", "1:5+4: expected a number after `$`, found the end of the line | | e4 | *");
    check_broken("e4 $256 e5 *", "1:4+3: a `$` number goes up to 255 | | e4 {$256} e5 | *");
    check_broken(
        "e4 $99999999999999999999 *",
        "1:4+3: a `$` number goes up to 255 | | e4 {$99999999999999999999} | *",
    );
    check_broken("e4 ♘f3 *", "1:4+3: expected a move, a comment or a result, found `♘` | | e4 {♘f3} | *");
    check_broken(
        "é4 <x> *",
        "1:1+0: expected a move, a comment or a result, found `é` | \
         1:4+4: expected a move, a comment or a result, found `<` | | {é4} {<x>} | *",
    );
    check_broken("e4 - e5 *", "1:4+3: expected a move, a comment or a result, found `-` | | e4 e5 | *");
    check_broken("e4 [x y] *", "1:4+3: expected a move, a comment or a result, found `[` | | e4 {[x y]} | *");
    check_broken(
        "e4\n[%clk 1] *",
        "2:1+3: expected a move, a comment or a result, found `[` | | e4 {[%clk 1]} | *",
    );
    check_broken(
        "e4 e\0 *",
        "1:5+4: expected a move, a comment or a result, found the character U+0000 | | e4 e | *",
    );
    check_broken(
        "{é\n} {é} \u{1}",
        "2:7+11: expected a move, a comment or a result, found the character U+0001 | | {é\n} {é} | *",
    );
    check_broken("1-0x *", "1:2+1: expected a move, a comment or a result, found `-` | | {-0x} | *");
}

#[test]
fn text_that_is_no_pgn() {
    check("\0\0\0\0", &["1:1+0: expected a move, a comment or a result, found the character U+0000 | | | *"]);
    check_broken(
        "#!/bin/sh\necho hello",
        "1:1+0: expected a move, a comment or a result, found `#` | | {#!/bin/sh} echo hello | *",
    );
    check_broken(
        "Dear Ann, here are\nmy games:",
        "1:9+8: expected a move, a comment or a result, found `,` | | Dear Ann here are my games: | *",
    );
}

#[test]
fn garbage() {
    let mut garbage: Vec<u8> =
        (0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8 | 0x80).collect();
    garbage.extend_from_slice(NEXT.as_bytes());
    let read: Vec<_> = super::Reader::new(garbage.as_slice()).collect();
    let [Err(_), Ok(next)] = read.as_slice() else { panic!("{read:?}") };
    assert_eq!(next.tags.get("Event"), Some("B"));
}

#[test]
fn the_next_game_without_blank_lines() {
    check(
        "e4 &\n[Event \"B\"]\n*",
        &["1:4+3: expected a move, a comment or a result, found `&` | | e4 | *", "Event=B | | *"],
    );
    check(
        "[Event \"A\"]\n\n&\n[Event \"B\"]\n*",
        &["3:1+13: expected a move, a comment or a result, found `&` | Event=A | | *", "Event=B | | *"],
    );
    check(
        "[Event A]\n[Site \"x\"]\ne4 1-0\n[Event \"B\"]\n*",
        &[
            "1:8+7: expected the value of the tag in quotation marks, found `A` | Site=x | {[Event A]} e4 | 1-0",
            "Event=B | | *",
        ],
    );
}

#[test]
fn the_next_game_without_tags() {
    check(
        "e4 & 1-0\n\nd4 *",
        &["1:4+3: expected a move, a comment or a result, found `&` | | e4 | 1-0", "| d4 | *"],
    );
    check(
        "[Event A]\n\ne4 e5\n\nd4 1-0\n\n% x\n{c} d4 *",
        &[
            "1:8+7: expected the value of the tag in quotation marks, found `A` | | {[Event A]} e4 e5 d4 | 1-0",
            "| {c} d4 | *",
        ],
    );
}

#[test]
fn a_broken_first_tag_begins_the_next_game() {
    check(
        "e4 e5\n\n[Event B]\n[Site \"x\"]\n\nd4 *",
        &[
            "| e4 e5 | * | 3:1: MissingResult",
            "3:8+14: expected the value of the tag in quotation marks, found `B` | Site=x | {[Event B]} d4 | *",
        ],
    );
}

#[test]
fn several_broken_games() {
    check(
        "&\n[A \"1\"]\n&\n\n[A \"2\"]\n*\n[A \"3\"]\ne4 )\n[A \"4\"]\n*",
        &[
            "1:1+0: expected a move, a comment or a result, found `&` | | | *",
            "3:1+10: expected a move, a comment or a result, found `&` | A=1 | | *",
            "A=2 | | *",
            "8:4+34: `)` closes no variation | A=3 | e4 | *",
            "A=4 | | *",
        ],
    );
}

//! Texts with nothing wrong in them: what they are read as.

use super::check;
use lozenge_rules::notation::pgn::{PgnLocation, Reader};

#[test]
fn nothing() {
    check("", &[]);
    check("\n\n \t\r\n", &[]);
    check("\u{feff}", &[]);
    check("% escaped\n; only a comment\n", &[]);
    check("{a comment makes no game}", &[]);
}

#[test]
fn smallest_games() {
    check("*", &["| | *"]);
    check("1-0", &["| | 1-0"]);
    check("0-1\n", &["| | 0-1"]);
    check("1/2-1/2", &["| | 1/2-1/2"]);
    check("1/2", &["| | 1/2-1/2"]);
    check("[Event \"A\"]\n\n*\n", &["Event=A | | *"]);
    check("e4 *", &["| e4 | *"]);
}

#[test]
fn tags() {
    check("[White \"B\"][Event \"A\"] *", &["Event=A White=B | | *"]);
    check("[ Event\t\"A\" ]\n*", &["Event=A | | *"]);
    check("[Event\n\"A\"\n]\n*", &["Event=A | | *"]);
    check("[A \"say \\\"hi\\\" c:\\\\x\"]\n*", &["A=say \"hi\" c:\\x | | *"]);
    check("[A \"c:\\x\"]\n*", &["A=c:\\x | | *"]);
    check("[A \"\"]\n*", &["A= | | *"]);
    check("[A \"x;y {z} %\"]\n*", &["A=x;y {z} % | | *"]);
    check("[Diéz+_1 \"x\"]\n*", &["Diéz+_1=x | | *"]);
    check("[X \"1\"]\n[Round \"2\"]\n[Y \"3\"]\n[Site \"4\"]\n*", &["Site=4 Round=2 X=1 Y=3 | | *"]);
    check(
        "[SetUp \"1\"]\n[FEN \"****k****/9 w - - 0 1\"]\n\n*",
        &["SetUp=1 FEN=****k****/9 w - - 0 1 | | *"],
    );
}

#[test]
fn comments_and_blank_lines_around_tags() {
    check("; exported by X\n[Event \"A\"]\n\n*", &["Event=A | { exported by X} | *"]);
    check("{head}\n\n[Event \"A\"]\n*", &["Event=A | {head} | *"]);
    check("[Event \"A\"]\n\n[Site \"B\"]\n\n*", &["Event=A Site=B | | *"]);
    check("[Event \"A\"]\n{c}\n[Site \"B\"]\n\n*", &["Event=A Site=B | {c} | *"]);
    check("[Event \"A\"]\n% no\n[Site \"B\"]\n\n*", &["Event=A Site=B | | *"]);
}

#[test]
fn moves_of_our_games() {
    check(
        "1. Pxg4 Rh4=Q 2. O-O:d1 O-O-O 3. e4e6r l12a1 4. Kxa12+ Nb1-c3 5. g7-g8=Q axb8=Q# 0-1",
        &["| Pxg4 Rh4=Q O-O:d1 O-O-O e4e6r l12a1 Kxa12+ Nb1-c3 g7-g8=Q axb8=Q# | 0-1"],
    );
    check("1. -- Z0 2. 0-0 0-0-0+ P@f7 *", &["| -- Z0 0-0 0-0-0+ P@f7 | *"]);
    check("1. Aa1 Zz12 Xl12xk11 *", &["| Aa1 Zz12 Xl12xk11 | *"]);
    check("5. exd6 e.p. Kh1 6. exd6e.p. exf6 *", &["| exd6 Kh1 exd6 exf6 | *"]);
}

#[test]
fn move_numbers_in_every_form() {
    check("1.e4 e5 2.d4 *", &["| e4 e5 d4 | *"]);
    check("1 e4 e5 2 d4 *", &["| e4 e5 d4 | *"]);
    check("1e4 1...e5 *", &["| e4 e5 | *"]);
    check("1 . e4 1. ... e5 ... *", &["| e4 e5 | *"]);
    check("12345678901234567890123.... e4 *", &["| e4 | *"]);
    check("e4 e5 d4 1-0", &["| e4 e5 d4 | 1-0"]);
    check("1. e4 e5 2. 1-0", &["| e4 e5 | 1-0"]);
}

#[test]
fn glyphs() {
    check("e4! e5? d4!! d5?? c4!? c5?! *", &["| e4 $1 e5 $2 d4 $3 d5 $4 c4 $5 c5 $6 | *"]);
    check("e4 $1 $255 e5$0 d4 ! *", &["| e4 $1 $255 e5 $0 d4 $1 | *"]);
    check("e8=Q+!!! *", &["| e8=Q+ $3 $1 | *"]);
    check("e4 {c} $3 (d4) $4 *", &["| e4 $3 $4 {c} ( d4 ) | *"]);
}

#[test]
fn comments() {
    check("{a} 1. {b} e4 {c} {d} 1... {e} e5 {f} *", &["| {a} <b> e4 {c} {d} <e> e5 {f} | *"]);
    check("e4 ;to the end } of it\n e5 *", &["| e4 {to the end } of it} e5 | *"]);
    check("e4 {one\ntwo\r\nthree\rfour} *", &["| e4 {one two three four} | *"]);
    check("e4 {one\n\ntwo \n three} *", &["| e4 {one\n\ntwo \n three} | *"]);
    check("e4 { ( ; % [ $ 1-0 { } *", &["| e4 { ( ; % [ $ 1-0 { } | *"]);
    check("e4 {\n% not escaped\n} *", &["| e4 {\n% not escaped\n} | *"]);
    check("e4 {White resigns 1-0} 1-0", &["| e4 {White resigns 1-0} | 1-0"]);
    check("e4 {} *", &["| e4 {} | *"]);
    check("e4 1... {dangling} *", &["| e4 {dangling} | *"]);
    check("e4 e5\n% d4 {\nd4 *", &["| e4 e5 d4 | *"]);
    check("e4 {nul\0 and \u{7}} *", &["| e4 {nul\0 and \u{7}} | *"]);
    check("{a [Event \"B\"] c} e4 *", &["| {a [Event \"B\"] c} e4 | *"]);
    check("e4 {a\n[Event \"B\"]} *", &["| e4 {a [Event \"B\"]} | *"]);
    check("e4 {a \n[Event \"B\"]} *", &["| e4 {a \n [Event \"B\"]} | *"]);
}

#[test]
fn variations() {
    check("e4 (d4 d5) (c4 (Nf3) c5) e5 *", &["| e4 ( d4 d5 ) ( c4 ( Nf3 ) c5 ) e5 | *"]);
    check("e4 () *", &["| e4 ( ) | *"]);
    check("e4({a}d4{b}){c}({d}){e}e5 *", &["| e4 ( {a} d4 {b} ) {c} ( {d} ) {e} e5 | *"]);
    check("1. e4 (1. d4) {then} 1... {too} e5 *", &["| e4 ( d4 ) {then} <too> e5 | *"]);
    check("1. e4 1... {x} (1. d4) e5 *", &["| e4 {x} ( d4 ) e5 | *"]);
}

#[test]
fn several_games() {
    check("e4 * d4 1-0\nc4 0-1", &["| e4 | *", "| d4 | 1-0", "| c4 | 0-1"]);
    check("e4 *[Event \"B\"] d4 *", &["| e4 | *", "Event=B | d4 | *"]);
    check("[Event \"A\"]\ne4 1-0\n[Event \"B\"]\nd4 *", &["Event=A | e4 | 1-0", "Event=B | d4 | *"]);
    check("e4 1-0 {time} ; really\n{next} d4 *", &["| e4 {time} { really} | 1-0", "| {next} d4 | *"]);
    check("e4*d4 *", &["| e4 | *", "| d4 | *"]);
}

#[test]
fn line_ends_and_the_byte_order_mark() {
    check("\u{feff}[Event \"A\"]\r\n\r\n1. e4\r\n*\r\n", &["Event=A | e4 | *"]);
    check("[Event \"A\"]\r\r1. e4\re5 *\r", &["Event=A | e4 e5 | *"]);
    check("e4 *\n\u{feff}[Event \"B\"]\n*", &["| e4 | *", "Event=B | | *"]);
    check("\u{feff}% escaped\n*", &["| | *"]);
}

#[test]
fn places() {
    let text = "\u{feff}[Event \"é\"]\r\n\r\n1. e4 {é} e5\r(d4) *\n\n%\nc4 *";
    let games: Vec<_> = Reader::new(text.as_bytes()).map(Result::unwrap).collect();
    let location = |game, line, column, byte| PgnLocation { game, line, column, byte };
    assert_eq!(games[0].at, location(1, 1, 1, 3));
    let nodes = &games[0].line.nodes;
    assert_eq!(nodes[0].at, location(1, 3, 4, 22));
    assert_eq!(nodes[1].at, location(1, 3, 11, 30));
    assert_eq!(nodes[1].variations[0].line.nodes[0].at, location(1, 4, 2, 34));
    assert_eq!(games[1].at, location(2, 7, 1, 43));
    assert_eq!(&text[43..45], "c4");
    assert_eq!(nodes[0].at.to_string(), "game 1, line 3, column 4");
}

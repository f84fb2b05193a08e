//! Written PGN reads back as the same game: chosen texts, any tree, any bytes.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{read, sketch, written};
use lozenge_rules::notation::pgn::{
    Comment, LINE_WIDTH, MoveNumber, PgnGame, PgnLine, PgnNode, Reader, ResultTag, Tags, Variation,
    write_game,
};

/// Reads one game and compares what is written of it.
#[track_caller]
fn check(input: &str, expected: &str) {
    let items = read(input);
    let [Ok(game)] = items.as_slice() else { panic!("one good game in {input:?}") };
    assert_eq!(written(game), expected);
    assert_eq!(read(expected), [Ok(game.clone())]);
}

#[test]
fn numbers() {
    check("e4 e5 d4 d5 1-0", "1. e4 e5 2. d4 d5 1-0\n\n");
    check("e4 {a} e5 $1 d4 *", "1. e4 {a} 1... e5 $1 2. d4 *\n\n");
    check(
        "e4 (d4 d5) e5 (c5 Nf3) (c6) d4 *",
        "1. e4 (1. d4 d5) 1... e5 (1... c5 2. Nf3) (1... c6) 2. d4 *\n\n",
    );
    check("1. e4 1... {b} e5 2. {c} d4 *", "1. e4 1... {b} e5 2. {c} d4 *\n\n");
    check("e4 e5 (c5) {z} *", "1. e4 e5 (1... c5) {z} *\n\n");
    check("{s} e4 ({v} d4) () e5 *", "{s} 1. e4 ({v} 1. d4) () 1... e5 *\n\n");
    check(
        "[FEN \"8/8 b - - 0 9\"]\n\nKg1 Kh2 Kg3 *",
        "[FEN \"8/8 b - - 0 9\"]\n\n9... Kg1 10. Kh2 Kg3 *\n\n",
    );
    check("[FEN \"8/8 w - -\"]\n\nKg1 *", "[FEN \"8/8 w - -\"]\n\n1. Kg1 *\n\n");
}

#[test]
fn tags_and_comments() {
    check("[A \"\\\"\\\\\"]\n[White \"W\"]\n*", "[White \"W\"]\n[A \"\\\"\\\\\"]\n\n*\n\n");
    check("e4 ; a } brace\n(d4; }\n) *", "1. e4 ; a } brace\n(1. d4 ; }\n) *\n\n");
    check("e4 (; } first\nd4) *", "1. e4 (; } first\n1. d4) *\n\n");
    check("*", "*\n\n");
}

#[test]
fn long_lines_are_wrapped() {
    let text = format!("{} *", "Nf3 Nf6 {[%clk 0:10:00] one two three} (Nc6 Ng1) ".repeat(20));
    let game = read(&text).remove(0).unwrap();
    let text = written(&game);
    assert!(text.lines().all(|line| line.chars().count() <= LINE_WIDTH), "{text}");
    assert!(text.lines().rev().skip(2).all(|line| line.len() > LINE_WIDTH / 2), "{text}");
    assert_eq!(read(&text), [Ok(game)]);
}

#[test]
fn long_comments_without_good_breaks_stay_readable() {
    for word in ["%a", "[a", "[%a", "x"] {
        let text = format!("e4 {{{}}} *", format!("{word}\n").repeat(400_000));
        let game = read(&text).remove(0).unwrap();
        assert_eq!(read(&written(&game)), [Ok(game)]);
    }
}

#[test]
fn the_first_number_can_be_given() {
    let game = read("Kg1 Kh2 *").remove(0).unwrap();
    let mut text = String::new();
    write_game(&mut text, &game, MoveNumber { number: u32::MAX, black: true }).unwrap();
    assert_eq!(text, "4294967295... Kg1 4294967295. Kh2 *\n\n");
}

#[test]
fn the_result_and_its_tag() {
    let mut game = PgnGame::default();
    game.set_result(ResultTag::BlackWins);
    assert_eq!(written(&game), "[Result \"0-1\"]\n\n0-1\n\n");
}

fn comments() -> impl Strategy<Value = Vec<Comment>> {
    let text = prop_oneof![
        "[ -~]{0,12}",
        "([a-z%]{1,6}|\\[%clk 0:00:0[0-9]\\]|\\[Event \"|[ \n\t}{;\\[\\]]){0,40}",
        "\\PC{0,8}",
        ".{0,8}",
    ];
    vec(text.prop_map(Comment::new), 0..3)
}

fn sans() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z][a-l1-9x=+#:@O/-]{0,6}",
        "[a-l]1?[0-9]",
        Just("--".to_owned()),
        Just("0-0".to_owned())
    ]
}

fn nodes(variations: impl Strategy<Value = Vec<Variation>> + 'static) -> impl Strategy<Value = Vec<PgnNode>> {
    let node = (comments(), sans(), vec(any::<u8>(), 0..3), comments(), variations);
    let node = node.prop_map(|(comments_before, san, nags, comments_after, variations)| PgnNode {
        comments_before,
        nags,
        comments_after,
        variations,
        ..PgnNode::new(san)
    });
    vec(node, 0..5)
}

fn lines() -> impl Strategy<Value = PgnLine> {
    let line = |(start_comments, nodes)| PgnLine { start_comments, nodes };
    let leaf = (comments(), nodes(Just(Vec::new()))).prop_map(line);
    leaf.prop_recursive(4, 40, 3, move |inner| {
        let variation =
            (inner, comments()).prop_map(|(line, comments_after)| Variation { line, comments_after });
        (comments(), nodes(vec(variation, 0..3))).prop_map(line)
    })
}

fn tags() -> impl Strategy<Value = Tags> {
    let name = prop_oneof!["[A-Za-z0-9_]{1,8}", "Event|Site|Date|Round|White|Black|Result|Variant|FEN"];
    vec((name, "[^\r\n]{0,12}"), 0..6).prop_map(|pairs| {
        let mut tags = Tags::default();
        for (name, value) in pairs {
            tags.set(&name, value).unwrap();
        }
        tags
    })
}

fn games() -> impl Strategy<Value = PgnGame> {
    let result = proptest::sample::select(vec![
        ResultTag::WhiteWins,
        ResultTag::BlackWins,
        ResultTag::Draw,
        ResultTag::Places([1, 4, 2, 2]),
        ResultTag::Unknown,
    ]);
    (tags(), lines(), result).prop_map(|(tags, line, result)| PgnGame {
        tags,
        line,
        result,
        ..PgnGame::default()
    })
}

/// Texts made of the pieces that PGN is made of, in any order.
fn texts() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "[Event \"A\"]",
        "[",
        "]",
        "\"",
        "\\",
        "[Site \"x\"]",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "{",
        "}",
        "(",
        ")",
        ";",
        "%",
        "e4",
        "1.",
        "1...",
        "$1",
        "$",
        "!",
        "?!",
        "*",
        "1-0",
        "1/2-1/2",
        "0-0",
        "--",
        "é",
        "\0",
        "\u{feff}",
        "e.p.",
        "[%clk 0:00:01]",
    ]);
    vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_trees(games in vec(games(), 1..4)) {
        let text: String = games.iter().map(written).collect();
        let read: Vec<PgnGame> = read(&text).into_iter().map(Result::unwrap).collect();
        prop_assert_eq!(&read, &games, "{}", text);
        let mismatch = games.iter().zip(&read).any(|(game, read)| {
            !read.warnings.is_empty() && game.tags.result().is_none_or(|tag| tag == game.result)
        });
        prop_assert!(!mismatch, "no warnings but of results");
    }

    #[test]
    fn any_texts(text in texts()) {
        for game in read(&text).into_iter().flatten() {
            let once = written(&game);
            let again = read(&once);
            prop_assert_eq!(&again, &vec![Ok(game)], "{}", once);
            prop_assert_eq!(written(again[0].as_ref().unwrap()), once);
        }
    }

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..400), capacity in 1_usize..9) {
        let whole: Vec<String> = Reader::new(bytes.as_slice()).map(|item| sketch(&item)).collect();
        let input = std::io::BufReader::with_capacity(capacity, bytes.as_slice());
        let pieces: Vec<String> = Reader::new(input).map(|item| sketch(&item)).collect();
        prop_assert_eq!(whole, pieces);
    }

    #[test]
    fn good_game_after_garbage_is_read(text in texts()) {
        let text = text + "\n\n[Event \"good\"]\n[White \"W\"]\n\n1. d4 d5 (1... Nf6) 1/2-1/2\n";
        let last = read(&text).pop().unwrap();
        let last = last.map_err(|bad| TestCaseError::fail(format!("{bad} in {text:?}")))?;
        prop_assert_eq!(last.tags.get("Event"), Some("good"), "{:?}", text);
        prop_assert_eq!(last.line.nodes.len(), 2, "{:?}", text);
    }

    #[test]
    fn locations_point_at_moves(text in texts()) {
        for game in read(&text).into_iter().flatten() {
            for node in &game.line.nodes {
                let at = node.at.byte as usize;
                prop_assert_eq!(text.get(at..at + node.san.len()), Some(node.san.as_str()));
            }
        }
    }
}

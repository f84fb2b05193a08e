//! Every limit of the reader and of the writer, from both sides.

use super::read;
use lozenge_rules::notation::pgn::{
    Fault, MAX_ELEMENTS, MAX_FAULTS, MAX_GAME, MAX_LINE, MAX_MOVE, MAX_NESTING, MAX_TAG, MAX_TAGS,
    MAX_WARNINGS, MoveNumber, PgnError, PgnGame, PgnNode, Reader, TagError, Tags, Variation, WriteError,
    write_game,
};

const NEXT: &str = "\n\n[Event \"B\"]\n\nd4 *\n";

/// Reads a text that breaks a limit, with a good game behind it, and returns the error and its column.
#[track_caller]
fn broken(text: &str) -> (PgnError, u64) {
    let items = read(&(text.to_owned() + NEXT));
    let [Err(bad), Ok(next)] = items.as_slice() else { panic!("{} items", items.len()) };
    assert_eq!(next.tags.get("Event"), Some("B"));
    let Fault { error, location } = &bad.faults.listed()[0];
    (error.clone(), location.column)
}

#[track_caller]
fn good(text: &str) -> PgnGame {
    let mut items = read(&(text.to_owned() + NEXT));
    assert_eq!(items.len(), 2);
    items.swap_remove(0).unwrap()
}

#[test]
fn lines() {
    let word = |len: usize| format!("{{{}}} *", "x".repeat(len - 4));
    good(&word(MAX_LINE));
    assert_eq!(broken(&word(MAX_LINE + 1)), (PgnError::LineTooLong, 1));
    assert_eq!(broken(&format!("e4\n{}", word(3 * MAX_LINE))), (PgnError::LineTooLong, 1));
    let latin = [b"{".as_slice(), &vec![0xE9; MAX_LINE - 4], b"} *"].concat();
    let bad = Reader::new(latin.as_slice()).next().unwrap().unwrap_err();
    assert_eq!(bad.faults.listed()[0].error, PgnError::LineTooLong);
}

#[test]
fn games() {
    let text = |len: u64| format!("e4 {{{}}} *", "x x x x\n".repeat(len as usize / 8));
    good(&text(MAX_GAME - 16));
    assert_eq!(broken(&text(MAX_GAME + 16)), (PgnError::GameTooLong, 1));
}

#[test]
fn elements() {
    let text = |moves: usize| format!("{} *", "a \n".repeat(moves));
    good(&text(MAX_ELEMENTS));
    assert_eq!(broken(&text(MAX_ELEMENTS + 1)), (PgnError::TooManyElements, 1));
    assert_eq!(broken(&"{}\n".repeat(MAX_ELEMENTS + 1)).0, PgnError::TooManyElements);
}

#[test]
fn nesting() {
    let text = |deep: usize| format!("e4{}{} *", "(e4".repeat(deep), ")".repeat(deep));
    good(&text(MAX_NESTING));
    assert_eq!(broken(&text(MAX_NESTING + 1)), (PgnError::NestingTooDeep, 3 * MAX_NESTING as u64 + 3));
    assert_eq!(broken(&text(100_000)).0, PgnError::NestingTooDeep);
}

#[test]
fn moves_and_tags() {
    good(&format!("{} *", "a".repeat(MAX_MOVE)));
    assert_eq!(broken(&format!("e4 {} *", "a".repeat(MAX_MOVE + 1))), (PgnError::MoveTooLong, 4));
    good(&format!("[A \"{}\"] *", "x".repeat(MAX_TAG - 1)));
    assert_eq!(broken(&format!("[A \"{}\"] *", "x".repeat(MAX_TAG))), (PgnError::TagTooLong, 1));
    let tags = |count: usize| (0..count).map(|n| format!("[A{n} \"\"]\n")).collect::<String>();
    assert_eq!(good(&(tags(MAX_TAGS) + "*")).tags.len(), MAX_TAGS);
    assert_eq!(broken(&(tags(MAX_TAGS + 1) + "*")).0, PgnError::TooManyTags);
}

#[test]
fn warnings() {
    assert_eq!(good(&("$1 ".repeat(1000) + "*")).warnings.len(), MAX_WARNINGS);
}

#[test]
fn faults() {
    let items = read(&("& ".repeat(MAX_FAULTS + 7) + "*"));
    let [Err(bad)] = items.as_slice() else { panic!("{} items", items.len()) };
    assert_eq!((bad.faults.listed().len(), bad.faults.more()), (MAX_FAULTS, 7));
    assert!(bad.to_string().ends_with("found `&`; and 7 more"), "{bad}");
}

#[test]
fn tags_set_by_code() {
    let mut tags = Tags::default();
    assert_eq!(tags.set("", "x"), Err(TagError::Name));
    assert_eq!(tags.set("A B", "x"), Err(TagError::Name));
    assert_eq!(tags.set("A", "x\ny"), Err(TagError::LineBreak));
    assert_eq!(tags.set("A", "x".repeat(MAX_TAG)), Err(TagError::TooLong));
    assert!(tags.is_empty());
    tags.set("fen", " k w ").unwrap();
    tags.set("Setup", "1").unwrap();
    assert_eq!((tags.fen(), tags.is_set_up()), (Some("k w"), true));
    tags.set("FEN", "k b").unwrap();
    assert_eq!(tags.iter().next(), Some(("fen", "k b")));
    assert_eq!(tags.remove("Fen"), Some("k b".to_owned()));
    tags.fill_roster();
    assert_eq!(tags.len(), 8);
    assert_eq!(tags.get("Date"), Some("????.??.??"));
}

#[test]
fn unwritable_games_are_refused() {
    let mut game = PgnGame::default();
    game.line.nodes.push(PgnNode::new("e4 e5"));
    let write = |game: &PgnGame| write_game(&mut String::new(), game, MoveNumber::default());
    assert_eq!(write(&game), Err(WriteError::Move("e4 e5".to_owned())));
    for _ in 0..MAX_NESTING {
        let inner = std::mem::take(&mut game.line);
        let mut node = PgnNode::new("e4");
        node.variations.push(Variation { line: inner, comments_after: Vec::new() });
        game.line.nodes.push(node);
    }
    assert_eq!(write(&game), Err(WriteError::Move("e4 e5".to_owned())));
    let inner = std::mem::take(&mut game.line);
    let mut node = PgnNode::new("e4");
    node.variations.push(Variation { line: inner, comments_after: Vec::new() });
    game.line.nodes.push(node);
    assert_eq!(write(&game), Err(WriteError::NestingTooDeep));
}

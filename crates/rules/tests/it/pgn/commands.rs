//! Commands in comments: the known ones are parsed, and everything else stays as it was.

use std::time::Duration;

use lozenge_rules::notation::pgn::{Arrow, Comment, Eval, Mark, Paint, PgnCommand};

#[track_caller]
fn check(inner: &str, expected: PgnCommand) {
    let read = PgnCommand::parse(inner);
    assert_eq!(read, expected);
    assert_eq!(read.to_string(), format!("[%{inner}]"));
}

#[track_caller]
fn check_unknown(inner: &str) {
    check(inner, PgnCommand::Other(inner.to_owned()));
}

#[test]
fn times() {
    check("clk 0:10:00", PgnCommand::Clock(Duration::from_secs(600)));
    check("clk 12:00:59.75", PgnCommand::Clock(Duration::from_millis(43_259_750)));
    check("emt 0:00:03.001", PgnCommand::MoveTime(Duration::from_millis(3001)));
    assert_eq!(PgnCommand::parse("clk 1:2:3"), PgnCommand::Clock(Duration::from_secs(3723)));
    for odd in
        ["clk", "clk 10:00", "clk 0:60:00", "clk 0:00:60", "clk -1:00:00", "clk 0:00:00.", "clk 1:2:3:4"]
    {
        check_unknown(odd);
    }
    check_unknown("clk 99999999999999999999:00:00");
    check_unknown("clk 9999999999999999999:00:00");
    check_unknown("clk 0:00:00.1234567890");
}

#[test]
fn evaluations() {
    let eval = |score, depth| PgnCommand::Eval { score, depth };
    check("eval 0.31", eval(Eval::Centipawns(31), None));
    check("eval -0.05,22", eval(Eval::Centipawns(-5), Some(22)));
    check("eval #-3", eval(Eval::Mate(-3), None));
    check("eval #12,30", eval(Eval::Mate(12), Some(30)));
    assert_eq!(PgnCommand::parse("eval  +1.5 "), eval(Eval::Centipawns(150), None));
    assert_eq!(PgnCommand::parse("eval -12"), eval(Eval::Centipawns(-1200), None));
    assert_eq!(PgnCommand::parse("eval 0.999"), eval(Eval::Centipawns(99), None));
    for odd in [
        "eval",
        "eval x",
        "eval -",
        "eval 1.",
        "eval .5",
        "eval #",
        "eval 1,x",
        "eval 99999999999",
        "eval --1",
    ] {
        check_unknown(odd);
    }
}

#[test]
fn drawings() {
    let mark = |paint, square: &str| Mark { paint, square: square.to_owned() };
    check("csl Ga4,Rl12", PgnCommand::Squares(vec![mark(Paint::Green, "a4"), mark(Paint::Red, "l12")]));
    let arrow = |paint, from: &str, to: &str| Arrow { paint, from: from.to_owned(), to: to.to_owned() };
    check(
        "cal Ya1b12,Bl12a1",
        PgnCommand::Arrows(vec![arrow(Paint::Yellow, "a1", "b12"), arrow(Paint::Blue, "l12", "a1")]),
    );
    check("csl", PgnCommand::Squares(Vec::new()));
    for odd in [
        "csl a4",
        "csl Xa4",
        "csl Ga",
        "csl Ga4b",
        "csl Ga1234",
        "cal Ga4",
        "cal Ga4b",
        "csl Ga4,",
        "csl é",
        "cal Ga4é1",
    ] {
        check_unknown(odd);
    }
}

#[test]
fn commands_in_prose() {
    let comment = Comment::new(" good [%clk 0:00:01][%mct  x ] move [%eval 1.00 [really] ");
    let commands: Vec<String> = comment.commands().map(|command| command.to_string()).collect();
    assert_eq!(commands, ["[%clk 0:00:01]", "[%mct  x ]", "[%eval 1.00 [really]"]);
    assert_eq!(comment.prose(), "good move");
    let open = Comment::new("never [%clk closed");
    assert_eq!((open.commands().count(), open.prose().as_str()), (0, "never [%clk closed"));
    assert_eq!(Comment::new("[%]").commands().collect::<Vec<_>>(), [PgnCommand::Other(String::new())]);
}

#[test]
fn adding_commands() {
    let mut comment = Comment::default();
    comment.push(&PgnCommand::Clock(Duration::from_secs(61)));
    comment.push(&PgnCommand::Eval { score: Eval::Centipawns(7), depth: None });
    assert_eq!(comment.text(), "[%clk 0:01:01] [%eval 0.07]");
}

#[test]
fn unrepresentable_comment_texts_are_changed() {
    for (text, expected) in [
        ("a\r\nb\rc", "a b c"),
        ("a }\n b", "a }  b"),
        ("\na\n", "\na\n"),
        ("a\n\n[Event \"x\"]", "a\n\n [Event \"x\"]"),
        ("a\n\n[Event x]", "a\n\n[Event x]"),
    ] {
        let comment = Comment::new(text);
        assert_eq!(comment.text(), expected);
        assert_eq!(Comment::new(expected), comment);
    }
}

#[test]
fn a_tag_made_by_joining_lines_is_set_off() {
    let comment = Comment::new("a \n[Dar\n\"\n]x");
    assert_eq!(comment.text(), "a \n [Dar \" ]x");
    assert_eq!(Comment::new(comment.text()), comment);
}

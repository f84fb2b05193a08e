//! Whole conversations in memory.

use super::*;

/// What is said when these lines are typed.
fn talk(args: PlayArgs, lines: &str) -> String {
    let mut output = Vec::new();
    play(args, &mut Lines::new(lines.as_bytes()), &mut output, Style::plain(), false).unwrap();
    String::from_utf8(output).unwrap()
}

fn args(id: &str) -> PlayArgs {
    PlayArgs { variant: Some(id.into()), start: Some(0), level: 1, ..PlayArgs::default() }
}

#[test]
fn every_game_is_played_and_left() {
    for id in library::ids() {
        let said = talk(args(id), "moves\nhint\nfen\nflip\nview\nlevel 2\nhelp\nquit\n");
        assert!(said.contains("level 2 of 13, rated about 840."), "{id}: {said}");
        assert!(said.contains(&library::game(id).unwrap().starts()[0].fen), "{id}");
    }
}

#[test]
fn the_levels_are_those_of_the_engine() {
    use lozenge_engine::skill::FULL_LEVEL;
    assert!(talk(args("diamond"), "help\n").contains(&format!("plays, 0 to {FULL_LEVEL}")));
    for level in 0..=FULL_LEVEL {
        let said = talk(args("diamond"), &format!("level {level}\n"));
        assert!(said.contains(&format!("level {level}")) && !said.contains("The levels are"), "{said}");
    }
    let timed = PlayArgs { time: Some(Duration::from_millis(20)), ..args("diamond") };
    assert!(talk(timed, "level\n").contains("full strength, 0.02 s for each move."));
}

#[test]
fn moves_are_made_and_taken_back() {
    let said = talk(args("chess"), "e2e4\nundo\nfen\n");
    assert!(said.contains("Black plays "), "{said}");
    assert!(said.contains("Taken back."));
    assert!(said.ends_with("RNBQKBNR w KQkq - 0 1\n"), "{said}");
    assert!(talk(args("chess"), "undo\n").contains("no move of yours"));
}

#[test]
fn any_typing_is_answered() {
    let long = "x".repeat(100_000);
    for (typed, answer) in [
        ("e2e5", "From e2 you can go to e3, e4."),
        ("e3e4", "There is no man on e3."),
        ("e7e5", "The man on e7 is not yours."),
        ("a1a2", "The man on a1 has no legal move."),
        ("z9z9", "neither a move nor a command"),
        ("hlep", "Did you mean help?"),
        ("O-O", "O-O is not possible here."),
        ("level 14", "The levels are 0 to 13."),
        ("level -1", "The levels are 0 to 13."),
        ("level", "level 1 of 13, rated about 670."),
        ("level 13", "level 13, its full strength."),
        ("view round", "The views are diamond and square."),
        ("draw", "No draw can be claimed"),
        ("save", "save needs the name of a file"),
        ("new x", "number of a starting position"),
        ("\u{1b}[2J\u{7}", "`[2J` is neither"),
        (&long, "neither a move nor a command"),
    ] {
        let said = talk(args("chess"), typed);
        assert!(said.contains(answer), "{typed}: {said}");
        assert!(!said.contains('\u{1b}') && !said.contains('\u{7}'));
    }
}

#[test]
fn moves_may_be_written_in_several_ways() {
    for typed in ["e4", "Nf3", "nf3", "e2e4", "e2-e4", "E2E4", "Pe2-e4", "e2e4!"] {
        assert!(talk(args("chess"), typed).contains("plays"), "{typed}");
    }
    let castling =
        PlayArgs { start: None, fen: Some("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".into()), ..args("chess") };
    assert!(talk(castling.clone(), "O-O\n").contains("plays"));
    assert!(talk(castling, "0-0-0\n").contains("plays"));
    let promotion =
        PlayArgs { start: None, fen: Some("4k3/P7/8/8/8/8/8/4K3 w - - 0 1".into()), ..args("chess") };
    assert!(talk(promotion.clone(), "a7a8\n").contains("a8=Q"));
    assert!(talk(promotion, "a7-a8=Q\n").contains("plays"));
}

#[test]
fn a_game_ends_in_words() {
    let goal = PlayArgs { start: None, fen: Some("8/6PK/8/8/8/8/8/k7 w - - 0 1".into()), ..args("diagonal") };
    let said = talk(goal, "g7h8\ne2e4\nundo\n");
    assert!(said.contains("The goal is reached. White wins: you win!"), "{said}");
    assert!(said.contains("The game is over."), "{said}");
    assert!(said.contains("Taken back."), "{said}");
    let said = talk(args("diamond"), "resign\nresign\nundo\n");
    assert!(said.contains("White resigns: the engine wins."), "{said}");
    assert!(said.contains("The game goes on."), "{said}");
}

#[test]
fn games_are_saved_but_never_over_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    let name = path.display();
    let said = talk(args("chess"), &format!("e2e4\nsave {name}\nsave {name}\n"));
    assert_eq!(said.matches("Saved to").count(), 2, "{said}");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("[Variant \"Chess\"]") && text.contains("1. e4 "), "{text}");
    assert!(
        text.contains("[TimeControl \"-\"]") && text.contains("[Termination \"unterminated\"]"),
        "{text}"
    );
    assert!(!text.contains("????.??.??"), "{text}");
    assert!(talk(args("chess"), &format!("save {name}\n")).contains("there already"));
}

#[test]
fn the_game_is_asked_for() {
    let said = talk(PlayArgs { level: 1, ..PlayArgs::default() }, "nonsense\n3\nfen\n");
    assert!(said.contains("Type the number or the name"), "{said}");
    assert!(said.contains("****k****"), "{said}");
}

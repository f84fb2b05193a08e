//! Whole sessions in memory.

use super::*;

/// The output for these lines of input.
fn transcript(args: PlayArgs, lines: &str) -> String {
    let mut output = Vec::new();
    play(args, &mut LineInput::new(lines.as_bytes()), &mut output, Style::plain(), false).unwrap();
    String::from_utf8(output).unwrap()
}

fn args(id: &str) -> PlayArgs {
    PlayArgs { variant: Some(id.into()), start: Some(0), level: 1, ..PlayArgs::default() }
}

#[test]
fn every_game_can_be_played() {
    for id in library::ids() {
        let output = transcript(args(id), "moves\nhint\nfen\nflip\nview\nlevel 2\nhelp\nquit\n");
        assert!(output.contains("level 2 of 13, rated about 840."), "{id}: {output}");
        assert!(output.contains(&library::game(id).unwrap().starts()[0].fen), "{id}");
    }
}

#[test]
fn all_levels_of_the_engine_are_accepted() {
    use lozenge_engine::skill::FULL_LEVEL;
    assert!(
        transcript(args("diamond"), "help\n").contains(&format!("level of the engine, 0 to {FULL_LEVEL}"))
    );
    for level in 0..=FULL_LEVEL {
        let output = transcript(args("diamond"), &format!("level {level}\n"));
        assert!(output.contains(&format!("level {level}")) && !output.contains("The levels are"), "{output}");
    }
    let timed = PlayArgs { time: Some(Duration::from_millis(20)), ..args("diamond") };
    assert!(transcript(timed, "level\n").contains("full strength, 0.02 s for each move."));
}

#[test]
fn moves_are_made_and_taken_back() {
    let output = transcript(args("chess"), "e2e4\nundo\nfen\n");
    assert!(output.contains("Black plays "), "{output}");
    assert!(output.contains("Taken back."));
    assert!(output.ends_with("RNBQKBNR w KQkq - 0 1\n"), "{output}");
    assert!(transcript(args("chess"), "undo\n").contains("no move of yours"));
}

#[test]
fn any_input_gets_an_answer() {
    let long = "x".repeat(100_000);
    for (typed, answer) in [
        ("e2e5", "From e2 you can go to e3, e4."),
        ("e3e4", "There is no piece on e3."),
        ("e7e5", "The piece on e7 is not yours."),
        ("a1a2", "The piece on a1 has no legal move."),
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
        let output = transcript(args("chess"), typed);
        assert!(output.contains(answer), "{typed}: {output}");
        assert!(!output.contains('\u{1b}') && !output.contains('\u{7}'));
    }
}

#[test]
fn moves_may_be_written_in_several_ways() {
    for typed in ["e4", "Nf3", "nf3", "e2e4", "e2-e4", "E2E4", "Pe2-e4", "e2e4!"] {
        assert!(transcript(args("chess"), typed).contains("plays"), "{typed}");
    }
    let castling =
        PlayArgs { start: None, fen: Some("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".into()), ..args("chess") };
    assert!(transcript(castling.clone(), "O-O\n").contains("plays"));
    assert!(transcript(castling, "0-0-0\n").contains("plays"));
    let promotion =
        PlayArgs { start: None, fen: Some("4k3/P7/8/8/8/8/8/4K3 w - - 0 1".into()), ..args("chess") };
    assert!(transcript(promotion.clone(), "a7a8\n").contains("a8=Q"));
    assert!(transcript(promotion, "a7-a8=Q\n").contains("plays"));
}

#[test]
fn game_end_is_printed() {
    let goal = PlayArgs { start: None, fen: Some("8/6PK/8/8/8/8/8/k7 w - - 0 1".into()), ..args("diagonal") };
    let output = transcript(goal, "g7h8\ne2e4\nundo\n");
    assert!(output.contains("The goal is reached. White wins: you win!"), "{output}");
    assert!(output.contains("The game is over."), "{output}");
    assert!(output.contains("Taken back."), "{output}");
    let output = transcript(args("diamond"), "resign\nresign\nundo\n");
    assert!(output.contains("White resigns: the engine wins."), "{output}");
    assert!(output.contains("The game goes on."), "{output}");
}

#[test]
fn saving_never_overwrites_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    let name = path.display();
    let output = transcript(args("chess"), &format!("e2e4\nsave {name}\nsave {name}\n"));
    assert_eq!(output.matches("Saved to").count(), 2, "{output}");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("[Variant \"Chess\"]") && text.contains("1. e4 "), "{text}");
    assert!(
        text.contains("[TimeControl \"-\"]") && text.contains("[Termination \"unterminated\"]"),
        "{text}"
    );
    assert!(!text.contains("????.??.??"), "{text}");
    assert!(transcript(args("chess"), &format!("save {name}\n")).contains("exists already"));
}

#[test]
fn missing_game_is_chosen_from_a_menu() {
    let output = transcript(PlayArgs { level: 1, ..PlayArgs::default() }, "nonsense\n3\nfen\n");
    assert!(output.contains("Type the number or the name"), "{output}");
    assert!(output.contains("****k****"), "{output}");
}

#[test]
fn games_of_four_have_a_seat_for_the_player() {
    let seat = |side| PlayArgs { side, ..args("diamondring-four") };
    let output = transcript(seat(Side::Blue), "moves N\nhint\nfen\nflip\nlevel 2\nundo\nsave x\nhelp\n");
    assert!(output.contains("You are Blue.") && output.contains("Red plays "), "{output}");
    assert!(output.contains("b5c3 b5d4 b8c10 b8d9"), "{output}");
    assert!(output.contains("This command is for games of two players."), "{output}");
    assert!(output.contains("lozenge play diamondring-four --side blue --fen '"), "{output}");
    let output = transcript(seat(Side::White), "e2c3\ne2e4\nundo\nresign\n");
    assert!(output.contains("Blue plays ") && output.contains("Taken back."), "{output}");
    assert!(output.contains("expected a legal move, found `e2e4`"), "{output}");
    assert!(output.contains("You have resigned; the others play on."), "{output}");
    assert!(output.contains("Places: Red 4, "), "{output}");
    let refused = |side| {
        let mut output = Vec::new();
        play(seat(side), &mut LineInput::new(&b""[..]), &mut output, Style::plain(), false)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(refused(Side::Black), "--side: expected red, blue, yellow or green in this game");
    let mut output = Vec::new();
    let of_two = PlayArgs { side: Side::Red, ..args("diamond") };
    let error = play(of_two, &mut LineInput::new(&b""[..]), &mut output, Style::plain(), false).unwrap_err();
    assert_eq!(error.to_string(), "--side: expected white or black in this game");
}

#[test]
fn games_of_four_begin_again_at_any_seat() {
    let output = transcript(args("diamondring-four"), "help\nnew green\nflip\nnew\nfen\n");
    assert!(output.contains("new [SEAT]") && !output.contains("white"), "{output}");
    assert_eq!(output.matches("A new game. You are Green.").count(), 2, "{output}");
    assert!(output.contains("Red plays ") && output.contains("Yellow plays "), "{output}");
    let wrong = transcript(args("threearmies"), "new green\nnew 2\n");
    assert_eq!(wrong.matches("The seats are red, blue, yellow.").count(), 2, "{wrong}");
    // Moves are read in SAN, too; a wrong one is repeated as it was typed.
    let typed = transcript(args("diamondring-four"), "Nc3\nT\n");
    assert!(typed.contains("Blue plays ") && typed.contains("found `T`"), "{typed}");
}

//! `lozenge learn`: the course as JSON, and a level solved at the terminal.

use crate::programs::{json, succeed, with_input};
use lozenge_lessons::{Attempt, Goal, course};
use lozenge_rules::library;
use lozenge_rules::notation::turn;
use lozenge_rules::position::{Move, MultiTurn};
use serde_json::json;

#[test]
fn a_course_is_printed_as_json() {
    let course = json(&["learn", "diamond", "--json"]);
    assert_eq!(course["variant"], json!("diamond"));
    assert_eq!(course["digest"].as_str().map(str::len), Some(64));
    let level = &course["stages"][0]["levels"][0];
    assert_eq!(level["goal"], json!({"kind": "stars"}));
    assert!(level["stars"].as_array().is_some_and(|stars| !stars.is_empty()), "{level}");
    assert_eq!(course, json(&["learn", "diamond", "--json"]));
    let german = json(&["learn", "diamond", "--json", "--language", "de"]);
    assert_ne!(german["stages"][0]["levels"][0]["text"], level["text"]);
}

#[test]
fn a_level_can_be_solved_skipped_and_left() {
    let course = json(&["learn", "diamond", "--json"]);
    let arrows = course["stages"][0]["levels"][0]["arrows"].as_array().unwrap().clone();
    let way =
        arrows.iter().map(|arrow| format!("{}{}", arrow[0].as_str().unwrap(), arrow[1].as_str().unwrap()));
    let input = format!("nonsense\n{}\nhint\nskip\nquit\n", way.collect::<Vec<_>>().join("\n"));
    let (status, printed, _) = with_input(&["learn", "diamond"], input);
    assert_eq!(status, 0);
    assert!(printed.contains("Solved: ***") && printed.contains("1 of "), "{printed}");
}

/// In the level on a piece under attack, the first move that leaves it there.
#[test]
fn a_wrong_move_is_answered_at_the_terminal() {
    let game = library::any_game("diamond").unwrap();
    let course = course(&game);
    let at = course.levels(&game).position(|(_, level)| level.goal == Goal::Keep).unwrap();
    let (_, level) = course.levels(&game).nth(at).unwrap();
    let attempt = Attempt::new(&game, level).unwrap();
    let wrong = |&played: &Move| attempt.punishment(played).is_some();
    let wrong = attempt.position().legal_moves().into_iter().find(wrong).unwrap();
    let wrong = turn::uci(attempt.position(), MultiTurn::Move(wrong));
    let (status, printed, _) =
        with_input(&["learn", "diamond"], format!("{}{wrong}\nquit\n", "skip\n".repeat(at)));
    assert_eq!(status, 0);
    assert!(printed.contains("The answer is ") && printed.contains("Try again."), "{printed}");
}

/// The board shows owners by a letter each, and stars as `**`.
#[test]
fn a_game_of_three_is_learned_at_the_terminal() {
    let course = json(&["learn", "threearmies", "--json"]);
    let level = &course["stages"][0]["levels"][0];
    let first = level["solution"][0].as_str().unwrap();
    let (status, printed, _) = with_input(&["learn", "threearmies"], format!("R\n{first}\nquit\n"));
    assert_eq!(status, 0);
    assert!(printed.contains(" ** ") && printed.contains(" rK "), "{printed}");
    assert!(printed.contains("found a resignation") && printed.contains("Solved: ***"), "{printed}");
}

#[test]
fn a_variant_file_has_lessons_too() {
    let file = crate::programs::game("variants/examples/brilliant.toml");
    assert!(succeed(&["learn", &file, "--json"]).contains("\"stages\""));
}

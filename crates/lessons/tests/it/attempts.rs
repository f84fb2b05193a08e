//! The results of a learner's moves: the way to a goal, misses, and the answers that punish them.

use lozenge_lessons::{Attempt, AttemptStep, Goal, course};
use lozenge_rules::library;
use lozenge_rules::notation::uci;
use lozenge_rules::position::AnyPosition;

/// The enemy's answer to a move in a position of orthodox chess, in long algebraic form.
fn punishment(fen: &str, goal: Goal, missed: &str) -> Option<String> {
    let game = library::game("chess").unwrap();
    let position = AnyPosition::from_fen(&game, fen).unwrap();
    let missed = uci::parse(&position, missed).unwrap();
    let attempt = Attempt::at(position.into(), goal, None, Vec::new());
    attempt.punishment(missed).map(|reply| uci::write(&game, reply))
}

#[test]
fn every_solution_solves_its_level_in_par() {
    for game in library::ids().chain(library::multi_ids()).map(|id| library::any_game(id).unwrap()) {
        for (id, level) in course(&game).levels(&game) {
            if let Goal::Play { .. } = level.goal {
                assert!(level.solution.is_empty(), "{} {id}", game.id());
                continue;
            }
            assert_eq!(level.solution.len(), level.par as usize, "{} {id}", game.id());
            let mut attempt = Attempt::new(&game, level).unwrap();
            let steps: Vec<AttemptStep> =
                level.solution.iter().map(|&played| attempt.play(played).unwrap()).collect();
            let (last, before) = steps.split_last().unwrap();
            assert_eq!(*last, AttemptStep::Done, "{} {id}", game.id());
            assert!(before.iter().all(|step| *step == AttemptStep::Going), "{} {id}: {steps:?}", game.id());
            assert_eq!(Attempt::rating(attempt.moves(), level.par), 3);
        }
    }
}

#[test]
fn an_attempt_goes_on_from_where_it_has_come_to() {
    let game = library::any_game("diamond").unwrap();
    let course = course(&game);
    let (_, level) = course.levels(&game).find(|(_, level)| level.stars.len() > 1).unwrap();
    let mut whole = Attempt::new(&game, level).unwrap();
    for &played in &level.solution {
        let mut part = Attempt::at(whole.position().clone(), level.goal, whole.hero(), whole.left().to_vec());
        assert_eq!(part.play(played).unwrap(), whole.play(played).unwrap());
        assert_eq!((part.left(), part.hero()), (whole.left(), whole.hero()));
    }
}

#[test]
fn the_punishment_wins_at_once_or_captures_what_cannot_be_won_back() {
    let rows = [
        // Mate on the back rank before the pawn on a2 is captured.
        ("r5k1/8/8/8/8/8/P4PPP/1R4K1 w - - 0 1", Goal::Check, "b1b7", Some("a8a2")),
        ("3r2k1/8/8/8/8/8/P4PPP/1R4K1 w - - 0 1", Goal::Check, "b1b7", Some("d8d1")),
        // The queen is worth more than the knight.
        ("6k1/8/4p1p1/8/8/5Q1N/8/6K1 w - - 0 1", Goal::Mate, "f3f5", Some("e6f5")),
        // Both pieces are protected or out of reach.
        ("6k1/8/8/8/8/8/8/R5K1 w - - 0 1", Goal::Mate, "a1b1", None),
        // A protected piece is no loss, but must not be capturable if the goal is to keep it.
        ("3r2k1/8/8/8/3N4/4P3/8/6K1 w - - 0 1", Goal::Check, "g1g2", None),
        ("3r2k1/8/8/8/3N4/4P3/8/6K1 w - - 0 1", Goal::Keep, "g1g2", Some("d8d4")),
        // Only the learner moves.
        ("3r2k1/8/8/8/3N4/8/8/6K1 w - - 0 1", Goal::Stars, "g1g2", None),
    ];
    for (fen, goal, missed, expected) in rows {
        assert_eq!(punishment(fen, goal, missed).as_deref(), expected, "{fen} {missed}");
    }
}

//! Courses of games of three and four: what they teach, and that each level is solved by moves of the rules, in no fewer than par.

use lozenge_explain::Language;
use lozenge_lessons::{Attempt, AttemptStep, Course, Goal, Level, Sentence, built_in_levels, course};
use lozenge_rules::geometry::Square;
use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::notation::turn;
use lozenge_rules::position::{AnyMultiPosition, Move, MultiTurn};
use lozenge_rules::seat::Seat;
use std::collections::BTreeSet;

fn games() -> Vec<AnyGame> {
    library::multi_ids().map(|id| library::any_game(id).unwrap()).collect()
}

fn levels(game: &AnyGame, course: &Course) -> Vec<(String, Level)> {
    course.levels(game).map(|(id, level)| (id, level.clone())).collect()
}

fn position(game: &AnyGame, fen: &str) -> AnyMultiPosition {
    AnyMultiPosition::from_fen(game.four().unwrap(), fen).unwrap()
}

/// The same position with another player to move.
fn turned(position: &AnyMultiPosition, seat: Seat) -> Option<AnyMultiPosition> {
    let fen = position.fen();
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    fields[1] = seat.letter().to_string();
    fields[3] = "-".into();
    AnyMultiPosition::from_fen(position.variant(), &fields.join(" ")).ok()
}

#[test]
fn games_of_more_players_have_courses() {
    for game in games() {
        let course = course(&game);
        let levels = levels(&game, &course);
        let ids: BTreeSet<&String> = levels.iter().map(|(id, _)| id).collect();
        assert_eq!(ids.len(), levels.len(), "{}", game.id());
        assert!((12..=40).contains(&levels.len()), "{}: {} levels", game.id(), levels.len());
        assert_eq!(built_in_levels(game.id()), Some(levels.len() as u32), "{}", game.id());
        let goals: Vec<Goal> = levels.iter().map(|(_, level)| level.goal).collect();
        for goal in [Goal::Stars, Goal::Capture, Goal::Promote, Goal::Check, Goal::Escape, Goal::Mate] {
            assert!(goals.contains(&goal), "{} lacks {goal:?}: {goals:?}", game.id());
        }
        let has = |wanted: fn(&Sentence) -> bool| levels.iter().any(|(_, level)| wanted(&level.sentence));
        let teams = game.four().unwrap().is_teams();
        assert!(has(|sentence| matches!(sentence, Sentence::Turns { .. })), "{}", game.id());
        assert!(has(|sentence| matches!(sentence, Sentence::CheckFrom { .. })), "{}", game.id());
        assert!(has(|sentence| matches!(sentence, Sentence::MateOut { .. })), "{}", game.id());
        assert_eq!(has(|sentence| matches!(sentence, Sentence::Partner { .. })), teams, "{}", game.id());
        assert_eq!(has(|sentence| matches!(sentence, Sentence::Dead { .. })), !teams, "{}", game.id());
        assert_eq!(has(|sentence| matches!(sentence, Sentence::Harmless { .. })), !teams, "{}", game.id());
        assert_eq!(has(|sentence| matches!(sentence, Sentence::Places)), !teams, "{}", game.id());
        assert!(matches!(goals.last(), Some(Goal::Play { .. })), "{}", game.id());
    }
}

#[test]
fn courses_of_more_players_are_the_same_each_time() {
    for game in games() {
        assert_eq!(course(&game), course(&game), "{}", game.id());
    }
}

#[test]
fn texts_for_more_players_are_complete_in_both_languages() {
    for game in games() {
        let course = course(&game);
        for (id, level) in levels(&game, &course) {
            for language in Language::ALL {
                let text = level.sentence.text(&game, language);
                assert!(!text.contains('{') && text.len() > 8, "{} {id}: {text}", game.id());
            }
        }
        for stage in &course.stages {
            for language in Language::ALL {
                assert!(!stage.kind.title(&game, language).contains(['{', '-']), "{}", game.id());
            }
        }
    }
}

#[test]
fn levels_of_more_players_take_par_and_no_less() {
    for game in games() {
        for (id, level) in levels(&game, &course(&game)) {
            let start = position(&game, &level.fen);
            assert_eq!((start.turn(), start.fen()), (Seat::Red, level.fen.clone()), "{} {id}", game.id());
            if !matches!(level.goal, Goal::Play { .. }) {
                assert_eq!(fewest(&start, &level), Some(level.par), "{} {id}: {}", game.id(), level.fen);
            }
        }
    }
}

/// The fewest moves that reach the goal, by trying all moves of each piece.
fn fewest(start: &AnyMultiPosition, level: &Level) -> Option<u32> {
    let moves = start.legal_moves();
    match level.goal {
        Goal::Stars | Goal::Capture => {
            let heroes: BTreeSet<Square> = moves.iter().map(|played| played.from).collect();
            heroes.into_iter().filter_map(|hero| visits(start, hero, &level.stars, level.par)).min()
        }
        _ => moves.into_iter().any(|played| reaches(start, played, level)).then_some(1),
    }
}

fn reaches(before: &AnyMultiPosition, played: Move, level: &Level) -> bool {
    let after = before.play_unchecked(played);
    let partner = before.variant().is_teams().then_some(Seat::Yellow);
    let enemies: Vec<Seat> =
        after.living().iter().filter(|&seat| seat != Seat::Red && Some(seat) != partner).collect();
    match level.goal {
        Goal::Promote => played.is_promotion(),
        Goal::Castle => played.is_castling(),
        Goal::EnPassant => played.is_en_passant(),
        Goal::Check => {
            let in_check = |&seat: &Seat| turned(&after, seat).is_some_and(|turned| turned.is_check());
            enemies.iter().any(in_check)
        }
        Goal::Escape => before.is_check(),
        Goal::Keep => enemies.iter().all(|&seat| {
            let turned = turned(&after, seat).unwrap();
            let takes =
                |reply: &Move| turned.piece_at(reply.to).is_some_and(|at| at.owner == Some(Seat::Red));
            !turned.legal_moves().iter().any(takes)
        }),
        Goal::Stop => enemies.iter().all(|&seat| {
            let turned = turned(&after, seat).unwrap();
            let replies = turned.legal_moves();
            // Red's turn comes at once, as if the players between had done nothing.
            replies.into_iter().all(|reply| {
                let end = turned.play_unchecked(reply);
                let end = if end.living().contains(Seat::Red) { self::turned(&end, Seat::Red) } else { None };
                end.is_some_and(|end| end.living().contains(Seat::Red))
            })
        }),
        Goal::Mate => after.out().contains(&Seat::Blue) && after.king(Seat::Blue).is_none(),
        _ => false,
    }
}

/// The fewest moves of one piece over all stars, by depth-first search to a limit.
fn visits(start: &AnyMultiPosition, hero: Square, stars: &[Square], most: u32) -> Option<u32> {
    if most == 0 {
        return None;
    }
    let moves = start.legal_moves().into_iter().filter(|played| played.from == hero);
    let rest = moves.filter_map(|played| {
        let left: Vec<Square> = stars.iter().copied().filter(|&star| star != played.to).collect();
        if left.is_empty() {
            return Some(1);
        }
        let after = start.play_unchecked(played);
        let again = turned(&after, Seat::Red).filter(|_| after.living() == start.living())?;
        if again.turn() != Seat::Red || again.living() != start.living() {
            return None;
        }
        visits(&again, played.to, &left, most - 1).map(|moves| moves + 1)
    });
    rest.min()
}

/// Kings begin smothered: e2-c3-b5 mates Blue, and Blue can do the same to Red by b5-c3-e2.
#[test]
fn course_teaches_the_trap_of_the_opening() {
    let game = library::any_game("diamondring-four").unwrap();
    let levels = levels(&game, &course(&game));
    let find = |wanted: fn(&Sentence) -> bool| {
        levels.iter().map(|(_, level)| level).find(|level| wanted(&level.sentence)).unwrap()
    };
    let trap = find(|sentence| matches!(sentence, Sentence::Trap { .. }));
    let start = library_position(&game, &trap.fen);
    assert_eq!(turn::uci(&start, MultiTurn::Move(trap.solution[0])), "c3b5");
    let mut attempt = Attempt::new(&game, trap).unwrap();
    assert_eq!(attempt.play(trap.solution[0]), Ok(AttemptStep::Done));
    let defence = find(|sentence| matches!(sentence, Sentence::StopTrap { seat: Seat::Blue }));
    let start = position(&game, &defence.fen);
    let legal = start.legal_moves();
    let stopping = legal.iter().filter(|&&played| reaches(&start, played, defence)).count();
    assert!(stopping > 0 && 2 * stopping < legal.len(), "{stopping} of {}: {}", legal.len(), defence.fen);
    let careless = legal.iter().find(|&&played| !reaches(&start, played, defence)).unwrap();
    let mut attempt = Attempt::new(&game, defence).unwrap();
    assert_eq!(attempt.play(*careless), Ok(AttemptStep::Missed));
}

#[test]
fn mate_takes_the_next_player_off_and_turns_the_army_gray() {
    let game = library::any_game("diamondring-four").unwrap();
    let levels = levels(&game, &course(&game));
    let is_mate = |level: &Level| matches!(level.sentence, Sentence::MateOut { .. });
    let (_, level) = levels.iter().find(|(_, level)| is_mate(level)).unwrap();
    let start = position(&game, &level.fen);
    assert_eq!(start.living().len(), 4);
    let after = start.play(level.solution[0]).unwrap();
    assert!(after.out() == [Seat::Blue] && after.fen().contains('d'), "{}", after.fen());
    let mut attempt = Attempt::new(&game, level).unwrap();
    assert_eq!(attempt.play(level.solution[0]), Ok(AttemptStep::Done));
}

#[test]
fn capture_by_the_next_player_punishes_a_miss() {
    let game = library::any_game("diamondring-four").unwrap();
    // Blue's rook on a5 takes what Red leaves on its rank, and is not recaptured.
    let fen = "12/12/12/12/12/12/12/bR4rN6/12/bK11/12/11rK r - - 0 1 rb/yg";
    let start = library_position(&game, fen);
    let MultiTurn::Move(missed) = turn::parse_uci(&start, "l1k1").unwrap() else { panic!("a move") };
    let attempt = Attempt::at(start.clone(), Goal::Mate, None, Vec::new());
    let reply = attempt.punishment(missed).unwrap();
    assert_eq!(turn::uci(&start, MultiTurn::Move(reply)), "a5f5");
}

fn library_position(game: &AnyGame, fen: &str) -> lozenge_rules::position::GamePosition {
    lozenge_rules::position::GamePosition::from_fen(game, fen).unwrap()
}

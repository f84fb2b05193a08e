//! Every level of every course is solved by moves of the rules, and in no fewer than par.

use lozenge_explain::Language;
use lozenge_lessons::{Goal, Level, Sentence, built_in_levels, course};
use lozenge_rules::geometry::Square;
use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::position::{AnyPosition, Cell, Color, Move, Status};
use std::collections::BTreeSet;

/// The built-in games of two, and the example file that is not built in.
fn games() -> Vec<AnyGame> {
    let text = include_str!("../../../../variants/examples/glinski.toml");
    let hexagons = AnyGame::parse("glinski.toml", text, &|_| None).unwrap();
    library::ids().map(|id| library::any_game(id).unwrap()).chain([hexagons]).collect()
}

#[test]
fn every_game_has_a_course_of_useful_length() {
    for game in games() {
        let course = course(&game);
        let count = course.levels(&game).count();
        assert!((8..=40).contains(&count), "{}: {count} levels", game.id());
        let ids: BTreeSet<String> = course.levels(&game).map(|(id, _)| id).collect();
        assert_eq!(ids.len(), count, "{}", game.id());
        let built_in = library::any_game(game.id()).map(|_| count as u32);
        assert_eq!(built_in_levels(game.id()), built_in, "{}", game.id());
    }
}

#[test]
fn courses_of_the_five_games_teach_what_they_must() {
    for id in ["diagonal", "diamondback", "diamond", "doublediamond", "diamondring"] {
        let game = library::any_game(id).unwrap();
        let course = course(&game);
        let goals: Vec<Goal> = course.levels(&game).map(|(_, level)| level.goal).collect();
        for goal in [Goal::Stars, Goal::Capture, Goal::Promote, Goal::Check, Goal::Escape, Goal::Mate] {
            assert!(goals.contains(&goal), "{id} lacks {goal:?}: {goals:?}");
        }
        assert!(goals.iter().any(|goal| matches!(goal, Goal::Play { .. })), "{id}: {goals:?}");
        assert!((12..=25).contains(&goals.len()), "{id}: {} levels", goals.len());
    }
}

/// Many kinds of pieces that turn on their way, on the largest board: the work for each stage is bounded.
#[test]
fn the_largest_games_have_courses_of_useful_length() {
    let letters = "ABCDEFGHIJLMNOPQ";
    let board = format!("{}\n", ".".repeat(16)).repeat(16);
    let role = |letter| {
        format!("[roles.{letter}]\nname = \"Piece {letter}\"\npicture = \"rook\"\nmoves = \"[R?fB]\"\n")
    };
    let roles: String = letters.chars().map(role).collect();
    let rows = "16/".repeat(12);
    let fen = format!("7k8/{}/{rows}{letters}/7K8 w - - 0 1", letters.to_lowercase());
    let file = format!(
        "id = \"large\"\nname = \"Large\"\n[board]\nsquares = \"\"\"\n{board}\"\"\"\nsymmetry = \"mirror-ranks\"\n\
         forward = {{ white = [0, 1], black = [0, -1] }}\n{roles}[roles.K]\nname = \"King\"\npicture = \"king\"\n\
         royal = true\nmoves = \"K\"\n[start]\nfen = \"{fen}\"\n"
    );
    let game = AnyGame::parse("large", &file, &|_| None).unwrap();
    let count = course(&game).levels(&game).count();
    assert!((12..=40).contains(&count), "{count} levels");
}

#[test]
fn courses_are_the_same_each_time() {
    for game in games().into_iter().take(4) {
        assert_eq!(course(&game), course(&game), "{}", game.id());
    }
}

#[test]
fn sentences_are_complete_in_both_languages() {
    for game in games() {
        for (id, level) in course(&game).levels(&game) {
            for language in Language::ALL {
                let text = level.sentence.text(&game, language);
                assert!(!text.contains('{') && text.len() > 8, "{} {id}: {text}", game.id());
            }
        }
        for stage in course(&game).stages {
            assert!(!stage.kind.title(&game, Language::German).contains('{'));
        }
    }
}

/// Without joined edges, without walls, and without the piece to hop over, the level takes more moves than par.
#[test]
fn oddities_are_needed_to_solve_their_levels() {
    let not_joined = "extends = \"joined\"\nid = \"flat\"\nname = \"Flat\"\n[board]\nwrap = \"none\"\n";
    let mut edges = 0;
    let mut hops = 0;
    let mut walls = 0;
    for game in games() {
        for (id, level) in course(&game).levels(&game) {
            if let Sentence::Edges { .. } = level.sentence {
                let flat = AnyGame::parse_extending("flat", not_joined, game.texts()).unwrap();
                let position = AnyPosition::from_fen(flat.two().unwrap(), &level.fen).unwrap();
                assert_eq!(fewest(&position, level), None, "{} {id}: {}", game.id(), level.fen);
                edges += 1;
            }
            if let Sentence::Wall { role } = level.sentence {
                let letter = game.roles().info(role).letter;
                let file = format!(
                    "extends = \"walled\"\nid = \"open\"\nname = \"Open\"\n[roles.{letter}]\nwall = false\n"
                );
                let open = AnyGame::parse_extending("open", &file, game.texts()).unwrap();
                let position = AnyPosition::from_fen(open.two().unwrap(), &level.fen).unwrap();
                assert_eq!(fewest(&position, level), None, "{} {id}: {}", game.id(), level.fen);
                walls += 1;
            }
            if let Sentence::Hop { .. } = level.sentence {
                let position = AnyPosition::from_fen(game.two().unwrap(), &level.fen).unwrap();
                let setup = position.setup();
                let alone = setup.pieces().any(|(at, piece)| {
                    let mut without = setup.clone();
                    without.set(at, Cell::Empty);
                    let is_screen = piece.color() == Color::White && game.shape().at(at) != level.hero();
                    is_screen
                        && AnyPosition::from_setup(position.variant(), &without)
                            .is_ok_and(|without| fewest(&without, level).is_none())
                });
                assert!(alone, "{} {id}: {}", game.id(), level.fen);
                hops += 1;
            }
        }
    }
    assert!(
        edges >= 16 && hops >= 4 && walls >= 2,
        "{edges} levels with edges, {hops} with hops, {walls} with walls"
    );
}

#[test]
fn courses_teach_what_is_odd_in_a_game() {
    type Teaches = fn(&Sentence) -> bool;
    let rows: [(&str, Teaches); 7] = [
        ("diamond", |sentence| matches!(sentence, Sentence::Gap { .. })),
        ("diagonal", |sentence| matches!(sentence, Sentence::Corners { .. })),
        ("diagonal", |sentence| matches!(sentence, Sentence::PromotionBySquare { .. })),
        ("diamondback", |sentence| matches!(sentence, Sentence::Castling)),
        ("diamondback", |sentence| matches!(sentence, Sentence::PlaceCapture { .. })),
        ("diamondring-wildeurasian", |sentence| matches!(sentence, Sentence::Hop { .. })),
        ("diamondring-wildeurasian", |sentence| matches!(sentence, Sentence::Wall { .. })),
    ];
    for (id, teaches) in rows {
        let game = library::any_game(id).unwrap();
        let course = course(&game);
        let sentences: Vec<&Sentence> = course.levels(&game).map(|(_, level)| &level.sentence).collect();
        assert!(sentences.iter().copied().any(teaches), "{id}: {sentences:?}");
    }
}

#[test]
fn every_level_can_be_solved_in_par_and_not_sooner() {
    for game in games() {
        for (id, level) in course(&game).levels(&game) {
            let position = AnyPosition::from_fen(game.two().unwrap(), &level.fen).unwrap();
            assert_eq!(position.turn(), Color::White, "{} {id}", game.id());
            if let Goal::Play { .. } = level.goal {
                continue;
            }
            assert_eq!(fewest(&position, level), Some(level.par), "{} {id}: {}", game.id(), level.fen);
        }
    }
}

/// The fewest moves that reach the goal, by trying all moves of the piece that stands on the board's hero square, which
/// is found by trying all pieces.
pub(crate) fn fewest(position: &AnyPosition, level: &Level) -> Option<u32> {
    let done = |before: &AnyPosition, played: Move| reaches(before, played, level.goal);
    match level.goal {
        Goal::Stars | Goal::Capture => {
            let heroes =
                position.legal_moves().into_iter().map(|played| played.from).collect::<BTreeSet<_>>();
            heroes.into_iter().filter_map(|hero| visits(position, hero, &level.stars, level.par)).min()
        }
        _ => position.legal_moves().into_iter().any(|played| done(position, played)).then_some(1),
    }
}

fn reaches(before: &AnyPosition, played: Move, goal: Goal) -> bool {
    let after = before.play_unchecked(played);
    let threatened = |status: fn(&AnyPosition, Move) -> bool| {
        after.legal_moves().into_iter().any(|reply| status(&after, reply))
    };
    match goal {
        Goal::Promote => played.is_promotion(),
        Goal::Castle => played.is_castling(),
        Goal::EnPassant => played.is_en_passant(),
        Goal::Fuse => played.is_fusion(),
        Goal::Check => after.is_check(),
        Goal::Escape => before.is_check(),
        Goal::Keep => !threatened(|after, reply| {
            after.piece_at(reply.to).is_some_and(|piece| piece.color() == Color::White)
        }),
        Goal::Mate => after.status() == Status::Checkmate,
        Goal::Reach => after.status() == Status::Goal,
        Goal::Stop => !threatened(|after, reply| after.play_unchecked(reply).status() == Status::Goal),
        Goal::Stars | Goal::Capture | Goal::Play { .. } => false,
    }
}

/// The fewest moves of one piece over all stars, by depth-first search to a limit.
fn visits(position: &AnyPosition, hero: Square, stars: &[Square], most: u32) -> Option<u32> {
    if stars.is_empty() {
        return Some(0);
    }
    if most == 0 {
        return None;
    }
    let moves = position.legal_moves().into_iter().filter(|played| played.from == hero);
    let rest = moves.filter_map(|played| {
        let left: Vec<Square> = stars.iter().copied().filter(|&star| star != played.to).collect();
        let after = position.play_unchecked(played);
        if left.is_empty() {
            return Some(1);
        }
        let mut setup = after.setup();
        setup.turn = Color::White;
        setup.en_passant = None;
        setup.en_passant_pawn = None;
        let again = AnyPosition::from_setup(position.variant(), &setup).ok()?;
        visits(&again, played.to, &left, most - 1).map(|moves| moves + 1)
    });
    rest.min()
}

//! Whole games through PGN and back, in every game; variations and comments with them; and a large
//! file with a broken game in it.

use lozenge_rules::library;
use lozenge_rules::notation::pgn::{Comment, MoveNumber, Reader, ResultTag, Variation, write_game};
use lozenge_rules::notation::record::{self, Record, RecordError};
use lozenge_rules::position::{AnyPosition, Game, MultiGame, MultiTurn, Played};
use lozenge_rules::variant::Variant;
use std::sync::Arc;

fn find(name: &str) -> Option<Arc<Variant>> {
    library::ids()
        .filter_map(library::game)
        .find(|game| game.name().eq_ignore_ascii_case(name) || game.id().eq_ignore_ascii_case(name))
}

/// A pseudo-random game of at most `plies` plies from one of the variant's starts.
fn random_game(variant: &Arc<Variant>, seed: u64, plies: usize) -> Game {
    let start = seed as usize % variant.starts().len();
    let mut game = Game::from_position(AnyPosition::start_number(variant, start).unwrap());
    let mut state = seed;
    for _ in 0..plies {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moves = game.position().legal_moves();
        let Some(&next) = moves.get((state >> 33) as usize % moves.len().max(1)) else { break };
        game.play(next).unwrap();
    }
    game
}

fn text_of(game: &Game) -> String {
    let mut text = String::new();
    let tree = record::tree(game);
    write_game(&mut text, &tree, MoveNumber::of_fen(&game.start().fen())).unwrap();
    text
}

#[test]
fn games_round_trip() {
    for id in library::ids() {
        let variant = library::game(id).unwrap();
        for seed in 0..12 {
            let game = random_game(&variant, seed, 150);
            let text = text_of(&game);
            let tree = Reader::new(text.as_bytes()).next().unwrap().unwrap();
            let read = record::resolve(tree, &find).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(read.game.moves(), game.moves(), "{text}");
            assert_eq!(read.game.position(), game.position(), "{text}");
            assert_eq!(read.game.outcome(), game.outcome());
            assert_eq!(text_of(&read.game), text);
        }
    }
}

#[test]
fn games_store_every_position() {
    for id in library::ids() {
        let variant = find(id).unwrap();
        let mut game = random_game(&variant, 9, 90);
        let mut positions = vec![game.start().clone()];
        for &played in game.moves() {
            let next = positions[positions.len() - 1].play(played).unwrap();
            positions.push(next);
        }
        assert_eq!(game.position_at(positions.len()), None, "{id}");
        while let Some(last) = positions.last() {
            assert_eq!(game.position(), last, "{id}");
            assert_eq!(game.positions().collect::<Vec<_>>(), positions, "{id}");
            assert_eq!(game.keys(), positions.iter().map(AnyPosition::key).collect::<Vec<_>>(), "{id}");
            for (ply, position) in positions.iter().enumerate() {
                assert_eq!(game.position_at(ply).as_ref(), Some(position), "{id} {ply}");
            }
            let same = positions.iter().filter(|then| then.key() == last.key()).count();
            assert_eq!(game.occurrences() as usize, same, "{id}");
            positions.pop();
            assert_eq!(game.undo().is_some(), !positions.is_empty(), "{id}");
        }
    }
}

#[test]
fn variations_and_comments_are_checked_and_kept() {
    let text = "[Variant \"diagonal\"]\n\n1. d4 {[%clk 0:05:00] well} (1. c4 $1 f5 (1... e5)) 1... e5 *\n";
    let tree = Reader::new(text.as_bytes()).next().unwrap().unwrap();
    let read = record::resolve(tree, &find).unwrap();
    assert_eq!(read.game.moves().len(), 2);
    let first = &read.tree.line.nodes[0];
    assert_eq!(first.comments_after, [Comment::new("[%clk 0:05:00] well")]);
    assert_eq!(first.variations.len(), 1);
    let mut written = String::new();
    write_game(&mut written, &read.tree, MoveNumber::default()).unwrap();
    assert!(written.contains("1. d4 {[%clk 0:05:00] well} (1. c4 $1 f5 (1... e5)) 1... e5 *"), "{written}");

    let mut tree = read.tree;
    let mut wrong = Variation::default();
    wrong.line.nodes.push(lozenge_rules::notation::pgn::PgnNode::new("Ka8"));
    tree.line.nodes[1].variations.push(wrong);
    let faults = record::resolve(tree, &find).unwrap_err();
    assert!(matches!(faults.listed(), [RecordError::Move { .. }]), "{faults}");
}

#[test]
fn broken_game_does_not_affect_the_others() {
    let mut text = String::new();
    for id in library::ids() {
        text += &text_of(&random_game(&library::game(id).unwrap(), 5, 40));
        text += "[Event \"broken\"]\n[Variant \"Diagonal Chess\"]\n\n1. d4 (1. {unclosed\n\n";
        text += "[Event \"illegal\"]\n[Variant \"Diagonal Chess\"]\n\n1. d4 Kxa1 1-0\n\n";
        text += "[Event \"unknown\"]\n[Variant \"Tafl\"]\n\n1. d4 1-0\n\n";
    }
    let (mut good, mut broken, mut illegal, mut unknown) = (0, 0, 0, 0);
    for game in Reader::new(text.as_bytes()) {
        match game.map(|tree| record::resolve(tree, &find)) {
            Ok(Ok(_)) => good += 1,
            Err(bad) => {
                assert_eq!(
                    (bad.faults.listed().len(), bad.game.tags.get("Event")),
                    (2, Some("broken")),
                    "{bad}"
                );
                broken += 1;
            }
            Ok(Err(faults)) => match faults.listed() {
                [RecordError::Move { location, .. }] => {
                    assert_eq!(text.lines().nth(location.line as usize - 1).unwrap(), "1. d4 Kxa1 1-0");
                    illegal += 1;
                }
                [RecordError::UnknownVariant { found, .. }] => {
                    assert_eq!(found, "Tafl");
                    unknown += 1;
                }
                _ => panic!("{faults}"),
            },
        }
    }
    let all = library::ids().len();
    assert_eq!([good, broken, illegal, unknown], [all; 4]);
}

#[test]
fn every_line_with_an_illegal_move_is_named() {
    let text = "[Variant \"Chess\"]\n\n1. e4 (1. Ke2 d5) (1. d4 d5 2. Kd4) 1... e5 (1... Ka1 (1... Kb1)) 2. Ke8 Ke1 *";
    let tree = Reader::new(text.as_bytes()).next().unwrap().unwrap();
    let faults = record::resolve(tree, &find).unwrap_err();
    let columns: Vec<u64> = faults
        .listed()
        .iter()
        .map(|fault| match fault {
            RecordError::Move { location, .. } => location.column,
            other => panic!("{other}"),
        })
        .collect();
    let column = |word| text.lines().last().unwrap().find(word).unwrap() as u64 + 1;
    assert_eq!(columns, ["Ke2", "Kd4", "Ka1", "Kb1", "Ke8"].map(column));
}

#[test]
fn results_follow_the_board() {
    let diagonal = library::game("diagonal").unwrap();
    let won = AnyPosition::from_fen(&diagonal, "k6P/8/8/8/8/8/8/K7 b - - 0 1").unwrap();
    assert_eq!(record::tree(&Game::from_position(won)).result, ResultTag::WhiteWins);
}

fn read(text: &str) -> Result<Record, Vec<RecordError>> {
    let tree = Reader::new(text.as_bytes()).next().unwrap().unwrap();
    record::resolve(tree, &library::named).map_err(|faults| faults.listed().to_vec())
}

/// Names that lichess, PyChess, chess.com and Cute Chess write.
#[test]
fn other_programs_names_are_known() {
    for (name, id) in [
        ("Standard", "chess"),
        ("standard", "chess"),
        ("From Position", "chess"),
        ("fromPosition", "chess"),
        ("Chess", "chess"),
        ("normal", "chess"),
        ("Capablanca", "capablanca"),
        ("Los Alamos", "losalamos"),
        ("gardner", "gardner"),
        ("Cylinder", "cylinder"),
    ] {
        let record = read(&format!("[Variant \"{name}\"]\n\n*")).unwrap();
        assert_eq!(record.game.variant().id(), id, "{name}");
    }
    assert!(library::named("").is_none() && library::named("?").is_none());
}

#[test]
fn ids_names_and_aliases_are_distinct() {
    let games: Vec<Arc<Variant>> = library::ids().filter_map(library::game).collect();
    for game in &games {
        let names = [game.id(), game.name()].into_iter().chain(game.aliases().iter().map(String::as_str));
        for name in names {
            let called: Vec<&str> =
                games.iter().filter(|game| game.is_called(name)).map(|game| game.id()).collect();
            assert_eq!(called, [game.id()], "{name}");
        }
    }
    let child = Variant::parse("own", "extends = \"chess\"\nid = \"own\"\nname = \"Own\"", &library::text);
    assert!(child.unwrap().aliases().is_empty());
}

#[test]
fn results_of_tag_and_moves_agree() {
    for (tag, end, both) in
        [("1-0", "*", "1-0"), ("*", "0-1", "0-1"), ("?", "1/2-1/2", "1/2-1/2"), ("1-0", "", "1-0")]
    {
        let record = read(&format!("[Result \"{tag}\"]\n\n1. e4 {end}")).unwrap();
        assert_eq!(
            (record.tree.tags.get("Result"), record.tree.result.to_string()),
            (Some(both), both.to_owned()),
            "{tag}"
        );
    }
    let faults = read("[Result \"1-0\"]\n\n1. e4 0-1").unwrap_err();
    assert_eq!(
        faults[0].to_string(),
        "game 1, line 1, column 1: expected the result of the tag Result, 1-0, at the end of the moves, found 0-1"
    );
}

#[test]
fn moves_played_after_reading_keep_the_comments_before() {
    let Record { mut game, tree } = read("[Result \"1-0\"]\n\n1. e4 {x} e5 (1... c5) 1-0").unwrap();
    assert_eq!(record::updated(&tree, &game.clone().into()), tree);
    game.undo();
    let shorter = record::updated(&tree, &game.clone().into());
    assert_eq!((shorter.line.nodes.len(), shorter.result), (1, ResultTag::Unknown));
    assert_eq!(shorter.line.nodes[0], tree.line.nodes[0]);
}

/// A pseudo-random game of four, in which players also resign and run out of time.
fn random_multi_game(id: &str, seed: u64, plies: usize) -> MultiGame {
    let mut game = MultiGame::new(&library::multi_game(id).unwrap());
    let mut state = seed;
    for _ in 0..plies {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moves = game.position().legal_moves();
        let turn = match (state >> 20) % 97 {
            0 => MultiTurn::Resignation,
            1 => MultiTurn::TimeOut,
            _ => match moves.get((state >> 33) as usize % moves.len().max(1)) {
                Some(&next) => MultiTurn::Move(next),
                None => break,
            },
        };
        if !game.play_turn(turn) {
            break;
        }
    }
    game
}

#[test]
fn games_of_four_round_trip() {
    for id in library::multi_ids() {
        for seed in 1..6 {
            let game = random_multi_game(id, seed, 120);
            let tree = record::multi_tree(&game);
            let mut text = String::new();
            write_game(&mut text, &tree, MoveNumber::default()).unwrap();
            let read = Reader::new(text.as_bytes()).next().unwrap().unwrap();
            assert_eq!(read, tree, "{text}");
            let again = record::resolve_any(read, &library::any_named)
                .unwrap_or_else(|error| panic!("{error}\n{text}"));
            let Played::Four(played) = &again.game else { panic!("{id}") };
            assert_eq!(played.turns(), game.turns(), "{text}");
            assert_eq!(played.outcome(), game.outcome(), "{text}");
            let mut written = String::new();
            write_game(&mut written, &again.tree, MoveNumber::default()).unwrap();
            assert_eq!(written, text);
        }
    }
}

#[test]
fn variations_and_places_of_four_are_read() {
    let text = "[Event \"?\"]\n[Red \"Ann\"]\n[Green \"Dee\"]\n[Result \"4-3-2-1\"]\n[Variant \"diamondring-four\"]\n\n\
         {before} 1. b1 $1 {good} R (1... a2 {[%clk 0:01:00]}) (1... T 1... R) T {Blue is checkmated} 4-3-2-1\n\n";
    let tree = Reader::new(text.as_bytes()).next().unwrap().unwrap();
    let names: Vec<&str> = tree.tags.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Event", "Red", "Green", "Result", "Variant"]);
    assert_eq!(tree.result, ResultTag::Places([4, 3, 2, 1]));
    let read = record::resolve_any(tree, &library::any_named).unwrap();
    assert_eq!((read.game.plies(), read.tree.line.nodes[1].variations.len()), (3, 2));

    for (bad, fault) in [
        // After the end each move is refused as one too many, not as one that cannot be read.
        ("1. b1 R T T R *", "expected no move after the end of the game, found `R`"),
        ("1. R R R T *", "expected no move after the end of the game, found `T`"),
        ("1. R R R b1 *", "expected no move after the end of the game, found `b1`"),
        ("1. R R (1... R R R) R *", "expected no move after the end of the game, found `R`"),
        ("1. b1 Kxa1 *", "expected a legal move"),
        ("1. b1 (1. Z9) *", "expected"),
    ] {
        let text = format!("[Variant \"diamondring-four\"]\n\n{bad}\n");
        let tree = Reader::new(text.as_bytes()).next().unwrap().unwrap();
        let error = record::resolve_any(tree, &library::any_named).unwrap_err().to_string();
        assert!(error.contains(fault), "{bad}: {error}");
    }
    // Everyone alone has a place; two players and two teams have none.
    for (variant, result, such) in [
        ("diamondring-four", "1-0", "1-4-2-3"),
        ("diamondring-four", "1-3-2", "1-4-2-3"),
        ("threearmies", "1-4-2-3", "1-3-2"),
        ("threearmies", "1/2-1/2", "1-3-2"),
        ("diamondring-teams", "1-4-2-3", "1-0"),
        ("diamond", "1-4-2-3", "1-0"),
    ] {
        let text = format!("[Variant \"{variant}\"]\n\n{result}\n");
        let tree = Reader::new(text.as_bytes()).next().unwrap().unwrap();
        let error = record::resolve_any(tree, &library::any_named).unwrap_err().to_string();
        let expected = format!("expected a result such as `{such}` in this game, found {result}");
        assert!(error.ends_with(&expected), "{variant}: {error}");
    }
    let two = Reader::new("[Variant \"chess\"]\n\n1. e4 R *".as_bytes()).next().unwrap().unwrap();
    assert!(record::resolve_any(two, &library::any_named).is_err(), "players of two do not resign by a move");
}

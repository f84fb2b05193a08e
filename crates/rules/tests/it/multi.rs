//! Games of four players beside the reference walker: moves, positions after them, status and places, on random games and
//! on positions changed at random.

use crate::walker::Random;
use lozenge_reference::four::{End, FourGame, FourRules, FourWalker};
use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{
    AnyMultiPosition, Move, MultiEnd, MultiGame, MultiPosition, MultiWidthVisitor,
};
use lozenge_rules::seat::Seat;
use lozenge_rules::variant::{MultiRules, MultiVariant, Variant};
use std::sync::Arc;

const GAMES: [FourRules; 2] = [FourRules::Free, FourRules::Teams];

fn game(rules: FourRules) -> Arc<MultiVariant> {
    let text = library::text(rules.id()).expect("a built-in game");
    MultiVariant::parse(rules.id(), &text, &library::text).unwrap_or_else(|error| panic!("{error}"))
}

/// The positions after each legal move, by the move's text, sorted.
fn after_each_move(position: &AnyMultiPosition) -> Vec<(String, AnyMultiPosition)> {
    let after =
        |played| (uci::write_multi(position.variant(), played), position.play(played).expect("legal"));
    let mut all: Vec<_> = position.legal_moves().into_iter().map(after).collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

/// Compares everything about a position; `deep` compares the positions after all moves as well.
fn compare(position: &AnyMultiPosition, walker: &FourWalker, deep: bool) -> Vec<(String, AnyMultiPosition)> {
    let fen = walker.fen();
    assert_eq!(position.fen(), fen);
    position.assert_consistent();
    let after = after_each_move(position);
    let moves: Vec<&String> = after.iter().map(|(text, _)| text).collect();
    assert_eq!(moves, walker.legal_moves().iter().collect::<Vec<_>>(), "{fen}");
    assert_eq!(position.status().to_string(), walker.status(), "{fen}");
    let places = position.places().map(|places| Seat::ALL.map(|seat| u32::from(places[seat])));
    assert_eq!(places, walker.places(), "{fen}");
    // In a decided game the player to move may have no King on the board that could be attacked.
    if !walker.legal_moves().is_empty() {
        assert_eq!(position.is_check(), walker.in_check(), "{fen}");
    }
    if deep {
        for (text, next) in &after {
            let expected = walker.play(text).unwrap_or_else(|| panic!("{text} in {fen}"));
            assert_eq!(next.fen(), expected.fen(), "{fen} {text}");
            assert_eq!(next.status().to_string(), expected.status(), "{fen} {text}");
        }
    }
    after
}

#[test]
fn perft_of_the_starts() {
    let four = AnyMultiPosition::start(&game(FourRules::Free));
    assert_eq!([0, 1, 2, 3, 4].map(|depth| four.perft(depth)), [1, 26, 679, 17_732, 465_106]);
    let teams = AnyMultiPosition::start(&game(FourRules::Teams));
    assert_eq!([1, 2, 3].map(|depth| teams.perft(depth)), [26, 679, 17_732]);
    assert_eq!(teams.divide(3).iter().map(|(_, count)| count).sum::<u64>(), 17_732);
}

/// The counts that the author of a site for four players has published: another board, the same mechanism.
#[test]
fn perft_of_four_player_chess() {
    let start = AnyMultiPosition::start(&library::multi_game("fourplayerchess").expect("a built-in game"));
    assert_eq!([1, 2, 3, 4].map(|depth| start.perft(depth)), [20, 395, 7_800, 152_050]);
}

#[test]
fn the_starts_are_those_of_the_law() {
    for rules in GAMES {
        let game = game(rules);
        assert_eq!(game.start(), FourRules::start_fen());
        assert_eq!(game.is_teams(), rules == FourRules::Teams);
    }
}

/// Whole random games; sometimes a player resigns.
#[test]
fn random_games_are_the_walker_s() {
    for rules in GAMES {
        let game = game(rules);
        let mut dice = Random::new(17);
        for _ in 0..6 {
            let mut position = AnyMultiPosition::start(&game);
            let mut walker = FourWalker::from_fen(rules, &position.fen()).expect("the start");
            for ply in 0..150 {
                let after = compare(&position, &walker, ply % 16 == 0);
                let exit = position.play_exit();
                let reread = AnyMultiPosition::from_fen(&game, &position.fen()).expect("its own FEN");
                assert_eq!(reread.key(), position.key(), "{}", position.fen());
                assert_eq!(
                    forcing_moves(&position),
                    captures_and_promotions(&position),
                    "{}",
                    position.fen()
                );
                assert_eq!(
                    exit.as_ref().map(AnyMultiPosition::fen),
                    walker.play("R").filter(|_| walker.status() != "dead").map(|next| next.fen())
                );
                if let Some(exit) = exit.filter(|_| dice.below(60) == 0) {
                    walker = walker.play("R").expect("a player who resigns");
                    position = exit;
                    continue;
                }
                let Some((text, next)) = after.get(dice.below(after.len())) else { break };
                walker = walker.play(text).expect("a legal move");
                position = next.clone();
            }
        }
    }
}

/// The moves that a search tries when it looks for quiet positions, sorted.
fn forcing_moves(position: &AnyMultiPosition) -> Vec<Move> {
    struct Forcing;
    impl MultiWidthVisitor for Forcing {
        type Output = Vec<Move>;
        fn visit<const N: usize>(self, position: &MultiPosition<N>, rules: &MultiRules<N>) -> Vec<Move> {
            position.forcing_moves(rules)
        }
    }
    let mut moves = position.visit(Forcing);
    moves.sort();
    moves
}

/// The same by the definition.
fn captures_and_promotions(position: &AnyMultiPosition) -> Vec<Move> {
    let mut moves = position.legal_moves();
    moves.retain(|played| position.piece_at(played.to).is_some() || played.is_promotion());
    moves.sort();
    moves
}

/// Boards filled at random: more kings in check, mates, passes, dead pieces and refusals than games have.
#[test]
fn random_boards_are_the_walker_s() {
    for rules in GAMES {
        let game = game(rules);
        let mut dice = Random::new(4 + rules as u64);
        let (mut legal, mut moved_on) = (0, 0);
        for _ in 0..8_000 {
            let fen = random_fen(&mut dice);
            let (found, expected) =
                (AnyMultiPosition::from_fen(&game, &fen), FourWalker::from_fen(rules, &fen));
            assert_eq!(found.is_ok(), expected.is_ok(), "{fen}: {:?} {:?}", found.err(), expected.err());
            let (Ok(position), Ok(walker)) = (found, expected) else { continue };
            legal += 1;
            moved_on += usize::from(position.fen() != fen);
            compare(&position, &walker, legal % 8 == 0);
        }
        assert!(legal > 2_000 && moved_on > 5, "{legal} positions, of which {moved_on} were not resolved");
    }
}

/// A FEN with one King of each living player and other pieces, few or many, mostly near each other.
fn random_fen(dice: &mut Random) -> String {
    let mut cells: Vec<Vec<Option<String>>> = vec![vec![None; 12]; 12];
    let out: Vec<char> = match dice.below(4) {
        0 => vec!['b'],
        1 => vec!['g', 'r'],
        _ => Vec::new(),
    };
    let living: String = "rbyg".chars().filter(|seat| !out.contains(seat)).collect();
    // A corner of the board, so that pieces meet.
    let side = 4 + dice.below(9).min(8);
    let (file, rank) = ((12 - side) * dice.below(2), (12 - side) * dice.below(2));
    for seat in living.chars() {
        cells[rank + dice.below(side)][file + dice.below(side)] = Some(format!("{seat}K"));
    }
    let pieces = dice.below(side * side / 2);
    for _ in 0..pieces {
        let owner = match dice.below(6) {
            0 if !out.is_empty() => 'd',
            _ => living.chars().nth(dice.below(living.len())).unwrap_or('r'),
        };
        let role = "PPPWEDNRB".as_bytes()[dice.below(9)] as char;
        let cell = &mut cells[rank + dice.below(side)][file + dice.below(side)];
        if cell.is_none() {
            *cell = Some(format!("{owner}{role}"));
        }
    }
    let rows = cells.iter().rev().map(|row| {
        let (mut text, mut empty) = (String::new(), 0);
        for cell in row {
            match cell {
                None => empty += 1,
                Some(piece) => {
                    text += &if empty > 0 { empty.to_string() } else { String::new() };
                    text += piece;
                    empty = 0;
                }
            }
        }
        if empty > 0 { text + &empty.to_string() } else { text }
    });
    let rows: Vec<String> = rows.collect();
    let mover = living.chars().nth(dice.below(living.len())).unwrap_or('r');
    let players = if out.is_empty() { living } else { format!("{living}/{}", String::from_iter(&out)) };
    format!("{} {mover} - - {} {} {players}", rows.join("/"), dice.below(90), 1 + dice.below(60))
}

/// Texts changed at random never make the reader panic, and both readers take or refuse the same ones.
#[test]
fn broken_fens_are_refused_as_by_the_walker() {
    const ALPHABET: &[u8] = b"rbygdKQWEDNRBP/0123456789 -*\xc3";
    for rules in GAMES {
        let game = game(rules);
        let mut dice = Random::new(99);
        let mut read = 0;
        for number in 0..6_000 {
            let fen = if number % 2 == 0 { FourRules::start_fen() } else { random_fen(&mut dice) };
            let mut bytes = fen.into_bytes();
            let from =
                if number % 3 == 0 { bytes.iter().position(|byte| *byte == b' ').unwrap_or(0) } else { 0 };
            for _ in 0..=dice.below(2) {
                let at = from + dice.below(bytes.len() - from);
                let byte = ALPHABET[dice.below(ALPHABET.len())];
                match dice.below(3) {
                    0 => bytes[at] = byte,
                    1 => bytes.insert(at, byte),
                    _ => drop(bytes.remove(at)),
                }
            }
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let (found, expected) =
                (AnyMultiPosition::from_fen(&game, &text), FourWalker::from_fen(rules, &text));
            assert_eq!(found.is_ok(), expected.is_ok(), "{text}: {:?} {:?}", found.err(), expected.err());
            if let (Ok(position), Ok(walker)) = (found, expected) {
                read += 1;
                compare(&position, &walker, false);
            }
        }
        assert!(read > 100, "{read}");
    }
}

/// The faults of a game of four in whose file a text is replaced, with the place of each.
fn faults(id: &str, old: &str, new: &str) -> Vec<String> {
    let text = library::text(id).expect("a built-in game");
    assert!(text.contains(old), "{old}");
    match AnyGame::parse("f", &text.replacen(old, new, 1), &library::text) {
        Ok(_) => Vec::new(),
        Err(error) => error.faults.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn faults_of_files_for_four() {
    let check = |id, old, new, expected: &[&str]| {
        assert_eq!(faults(id, old, new), expected, "{new}");
    };
    let four = "diamondring-four";
    check(
        four,
        "players = 4",
        "players = 3",
        &["f:20:11: expected a game of two players, found one of three"],
    );
    check(four, "players = 4", "players = \"4\"", &["f:20:12: expected a whole number, found the text `4`"]);
    check(
        four,
        "players = 4",
        "players = 4\ncastling = [{ color = \"white\", name = \"short\", king = \"g1-h1\", rook = \"i1-f1\" }]",
        &["f:21:13: expected no castling in a game of four players, found one"],
    );
    check(
        four,
        "dead = []",
        "dead = [\"K v K\"]",
        &[
            "f:70:10: expected no dead material (bare kings are always a draw) in a game of four players, found one",
        ],
    );
    check(
        four,
        "betza = \"mW\"",
        "betza = \"mWimfnD\"",
        &["f:44:10: expected no initial move in a game of four players, found one"],
    );
    check(
        four,
        "\"turn\"",
        "\"mirror-ranks\"",
        &[
            "f:23:1: expected three symmetries of which each two, one after the other, are the third, found others",
        ],
    );
    check(
        four,
        "yellow = \"turn\"\n",
        "",
        &[
            "f:23:1: expected the key `yellow` (the symmetry that lays Red's side onto this one, in the table `seats`), found none",
        ],
    );
    check(four, " rbyg\"", " rbyg/\"", &["f:59:215: expected no `/` while no player is out, found one"]);
    check(
        four,
        "rWrKrE",
        "rWrNrE",
        &["f:59:8: in the starting position: expected exactly one king of Red, found 0"],
    );
    check(
        "diamondring-teams",
        "\"red yellow\", \"blue green\"",
        "\"red blue\", \"yellow green\"",
        &["f:19:11: expected the teams \"red yellow\" and \"blue green\", found `red blue`, `yellow green`"],
    );
    let mixed = faults("diamondring-teams", "players = 4", "players = 2");
    assert_eq!(mixed[0], "f:19:11: expected no team in a game of two players, found one");
    assert_eq!(mixed[1], "f:22:1: expected no table `seats` in a game of two players, found one");
}

/// Whoever plays with two refuses a file for four, whatever else is in it.
#[test]
fn games_of_four_are_no_games_of_two() {
    for id in library::multi_ids() {
        let text = library::text(id).expect("a built-in game");
        let error = Variant::parse("f", &text, &library::text).expect_err(id).to_string();
        assert!(error.ends_with("expected a game of two players, found one of four"), "{error}");
        assert!(library::game(id).is_none() && library::ids().all(|known| known != id));
        let extended = format!("extends = \"{id}\"\nid = \"own\"\nname = \"Own\"\n");
        let error = Variant::parse("f", &extended, &library::text).expect_err(id).to_string();
        assert!(error.contains("expected a game of two players, found one of four"), "{error}");
        assert!(matches!(AnyGame::parse("f", &extended, &library::text), Ok(AnyGame::Four(_))));
    }
    let error = MultiVariant::parse("f", &library::text("chess").expect("chess"), &library::text);
    assert!(
        error.expect_err("chess").to_string().ends_with("expected a game of four players, found one of two")
    );
}

/// Pieces that capture along trails give check to several players, too: here a cannon instead of the Dabbaba.
#[test]
fn cannons_give_check_across_one_piece() {
    let text =
        library::text("diamondring-four").expect("a built-in game") + "\n[roles.D]\nmoves = \"mRcpR\"\n";
    let game = MultiVariant::parse("f", &text, &library::text).unwrap_or_else(|error| panic!("{error}"));
    let check = |rows: &str, expected: &[&str]| {
        let position = AnyMultiPosition::from_fen(&game, &format!("{rows} r - - 0 1 rbyg")).expect(rows);
        let mut moves: Vec<String> =
            position.legal_moves().into_iter().map(|legal| uci::write_multi(&game, legal)).collect();
        moves.sort();
        assert_eq!(moves, expected, "{rows}");
        position.status().to_string()
    };
    // The wazir is the screen: it must step aside, or the King must leave the file.
    let one = "bD4yK6/12/12/12/rW11/2bK8gK/12/12/12/12/12/rK11";
    assert_eq!(check(one, &["a1b1", "a1b2", "a8b8"]), "check");
    // Two pieces between, of whichever player: no check, and both may move while one stays.
    let two = "bD4yK6/12/12/rW11/gN11/2bK8gK/12/12/12/12/12/rK11";
    assert_eq!(check(two, &["a1a2", "a1b1", "a1b2", "a9a10"]), "ongoing");
}

/// Games to their end beside those of the walker: repetition, count of moves, exits, agreement, results.
#[test]
fn games_end_as_the_walker_s() {
    let end = |end| match end {
        MultiEnd::Decided => End::Decided,
        MultiEnd::Stalemate => End::Stalemate,
        MultiEnd::Dead => End::Dead,
        MultiEnd::Repetition => End::Repetition,
        MultiEnd::MoveCount => End::Moves,
        MultiEnd::Agreement => End::Agreement,
    };
    let mut dice = Random::new(11);
    let mut ends = Vec::new();
    for number in 0..160 {
        let rules = GAMES[number % 2];
        let game = game(rules);
        // Few pieces and high clocks, so that counts and repetitions come about.
        let (start, walker) = loop {
            let fen = random_fen(&mut dice).replace(" - - ", if number % 4 < 2 { " - - 1" } else { " - - " });
            if let (Ok(start), Ok(walker)) =
                (AnyMultiPosition::from_fen(&game, &fen), FourWalker::from_fen(rules, &fen))
            {
                break (start, walker);
            }
        };
        let (mut played, mut expected) = (MultiGame::from_position(start), FourGame::new(walker));
        for ply in 0..90 {
            let outcome = played.outcome();
            assert_eq!(outcome.map(|outcome| end(outcome.end)), expected.end());
            let result = outcome.map_or("*".to_owned(), |outcome| outcome.result.to_string());
            assert_eq!(result, expected.result());
            assert_eq!(played.position().fen(), expected.position().fen());
            match dice.below(60) {
                0 => assert_eq!(played.resign(), expected.play("R")),
                1 | 2 => assert_eq!(played.time_out(), expected.play("T")),
                3 if ply > 20 => {
                    assert_eq!(played.agree(), outcome.is_none());
                    expected.agree();
                }
                _ => {
                    let mut moves = played.position().legal_moves();
                    moves.sort_by_key(|legal| (legal.from.index(), legal.to.index()));
                    // Mostly there and back.
                    let of = moves.len().min(1 + dice.below(3));
                    let Some(&legal) = moves.get(dice.below(of)) else { break };
                    let text = uci::write_multi(&game, legal);
                    assert_eq!(played.play(legal).is_ok(), expected.play(&text), "{text}");
                }
            }
            if outcome.is_some() {
                break;
            }
        }
        ends.extend(expected.end());
        let turns = played.turns().len();
        assert_eq!((0..turns + 1).filter(|_| played.undo().is_some()).count(), turns);
    }
    for end in [End::Decided, End::Dead, End::Repetition, End::Moves, End::Agreement] {
        assert!(ends.contains(&end), "{end:?}");
    }
}

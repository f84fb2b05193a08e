//! Games of three and four players beside the reference walker: moves, positions after them, status and places, on random games and
//! on positions changed at random.

use crate::multi_boards::{random_chess_fen, random_fen};
use crate::walker::Random;
use lozenge_reference::four::{End, FourGame, FourRules, FourWalker};
use lozenge_rules::geometry::{Square, Symmetry};
use lozenge_rules::library;
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::{
    AnyMultiPosition, Move, MoveKind, MultiEnd, MultiGame, MultiPosition, MultiWidthVisitor,
};
use lozenge_rules::seat::Seat;
use lozenge_rules::variant::{MultiRules, MultiVariant};
use std::sync::Arc;

const GAMES: [FourRules; 4] = FourRules::ALL;

fn text(rules: FourRules) -> String {
    match rules {
        FourRules::Three => include_str!("../../../../variants/examples/threearmies.toml").to_owned(),
        _ => library::text(rules.id()).expect("a built-in game"),
    }
}

fn game(rules: FourRules) -> Arc<MultiVariant> {
    MultiVariant::parse(rules.id(), &text(rules), &library::text).unwrap_or_else(|error| panic!("{error}"))
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

/// Counts that the walker of the game of three has made as well.
#[test]
fn perft_of_three_armies() {
    let start = AnyMultiPosition::start(&game(FourRules::Three));
    let walker = FourWalker::from_fen(FourRules::Three, start.variant().start()).expect("the start");
    for depth in 1..=4 {
        assert_eq!(start.perft(depth), walker.perft(depth), "{depth}");
    }
    assert_eq!([1, 2, 3, 4].map(|depth| start.perft(depth)), [8, 64, 512, 6_088]);
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
        assert_eq!(game.start(), rules.start_fen());
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
    let is_forcing = |played: &Move| {
        let captures = !played.is_castling() && position.piece_at(played.to).is_some();
        captures || played.is_promotion() || played.kind == MoveKind::EnPassant
    };
    moves.retain(is_forcing);
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
        let boards = if matches!(rules, FourRules::Free | FourRules::Teams) { 8_000 } else { 2_500 };
        for _ in 0..boards {
            let fen = random_fen(rules, &mut dice);
            let (found, expected) =
                (AnyMultiPosition::from_fen(&game, &fen), FourWalker::from_fen(rules, &fen));
            assert_eq!(found.is_ok(), expected.is_ok(), "{fen}: {:?} {:?}", found.err(), expected.err());
            let (Ok(position), Ok(walker)) = (found, expected) else { continue };
            legal += 1;
            moved_on += usize::from(position.fen() != fen);
            compare(&position, &walker, legal % 8 == 0);
        }
        assert!(
            legal > boards / 5 && moved_on > 2,
            "{rules:?}: {legal} positions, of which {moved_on} were not resolved"
        );
    }
}

/// Castling and en passant as the walker has them, from boards where there is much of both, and a few moves on.
#[test]
fn castling_and_en_passant_are_the_walker_s() {
    let game = game(FourRules::Chess);
    let mut dice = Random::new(160);
    let (mut legal, mut castlings, mut in_passing, mut doubles) = (0, 0, 0, 0);
    for _ in 0..700 {
        let fen = random_chess_fen(&mut dice);
        let (found, expected) =
            (AnyMultiPosition::from_fen(&game, &fen), FourWalker::from_fen(FourRules::Chess, &fen));
        assert_eq!(found.is_ok(), expected.is_ok(), "{fen}: {:?} {:?}", found.err(), expected.err());
        let (Ok(mut position), Ok(mut walker)) = (found, expected) else { continue };
        legal += 1;
        for _ in 0..3 {
            let after = compare(&position, &walker, legal % 4 == 0);
            let reread = AnyMultiPosition::from_fen(&game, &position.fen()).expect("its own FEN");
            assert_eq!(reread.key(), position.key(), "{}", position.fen());
            assert_eq!(forcing_moves(&position), captures_and_promotions(&position), "{}", position.fen());
            for played in position.legal_moves() {
                castlings += usize::from(played.is_castling());
                let passing = played.kind == MoveKind::EnPassant;
                in_passing += usize::from(passing);
                doubles += usize::from(passing && position.piece_at(played.to).is_some());
            }
            let Some((text, next)) = after.get(dice.below(after.len().max(1))) else { break };
            walker = walker.play(text).expect("a legal move");
            position = next.clone();
        }
    }
    assert!(
        legal > 350 && castlings > 120 && in_passing > 80 && doubles > 2,
        "{legal} positions, {castlings} castlings, {in_passing} captures en passant, {doubles} of two pieces"
    );
}

#[test]
fn castlings_and_en_passant_are_written() {
    let check = |fen: &str, played: &str, expected: &str| {
        let position = AnyMultiPosition::from_fen(&game(FourRules::Chess), fen)
            .unwrap_or_else(|error| panic!("{fen}: {error}"));
        let legal = position.legal_moves();
        let found = uci::parse_multi(&position, played).expect(played);
        assert_eq!(uci::write_multi(position.variant(), found), played);
        assert_eq!(san::write_multi(&position, found, &legal, false), expected, "{played}");
    };
    let home =
        "***yR2yK3yR***/***8***/***8***/bR12gR/14/14/13gK/bK13/14/14/bR12gR/***8***/***8***/***rR3rK2rR***";
    for (mover, short, long) in
        [('r', "h1j1", "h1f1"), ('b', "a7a5", "a7a9"), ('y', "g14e14", "g14i14"), ('g', "n8n10", "n8n6")]
    {
        let fen = format!("{home} {mover} rKrQbKbQyKyQgKgQ - 0 1 rbyg");
        check(&fen, short, "O-O");
        check(&fen, long, "O-O-O");
    }
    let passing = "***3yK4***/***8***/***8***/14/14/14/13gK/bK13/14/14/2bPrP10/***8***/***8***/***4rK3***";
    check(&format!("{passing} b - rd3d4 0 1 rbyg"), "c4d3", "cxd3");
}

/// A FEN on the board turned by 180 degrees, with the armies of opposite players exchanged. All are living.
fn turned(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let opposite = |letter: char| match letter {
        'r' => 'y',
        'y' => 'r',
        'b' => 'g',
        'g' => 'b',
        other => other,
    };
    let row = |row: &str| {
        let mut cells: Vec<String> = Vec::new();
        for letter in row.chars() {
            match cells.last_mut() {
                Some(last)
                    if (letter.is_ascii_digit() && last.ends_with(|c: char| c.is_ascii_digit()))
                        || letter.is_ascii_uppercase() =>
                {
                    last.push(letter);
                }
                _ => cells.push(opposite(letter).to_string()),
            }
        }
        cells.reverse();
        cells.concat()
    };
    let mut rows: Vec<String> = fields[0].split('/').map(row).collect();
    rows.reverse();
    let mover: String = fields[1].chars().map(opposite).collect();
    format!("{} {mover} - - {} {} {}", rows.join("/"), fields[4], fields[5], fields[6])
}

/// Opposite players have the same moves on the turned board, alone and in teams.
#[test]
fn opposite_players_have_the_same_moves() {
    for rules in [FourRules::Free, FourRules::Teams] {
        let game = game(rules);
        let mut dice = Random::new(180);
        let mut compared = 0;
        while compared < 150 {
            let fen = random_fen(rules, &mut dice);
            if !fen.ends_with("rbyg") {
                continue;
            }
            let there = AnyMultiPosition::from_fen(&game, &turned(&fen));
            let here = AnyMultiPosition::from_fen(&game, &fen);
            assert_eq!(here.is_ok(), there.is_ok(), "{fen}");
            let (Ok(here), Ok(there)) = (here, there) else { continue };
            compared += 1;
            assert_eq!(here.status(), there.status(), "{fen}");
            let shape = game.shape();
            let turn = |square: Square| {
                Symmetry::Turn.square(shape, square).expect("a square of a board without holes")
            };
            let mut moves = here.legal_moves();
            moves.iter_mut().for_each(|played| {
                (played.from, played.to) = (turn(played.from), turn(played.to));
            });
            let mut others = there.legal_moves();
            moves.sort();
            others.sort();
            assert_eq!(moves, others, "{fen}");
            assert_eq!(here.perft(2), there.perft(2), "{fen}");
        }
    }
}

/// A game taken back is what it was, whatever was played.
#[test]
fn undo_restores_every_position() {
    for rules in GAMES {
        let mut dice = Random::new(8);
        let mut played = MultiGame::new(&game(rules));
        let mut before = vec![played.position().clone()];
        for _ in 0..120 {
            let moves = played.position().legal_moves();
            match (dice.below(12), moves.get(dice.below(moves.len().max(1)))) {
                (0, _) if before.len() > 1 => {
                    assert!(played.undo().is_some());
                    before.pop();
                }
                (1, _) if dice.below(8) == 0 && played.resign() => before.push(played.position().clone()),
                (_, Some(&next)) if played.play(next).is_ok() => before.push(played.position().clone()),
                _ => {}
            }
            assert_eq!(Some(played.position()), before.last());
            played.position().assert_consistent();
        }
        while let Some(position) = before.pop() {
            assert_eq!(*played.position(), position);
            assert_eq!(played.undo().is_none(), before.is_empty());
        }
    }
}

/// Texts changed at random never make the reader panic, and both readers take or refuse the same ones.
#[test]
fn broken_fens_are_refused_as_by_the_walker() {
    const ALPHABET: &[u8] = b"rbygdKQWEDNRBP/0123456789 -*,\xc3";
    for rules in GAMES {
        let game = game(rules);
        let mut dice = Random::new(99);
        let mut read = 0;
        for number in 0..6_000 {
            let fen = if number % 2 == 0 { rules.start_fen() } else { random_fen(rules, &mut dice) };
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
        let rules = GAMES[number % GAMES.len()];
        let game = game(rules);
        // Few pieces and high clocks, so that counts and repetitions come about.
        let (start, walker) = loop {
            let fen = random_fen(rules, &mut dice)
                .replace(" - - ", if number % 4 < 2 { " - - 1" } else { " - - " });
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

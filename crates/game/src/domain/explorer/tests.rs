//! Entries, sums, keys and filters of the explorer.

use super::*;
use lozenge_rules::library;
use lozenge_rules::position::AnyPosition;
use proptest::prelude::*;

fn entries() -> impl Strategy<Value = ExplorerEntry> {
    let counts = any::<[u32; 5]>().prop_map(|numbers| {
        let mut counts = Counts::default();
        for (own, number) in counts.numbers_mut().into_iter().zip(numbers) {
            *own = u64::from(number);
        }
        counts
    });
    let buckets = prop::collection::btree_map(any::<u8>().prop_map(Bucket), counts, 1..4);
    let moves = prop::collection::btree_map("[a-p][1-9][a-p]1[0-6][a-z]?", buckets, 0..6);
    let games = prop::collection::btree_set(any::<u64>(), 1..RECENT);
    let games = games.prop_map(|games| games.into_iter().rev().collect::<Vec<u64>>());
    let recent = prop::collection::btree_map(any::<u8>().prop_map(Bucket), games, 0..4);
    (moves, recent).prop_map(|(moves, recent)| ExplorerEntry {
        moves: moves.into_iter().map(|(uci, buckets)| (uci.into(), buckets)).collect(),
        recent,
    })
}

fn sum(entry: &ExplorerEntry, filter: &ExplorerFilter) -> ExplorerSum {
    let mut sum = ExplorerSum::default();
    sum.add(&entry.encode(), filter).expect("an entry");
    sum
}

proptest! {
    #[test]
    fn entry_is_decoded_as_encoded(entry in entries()) {
        let bytes = entry.encode();
        prop_assert_eq!(ExplorerEntry::decode(&bytes), Some(entry));
        for cut in 0..bytes.len() {
            prop_assert_eq!(ExplorerEntry::decode(&bytes[..cut]), None);
        }
    }

    #[test]
    fn arbitrary_bytes_are_decoded_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let read = ExplorerSum::default().add(&bytes, &ExplorerFilter::default());
        prop_assert_eq!(read.is_some(), ExplorerEntry::decode(&bytes).is_some());
    }

    #[test]
    fn entries_merge_in_any_order(one in entries(), other in entries()) {
        let (mut first, mut second) = (one.clone(), other.clone());
        first.merge(&other);
        second.merge(&one);
        prop_assert_eq!(&first, &second);
        let rated = ExplorerFilter { rated: Some(true), ..ExplorerFilter::default() };
        let mut sum = sum(&one, &rated);
        sum.add(&other.encode(), &rated).expect("an entry");
        prop_assert_eq!(sum, self::sum(&first, &rated));
    }
}

/// Entries are on the disk: neither format nor keys may change unnoticed.
#[test]
fn encoding_of_an_entry_is_stable() {
    let game = CountedGame {
        month: 683,
        bucket: Bucket::of(Speed::Blitz, true, Some(1500)),
        result: GameResult::BlackWins,
        visits: vec![],
    };
    let mut entry = ExplorerEntry::default();
    let visit = |uci: &str, rating| Visit { key: 0, uci: uci.into(), rating, seat: 0 };
    entry.count(&game, &visit("e2e4", Some(1500)), Some(300));
    entry.count(&game, &visit("o1o16q", None), None);
    let bytes =
        b"\x01\x02\x04e2e4\x01\x59\0\0\x01\xDC\x0B\x01\x06o1o16q\x01\x59\0\0\x01\0\0\x01\x59\x01\xAC\x02";
    assert_eq!(entry.encode(), bytes);
}

/// As a damaged database may have them.
#[test]
fn largest_counts_neither_overflow_nor_panic() {
    let most = Counts { white: u64::MAX, rating_sum: u64::MAX, rating_count: u64::MAX, ..Counts::default() };
    assert_eq!(most.average_rating(), Some(1));
    let bucket = Bucket::of(Speed::Blitz, true, Some(1500));
    let mut entry = ExplorerEntry::default();
    entry.moves.insert("e2e4".into(), BTreeMap::from([(bucket, most)]));
    let game = CountedGame { month: 683, bucket, result: GameResult::WhiteWins, visits: vec![] };
    entry.count(&game, &Visit { key: 0, uci: "e2e4".into(), rating: Some(1500), seat: 0 }, None);
    assert_eq!(sum(&entry, &ExplorerFilter::default()).moves["e2e4"], most);
}

#[test]
fn position_keys_are_stable() {
    let digest = format!("8000000000000001{}", "0".repeat(48));
    assert_eq!(key(&digest, 3), i64::MIN + 2);
    for (game, fen, expected) in KEYS {
        let variant = library::game(game).unwrap_or_else(|| panic!("{game} is built in"));
        let position = AnyPosition::from_fen(&variant, fen).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(format!("{:016x}", position.key()), expected, "{game} {fen}");
    }
}

#[test]
fn a_position_counts_once_in_a_game() {
    let variant = library::game("chess").expect("built in");
    let mut game = Game::new(&variant);
    for text in ["g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "e7e5"] {
        let played = uci::parse(game.position(), text).unwrap_or_else(|error| panic!("{error}"));
        game.play(played).unwrap_or_else(|error| panic!("{error}"));
    }
    let counted = CountedGame::of_book("", &BookGame { game, winner: None });
    let moves: Vec<&str> = counted.visits.iter().map(|visit| &*visit.uci).collect();
    assert_eq!(moves, ["g1f3", "g8f6", "f3g1", "f6g8", "e7e5"], "e2e4 was played in the first position");
    let mut entry = ExplorerEntry::default();
    counted.visits.iter().for_each(|visit| entry.count(&counted, visit, None));
    let sum = sum(&entry, &ExplorerFilter::default());
    assert!(sum.moves.values().all(|counts| (counts.draws, counts.games()) == (1, 1)));
    assert!(sum.recent.is_empty());
}

#[test]
fn games_of_more_players_count_for_the_mover() {
    let game = library::multi_game("threearmies").expect("built in");
    let mut game = MultiGame::new(&game);
    for _ in 0..4 {
        let played = game.position().legal_moves()[0];
        assert!(game.play_turn(MultiTurn::Move(played)));
    }
    assert!(game.play_turn(MultiTurn::Resignation));
    let visits = multi_visits("", &game, |_| None);
    assert_eq!(visits.iter().map(|visit| visit.seat).collect::<Vec<_>>(), [0, 1, 2, 0]);
    let counted = |result: &str| {
        let result = result.parse().expect("a result");
        let bucket = Bucket::of(Speed::Blitz, true, None);
        let game = CountedGame { month: 683, bucket, result, visits: visits.clone() };
        let of = |visit: &Visit| {
            let mut entry = ExplorerEntry::default();
            entry.count(&game, visit, None);
            let counts = sum(&entry, &ExplorerFilter::default()).moves[&*visit.uci];
            [counts.white, counts.draws, counts.black]
        };
        game.visits.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(counted("1-3-2"), [[1, 0, 0], [0, 0, 1], [0, 0, 1], [1, 0, 0]]);
    assert_eq!(counted("1-1-3"), [[0, 1, 0], [0, 1, 0], [0, 0, 1], [0, 1, 0]]);
    // Keys are on the disk.
    assert_eq!(
        format!("{:016x}", MultiGame::new(game.position().variant()).position().key()),
        "8a67e8cb10fb986d"
    );
}

#[test]
fn key_depends_on_side_rights_and_possible_en_passant() {
    let variant = library::game("chess").expect("built in");
    let of = |fen: &str| AnyPosition::from_fen(&variant, fen).expect("a position").key();
    let base = of("r3k2r/8/8/8/4P3/8/8/R3K2R b KQkq - 0 1");
    assert_ne!(base, of("r3k2r/8/8/8/4P3/8/8/R3K2R w KQkq - 0 1"), "side to move");
    assert_ne!(base, of("r3k2r/8/8/8/4P3/8/8/R3K2R b KQk - 0 1"), "castling rights");
    assert_eq!(base, of("r3k2r/8/8/8/4P3/8/8/R3K2R b KQkq e3 0 1"), "no capture is possible");
    assert_eq!(base, of("r3k2r/8/8/8/4P3/8/8/R3K2R b KQkq - 7 9"), "clocks");
    let near = of("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1");
    assert_ne!(near, of("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), "en passant is legal");
    // The pawn is pinned along the rank.
    let pinned = of("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1");
    assert_eq!(pinned, of("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1"), "en passant is not legal");
}

#[test]
fn filters_cover_whole_rating_bands() {
    let blitz = Bucket::of(Speed::Blitz, true, Some(1599));
    let casual = Bucket::of(Speed::Unlimited, false, None);
    let filter = |ratings| ExplorerFilter { ratings, ..ExplorerFilter::default() };
    for (min, max, admitted) in [
        (Some(1400), None, true),
        (Some(1599), None, true),
        (Some(1600), None, false),
        (None, Some(1400), true),
        (None, Some(1399), false),
        (Some(i32::MIN), Some(i32::MAX), true),
    ] {
        assert_eq!(filter([min, max]).admits(blitz), admitted, "{min:?} {max:?}");
        assert!(!filter([min, max]).admits(casual), "a game without ratings");
    }
    let all = ExplorerFilter::default();
    assert!(all.admits(casual) && all.admits(Bucket::BOOK));
    let casual_only = ExplorerFilter { rated: Some(false), ..all };
    assert!(casual_only.admits(casual) && !casual_only.admits(blitz) && !casual_only.admits(Bucket::BOOK));
    let fast = ExplorerFilter { speed: Some(Speed::Blitz), ..all };
    assert!(fast.admits(blitz) && !fast.admits(casual));
}

#[test]
fn months_are_counted_in_utc() {
    for (at, expected) in [
        (0, 1),
        (-1, 1),
        (i64::MIN, 1),
        (i64::MAX, 96_360),
        (1_793_491_199_999, 682),
        (1_793_491_200_000, 683),
    ] {
        assert_eq!(month(at), expected, "{at}");
    }
}

const KEYS: [(&str, &str, &str); 7] = [
    (
        "diamond",
        "****k****/***anv***/**pprpp**/*3p3*/4*4/*3P3*/**PPRPP**/***ANV***/****K**** w - - 0 1",
        "bf44d051200692b3",
    ),
    ("diagonal", "3prnnk/4ppqb/5ppb/P5pr/RP5p/BPP5/BQPP4/KNNRP3 w - - 0 1", "b64469b461f327f6"),
    ("diamondback", "3prnqk/4ppbb/5ppn/P3p1pr/RP1P3p/NPP5/BBPP4/KQNRP3 w - - 0 1", "0da9209cc777e196"),
    (
        "diamondring",
        "2PREFWERP2/3PNBBNP3/p3PDDP3p/rp3PP3pr/enp6pne/kbdp4pdbw/fbdp4pdbf/enp6pne/rp3PP3pr/p3PDDP3p/3PNBBNP3/\
         2PREFKERP2 w - - 0 1",
        "237b2e06efcf719a",
    ),
    (
        "doublediamond",
        "**2rnbmk/**1pppppq/7pb/1P5pn/RP5pr/NP5p1/BP7/MPPPPP1**/KQBNR2** w KQkq - 0 1",
        "531fa5147cecbd7c",
    ),
    ("chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "85ec6846dc8d8e3e"),
    ("chess", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "8ca58931564c35f4"),
];

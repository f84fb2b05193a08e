//! Chess960: all starts by their numbers, castling, and both ways to write its rights.

use lozenge_rules::library;
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::{AnyPosition, MoveKind};
use lozenge_rules::variant::Variant;
use std::sync::Arc;

fn game() -> Arc<Variant> {
    library::game("chess960").unwrap()
}

fn position(fen: &str) -> AnyPosition {
    AnyPosition::from_fen(&game(), fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn castlings(position: &AnyPosition) -> String {
    let is_castling = |kind| matches!(kind, MoveKind::Castling(_));
    let mut texts: Vec<String> = (position.legal_moves().iter())
        .filter(|legal| is_castling(legal.kind))
        .map(|&legal| uci::write(position.variant(), legal))
        .collect();
    texts.sort();
    texts.join(" ")
}

/// As python-chess has them: numbers of the starts, FENs, moves, and castlings.
#[test]
fn positions_of_python_chess() {
    let text = include_str!("../../../../testdata/chess960.txt");
    let game = game();
    let mut numbers = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [number, rank, fen, shredder, moves, nodes, castled] = fields[..] else { panic!("{line}") };
        let start = &game.starts()[number.parse::<usize>().unwrap()];
        let small = rank.to_ascii_lowercase();
        assert_eq!(start.fen, format!("{small}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1"));
        let position = position(fen);
        assert_eq!(position.fen(), fen);
        let mut words: Vec<&str> = fen.split(' ').collect();
        words[2] = shredder;
        assert_eq!(self::position(&words.join(" ")).fen(), fen, "{shredder}");
        assert_eq!(position.legal_moves().len().to_string(), moves, "{fen}");
        assert_eq!(position.perft(2).to_string(), nodes, "{fen}");
        assert_eq!(castlings(&position), castled, "{fen}");
        numbers += 1;
    }
    assert_eq!((numbers, game.starts().len()), (960, 960));
}

#[test]
fn the_usual_start_is_that_of_chess() {
    let (game, chess) = (game(), library::game("chess").unwrap());
    assert_eq!(game.usual_start(), 518);
    assert_eq!(AnyPosition::start(&game).fen(), chess.starts()[0].fen);
    assert_eq!(AnyPosition::start(&game).perft(4), 197_281);
    assert_eq!(library::named("fischerandom").unwrap().id(), "chess960");
}

#[test]
fn rights_of_an_inner_rook_are_named_by_its_file() {
    let inner = "4k3/8/8/8/8/8/8/1R2K1RR w GB - 0 1";
    assert_eq!(position(inner).fen(), "4k3/8/8/8/8/8/8/1R2K1RR w GQ - 0 1");
    assert_eq!(castlings(&position(inner)), "e1b1 e1g1");
    let outer = "4k3/8/8/8/8/8/8/1R2K1RR w KQ - 0 1";
    assert_eq!(position(outer).fen(), outer);
    assert_eq!(castlings(&position(outer)), "e1b1");
    for wrong in ["4k3/8/8/8/8/8/8/1R2K3 w K - 0 1", "4k3/8/8/8/8/8/8/1R2K3 w A - 0 1"] {
        assert!(AnyPosition::from_fen(&game(), wrong).is_err(), "{wrong}");
    }
}

#[test]
fn castlings_are_written_and_read() {
    // The King stays, the rook jumps over it.
    let stays = position("4k3/8/8/8/8/8/8/6KR w K - 0 1");
    let castling = uci::parse(&stays, "g1h1").unwrap();
    assert_eq!((uci::write(&game(), castling), san::write(&stays, castling)), ("g1h1".into(), "O-O".into()));
    assert_eq!(san::parse(&stays, "O-O"), Ok(castling));
    assert_eq!(stays.play(castling).unwrap().fen(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    // The rook shields the King from another rook.
    assert_eq!(castlings(&position("4k3/8/8/8/8/8/8/rR1K4 w Q - 0 1")), "");
    // In orthodox chess both ways are read, and Shredder's letters.
    let chess = library::game("chess").unwrap();
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1";
    let chess = AnyPosition::from_fen(&chess, fen).unwrap();
    assert_eq!(chess.fen(), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (king, rook) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
        assert_eq!(uci::parse(&chess, king), uci::parse(&chess, rook));
    }
}

#[test]
fn a_rule_that_makes_no_starts_is_faulty() {
    let check = |old: &str, new: &str, expected: &str| {
        let text = library::text("chess960").unwrap().replace(old, new);
        let error = Variant::parse("own", &text, &library::text).unwrap_err();
        assert!(error.faults.iter().any(|fault| fault.to_string().contains(expected)), "{new}: {error:?}");
    };
    check("\"RKR\"", "\"RK\"", "equal pieces");
    check("\"RKR\"", "\"RXR\"", "equal pieces");
    check(", \"RKR\"", "", "8 pieces for these squares");
    check("\"g1/c1\"", "\"g1\"", "two of the shuffled squares");
    check("castling = []", "", "no castlings beside those of the shuffle");
    check("\"B/B\"", "\"BB\"", "at most 1000");
    check("\"RKR\"", "\"RRK\"", "castling rights");
    check("\"B/B\", \"Q\", \"NN\", \"RKR\"", "\"Q\", \"B\", \"N\", \"R\", \"K\", \"BNR\"", "at most 1000");
}

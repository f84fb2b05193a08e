//! SAN where our games differ from orthodox chess: castling with the rook's square, pawns that meet
//! from several sides, promotion without choice, the torus; and what is refused.

use lozenge_rules::library;
use lozenge_rules::notation::san::{self, SanError};
use lozenge_rules::notation::uci;
use lozenge_rules::position::AnyPosition;

fn position(id: &str, fen: &str) -> AnyPosition {
    AnyPosition::from_fen(&library::game(id).unwrap(), fen).unwrap()
}

/// The move in long algebraic form is written so, and read from that and from each other text.
fn check(id: &str, fen: &str, long: &str, short: &str, also: &[&str]) {
    let position = position(id, fen);
    let played = uci::parse(&position, long).unwrap_or_else(|error| panic!("{id}: {fen}: {error}"));
    assert_eq!(san::write(&position, played), short, "{id}: {fen}");
    for text in [short, long].iter().chain(also) {
        assert_eq!(san::parse(&position, text), Ok(played), "{id}: {fen}: {text}");
    }
}

const DIAMONDBACK_CASTLING: &str = "7k/8/8/8/R7/8/8/K2R4 w - - 0 1";

#[test]
fn castling() {
    check("diamondback", DIAMONDBACK_CASTLING, "a1c1", "O-O:d1", &["0-0:d1", "O-O:d1+"]);
    check("diamondback", DIAMONDBACK_CASTLING, "a1a3", "O-O:a4", &["0-0:a4"]);
    check("diamondback", DIAMONDBACK_CASTLING, "a1d1", "O-O-O:d1", &["0-0-0:d1"]);
    let double = "**6k/**7/9/9/R8/9/9/7**/K3R2** w KQ - 0 1";
    check("doublediamond", double, "a1c1", "O-O", &["0-0"]);
    check("doublediamond", double, "a1a3", "O-O-O", &["0-0-0"]);
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    check("chess", kiwipete, "e1g1", "O-O", &["0-0", "O-O!?"]);
}

#[test]
fn castling_names_the_rook_only_where_two_castlings_are_legal() {
    let one_rook = "7k/8/8/8/8/8/8/K2R4 w - - 0 1";
    check("diamondback", one_rook, "a1c1", "O-O", &["0-0", "O-O:d1"]);
    check("diamondback", one_rook, "a1d1", "O-O-O", &["0-0-0", "O-O-O:d1"]);
    // The other rook is there, and may not: a piece stands between.
    check("diamondback", "7k/8/8/8/R7/B7/8/K2R4 w - - 0 1", "a1c1", "O-O", &["O-O:d1"]);
}

#[test]
fn pawns() {
    // Two pawns can capture on one square, along a file and along a rank.
    let fen = "7k/8/8/8/3p4/2PP4/8/K7 w - - 0 1";
    check("diagonal", "7k/8/8/8/3p4/3P4/8/K7 w - - 0 1", "d3d4", "dxd4", &["Pxd4", "d3xd4", "xd4"]);
    check("diagonal", "7k/8/8/8/2Pp4/3P4/8/K7 w - - 0 1", "c4d4", "cxd4", &["Pcxd4"]);
    check("diagonal", "7k/8/8/8/2Pp4/3P4/8/K7 w - - 0 1", "d3d4", "dxd4", &["Pdxd4"]);
    assert_eq!(position("diagonal", fen).legal_moves().len(), 3 + 2);
    // On d8 there is only one choice, so it need not be named.
    check("diagonal", "7k/2P5/8/8/8/8/8/K7 w - - 0 1", "c7d8n", "d8=N", &["d8", "d8N", "d8(N)", "c7-d8=N"]);
    // A goal wins at once.
    check("diagonal", "k7/6P1/8/8/8/8/8/K7 w - - 0 1", "g7h8", "h8#", &["h8", "Ph8"]);
    // En passant is a capture.
    let fen = "**6k/**7/9/3bpP3/3P5/9/9/7**/K6** w - f7 0 2";
    check("doublediamond", fen, "f6f7", "fxf7", &["f6xf7", "Pxf7", "fxf7 e.p."]);
    // Sideways at the edge, where two pawns can reach one square.
    let fen = "****k****/***3***/**5**/*7*/1P2*4/*1P5*/**5**/***3***/****K**** w - - 0 1";
    check("diamond", fen, "b5b6", "b6", &["b5-b6"]);
}

#[test]
fn pieces() {
    let fen = "7k/8/8/8/8/8/R7/K3R3 w - - 0 1";
    check("diamondback", fen, "a2e2", "Rae2", &["Ra2e2", "Ra2-e2", "R2e2"]);
    check("diamondback", fen, "e1e2", "Ree2", &["R1e2"]);
    let fen = "7k/8/8/4R3/8/8/8/K3R3 w - - 0 1";
    check("diamondback", fen, "e1e3", "R1e3", &["Re1e3"]);
    // Round the torus: l12 is the diagonal neighbor of a1.
    let ring = "12/12/12/12/12/12/5k6/12/12/12/12/F4K6 w - - 0 1";
    check("diamondring", ring, "a1l12", "Fl12", &["Fa1l12", "Fa1-l12"]);
}

#[test]
fn fusing_and_splitting() {
    let ring = |pieces: &str| pieces.to_owned() + " w - - 0 1";
    // A fusion is a move onto the own piece: no sign of a capture.
    let fen = ring("12/12/12/12/5k6/12/4B7/12/4R7/12/12/6K5");
    check("diamondring-fusion", &fen, "e4e6", "Re6", &["R4e6", "Re4e6", "Re4-e6"]);
    let fen = ring("12/12/12/12/5k6/12/4B1R5/12/4R7/12/12/6K5");
    check("diamondring-fusion", &fen, "e4e6", "Ree6", &["R4e6"]);
    check("diamondring-fusion", &fen, "g6e6", "Rge6", &["R6e6"]);
    // The whole Queen, her Rook, her Bishop.
    let fen = ring("12/12/12/12/9k2/12/12/12/4Q7/12/12/6K5");
    check("diamondring-fusion", &fen, "e4e6", "Qe6", &["Q4e6"]);
    check("diamondring-fusion", &fen, "e4e6r", "Qe6R", &["Qe6=R", "Qe6(R)", "Qe4e6R"]);
    check("diamondring-fusion", &fen, "e4f5b", "Qf5B", &["Qf5=B"]);
    check("diamondring-fusion", &fen, "e4f5", "Qf5", &[]);
    // Two Queens whose Rooks can leave for one square, and only one whose Bishop can.
    let fen = ring("12/12/12/12/9k2/12/6Q5/12/4Q7/12/12/10K1");
    check("diamondring-fusion", &fen, "e4e6r", "Qee6R", &["Q4e6R"]);
    check("diamondring-fusion", &fen, "g6e6r", "Qge6R", &["Q6e6R"]);
    check("diamondring-fusion", &fen, "e4d5b", "Qd5B", &[]);
    // A part of another compound.
    let fen = ring("12/12/12/12/12/12/12/k11/12/4T7/12/10K1");
    check("diamondring-fusion", &fen, "e3f4f", "Tf4F", &[]);
    // The right to castle is lost by fusing on the rook's square, and by the rook's fusing elsewhere.
    for (played, rights) in [("g3h1", "Qkq"), ("h1h4", "Qkq"), ("g3e4", "KQkq")] {
        let before = position("fusionchess", "r3k2r/8/8/8/7B/6N1/8/R3K2R w KQkq - 7 1");
        let after = before.play(uci::parse(&before, played).unwrap()).unwrap();
        assert_eq!(after.fen().split(' ').nth(2), Some(rights), "{played}");
        assert_eq!(after.setup().halfmove_clock, 8, "{played}: no restart of the count");
    }
}

#[test]
fn refused() {
    let start = AnyPosition::start(&library::game("diamondback").unwrap());
    for text in ["", "x", "hello", "Kz9", "Q", "a1a1a1", "O-O-O-O", "\u{fffd}", "=Q", "é4"] {
        assert!(matches!(san::parse(&start, text), Err(SanError::Syntax { .. })), "{text:?}");
    }
    for text in ["O-O", "Ka2", "a1a2", "h8=Q"] {
        assert!(matches!(san::parse(&start, text), Err(SanError::Illegal(_))), "{text}");
    }
    let both = position("diamondback", DIAMONDBACK_CASTLING);
    let Err(SanError::Ambiguous { candidates, .. }) = san::parse(&both, "O-O") else { panic!("ambiguous") };
    assert_eq!(candidates, ["O-O:d1", "O-O:a4"]);
    let choice = position("diagonal", "8/6P1/8/8/8/8/k7/2K5 w - - 0 1");
    assert!(matches!(san::parse(&choice, "gxg8"), Err(SanError::Illegal(_))));
}

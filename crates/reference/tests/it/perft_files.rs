//! Every count of `testdata/perft`, as far as it does not take long. The limit on the count is
//! the environment variable `LOZENGE_WALKER_NODES`, 2,500 without it; `cargo xtask ci` and `proof` raise it.

use std::path::Path;

use lozenge_reference::{Variant, Walker};

/// One count of a file.
struct Case {
    game: Variant,
    fen: String,
    depth: u32,
    count: u64,
}

/// The counts of all files. A file is named after its game; lines are comments, `fen FEN`, or
/// `perft DEPTH COUNT` of the position before.
fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/perft");
    let mut cases = Vec::new();
    for id in Variant::ids() {
        let game = Variant::by_id(id).expect("a known game");
        let path = folder.join(format!("{id}.perft"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut fen = None;
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let line = line.split('#').next().unwrap_or(line).trim();
            match line.split_once(' ') {
                Some(("fen", rest)) => fen = Some(rest.to_string()),
                Some(("perft", rest)) => {
                    let (depth, count) = rest.split_once(' ').expect("a depth and a count");
                    cases.push(Case {
                        game,
                        fen: fen.clone().expect("a fen before its counts"),
                        depth: depth.parse().expect("a depth"),
                        count: count.parse().expect("a count"),
                    });
                }
                _ => panic!("{}: {line}", path.display()),
            }
        }
    }
    cases
}

fn check(cases: impl Iterator<Item = Case>) {
    for case in cases {
        let walker = Walker::from_fen(&case.game, &case.fen).expect("a readable position");
        let id = case.game.id();
        assert_eq!(walker.perft(case.depth), case.count, "{id} at depth {}: {}", case.depth, case.fen);
    }
}

#[test]
fn counts() {
    let limit =
        std::env::var("LOZENGE_WALKER_NODES").ok().and_then(|text| text.parse().ok()).unwrap_or(2_500);
    check(cases().into_iter().filter(|case| case.count <= limit));
}

/// A square behind a pawn that no pawn can capture is read, but not written.
#[test]
fn positions_are_written_as_they_are_read() {
    for case in cases() {
        let walker = Walker::from_fen(&case.game, &case.fen).expect("a readable position");
        let written = walker.fen();
        let fields = |fen: &str| fen.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let (mut expected, found) = (fields(&case.fen), fields(&written));
        if found[3] == "-" {
            expected[3] = "-".into();
        }
        assert_eq!(found, expected, "{}", case.game.id());
    }
}

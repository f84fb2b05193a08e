//! Every count in `testdata/perft/` that is not too large for a quick test. `cargo xtask proof` checks the larger ones.

use lozenge_rules::library;
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::{Variant, View};
use std::path::Path;

/// Counts above this are left to `cargo xtask proof`.
const MAX_NODES: u64 = 6_000_000;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/perft")
}

#[test]
fn counts_of_testdata() {
    let limit =
        std::env::var("LOZENGE_PERFT_NODES").ok().and_then(|text| text.parse().ok()).unwrap_or(MAX_NODES);
    for id in library::ids() {
        let path = folder().join(format!("{id}.perft"));
        let Ok(text) = std::fs::read_to_string(&path) else {
            // The example of the manual alone is counted nowhere.
            assert_eq!(id, "brilliant", "no {}", path.display());
            continue;
        };
        let game = library::game(id).unwrap();
        let mut position = None;
        let mut counts = 0;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(fen) = line.strip_prefix("fen ") {
                position = Some(
                    AnyPosition::from_fen(&game, fen).unwrap_or_else(|error| panic!("{id}: {fen}: {error}")),
                );
                continue;
            }
            let numbers: Vec<u64> = line
                .strip_prefix("perft ")
                .unwrap()
                .split(' ')
                .map(|number| number.parse().unwrap())
                .collect();
            let &[depth, nodes] = &numbers[..] else { panic!("{id}: {line}") };
            if nodes <= limit {
                let position = position.as_ref().expect("fen before perft");
                assert_eq!(position.perft(depth as u32), nodes, "{id}: depth {depth} of {}", position.fen());
                counts += 1;
            }
        }
        assert!(counts >= 10, "{id}: {counts} counts");
    }
}

/// Glinski's chess, the example of a board of hexagons, which is not built in. The counts are published.
#[test]
fn hexagons_have_published_counts() {
    let text = include_str!("../../../../variants/examples/glinski.toml");
    let game = Variant::parse("glinski.toml", text, &library::text).unwrap();
    assert_eq!((game.shape().len(), game.view()), (91, View::Hexagon));
    let start = AnyPosition::start(&game);
    assert_eq!([1, 2, 3].map(|depth| start.perft(depth)), [51, 2_586, 137_858]);
}

/// The symmetry that exchanges the sides leaves perft as it is: every start with Black's pieces where
/// White's were and the other side to move.
#[test]
fn perft_is_symmetric() {
    for id in library::ids() {
        let game = library::game(id).unwrap();
        for start in game.starts() {
            let position = AnyPosition::from_fen(&game, &start.fen).unwrap();
            let white = walk(&position, 6);
            for position in &white {
                let mirrored = mirror(position);
                assert_eq!(
                    position.legal_moves().len(),
                    mirrored.legal_moves().len(),
                    "{id}: {}",
                    position.fen()
                );
                assert_eq!(position.perft(2), mirrored.perft(2), "{id}: {}", position.fen());
                assert_eq!(position.status(), mirrored.status(), "{id}: {}", position.fen());
            }
        }
    }
}

/// The position and some that follow it.
fn walk(position: &AnyPosition, plies: usize) -> Vec<AnyPosition> {
    let mut line = vec![position.clone()];
    for ply in 0..plies {
        let moves = line[ply].legal_moves();
        let Some(&next) = moves.get((ply * 7 + 3) % moves.len().max(1)) else { break };
        line.push(line[ply].play(next).unwrap());
    }
    line
}

/// The same position with the sides exchanged by the game's symmetry.
fn mirror(position: &AnyPosition) -> AnyPosition {
    use lozenge_rules::position::{Cell, Piece, Setup};
    let variant = position.variant();
    let (width, height) = (variant.shape().width(), variant.shape().height());
    let symmetry = variant.symmetry();
    let setup = position.setup();
    let place = |at| symmetry.coord(at, width, height);
    let mut swapped = Setup {
        turn: setup.turn.opponent(),
        rights: swap_rights(position, setup.rights),
        en_passant: setup.en_passant.map(place),
        en_passant_pawn: setup.en_passant_pawn.map(place),
        moved: setup.moved.iter().map(|&at| place(at)).collect(),
        ..setup.clone()
    };
    for (index, cell) in setup.cells.iter().enumerate() {
        let (file, rank) = (index as u8 % width, index as u8 / width);
        let cell = match *cell {
            Cell::Piece(piece) => Cell::Piece(Piece::new(piece.color().opponent(), piece.role())),
            other => other,
        };
        swapped.set(place(lozenge_rules::geometry::Coord { file, rank }), cell);
    }
    AnyPosition::from_setup(variant, &swapped).unwrap()
}

/// A right goes to the castling whose king and rook stand where the mirror puts them.
fn swap_rights(position: &AnyPosition, rights: u16) -> u16 {
    let variant = position.variant();
    if variant.is_shuffled() {
        // One right for each rook's file, White's eight first.
        return rights.rotate_left(8);
    }
    let shape = variant.shape();
    let image = |square| variant.symmetry().square(shape, square).unwrap();
    let castlings: Vec<_> = variant.castlings().iter().filter(|_| !variant.rights().is_empty()).collect();
    let mut swapped = 0;
    for (bit, castling) in castlings.iter().enumerate().filter(|(bit, _)| rights >> bit & 1 != 0) {
        let other = castlings.iter().position(|other| {
            other.king.0 == image(castling.king.0) && other.rook.0 == image(castling.rook.0)
        });
        swapped |= 1 << other.unwrap_or(bit);
    }
    swapped
}

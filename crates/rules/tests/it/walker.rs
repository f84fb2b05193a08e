//! The fast generator against the slow reference walker, move by move through random games. Both have the same legal moves,
//! status, checkers and FEN. Sets, hash and checkers equal the recomputed ones, undo restores the position, and every move
//! survives its own notation. Random games, and random placements of few pieces, where lines are long and Kings stand in the open.
//! `LOZENGE_WALKS` multiplies the positions. `cargo xtask ci` takes four times as many: at least 5,000 of each of the five games
//! and 2,500 of each of the Diamond Ring family. `cargo xtask proof` takes sixteen times as many.

use lozenge_reference as reference;
use lozenge_rules::library;
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::{AnyPosition, Cell, Color, Game, Piece, Role, Status};
use lozenge_rules::variant::Variant;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use std::sync::Arc;

/// Positions compared for one of the five games, and for an example.
const OWN: usize = 1_250;
const EXAMPLE: usize = 320;

/// Positions of random games and of random placements, for one of the family and for an example.
const FAMILY: [usize; 2] = [70, 560];
const INVENTED: [usize; 2] = [190, 190];

/// The same games in every run.
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    /// A number below the bound; 0 if there is none.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound.max(1) as u64) as usize
    }
}

/// How many times as many positions are compared.
fn walks() -> usize {
    std::env::var("LOZENGE_WALKS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

fn compare(id: &str, seed: u64, positions: usize) {
    let positions = positions * walks();
    let game = library::game(id).unwrap();
    let slow_game = reference::Variant::by_id(id).unwrap_or_else(|| panic!("the walker does not know {id}"));
    let mut random = Random::new(seed);
    let mut compared = 0;
    while compared < positions {
        let start = &game.starts()[random.below(game.starts().len())];
        compared += play(&game, &slow_game, &start.fen, 200, &mut random);
    }
}

/// Plays a random game from a position, both ways, and returns how many positions it compared.
fn play(
    game: &Arc<Variant>,
    slow_game: &reference::Variant,
    fen: &str,
    plies: usize,
    random: &mut Random,
) -> usize {
    let mut fast = Game::from_position(AnyPosition::from_fen(game, fen).unwrap());
    let mut slow = reference::Walker::from_fen(slow_game, fen).unwrap();
    for compared in 1..=plies {
        let moves = compare_position(fast.position(), &slow);
        if moves.is_empty() {
            return compared;
        }
        let text = &moves[random.below(moves.len())];
        let played = uci::parse(fast.position(), text).unwrap();
        assert_undo_restores(&mut fast, played);
        fast.play(played).unwrap();
        slow = slow.play(text).unwrap();
    }
    plies
}

/// Random placements: the Kings and 2 to 11 pieces of any kind, and a few moves from there.
fn compare_placements(id: &str, seed: u64, positions: usize) {
    let positions = positions * walks();
    let game = library::game(id).unwrap();
    let slow_game = reference::Variant::by_id(id).unwrap_or_else(|| panic!("the walker does not know {id}"));
    let mut random = Random::new(seed);
    let royal = game.roles().royal().unwrap();
    let roles: Vec<Role> = game.roles().iter().map(|(role, _)| role).filter(|&role| role != royal).collect();
    let mut compared = 0;
    while compared < positions {
        let mut setup = AnyPosition::start(&game).setup();
        let mut free: Vec<usize> =
            (0..setup.cells.len()).filter(|&cell| setup.cells[cell] != Cell::Hole).collect();
        for &cell in &free {
            setup.cells[cell] = Cell::Empty;
        }
        setup.rights = 0;
        setup.turn = Color::BOTH[random.below(2)];
        let pieces = 2 + random.below(10);
        for number in 0..(pieces + 2).min(free.len()) {
            let cell = free.swap_remove(random.below(free.len()));
            let color = Color::BOTH[number % 2];
            let role = if number < 2 { royal } else { roles[random.below(roles.len())] };
            // Pawns with a first move never stand behind where they began.
            let rank = cell / usize::from(setup.width);
            let behind = rank == 0 || (rank + 1) * usize::from(setup.width) == setup.cells.len();
            if behind && game.en_passant_roles().contains(role) {
                continue;
            }
            setup.cells[cell] = Cell::Piece(Piece::new(color, role));
        }
        // Pawns where they are promoted, a King in check whose turn it is not: never mind.
        if let Ok(position) = AnyPosition::from_setup(&game, &setup) {
            compared += play(&game, &slow_game, &position.fen(), 4, &mut random);
        }
    }
}

/// Compares one position both ways; returns the legal moves.
fn compare_position(fast: &AnyPosition, slow: &reference::Walker) -> Vec<String> {
    let fen = fast.fen();
    assert_eq!(fen, slow.fen());
    let moves = fast.legal_moves();
    let mut texts: Vec<String> = moves.iter().map(|&legal| uci::write(fast.variant(), legal)).collect();
    texts.sort();
    assert_eq!(texts, slow.legal_moves(), "{fen}");
    assert_eq!(fast.perft(1), texts.len() as u64, "{fen}: counted without a list");
    // The walker knows bare kings only; more is proved in `dead.rs`.
    let status = fast.status();
    let bare = fast.setup().pieces().count() == 2;
    if status == Status::Dead && !bare {
        assert!(matches!(slow.status(), "ongoing" | "check"), "{fen}");
    } else {
        assert_eq!(status.to_string(), slow.status(), "{fen}");
    }
    let mut checkers: Vec<String> =
        fast.checkers().iter().map(|&square| fast.variant().shape().name(square)).collect();
    checkers.sort();
    if status != Status::Goal {
        assert_eq!(checkers, slow.checkers(), "{fen}");
    }
    fast.assert_consistent();
    let read_back =
        AnyPosition::from_fen(fast.variant(), &fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(read_back, *fast, "{fen}");
    // Notation is slower than rules: one move of each position will do.
    if let Some(&legal) = moves.get(fen.len() % moves.len().max(1)) {
        let text = san::write(fast, legal);
        assert_eq!(san::parse(fast, &text), Ok(legal), "{fen}: {text}");
    }
    texts
}

fn assert_undo_restores(game: &mut Game, played: lozenge_rules::position::Move) {
    let before = game.position().clone();
    game.play(played).unwrap();
    assert_eq!(game.undo(), Some(played));
    assert_eq!(*game.position(), before);
}

macro_rules! compare {
    ($($name:ident: $id:literal, seed $seed:literal, $positions:expr;)*) => {
        $(#[test]
        fn $name() {
            compare($id, $seed, $positions);
        })*
    };
}

compare! {
    diagonal: "diagonal", seed 1, OWN;
    diamondback: "diamondback", seed 1, OWN;
    diamond: "diamond", seed 1, OWN;
    doublediamond: "doublediamond", seed 1, OWN;
    // The walker is slow on 144 squares: two halves for two processors.
    diamondring: "diamondring", seed 1, OWN / 2;
    diamondring_again: "diamondring", seed 2, OWN / 2;
    chess: "chess", seed 1, EXAMPLE;
    legan: "legan", seed 1, EXAMPLE;
    capablanca: "capablanca", seed 1, EXAMPLE;
    cylinder: "cylinder", seed 1, EXAMPLE;
    losalamos: "losalamos", seed 1, EXAMPLE;
    gardner: "gardner", seed 1, EXAMPLE;
}

macro_rules! compare_family {
    ($($name:ident: $id:literal, $positions:expr;)*) => {
        $(mod $name {
            #[test]
            fn games() {
                super::compare($id, 3, $positions[0]);
            }

            #[test]
            fn placements() {
                super::compare_placements($id, 4, $positions[1]);
            }
        })*
    };
}

compare_family! {
    flat: "diamondring-flat", super::FAMILY;
    mitregi: "diamondring-mitregi", super::FAMILY;
    gryphon: "diamondring-gryphon", super::FAMILY;
    scout: "diamondring-scout", super::FAMILY;
    wolf: "diamondring-wolf", super::FAMILY;
    wildeurasian: "diamondring-wildeurasian", super::FAMILY;
    fusion: "diamondring-fusion", super::FAMILY;
    cannonlake: "cannonlake", super::INVENTED;
    gryphoncylinder: "gryphoncylinder", super::INVENTED;
    fusionchess: "fusionchess", super::INVENTED;
}

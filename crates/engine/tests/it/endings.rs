//! Endings of three pieces, and two rooks on the ring, are won: the engine at its levels against the engine itself with
//! the lone King. So are those of games without tuned weights. `LOZENGE_ENDINGS` is the number of positions of each class, for `cargo xtask proof`.

use crate::common::*;
use lozenge_engine::skill::FULL_LEVEL;
use lozenge_engine::{Engine, Handicap, Limits, Signals, Values};
use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, Cell, Color, Game, Outcome, Piece, Role, Setup, Status};
use lozenge_rules::variant::Variant;
use lozenge_tablebase::{Material, Resources, Tables, Value};
use std::io::Write as _;
use std::sync::Arc;

/// Half moves in which a level has to win, and full strength with [`FULL_NODES`] a move.
const LEVEL_PLIES: usize = 100;
const FULL_PLIES: usize = 60;
const FULL_NODES: u64 = 20_000;
/// Nodes of the lone King.
const DEFENDER_NODES: u64 = 1_000;

/// Games of `variants/examples/`, whose weights are derived from the board. A quick test plays the first two, on small boards.
const UNTUNED: [&str; 6] = ["gardner", "losalamos", "capablanca", "cylinder", "legan", "brilliant"];

/// Officers of a game that win against a lone King, and positions of theirs with White to move.
struct Class {
    variant: Arc<Variant>,
    officers: Vec<Role>,
    positions: Vec<AnyPosition>,
}

/// Whether all classes are played from many positions.
fn is_thorough() -> bool {
    std::env::var_os("LOZENGE_ENDINGS").is_some()
}

/// The officers that mate alone.
fn mating_officers(variant: &Arc<Variant>) -> Vec<Role> {
    let values = Values::new(variant);
    let roles = variant.roles().iter().filter(|(_, info)| !info.pawn && !info.royal);
    roles.map(|(role, _)| role).filter(|&role| values.mates_alone(role)).collect()
}

/// The classes of our own games and chess: all officers that mate alone, and two rooks on the ring.
fn classes(positions: usize) -> Vec<Class> {
    let mut classes = Vec::new();
    for variant in own_games().chain([library::game("chess").unwrap()]) {
        let mut winning: Vec<Vec<Role>> =
            mating_officers(&variant).into_iter().map(|role| vec![role]).collect();
        if variant.id() == "diamondring" {
            let rook = variant.roles().iter().find(|(_, info)| info.letter == 'R').unwrap().0;
            winning.push(vec![rook; 2]);
        }
        for officers in winning {
            let mut random = Random::new(36);
            let positions = (0..positions).map(|_| random_ending(&variant, &officers, &mut random)).collect();
            classes.push(Class { variant: Arc::clone(&variant), officers, positions });
        }
    }
    classes
}

/// The classes of games without tuned weights, with positions that are won by an endgame table.
fn untuned_classes(positions: usize) -> Vec<Class> {
    let mut classes = Vec::new();
    let games = if is_thorough() { UNTUNED.len() } else { 2 };
    for variant in UNTUNED[..games].iter().map(|id| library::game(id).unwrap()) {
        for officer in mating_officers(&variant) {
            let mut tables = Tables::new(&variant);
            let material = Material::new(vec![officer], Vec::new());
            let resources = Resources { threads: 1, memory: 1 << 28 };
            let name = format!("{} {}", variant.id(), material.name(&variant));
            if let Err(error) = tables.generate(&material, None, resources, &mut |_| true) {
                report(&format!("{name}: no table: {error}"));
                continue;
            }
            let mut random = Random::new(36);
            let found = (0..4 * positions).map(|_| random_ending(&variant, &[officer], &mut random));
            let won = found.filter(|position| matches!(tables.probe(position), Ok(Some(Value::Win(_)))));
            let won: Vec<AnyPosition> = won.take(positions).collect();
            // Else value alone said that it mates, and it seldom does.
            if won.len() < positions {
                report(&format!("{name}: {} of {} positions are won", won.len(), 4 * positions));
            } else {
                classes.push(Class {
                    variant: Arc::clone(&variant),
                    officers: vec![officer],
                    positions: won,
                });
            }
        }
    }
    classes
}

/// A position with White to move, in which Black cannot take a piece at once.
fn random_ending(variant: &Arc<Variant>, officers: &[Role], random: &mut Random) -> AnyPosition {
    let start = AnyPosition::start(variant).setup();
    let empty = |cell: &Cell| if let Cell::Piece(_) = cell { Cell::Empty } else { *cell };
    let cells: Vec<Cell> = start.cells.iter().map(empty).collect();
    let squares: Vec<usize> = (0..cells.len()).filter(|&at| cells[at] == Cell::Empty).collect();
    let king = variant.roles().royal().unwrap();
    loop {
        let mut cells = cells.clone();
        let pieces = officers.iter().chain([&king]).map(|&role| Piece::new(Color::White, role));
        for piece in pieces.chain([Piece::new(Color::Black, king)]) {
            cells[squares[random.below(squares.len())]] = Cell::Piece(piece);
        }
        if cells.iter().filter(|cell| matches!(cell, Cell::Piece(_))).count() < officers.len() + 2 {
            continue;
        }
        let (turn, fullmove_number) = (Color::White, 1);
        let setup = Setup {
            cells,
            turn,
            rights: 0,
            en_passant: None,
            moved: Vec::new(),
            fullmove_number,
            ..start.clone()
        };
        let Ok(position) = AnyPosition::from_setup(variant, &setup) else { continue };
        let Ok(passed) = AnyPosition::from_setup(variant, &Setup { turn: Color::Black, ..setup }) else {
            continue;
        };
        let free = passed.legal_moves().iter().all(|played| passed.piece_at(played.to).is_none());
        // A King near its goal may win the race.
        if position.status() == Status::Ongoing && free && !wins_within(&passed, 2) {
            return position;
        }
    }
}

/// The moves of a game that White wins, or why it does not.
fn play_out(
    engines: &mut [Engine; 2],
    position: AnyPosition,
    limits: &Limits,
    plies: usize,
) -> Result<usize, String> {
    let fen = position.fen();
    let mut game = Game::from_position(position);
    engines.iter_mut().for_each(Engine::clear);
    while game.outcome().is_none() && game.claimable_draw().is_none() && game.moves().len() < plies {
        let white = game.position().turn() == Color::White;
        let limits = if white { limits.clone() } else { nodes(DEFENDER_NODES) };
        let engine = &mut engines[usize::from(white)];
        let report = engine.search(&game, &limits, &Signals::default(), &mut |_| {});
        game.play(report.best.unwrap()).unwrap();
    }
    match game.outcome() {
        Some(Outcome::Win { winner: Color::White, .. }) => Ok(game.moves().len()),
        outcome => {
            Err(format!("{fen}: {outcome:?} after {} at {}", game.moves().len(), game.position().fen()))
        }
    }
}

/// Plays the positions of every class at a level.
fn failures(classes: &[Class], level: u8) -> Vec<String> {
    let plies = if level < FULL_LEVEL { LEVEL_PLIES } else { FULL_PLIES };
    let mut engines = [Engine::new(2), Engine::new(2)];
    let mut failures = Vec::new();
    for Class { variant, officers, positions } in classes {
        let letters: String = officers.iter().map(|&role| variant.roles().info(role).letter).collect();
        let mut longest = 0;
        for (seed, position) in (0..).zip(positions) {
            let limits = Limits { handicap: Handicap::at_level(level, seed), ..nodes(FULL_NODES) };
            match play_out(&mut engines, position.clone(), &limits, plies) {
                Ok(plies) => longest = longest.max(plies),
                Err(found) => failures.push(format!("{} K{letters}, level {level}: {found}", variant.id())),
            }
        }
        report(&format!("{} K{letters}, level {level}: at most {longest} half moves", variant.id()));
    }
    failures
}

/// Prints a line where many positions are played, past the test harness, which captures the output of a passing test.
fn report(line: &str) {
    if is_thorough() {
        std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
    }
}

/// Plays classes at all levels and from many positions with `LOZENGE_ENDINGS`, else at the lowest level from two.
fn check_all(classes: fn(usize) -> Vec<Class>) {
    let (levels, positions) = match std::env::var("LOZENGE_ENDINGS") {
        Ok(positions) => (8..=FULL_LEVEL, positions.parse().unwrap()),
        Err(_) => (8..=8, 2),
    };
    let classes = classes(positions);
    let failures: Vec<String> = levels.flat_map(|level| failures(&classes, level)).collect();
    assert!(failures.is_empty(), "{} not won: {failures:#?}", failures.len());
    assert!(!classes.is_empty());
}

#[test]
fn won_endings_are_won() {
    check_all(classes);
}

#[test]
fn won_endings_of_untuned_games_are_won() {
    check_all(untuned_classes);
}

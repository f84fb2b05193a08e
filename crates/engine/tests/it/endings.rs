//! Endings of three pieces, and two rooks on the ring, are won: the engine at its levels against the engine itself with
//! the lone King. `LOZENGE_ENDINGS` is the number of positions of each class, for `cargo xtask proof`.

use crate::common::*;
use lozenge_engine::skill::FULL_LEVEL;
use lozenge_engine::{Engine, Handicap, Limits, Signals, Values};
use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, Cell, Color, Game, Outcome, Piece, Role, Setup, Status};
use lozenge_rules::variant::Variant;
use std::sync::Arc;

/// Half moves in which a level has to win, and full strength with [`FULL_NODES`] a move.
const LEVEL_PLIES: usize = 100;
const FULL_PLIES: usize = 60;
const FULL_NODES: u64 = 20_000;
/// Nodes of the lone King.
const DEFENDER_NODES: u64 = 1_000;

/// The officers that win against a lone King, by game: all that mate alone, and two rooks on the ring.
fn classes() -> Vec<(Arc<Variant>, Vec<Role>)> {
    let mut classes = Vec::new();
    for variant in own_games().chain([library::game("chess").unwrap()]) {
        let values = Values::new(&variant);
        let roles = variant.roles().iter().filter(|(_, info)| !info.pawn && !info.royal);
        classes.extend(
            roles
                .filter(|&(role, _)| values.mates_alone(role))
                .map(|(role, _)| (Arc::clone(&variant), vec![role])),
        );
        if variant.id() == "diamondring" {
            let rook = variant.roles().iter().find(|(_, info)| info.letter == 'R').unwrap().0;
            classes.push((variant, vec![rook; 2]));
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

/// Plays some positions of every class at a level.
fn failures(level: u8, positions: u64) -> Vec<String> {
    let plies = if level < FULL_LEVEL { LEVEL_PLIES } else { FULL_PLIES };
    let mut engines = [Engine::new(2), Engine::new(2)];
    let mut failures = Vec::new();
    for (variant, officers) in classes() {
        let mut random = Random::new(36);
        let letters: String = officers.iter().map(|&role| variant.roles().info(role).letter).collect();
        for seed in 0..positions {
            let position = random_ending(&variant, &officers, &mut random);
            let limits = Limits { handicap: Handicap::at_level(level, seed), ..nodes(FULL_NODES) };
            if let Err(found) = play_out(&mut engines, position, &limits, plies) {
                failures.push(format!("{} K{letters}, level {level}: {found}", variant.id()));
            }
        }
    }
    failures
}

#[test]
fn won_endings_are_won() {
    // Levels and positions of each class: all with `LOZENGE_ENDINGS`, else the lowest, quickly.
    let (levels, positions) = match std::env::var("LOZENGE_ENDINGS") {
        Ok(positions) => (8..=FULL_LEVEL, positions.parse().unwrap()),
        Err(_) => (8..=8, 2),
    };
    let failures: Vec<String> = levels.flat_map(|level| failures(level, positions)).collect();
    assert!(failures.is_empty(), "{} not won: {failures:#?}", failures.len());
}

//! Shared by the tests of the engine.

use lozenge_engine::{Engine, Limits, SearchReport, Signals};
use lozenge_rules::library;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Game, Status};
use lozenge_rules::variant::Variant;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use std::sync::Arc;

/// The project's own five games.
pub(crate) fn own_games() -> impl Iterator<Item = Arc<Variant>> {
    library::ids().take(library::OWN_GAMES).map(|id| library::game(id).unwrap())
}

/// A game that begins with this position.
pub(crate) fn game(id: &str, fen: &str) -> Game {
    let variant = library::game(id).unwrap();
    Game::from_position(AnyPosition::from_fen(&variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}")))
}

/// The same, after these moves.
pub(crate) fn game_after(id: &str, fen: &str, moves: &str) -> Game {
    let mut game = game(id, fen);
    for text in moves.split_whitespace() {
        let played = uci::parse(game.position(), text).unwrap();
        game.play(played).unwrap();
    }
    game
}

pub(crate) fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

pub(crate) fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Searches with a fresh engine.
pub(crate) fn search(game: &Game, limits: &Limits) -> SearchReport {
    Engine::new(4).search(game, limits, &Signals::default(), &mut |_| {})
}

/// The best move of a report, in long algebraic form.
pub(crate) fn best(game: &Game, report: &SearchReport) -> String {
    uci::write(game.variant(), report.best.unwrap())
}

/// Whether the side to move wins by mate or goal in at most `moves` moves, by trying everything.
pub(crate) fn wins_within(position: &AnyPosition, moves: u32) -> bool {
    position.legal_moves().into_iter().any(|played| {
        let after = position.play_unchecked(played);
        match after.status() {
            Status::Checkmate | Status::Goal => true,
            Status::Ongoing | Status::Check if moves > 1 => after
                .legal_moves()
                .into_iter()
                .all(|answer| wins_within(&after.play_unchecked(answer), moves - 1)),
            _ => false,
        }
    })
}

/// For random games that are the same every time.
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }
}

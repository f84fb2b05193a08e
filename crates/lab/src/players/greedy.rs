//! A player that takes whatever it can: what a beginner does. It plays games of two and of four.

use super::{MoveBudget, MultiBudget, MultiPlayer, Player, PlayerError, PlayerMove};
use crate::rng::Rng;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyMultiPosition, AnyPosition, Game, Move, MultiGame};
use lozenge_rules::seat::OwnedPiece;
use lozenge_rules::variant::{MultiVariant, RoleInfo, Variant};
use std::sync::Arc;
use std::time::Instant;

/// Takes the most valuable piece that it can take, promotes, or else moves at random; in games of two it wins at once if it can.
/// The position and its seed determine its choice, so that games can be repeated.
#[derive(Clone, Copy, Debug)]
pub struct Greedy {
    seed: u64,
}

impl Greedy {
    /// A player with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// One of the moves that gain most.
    fn choose(self, mut moves: Vec<Move>, gain: impl Fn(Move) -> u32, salt: u64) -> Option<Move> {
        moves.sort();
        let most = moves.iter().map(|&played| gain(played)).max();
        moves.retain(|&played| Some(gain(played)) == most);
        Rng::new(self.seed ^ salt).one_of(&moves).copied()
    }
}

/// The value of a captured piece, in tenths: a pawn 1, another piece 3.
fn value(info: &RoleInfo) -> u32 {
    if info.pawn { 10 } else { 30 }
}

/// The value of a promotion.
fn promotion(played: Move) -> u32 {
    if played.is_promotion() { 20 } else { 0 }
}

/// The value of a move that wins the game.
const WIN: u32 = 1_000;

fn gain(position: &AnyPosition, played: Move) -> u32 {
    if position.play_unchecked(played).status().is_win() {
        return WIN;
    }
    position.captured(played).map_or(0, |piece| value(position.variant().roles().info(piece.role())))
        + promotion(played)
}

/// A dead piece counts next to nothing.
fn gain_of_four(position: &AnyMultiPosition, played: Move) -> u32 {
    let worth = |piece: OwnedPiece| match piece.owner {
        None => 1,
        Some(_) => value(position.variant().roles().info(piece.role)),
    };
    position.captured(played).into_iter().map(worth).sum::<u32>() + promotion(played)
}

impl Player for Greedy {
    fn begin(&mut self, _: &Arc<Variant>) -> Result<(), PlayerError> {
        Ok(())
    }

    fn think(&mut self, game: &Game, _: &MoveBudget<'_>) -> Result<PlayerMove, PlayerError> {
        let begun = Instant::now();
        let position = game.position();
        // The number of the ply is part of the seed: another move may follow in a repeated position.
        let salt = position.key() ^ game.moves().len() as u64;
        let chosen = self.choose(position.legal_moves(), |played| gain(position, played), salt);
        let best = chosen.map_or_else(|| "(none)".into(), |chosen| uci::write(game.variant(), chosen));
        Ok(PlayerMove { best, score: None, depth: None, nodes: None, time: begun.elapsed() })
    }
}

impl MultiPlayer for Greedy {
    fn begin(&mut self, _: &Arc<MultiVariant>) -> Result<(), PlayerError> {
        Ok(())
    }

    fn think(&mut self, game: &MultiGame, _: MultiBudget<'_>) -> Result<String, PlayerError> {
        let position = game.position();
        let salt = position.key() ^ game.turns().len() as u64;
        let chosen = self.choose(position.legal_moves(), |played| gain_of_four(position, played), salt);
        Ok(chosen.map_or_else(|| "(none)".into(), |chosen| uci::write_multi(position.variant(), chosen)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    /// Blue's pawn can capture Red's, which went from d2 to d4, on d3.
    #[test]
    fn a_capture_en_passant_gains_a_pawn() {
        let game = library::multi_game("fourplayerchess").unwrap();
        let fen = "***3yK4***/***8***/***8***/14/14/14/13gK/bK13/14/14/2bPrP10/***8***/***8***/***4rK3*** \
                   b - rd3d4 0 1 rbyg";
        let position = AnyMultiPosition::from_fen(&game, fen).unwrap();
        let passing = uci::parse_multi(&position, "c4d3").unwrap();
        assert_eq!(gain_of_four(&position, passing), 10);
        let game = MultiGame::from_position(position);
        let budget = MultiBudget { limit: &crate::players::Limit::default(), clocks: None };
        for seed in 0..20 {
            assert_eq!(MultiPlayer::think(&mut Greedy::new(seed), &game, budget).unwrap(), "c4d3");
        }
        let chess = library::game("chess").unwrap();
        let position = AnyPosition::from_fen(&chess, "4k3/8/8/8/2pP4/8/8/4K3 b - d3 0 1").unwrap();
        assert_eq!(gain(&position, uci::parse(&position, "c4d3").unwrap()), 10);
    }
}

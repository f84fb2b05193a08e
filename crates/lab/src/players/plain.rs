//! The plain player: alpha-beta on material alone. A fixed mark to measure against: it knows no tables and no
//! reductions, and is never improved.
//!
//! Iterative deepening; captures first, the most valuable victim by the least valuable piece; at the leaves
//! captures only, until none is left. The value of a piece follows from its mobility on this board.
//! Of the game so far it knows one thing: a move that repeats a position is worth a draw.

use super::{MoveBudget, Player, PlayerError, PlayerMove};
use lozenge_engine::Score;
use lozenge_rules::geometry::{Coord, Shape, Square};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{Color, Game, Move, Piece, Position, WidthVisitor};
use lozenge_rules::variant::{Rules, Stalemate, Variant};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Deepest iteration, in plies.
const MAX_DEPTH: u32 = 64;
/// Plies of captures after the last iteration's depth, for games in which captures hardly end.
const MAX_CAPTURES: u32 = 32;
/// A win at the root; one after `n` plies is worth `n` less.
const WIN: i32 = 1_000_000;
/// Above every material.
const DECIDED: i32 = WIN - 1_000;
/// Nodes between two checks of the time.
const CHECK_INTERVAL: u64 = 1024;
/// The number of further moves that time management expects.
const HORIZON: u32 = 30;
/// Safety margin of a time limit.
const OVERHEAD: Duration = Duration::from_millis(10);

/// The plain player.
#[derive(Debug, Default)]
pub struct Plain {
    /// The game and its piece values, by piece index.
    known: Option<(Arc<Variant>, Vec<i32>)>,
}

impl Plain {
    /// A plain player.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Player for Plain {
    fn begin(&mut self, variant: &Arc<Variant>) -> Result<(), PlayerError> {
        if !self.known.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, variant)) {
            self.known = Some((Arc::clone(variant), values(variant)));
        }
        Ok(())
    }

    fn think(&mut self, game: &Game, budget: &MoveBudget<'_>) -> Result<PlayerMove, PlayerError> {
        let begun = Instant::now();
        self.begin(game.variant())?;
        let Some((variant, values)) = &self.known else { return Err(PlayerError::Interrupted) };
        let found = game.position().visit(Think { game, variant, values, budget, begun });
        if (budget.interrupted)() {
            return Err(PlayerError::Interrupted);
        }
        Ok(PlayerMove {
            best: found.best.map_or_else(|| "(none)".into(), |best| uci::write(variant, best)),
            score: Some(score(found.score)),
            depth: Some(found.depth),
            nodes: Some(found.nodes),
            time: begun.elapsed(),
        })
    }
}

fn score(number: i32) -> Score {
    let moves = |plies: i32| plies.max(0).unsigned_abs().div_ceil(2);
    if number >= DECIDED {
        Score::Wins(moves(WIN - number).max(1))
    } else if number <= -DECIDED {
        Score::Loses(moves(WIN + number))
    } else {
        Score::Centipawns(number)
    }
}

/// The piece values in centipawns, by piece index; 0 for Kings. A piece that reaches `n` squares on
/// average is worth `1.1 n (30 + 5/8 n)` (H. G. Muller's rule for leapers, 2017). A square on a line counts
/// for as much as the line is usually open so far: 7/10 for each square between.
fn values(variant: &Variant) -> Vec<i32> {
    let shape = variant.shape();
    let mut values = vec![0; 2 * variant.roles().len()];
    for (role, info) in variant.roles().iter().filter(|(_, info)| !info.royal) {
        // Both sides get White's numbers: the sides are each other's mirror.
        let white = Piece::new(Color::White, role);
        let mut sum = 0.0;
        for from in shape.squares() {
            let reach = variant.reach(white, from);
            let counted =
                |squares: &[Square]| -> f64 { squares.iter().map(|&to| openness(shape, from, to)).sum() };
            sum += (counted(&reach.quiet) + counted(&reach.capture)) / 2.0;
        }
        let mean = sum / shape.len() as f64;
        // The value of a pawn includes its promotions.
        let hope = if info.pawn { 40.0 } else { 0.0 };
        let value = 1.1 * mean * (30.0 + 0.625 * mean) + hope;
        for color in Color::BOTH {
            values[Piece::new(color, role).index()] = value.round() as i32;
        }
    }
    values
}

/// How likely nothing stands between two squares of one line; 1 where there is no line between.
fn openness(shape: &Shape, from: Square, to: Square) -> f64 {
    let (from, to): (Coord, Coord) = (shape.coord(from), shape.coord(to));
    let along = |a: u8, b: u8, size: u8, joined: bool| {
        let straight = a.abs_diff(b);
        if joined { straight.min(size - straight) } else { straight }
    };
    let files = along(from.file, to.file, shape.width(), shape.wrap().files);
    let ranks = along(from.rank, to.rank, shape.height(), shape.wrap().ranks);
    let line = files == 0 || ranks == 0 || files == ranks;
    if line { 0.7f64.powi(i32::from(files.max(ranks)) - 1) } else { 1.0 }
}

/// The result of a search.
struct Found {
    best: Option<Move>,
    score: i32,
    depth: u32,
    nodes: u64,
}

/// A search on the fast form of a position.
struct Think<'t> {
    game: &'t Game,
    variant: &'t Variant,
    values: &'t [i32],
    budget: &'t MoveBudget<'t>,
    begun: Instant,
}

impl WidthVisitor for Think<'_> {
    type Output = Found;

    fn visit<const N: usize>(self, position: &Position<N>, rules: &Rules<N>) -> Found {
        let limit = self.budget.limit;
        let time = self.budget.clock(position.turn()).map(|clock| {
            let moves = clock.moves_left().map_or(HORIZON, |left| left.min(HORIZON) + 1);
            (clock.remaining() / moves + clock.increment() / 2).min(clock.remaining() / 2)
        });
        let time = time.into_iter().chain(limit.movetime).min().map(|time| time.saturating_sub(OVERHEAD));
        let mut search = Search {
            rules,
            values: self.values,
            stalemate: self.variant.draws().stalemate,
            nodes: 0,
            most: limit.nodes.unwrap_or(u64::MAX),
            deadline: time.map(|time| self.begun + time),
            interrupted: self.budget.interrupted,
            stopped: false,
            past: self.game.keys().to_vec(),
        };
        search.deepen(position, limit.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH))
    }
}

struct Search<'s, const N: usize> {
    rules: &'s Rules<N>,
    values: &'s [i32],
    stalemate: Stalemate,
    nodes: u64,
    most: u64,
    deadline: Option<Instant>,
    interrupted: &'s (dyn Fn() -> bool + Sync),
    stopped: bool,
    /// Keys of the positions of the game.
    past: Vec<u64>,
}

impl<const N: usize> Search<'_, N> {
    fn deepen(&mut self, position: &Position<N>, deepest: u32) -> Found {
        let mut moves = self.ordered(position, false);
        let mut found = Found { best: moves.first().copied(), score: 0, depth: 0, nodes: 0 };
        for depth in 1..=deepest {
            let (mut alpha, mut best) = (-WIN, None);
            for &played in &moves {
                let next = position.play(self.rules, played);
                let repeats = self.past.contains(&next.key());
                let score = if repeats { 0 } else { -self.search(&next, depth - 1, 1, -WIN, -alpha) };
                if self.stopped {
                    break;
                }
                if score > alpha {
                    (alpha, best) = (score, Some(played));
                }
            }
            // Keep the best move of an aborted iteration if it improves on the last one.
            if let Some(best) = best {
                found.best = Some(best);
                found.score = alpha;
                if let Some(at) = moves.iter().position(|&played| played == best) {
                    moves[..=at].rotate_right(1);
                }
            }
            if self.stopped {
                break;
            }
            found.depth = depth;
            if best.is_none() || alpha.abs() >= DECIDED {
                break;
            }
        }
        found.nodes = self.nodes;
        found
    }

    fn search(&mut self, position: &Position<N>, depth: u32, ply: i32, mut alpha: i32, beta: i32) -> i32 {
        if self.is_enough() {
            return 0;
        }
        if position.is_won_by_goal(self.rules) {
            return ply - WIN;
        }
        if depth == 0 {
            return self.captures(position, 0, ply, alpha, beta);
        }
        let moves = self.ordered(position, false);
        if moves.is_empty() {
            return self.without_a_move(position, ply);
        }
        let mut best = -WIN;
        for played in moves {
            let score = -self.search(&position.play(self.rules, played), depth - 1, ply + 1, -beta, -alpha);
            if self.stopped {
                return 0;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Captures only, or nothing; the caller has counted the node.
    fn captures(&mut self, position: &Position<N>, depth: u32, ply: i32, mut alpha: i32, beta: i32) -> i32 {
        if position.has_no_move(self.rules) {
            return self.without_a_move(position, ply);
        }
        let mut best = self.material(position);
        alpha = alpha.max(best);
        if alpha >= beta || depth >= MAX_CAPTURES {
            return best;
        }
        for played in self.ordered(position, true) {
            let next = position.play(self.rules, played);
            if self.is_enough() {
                return 0;
            }
            let score = if next.is_won_by_goal(self.rules) {
                WIN - (ply + 1)
            } else {
                -self.captures(&next, depth + 1, ply + 1, -beta, -alpha)
            };
            if self.stopped {
                return 0;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn without_a_move(&self, position: &Position<N>, ply: i32) -> i32 {
        match self.stalemate {
            _ if position.is_check(self.rules) => ply - WIN,
            Stalemate::Draw => 0,
            Stalemate::Loss => ply - WIN,
            Stalemate::Win => WIN - ply,
        }
    }

    /// Material of the side to move less that of the other.
    fn material(&self, position: &Position<N>) -> i32 {
        let side = |color| -> i32 {
            let pieces = position.pieces(color).into_iter().filter_map(|square| position.piece_at(square));
            pieces.map(|piece| self.values[piece.index()]).sum()
        };
        side(position.turn()) - side(position.turn().opponent())
    }

    /// The legal moves, the best captures first; or those alone.
    fn ordered(&self, position: &Position<N>, captures_only: bool) -> Vec<Move> {
        let mut moves: Vec<(i32, Move)> = position
            .legal_moves(self.rules)
            .into_iter()
            .map(|played| (self.move_score(position, played), played))
            .filter(|&(move_score, _)| move_score > 0 || !captures_only)
            .collect();
        // Moves of equal score in the order of their squares: the generator's order is not guaranteed.
        moves.sort_by_key(|&(move_score, played)| (-move_score, played));
        moves.into_iter().map(|(_, played)| played).collect()
    }

    /// More than 0 for captures and promotions.
    fn move_score(&self, position: &Position<N>, played: Move) -> i32 {
        let value = |piece: Option<Piece>| piece.map_or(0, |piece| self.values[piece.index()]);
        let mover = value(position.piece_at(played.from));
        let mut gain = value(position.captured(played));
        if let Some(role) = played.promotion() {
            gain += value(Some(Piece::new(position.turn(), role))) - mover;
        }
        if gain > 0 { gain * 64 - mover + 100_000 } else { 0 }
    }

    /// Counts a node; whether the search has to end.
    fn is_enough(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.most {
            self.stopped = true;
        } else if self.nodes.is_multiple_of(CHECK_INTERVAL) {
            let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.stopped |= late || (self.interrupted)();
        }
        self.stopped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::Limit;
    use lozenge_rules::library;
    use lozenge_rules::position::AnyPosition;

    fn think(id: &str, fen: &str, limit: &Limit) -> PlayerMove {
        let game = library::game(id).unwrap();
        let position = AnyPosition::from_fen(&game, fen).unwrap();
        let budget =
            MoveBudget { limit, clocks: None, timeout: Duration::from_secs(60), interrupted: &|| false };
        Plain::new().think(&Game::from_position(position), &budget).unwrap()
    }

    #[test]
    fn finds_goals_mates_and_hanging_pieces() {
        let limit = Limit { depth: Some(3), ..Limit::default() };
        for (id, fen, best, score) in [
            ("diagonal", "8/6P1/8/8/3k4/8/8/K7 w - - 0 1", "g7h8", Some(Score::Wins(1))),
            ("chess", "6k1/5ppp/8/8/8/8/8/K6R w - - 0 1", "", None),
            ("chess", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", Some(Score::Wins(1))),
            ("chess", "k7/8/8/3q4/8/4N3/8/K7 w - - 0 1", "e3d5", None),
        ] {
            let thought = think(id, fen, &limit);
            assert!(best.is_empty() || thought.best == best, "{id} {fen}: {thought:?}");
            assert!(score.is_none() || thought.score == score, "{id} {fen}: {thought:?}");
        }
    }

    #[test]
    fn node_limit_holds_and_search_is_deterministic() {
        let limit = Limit { nodes: Some(3_000), ..Limit::default() };
        for id in library::ids().take(library::OWN_GAMES) {
            let fen = AnyPosition::start(&library::game(id).unwrap()).fen();
            let (first, second) = (think(id, &fen, &limit), think(id, &fen, &limit));
            assert!(first.nodes.unwrap() <= 3_000);
            assert_eq!((&first.best, first.score, first.nodes), (&second.best, second.score, second.nodes));
        }
    }

    #[test]
    fn pieces_are_worth_what_they_are_in_chess() {
        let game = library::game("chess").unwrap();
        let values = values(&game);
        let of = |letter| values[game.roles().piece(letter).unwrap().index()];
        assert!(of('P') < of('N') && of('N') <= of('B') && of('B') < of('R') && of('R') < of('Q'));
        assert!(of('Q') < 2 * of('R') + of('B') && of('N') > 2 * of('P') / 2);
        assert_eq!(of('K'), 0);
        assert_eq!(of('n'), of('N'));
    }
}

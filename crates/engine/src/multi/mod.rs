//! Search with four players. Teams are searched by alpha-beta: the sign changes only between teams. Where everyone plays alone,
//! the search is that of one player, the *root player*, against the others: between two of its turns one of them chooses what is
//! worst for it, and the others play the move that the ordering tries first (*best-reply search* with legal moves only, BRS+,
//! Esser et al. 2013). That all others choose so (*paranoid*, Sturtevant and Korf 2000) was weaker (`docs/trials.md`).
//!
//! Nothing of the search for two players is used but the transposition table, time management and handicaps: that search
//! depends on positions with two sides in all its rules. [`values`] evaluates, [`root`] deepens, [`node`] and [`quiescence`]
//! search. A search may be interrupted and go on ([`node_state`], [`root_state`]).

mod node;
mod node_state;
mod ordering;
mod quiescence;
mod root;
mod root_state;
mod values;

pub(crate) use root::{MultiContext, think};
pub(crate) use root_state::MultiPaused;
pub(crate) use values::MultiValues;

use crate::score::{EVALUATION_LIMIT, MAX_PLY, WIN};
use crate::skill::HandicapState;
use crate::time::TimeManager;
use crate::transposition::TranspositionTable;
use lozenge_rules::geometry::SquareSet;
use lozenge_rules::position::{Move, MultiPosition};
use lozenge_rules::seat::{Seat, SeatSet};
use lozenge_rules::variant::{MultiRules, MultiVariant};
use node_state::InterruptedNode;
use ordering::Quiets;
use std::sync::Arc;
use web_time::Instant;

/// The values of all roles of a game of four, in centipawns, in the order of its roles; 0 for the King. They take some
/// milliseconds.
///
/// ```
/// use lozenge_rules::library;
/// let game = library::multi_game("diamondring-four").unwrap();
/// let values = lozenge_engine::multi_material(&game);
/// assert_eq!(values.len(), game.roles().len());
/// ```
#[must_use]
pub fn multi_material(variant: &Arc<MultiVariant>) -> Vec<i32> {
    MultiValues::new(variant).material()
}

/// A draw in which the root player is first alone is worth this much more than one in which all places are shared, in
/// centipawns; other places in proportion.
const PLACE: i32 = 2_000;

/// Where a slice of a search ends.
#[derive(Clone, Copy)]
struct SliceEnd {
    /// Nodes before it.
    begun: u64,
    /// The number of the first node after it.
    node: u64,
    until: Option<Instant>,
}

/// One search of one position.
struct Searcher<'a, const N: usize> {
    rules: &'a MultiRules<N>,
    values: &'a MultiValues,
    /// By square: it and the squares one King's step away.
    king_zones: Vec<SquareSet<N>>,
    table: &'a TranspositionTable,
    time: &'a TimeManager<'a>,
    /// The root player.
    root: Seat,
    /// The root player's side: one player or a team. Scores inside a node are those of the side to move.
    side: SeatSet,
    /// Mixed into table keys: scores are those of one root player and one handicap.
    salt: u64,
    handicap: Option<HandicapState>,
    /// Plies by each living player without progress that end the game; 0 for never.
    most_plies: u32,
    repetitions_count: bool,
    /// Keys of the game's positions and of those on the way to this node.
    path: Vec<u64>,
    quiets: Quiets,
    /// By ply: the best line found from there.
    lines: Vec<Vec<Move>>,
    nodes: u64,
    most_nodes: u64,
    deepest_ply: usize,
    stopped: bool,
    /// The end of this slice.
    slice_end: SliceEnd,
    /// Whether it was stopped at the end of its slice.
    paused: bool,
    /// The nodes whose search is interrupted, the one nearest to the root last.
    interrupted: Vec<InterruptedNode>,
}

impl<const N: usize> Searcher<'_, N> {
    /// 1 if the root player's side is to move, else -1.
    fn sign(&self, position: &MultiPosition<N>) -> i32 {
        if self.side.contains(position.turn()) { 1 } else { -1 }
    }

    /// The static evaluation for the side to move.
    fn evaluate(&self, position: &MultiPosition<N>) -> i32 {
        let own = self.values.score(position, self.rules, &self.king_zones, self.side);
        let error = self.handicap.as_ref().map_or(0, |handicap| handicap.error(position.key()));
        (own + error).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT) * self.sign(position)
    }

    /// The score for the side to move where the game is over, for the root player at least.
    fn settled(&self, position: &MultiPosition<N>, ply: usize) -> Option<i32> {
        let won = WIN - ply as i32;
        let living = position.living();
        let root_lives = self.side.iter().all(|seat| living.contains(seat));
        let score = if !root_lives {
            -won
        } else if position.is_decided(self.rules) {
            won
        } else if ply > 0 && self.is_drawn(position) {
            self.draw(position)
        } else {
            return None;
        };
        Some(score * self.sign(position))
    }

    /// Whether the game ends here in a draw, apart from a player without a move.
    fn is_drawn(&self, position: &MultiPosition<N>) -> bool {
        let clock = usize::from(position.halfmove_clock());
        let most = self.most_plies * position.living().len();
        if position.is_dead() || (most > 0 && clock as u32 >= most) {
            return true;
        }
        // The last one is this position's.
        let before = self.path.iter().rev().skip(1).take(clock);
        self.repetitions_count && before.into_iter().any(|&key| key == position.key())
    }

    /// The score of a draw for the root player.
    fn draw(&self, position: &MultiPosition<N>) -> i32 {
        if self.rules.is_teams() {
            return 0;
        }
        let places = position.ranking(self.rules);
        let (own, all) = (places[self.root], places.iter());
        let shared = all.filter(|&&place| place == own).count() as i32 - 1;
        let players = self.rules.seats().len() as i32;
        // Twice the mean of the places that are shared, from 2 to twice the number of players.
        PLACE * (players + 1 - (2 * i32::from(own) + shared)) / (players - 1)
    }

    /// Counts a node; true if the search must stop.
    fn count(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        self.deepest_ply = self.deepest_ply.max(ply);
        if self.nodes >= self.most_nodes
            || (self.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) && self.time.is_over())
        {
            self.stopped = true;
        }
        self.stopped
    }

    /// Whether the slice ends before this node.
    fn pauses(&mut self) -> bool {
        let SliceEnd { begun, node, until } = self.slice_end;
        let is_late = || until.is_some_and(|until| Instant::now() >= until);
        let is_over = self.nodes >= node || (self.nodes.is_multiple_of(NODES_BETWEEN_PAUSES) && is_late());
        // Every slice searches a node at least.
        if is_over && self.nodes > begun {
            (self.stopped, self.paused) = (true, true);
        }
        self.stopped
    }

    /// The key of a node in the table.
    fn key(&self, position: &MultiPosition<N>, spent: bool) -> u64 {
        position.key() ^ self.salt ^ if spent { SPENT } else { 0 }
    }

    /// Searches the position after a move, as a function of the window of its parent.
    fn below(
        &mut self,
        parent: &MultiPosition<N>,
        child: &MultiPosition<N>,
        window: (i32, i32),
        search: impl FnOnce(&mut Self, (i32, i32)) -> i32,
    ) -> i32 {
        let (alpha, beta) = window;
        if self.sign(parent) == self.sign(child) {
            search(self, (alpha, beta))
        } else {
            -search(self, (-beta, -alpha))
        }
    }

    /// Puts a move before the best line of the ply below.
    fn extend_line(&mut self, ply: usize, best: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(best);
        above[ply].extend_from_slice(&below[0]);
    }
}

/// Nodes between two looks at the end of a slice.
const NODES_BETWEEN_PAUSES: u64 = 8;

/// Half the width of the first window around the last score, in centipawns.
const WINDOW: i32 = 40;

/// Nodes between two looks at the clock and the signals.
const NODES_BETWEEN_CHECKS: u64 = 128;

/// Mixed into the keys of nodes at which the free reply has been made.
const SPENT: u64 = 0xD6E8_FEB8_6659_FD93;

/// Deepest iteration, in plies.
const MAX_DEPTH: i32 = MAX_PLY as i32 / 2;

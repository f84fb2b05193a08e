//! Move ordering: which moves to try first. Lists of moves with the numbers they are picked by.

mod correction;
mod exchange;
mod history;
mod killers;

pub(crate) use correction::{CorrectionIndices, Corrections, Features};
pub(crate) use exchange::exchange_wins;
pub(crate) use history::{BACK, Before, History, PieceTo};
pub(crate) use killers::Killers;

use crate::eval::{BoardSets, Values};
use lozenge_rules::geometry::{Square, SquareSet};
use lozenge_rules::position::{Move, MoveKind, Position, Role, RoleSet, Sink};

/// A move and its ordering score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scored {
    pub(crate) played: Move,
    pub(crate) score: i32,
}

/// The TT move comes first.
pub(crate) const TT_MOVE: i32 = 1 << 28;
/// Captures and promotions, plus what they gain, as long as they are not known to lose material.
pub(crate) const GOOD_CAPTURE: i32 = 1 << 24;
/// Killer moves, and just below them the counter move.
pub(crate) const KILLER: i32 = 1 << 20;
/// Captures that lose material, plus what they gain; quiet moves lie between, by history.
pub(crate) const BAD_CAPTURE: i32 = -(1 << 24);

/// Moves the best-scored move of `moves[at..]` to `at` and returns it.
pub(crate) fn pick(list: &mut [Scored], at: usize) -> Option<Scored> {
    let rest = list.get_mut(at..)?;
    if rest.first()?.score == TT_MOVE {
        return rest.first().copied();
    }
    // The first of equals, so that the order is the generator's.
    let (mut best, mut most) = (0, i32::MIN);
    for (at, scored) in rest.iter().enumerate() {
        if scored.score > most {
            (best, most) = (at, scored.score);
        }
    }
    rest.swap(0, best);
    Some(rest[0])
}

/// Whether a move changes the material: capture or promotion.
#[inline]
pub(crate) fn is_noisy<const N: usize>(position: &Position<N>, played: Move) -> bool {
    position.is_capture(played) || played.is_promotion()
}

/// Exchange value of the captured piece, in centipawns.
pub(crate) fn taken<const N: usize>(position: &Position<N>, values: &Values, played: Move) -> i32 {
    position.captured(played).map_or(0, |victim| values.piece(victim).exchange)
}

/// Most valuable victim, least valuable attacker: the score of a capture or promotion, at least 0.
pub(crate) fn victim_attacker<const N: usize>(position: &Position<N>, values: &Values, played: Move) -> i32 {
    let attacker = position.piece_at(played.from).map_or(0, |piece| values.piece(piece).exchange);
    let promoted = played.promotion().map_or(0, |role| values.material(role));
    (taken(position, values, played) + promoted) * 16
        + (KING_AS_ATTACKER - attacker.min(KING_AS_ATTACKER)) / 16
}

/// More than any piece but the King, so that the score is not negative.
const KING_AS_ATTACKER: i32 = 4_096;

/// Histories that threads share and keep from search to search.
#[derive(Debug)]
pub(crate) struct Histories {
    pub(crate) history: History,
    pub(crate) corrections: Corrections,
}

impl Histories {
    /// Empty histories for this number of pieces (of both colors) and squares.
    pub(crate) fn new(pieces: usize, squares: usize) -> Self {
        Self { history: History::new(pieces, squares), corrections: Corrections::new() }
    }

    /// Clears all histories.
    pub(crate) fn clear(&mut self) {
        self.history.clear();
        self.corrections.clear();
    }

    /// Ages the histories for a new search.
    pub(crate) fn age(&mut self) {
        self.history.age();
    }
}

/// Collects the moves of a node: all that it is given, but perhaps only the best promotions.
pub(crate) struct Collector<'a> {
    list: &'a mut Vec<Scored>,
    values: &'a Values,
    /// Skip promotions but those to the best piece.
    best_promotions: bool,
}

impl<'a> Collector<'a> {
    /// Appends to a list.
    pub(crate) fn new(list: &'a mut Vec<Scored>, values: &'a Values, best_promotions: bool) -> Self {
        Self { list, values, best_promotions }
    }

    #[inline]
    fn push(&mut self, played: Move) {
        self.list.push(Scored { played, score: 0 });
    }
}

impl<const N: usize> Sink<N> for Collector<'_> {
    #[inline]
    fn targets(&mut self, from: Square, targets: SquareSet<N>) {
        for to in targets {
            self.push(Move::plain(from, to));
        }
    }

    #[inline]
    fn promotions(&mut self, from: Square, to: Square, choices: RoleSet) {
        let promote = |role: Role| Move { from, to, kind: MoveKind::Promotion(role) };
        if self.best_promotions {
            if let Some(role) = choices.iter().max_by_key(|&role| self.values.material(role)) {
                self.push(promote(role));
            }
        } else {
            choices.iter().for_each(|role| self.push(promote(role)));
        }
    }

    #[inline]
    fn special(&mut self, special: Move) {
        self.push(special);
    }
}

/// Searches for a move that wins by reaching a goal.
pub(crate) struct GoalFinder<'a, const N: usize> {
    position: &'a Position<N>,
    board_sets: &'a BoardSets<N>,
    /// The last such move.
    pub(crate) goal: Option<Move>,
}

impl<'a, const N: usize> GoalFinder<'a, N> {
    /// Nothing found yet.
    pub(crate) fn new(position: &'a Position<N>, board_sets: &'a BoardSets<N>) -> Self {
        Self { position, board_sets, goal: None }
    }

    #[inline]
    fn goals_from(&self, from: Square) -> SquareSet<N> {
        self.board_sets.goal_of(self.position, from)
    }
}

impl<const N: usize> Sink<N> for GoalFinder<'_, N> {
    #[inline]
    fn targets(&mut self, from: Square, targets: SquareSet<N>) {
        if let Some(to) = (targets & self.goals_from(from)).first() {
            self.goal = Some(Move::plain(from, to));
        }
    }

    #[inline]
    fn promotions(&mut self, from: Square, to: Square, choices: RoleSet) {
        if self.goals_from(from).contains(to) {
            let promote = |role: Role| Move { from, to, kind: MoveKind::Promotion(role) };
            self.goal = choices.iter().next().map(promote);
        }
    }

    #[inline]
    fn special(&mut self, special: Move) {
        // Whether a compound or what leaves it wins there is seen when the move has been made.
        let whole = !matches!(special.kind, MoveKind::Fuse | MoveKind::Split(_));
        if whole && self.goals_from(special.from).contains(special.to) {
            self.goal = Some(special);
        }
    }
}

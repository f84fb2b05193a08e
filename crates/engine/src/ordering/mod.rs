//! Move ordering: which moves to try first. Lists of moves with the numbers they are picked by.

mod correction;
mod exchange;
mod history;
mod killers;

pub(crate) use correction::{CorrectionIndices, Corrections, Features};
pub(crate) use exchange::exchange_wins;
pub(crate) use history::{BACK, Before, History, Step};
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

/// Whether a move takes a piece off the board.
#[inline]
pub(crate) fn is_capture<const N: usize>(position: &Position<N>, played: Move) -> bool {
    played.kind == MoveKind::EnPassant
        || (!matches!(played.kind, MoveKind::Castling(_) | MoveKind::Fuse | MoveKind::Split(_))
            && position.pieces(!position.turn()).contains(played.to))
}

/// Whether a move changes the material: capture or promotion.
#[inline]
pub(crate) fn is_noisy<const N: usize>(position: &Position<N>, played: Move) -> bool {
    is_capture(position, played) || matches!(played.kind, MoveKind::Promotion(_))
}

/// Exchange value of the captured piece, in centipawns.
pub(crate) fn taken<const N: usize>(position: &Position<N>, values: &Values, played: Move) -> i32 {
    match played.kind {
        // Pawns take each other so.
        MoveKind::EnPassant => position.piece_at(played.from).map_or(0, |pawn| values.piece(pawn).exchange),
        // A fusion ends on an own piece, which stays.
        MoveKind::Castling(_) | MoveKind::Fuse | MoveKind::Split(_) => 0,
        MoveKind::Plain | MoveKind::Promotion(_) => {
            position.piece_at(played.to).map_or(0, |victim| values.piece(victim).exchange)
        }
    }
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
    /// Empty histories for so many pieces of both colors and squares.
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

/// Collects legal moves for a node: all of them, or only captures and best promotions.
pub(crate) struct Collector<'a, const N: usize> {
    pub(crate) list: &'a mut Vec<Scored>,
    pub(crate) position: &'a Position<N>,
    pub(crate) values: &'a Values,
    pub(crate) board_sets: &'a BoardSets<N>,
    /// Skip everything but captures and promotions to the best piece.
    pub(crate) noisy_only: bool,
    /// Legal moves seen, also those skipped.
    pub(crate) legal: u32,
    /// Whether to look for a move that wins by reaching a goal.
    seeks_goal: bool,
    /// Such a move.
    pub(crate) goal: Option<Move>,
}

impl<'a, const N: usize> Collector<'a, N> {
    /// An empty list.
    pub(crate) fn new(
        list: &'a mut Vec<Scored>,
        position: &'a Position<N>,
        values: &'a Values,
        board_sets: &'a BoardSets<N>,
        noisy_only: bool,
        seeks_goal: bool,
    ) -> Self {
        Self { list, position, values, board_sets, noisy_only, legal: 0, seeks_goal, goal: None }
    }

    #[inline]
    fn push(&mut self, played: Move) {
        self.list.push(Scored { played, score: 0 });
    }
}

impl<const N: usize> Sink<N> for Collector<'_, N> {
    #[inline]
    fn targets(&mut self, from: Square, targets: SquareSet<N>) {
        self.legal += targets.len();
        if self.seeks_goal {
            let goals = targets & self.board_sets.goal_of(self.position, from);
            if let Some(to) = goals.first() {
                self.goal = Some(Move::plain(from, to));
            }
        }
        let wanted =
            if self.noisy_only { targets & self.position.pieces(!self.position.turn()) } else { targets };
        for to in wanted {
            self.push(Move::plain(from, to));
        }
    }

    #[inline]
    fn promotions(&mut self, from: Square, to: Square, choices: RoleSet) {
        self.legal += choices.len();
        let promote = |role: Role| Move { from, to, kind: MoveKind::Promotion(role) };
        if self.seeks_goal && self.board_sets.goal_of(self.position, from).contains(to) {
            self.goal = choices.iter().next().map(promote);
        }
        if self.noisy_only {
            if let Some(role) = choices.iter().max_by_key(|&role| self.values.material(role)) {
                self.push(promote(role));
            }
        } else {
            choices.iter().for_each(|role| self.push(promote(role)));
        }
    }

    #[inline]
    fn special(&mut self, special: Move) {
        self.legal += 1;
        // Whether a compound or what leaves it wins there is seen when the move has been made.
        let whole = !matches!(special.kind, MoveKind::Fuse | MoveKind::Split(_));
        if whole
            && self.seeks_goal
            && self.board_sets.goal_of(self.position, special.from).contains(special.to)
        {
            self.goal = Some(special);
        }
        if !self.noisy_only || special.kind == MoveKind::EnPassant {
            self.push(special);
        }
    }
}

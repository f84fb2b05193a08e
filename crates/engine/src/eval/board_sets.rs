//! Sets of squares for evaluation and search, in the board's own width. Each search builds them from
//! [`Values`], which takes some microseconds.

use super::Values;
use super::span::Span;
use lozenge_rules::geometry::{Square, SquareSet};
use lozenge_rules::position::{ByColor, Color, Position};
use lozenge_rules::variant::Rules;

/// Goals and Kings' surroundings as sets.
#[derive(Debug)]
pub(crate) struct BoardSets<const N: usize> {
    /// By piece index: where the piece wins.
    goals: Vec<SquareSet<N>>,
    /// By color: from where some piece of that color could reach its goal on an empty board.
    gates: ByColor<SquareSet<N>>,
    has_goals: bool,
    /// By square: where a King could step from there.
    around: Vec<SquareSet<N>>,
    /// By square: where a King could be after one or two steps.
    two_steps: Vec<SquareSet<N>>,
    /// By pawn number and square.
    pawns: Vec<PawnSquare<N>>,
    /// By [`quiet_only_number`](super::values::PieceValues::quiet_only_number) and square: quiet-only moves.
    quiet_only_moves: Vec<SquareSet<N>>,
}

/// Captures and way to promotion of a pawn on one square.
#[derive(Clone, Debug)]
pub(super) struct PawnSquare<const N: usize> {
    /// The squares where it captures.
    pub(super) captures: SquareSet<N>,
    /// From where one enemy pawn bars every way to promotion.
    pub(super) stoppers: SquareSet<N>,
    /// The squares of its shortest paths.
    pub(super) path: SquareSet<N>,
    /// Moves to promotion; 0 when there is no way.
    pub(super) steps: u8,
    /// The ends of the shortest paths.
    pub(super) ends: Vec<Square>,
}

impl<const N: usize> PawnSquare<N> {
    fn new(captures: &[Square], span: &Span) -> Self {
        let set = |squares: &[Square]| squares.iter().copied().collect();
        Self {
            captures: set(captures),
            stoppers: set(&span.stoppers),
            path: set(&span.path),
            steps: span.steps,
            ends: span.ends.clone(),
        }
    }

    /// Whether none of these enemy pawns can stop it on its way to promotion.
    #[inline]
    pub(super) fn is_passed(&self, enemy_pawns: SquareSet<N>) -> bool {
        self.steps > 0 && !self.stoppers.meets(enemy_pawns)
    }
}

impl<const N: usize> BoardSets<N> {
    /// The sets of the game that the values were derived for.
    pub(crate) fn new(values: &Values, rules: &Rules<N>) -> Self {
        let mut gates = ByColor::filled(SquareSet::EMPTY);
        let mut goals = Vec::new();
        for piece in values.pieces() {
            let goal: SquareSet<N> = values.piece(piece).goals.iter().copied().collect();
            goals.push(goal);
            if goal.is_empty() {
                continue;
            }
            for from in values.board() {
                let empty = rules.reach(piece, from, SquareSet::EMPTY, SquareSet::EMPTY);
                let full = rules.reach(piece, from, SquareSet::EMPTY, goal.without(SquareSet::of(from)));
                if (empty | full).meets(goal) {
                    gates[piece.color()].insert(from);
                }
            }
        }
        let has_goals = goals.iter().any(|goal| !goal.is_empty());
        let around: Vec<SquareSet<N>> =
            values.board().map(|square| values.king_steps_from(square).collect()).collect();
        let two_steps = (around.iter())
            .map(|&near| near.into_iter().fold(near, |all, next| all | around[next.index()]))
            .collect();
        let pawns = values.pawn_captures.iter().zip(&values.spans);
        let pawns = pawns.map(|(captures, span)| PawnSquare::new(captures, span)).collect();
        let quiet_only_moves =
            values.quiet_only_moves.iter().map(|moves| moves.iter().copied().collect()).collect();
        Self { goals, gates, has_goals, around, two_steps, pawns, quiet_only_moves }
    }

    /// Captures and way to promotion of the pawn on a square; `None` if no pawn stands there.
    #[inline]
    pub(super) fn pawn_at(
        &self,
        position: &Position<N>,
        values: &Values,
        square: Square,
    ) -> Option<&PawnSquare<N>> {
        let number = values.piece(position.piece_at(square)?).pawn_number?;
        Some(&self.pawns[usize::from(number) * self.around.len() + square.index()])
    }

    /// Squares to which this officer moves from a square but never captures.
    #[inline]
    pub(super) fn quiet_only_moves(&self, number: u16, square: Square) -> SquareSet<N> {
        self.quiet_only_moves[usize::from(number) * self.around.len() + square.index()]
    }

    /// Whether the game can be won by reaching a square.
    #[inline]
    pub(crate) fn has_goals(&self) -> bool {
        self.has_goals
    }

    /// The squares next to one, as a King steps.
    #[inline]
    pub(crate) fn around(&self, square: Square) -> SquareSet<N> {
        self.around[square.index()]
    }

    /// The squares one or two King's steps away, and the square itself.
    #[inline]
    pub(super) fn two_steps(&self, square: Square) -> SquareSet<N> {
        self.two_steps[square.index()]
    }

    /// The goals of the piece on `from`, if any.
    #[inline]
    pub(crate) fn goal_of(&self, position: &Position<N>, from: Square) -> SquareSet<N> {
        position.piece_at(from).map_or(SquareSet::EMPTY, |piece| self.goals[piece.index()])
    }

    /// Whether a piece of `color` stands where it might reach its goal in one move.
    #[inline]
    pub(crate) fn is_at_gate(&self, position: &Position<N>, color: Color) -> bool {
        self.has_goals && self.gates[color].meets(position.pieces(color))
    }

    /// Whether a piece of `color` could now go to its goal, pins and checks apart.
    pub(crate) fn threatens_goal(&self, position: &Position<N>, rules: &Rules<N>, color: Color) -> bool {
        if !self.is_at_gate(position, color) {
            return false;
        }
        let (own, enemy) = (position.pieces(color), position.pieces(color.opponent()));
        (self.gates[color] & own).into_iter().any(|from| {
            let Some(piece) = position.piece_at(from) else { return false };
            let goal = self.goals[piece.index()].without(own);
            if goal.is_empty() || !rules.reach(piece, from, own, enemy).meets(goal) {
                return false;
            }
            // A King may not go where it would be captured.
            from != position.king(color)
                || goal
                    .into_iter()
                    .any(|to| position.attackers(rules, to, color.opponent(), position.occupied()).is_empty())
        })
    }
}

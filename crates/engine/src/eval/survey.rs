//! Attack maps: the reach of every piece, computed once for an evaluation and used by all its terms.

use super::Evaluator;
use super::features::TIERS;
use lozenge_rules::geometry::SquareSet;
use lozenge_rules::position::{Color, Piece};

/// Pieces and attacks, by color.
pub(super) struct Survey<const N: usize> {
    /// The squares of each tier's pieces; pawns are the first.
    pub(super) standing: [[SquareSet<N>; TIERS]; 2],
    /// The squares attacked by each tier.
    pub(super) attacked: [[SquareSet<N>; TIERS]; 2],
    /// The squares attacked by all pieces but the King.
    pub(super) without_king: [SquareSet<N>; 2],
    /// The squares attacked by all pieces.
    pub(super) by_all: [SquareSet<N>; 2],
}

impl<const N: usize> Survey<N> {
    /// Computes the attacks of all pieces. Calls `visit` for each officer with the squares it reaches, empty or
    /// occupied by either color.
    pub(super) fn new(
        evaluator: &Evaluator<'_, N>,
        mut visit: impl FnMut(Color, Piece, SquareSet<N>),
    ) -> Self {
        let mut survey = Self {
            standing: [[SquareSet::EMPTY; TIERS]; 2],
            attacked: [[SquareSet::EMPTY; TIERS]; 2],
            without_king: [SquareSet::EMPTY; 2],
            by_all: [SquareSet::EMPTY; 2],
        };
        let pawns = evaluator.pawns;
        for color in Color::BOTH {
            let side = color.index();
            survey.standing[side][0] = pawns.standing[side];
            survey.attacked[side][0] = pawns.attacked[side];
            let king = evaluator.position.king(color);
            let officers =
                evaluator.position.pieces(color).without(pawns.standing[side] | SquareSet::of(king));
            survey.add_officers(evaluator, color, officers, &mut visit);
            let attacked = &survey.attacked[side];
            survey.without_king[side] = attacked.iter().fold(SquareSet::EMPTY, |all, &tier| all | tier);
            survey.by_all[side] = survey.without_king[side] | evaluator.board_sets.around(king);
        }
        survey
    }

    #[inline]
    fn add_officers(
        &mut self,
        evaluator: &Evaluator<'_, N>,
        color: Color,
        officers: SquareSet<N>,
        visit: &mut impl FnMut(Color, Piece, SquareSet<N>),
    ) {
        let Evaluator { position, rules, values, board_sets, .. } = *evaluator;
        let (occupied, side) = (position.occupied(), color.index());
        for from in officers {
            let Some(piece) = position.piece_at(from) else { continue };
            let value = values.piece(piece);
            let reach = rules.reach_of_any(piece, from, occupied);
            let attacks = match value.quiet_only_number {
                None => reach,
                Some(number) => reach.without(board_sets.quiet_only_moves(number, from)),
            };
            let tier = usize::from(value.tier) % TIERS;
            self.standing[side][tier].insert(from);
            self.attacked[side][tier] |= attacks;
            visit(color, piece, reach);
        }
    }
}

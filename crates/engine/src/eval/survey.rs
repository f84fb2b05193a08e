//! Attack maps: the reach of every piece, computed once for an evaluation and used by all its terms.

use super::Evaluator;
use super::features::TIERS;
use lozenge_rules::geometry::SquareSet;
use lozenge_rules::piece::RoleSet;
use lozenge_rules::position::{ByColor, Color, Piece};

/// Pieces and attacks, by color.
pub(super) struct Survey<const N: usize> {
    /// The squares of each tier's pieces; pawns are the first.
    pub(super) standing: ByColor<[SquareSet<N>; TIERS]>,
    /// The squares attacked by each tier.
    pub(super) attacked: ByColor<[SquareSet<N>; TIERS]>,
    /// The roles of the officers.
    pub(super) roles: ByColor<RoleSet>,
    /// The squares attacked by all pieces but the King.
    pub(super) without_king: ByColor<SquareSet<N>>,
    /// The squares attacked by all pieces.
    pub(super) by_all: ByColor<SquareSet<N>>,
}

impl<const N: usize> Survey<N> {
    /// Computes the attacks of all pieces. Calls `visit` for each officer with the squares it reaches, empty or
    /// occupied by either color.
    pub(super) fn new(
        evaluator: &Evaluator<'_, N>,
        mut visit: impl FnMut(Color, Piece, SquareSet<N>),
    ) -> Self {
        let mut survey = Self {
            standing: ByColor::filled([SquareSet::EMPTY; TIERS]),
            attacked: ByColor::filled([SquareSet::EMPTY; TIERS]),
            roles: ByColor::filled(RoleSet::EMPTY),
            without_king: ByColor::filled(SquareSet::EMPTY),
            by_all: ByColor::filled(SquareSet::EMPTY),
        };
        let pawns = evaluator.pawns;
        for color in Color::BOTH {
            survey.standing[color][0] = pawns.standing[color];
            survey.attacked[color][0] = pawns.attacked[color];
            let king = evaluator.position.king(color);
            let officers =
                evaluator.position.pieces(color).without(pawns.standing[color] | SquareSet::of(king));
            survey.add_officers(evaluator, color, officers, &mut visit);
            let attacked = &survey.attacked[color];
            survey.without_king[color] = attacked.iter().fold(SquareSet::EMPTY, |all, &tier| all | tier);
            survey.by_all[color] = survey.without_king[color] | evaluator.board_sets.around(king);
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
        let occupied = position.occupied();
        for from in officers {
            let Some(piece) = position.piece_at(from) else { continue };
            let value = values.piece(piece);
            let reach = rules.reach_of_any(piece, from, occupied);
            let attacks = match value.quiet_only_number {
                None => reach,
                Some(number) => reach.without(board_sets.quiet_only_moves(number, from)),
            };
            let tier = usize::from(value.tier) % TIERS;
            self.standing[color][tier].insert(from);
            self.attacked[color][tier] |= attacks;
            self.roles[color].insert(piece.role());
            visit(color, piece, reach);
        }
    }
}

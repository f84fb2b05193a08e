//! Who attacks what: every man's reach, found once for an evaluation and used by all its terms.

use super::Evaluator;
use super::features::TIERS;
use lozenge_rules::geometry::SquareSet;
use lozenge_rules::position::{Color, Piece};

/// Men and attacks, by color.
pub(super) struct Survey<const N: usize> {
    /// Where the men of each tier stand; pawns are the first.
    pub(super) standing: [[SquareSet<N>; TIERS]; 2],
    /// What the men of each tier attack.
    pub(super) attacked: [[SquareSet<N>; TIERS]; 2],
    /// What all men but the King attack.
    pub(super) by_men: [SquareSet<N>; 2],
    /// What all men attack.
    pub(super) by_all: [SquareSet<N>; 2],
}

impl<const N: usize> Survey<N> {
    /// Looks at all men. Each officer is shown to `meet` with the squares it reaches, empty or with a man
    /// of either color.
    pub(super) fn new(
        evaluator: &Evaluator<'_, N>,
        mut meet: impl FnMut(Color, Piece, SquareSet<N>),
    ) -> Self {
        let mut survey = Self {
            standing: [[SquareSet::EMPTY; TIERS]; 2],
            attacked: [[SquareSet::EMPTY; TIERS]; 2],
            by_men: [SquareSet::EMPTY; 2],
            by_all: [SquareSet::EMPTY; 2],
        };
        let pawns = evaluator.pawns;
        for color in Color::BOTH {
            let side = color.index();
            survey.standing[side][0] = pawns.standing[side];
            survey.attacked[side][0] = pawns.attacked[side];
            let king = evaluator.position.king(color);
            let officers = evaluator.position.men(color).without(pawns.standing[side] | SquareSet::of(king));
            survey.look_at_officers(evaluator, color, officers, &mut meet);
            let attacked = &survey.attacked[side];
            survey.by_men[side] = attacked.iter().fold(SquareSet::EMPTY, |all, &tier| all | tier);
            survey.by_all[side] = survey.by_men[side] | evaluator.terrain.around(king);
        }
        survey
    }

    #[inline]
    fn look_at_officers(
        &mut self,
        evaluator: &Evaluator<'_, N>,
        color: Color,
        officers: SquareSet<N>,
        meet: &mut impl FnMut(Color, Piece, SquareSet<N>),
    ) {
        let Evaluator { position, rules, values, terrain, .. } = *evaluator;
        let (occupied, side) = (position.occupied(), color.index());
        for from in officers {
            let Some(piece) = position.piece_at(from) else { continue };
            let man = values.man(piece);
            let reach = rules.reach(piece, from, SquareSet::EMPTY, occupied);
            let attacks = match man.shy_number {
                None => reach,
                Some(number) => reach.without(terrain.shy_moves(number, from)),
            };
            let tier = usize::from(man.tier) % TIERS;
            self.standing[side][tier].insert(from);
            self.attacked[side][tier] |= attacks;
            meet(color, piece, reach);
        }
    }
}

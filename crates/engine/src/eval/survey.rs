//! Who attacks what: every man's reach, found once for an evaluation and used by all its terms.

use super::Evaluator;
use super::features::TIERS;
use arrayvec::ArrayVec;
use lozenge_rules::geometry::{Square, SquareSet};
use lozenge_rules::position::{Color, Piece};

/// An officer and the squares it reaches, empty or with a man of either color.
#[derive(Clone, Copy)]
pub(super) struct Officer<const N: usize> {
    pub(super) piece: Piece,
    pub(super) reach: SquareSet<N>,
}

/// Squares of the largest board: no side has more men.
const MOST: usize = 256;

/// Men and attacks, by color.
pub(super) struct Survey<const N: usize> {
    pub(super) officers: [ArrayVec<Officer<N>, MOST>; 2],
    pub(super) pawns: [ArrayVec<(Square, u16), MOST>; 2],
    /// Where the men of each tier stand.
    pub(super) standing: [[SquareSet<N>; TIERS]; 2],
    /// What the men of each tier attack.
    pub(super) attacked: [[SquareSet<N>; TIERS]; 2],
    /// What all men but the King attack.
    pub(super) by_men: [SquareSet<N>; 2],
    /// What all men attack.
    pub(super) by_all: [SquareSet<N>; 2],
}

impl<const N: usize> Survey<N> {
    pub(super) fn new(evaluator: &Evaluator<'_, N>) -> Self {
        let mut survey = Self {
            officers: [ArrayVec::new(), ArrayVec::new()],
            pawns: [ArrayVec::new(), ArrayVec::new()],
            standing: [[SquareSet::EMPTY; TIERS]; 2],
            attacked: [[SquareSet::EMPTY; TIERS]; 2],
            by_men: [SquareSet::EMPTY; 2],
            by_all: [SquareSet::EMPTY; 2],
        };
        for color in Color::BOTH {
            survey.look(evaluator, color);
        }
        survey
    }

    fn look(&mut self, evaluator: &Evaluator<'_, N>, color: Color) {
        let Evaluator { position, rules, values, terrain, .. } = *evaluator;
        let occupied = position.occupied();
        let side = color.index();
        let king = position.king(color);
        for from in position.men(color) {
            let Some(piece) = position.piece_at(from) else { continue };
            let man = values.man(piece);
            if let Some(number) = man.pawn_number {
                self.pawns[side].push((from, number));
                self.standing[side][0].insert(from);
                self.attacked[side][0] |= terrain.pawn(number, from).captures;
            } else if from != king {
                let reach = rules.reach(piece, from, SquareSet::EMPTY, occupied);
                let attacks = match man.shy_number {
                    None => reach,
                    Some(number) => reach.without(terrain.shy_moves(number, from)),
                };
                let tier = usize::from(man.tier) % TIERS;
                self.standing[side][tier].insert(from);
                self.attacked[side][tier] |= attacks;
                self.officers[side].push(Officer { piece, reach });
            }
        }
        self.by_men[side] = self.attacked[side].iter().fold(SquareSet::EMPTY, |all, &tier| all | tier);
        self.by_all[side] = self.by_men[side] | terrain.around(king);
    }
}

//! Static evaluation, from the side to move. Nothing here names a game: features follow from the game's
//! geometry, and weights from the same or, for tuned games, from data.
//!
//! The evaluation is a sum of counts times weights ([`features`]). Each weight has a middle game and an end
//! game value ([`Taper`]), mixed by the pieces left. The sum is scaled down if those can hardly win
//! ([`endings`]). Material and placement are updated incrementally ([`Tally`]); the other terms use one survey
//! of all attacks ([`survey`]).
//!
//! A network would replace [`evaluate`]. [`TallyObserver`] is called for every piece lifted and put down, as
//! the first layer of an efficiently updatable network needs; see `docs/evaluation.md`.

mod advance;
mod board_sets;
mod cache;
mod derive;
mod endings;
mod explain;
mod features;
mod fingerprint;
mod material;
mod pawns;
mod scale;
mod span;
mod square_classes;
mod survey;
mod taper;
mod terms;
#[cfg(test)]
mod tests;
mod trace;
mod tuned;
mod values;

pub(crate) use board_sets::BoardSets;
pub(crate) use cache::EvaluationCache;
pub(crate) use explain::explain;
pub use explain::{Coefficients, Explanation, TermValue};
pub use features::{Term, WeightGroup};
pub use fingerprint::fingerprint;
pub(crate) use pawns::{PawnHashTable, Pawns};
pub use scale::FULL_SCALE;
pub use taper::{FULL_PHASE, GRAIN, Taper};
pub use tuned::{TunedError, read_weights};
pub use values::Values;

use crate::score::EVALUATION_LIMIT;
use lozenge_rules::geometry::{Square, SquareSet};
use lozenge_rules::position::{ByColor, Color, Observer, Piece, Position};
use lozenge_rules::variant::Rules;
use survey::Survey;
use terms::KingAttack;
use trace::{Count, NoTrace, Recorder};

/// Sums over the pieces on the board, by color, updated incrementally.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tally {
    /// Material and placement.
    pub(crate) placement: ByColor<Taper>,
    /// Material other than pawns and Kings, in centipawns, as derived: it measures the phase.
    pub(crate) force: ByColor<i32>,
    /// Pieces other than pawns and Kings.
    pub(crate) officers: ByColor<i32>,
    /// Pawns.
    pub(crate) pawns: ByColor<i32>,
    /// Pieces that may become others, or win by arriving somewhere.
    pub(crate) advancing: ByColor<i32>,
    /// Officers that mate a bare King with their own King alone.
    pub(crate) maters: ByColor<i32>,
    /// Pieces bound to one half of the board, by half.
    pub(crate) halves: ByColor<[i32; 2]>,
}

impl Tally {
    /// The sums of a position.
    pub(crate) fn of<const N: usize>(position: &Position<N>, values: &Values) -> Self {
        let mut listener = TallyObserver { tally: Self::default(), values };
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                listener.put(piece, square);
            }
        }
        listener.tally
    }

    /// How much of the officers is left, from 0 to [`FULL_PHASE`].
    #[inline]
    fn phase(&self, values: &Values) -> i32 {
        ((self.force[Color::White] + self.force[Color::Black]) * (FULL_PHASE / 2) / values.full_force())
            .min(FULL_PHASE)
    }
}

/// Updates a [`Tally`] while a move is played.
pub(crate) struct TallyObserver<'v> {
    /// The sums so far.
    pub(crate) tally: Tally,
    /// The values to sum.
    pub(crate) values: &'v Values,
}

impl TallyObserver<'_> {
    #[inline]
    fn count(&mut self, piece: Piece, square: Square, sign: i32) {
        let color = piece.color();
        let value = self.values.piece(piece);
        let slot = self.values.slot(piece, square);
        self.tally.placement[color] += slot.value * sign;
        self.tally.force[color] += sign * value.force;
        self.tally.officers[color] += sign * i32::from(value.force > 0);
        self.tally.pawns[color] += sign * i32::from(value.pawn);
        self.tally.advancing[color] += sign * i32::from(value.advancing);
        self.tally.maters[color] += sign * i32::from(value.mates);
        if slot.half > 0 {
            self.tally.halves[color][usize::from(slot.half) - 1] += sign;
        }
    }
}

impl Observer for TallyObserver<'_> {
    #[inline]
    fn lift(&mut self, piece: Piece, square: Square) {
        self.count(piece, square, -1);
    }
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.count(piece, square, 1);
    }
}

/// The static evaluation, in centipawns from the side to move.
pub(crate) fn evaluate<const N: usize>(
    position: &Position<N>,
    rules: &Rules<N>,
    values: &Values,
    board_sets: &BoardSets<N>,
    tally: &Tally,
    pawns: &Pawns<N>,
) -> i32 {
    let white = Evaluator { position, rules, values, board_sets, tally, pawns }.evaluate(&mut NoTrace).score;
    if position.turn() == Color::White { white } else { -white }
}

/// Everything an evaluation reads.
struct Evaluator<'a, const N: usize> {
    position: &'a Position<N>,
    rules: &'a Rules<N>,
    values: &'a Values,
    board_sets: &'a BoardSets<N>,
    tally: &'a Tally,
    pawns: &'a Pawns<N>,
}

/// Result of an evaluation, from White's side.
struct WhiteScore {
    /// Centipawns.
    score: i32,
    /// How much of the officers is left, from 0 to [`FULL_PHASE`].
    phase: i32,
    /// How much of the sum counts, of [`FULL_SCALE`].
    scale: i32,
}

impl<const N: usize> Evaluator<'_, N> {
    /// Counts everything and sums it up.
    fn evaluate<S: Recorder>(&self, trace: &mut S) -> WhiteScore {
        let Self { position, values, tally, .. } = *self;
        if S::ENABLED {
            self.record_placement(trace);
        }
        let mut count = Count { weights: &values.weights, sums: tally.placement, trace };
        count.add(position.turn(), features::TEMPO, 1);
        self.count_pair(&mut count);
        self.count_mating(&mut count);
        let (survey, king_attacks) = self.survey(&mut count);
        for color in Color::BOTH {
            self.count_control(&survey, color, &mut count);
            self.count_king_attack(&survey, color, king_attacks[color], &mut count);
            self.count_shelter(&survey, color, &mut count);
            self.count_pawns(&survey, color, &mut count);
            self.count_threats(&survey, color, &mut count);
            if values.king_has_goal(color) {
                self.count_race(&survey, color, &mut count);
            }
        }
        let phase = tally.phase(values);
        let whole = (count.sums[Color::White] - count.sums[Color::Black]).at(phase);
        let scale = self.scale(whole);
        let score = (whole / GRAIN * scale / FULL_SCALE).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT);
        WhiteScore { score, phase, scale }
    }

    /// Visits all pieces, and counts the mobility of the officers on the way.
    fn survey<S: Recorder>(&self, count: &mut Count<'_, S>) -> (Survey<N>, ByColor<KingAttack<N>>) {
        let Self { position, board_sets, pawns, .. } = *self;
        let mut king_attacks = ByColor::from_fn(|color| {
            let king = position.king(color.opponent());
            KingAttack::new(board_sets.around(king) | SquareSet::of(king))
        });
        let survey = Survey::new(self, |color, piece, reach| {
            // An officer on a square guarded by an enemy pawn is misplaced.
            let excluded = position.pieces(color) | pawns.attacked[color.opponent()];
            self.count_mobility(color, piece, reach.without(excluded).len(), count);
            king_attacks[color].join(reach);
        });
        (survey, king_attacks)
    }

    /// Records the features that the tally has already summed.
    fn record_placement<S: Recorder>(&self, trace: &mut S) {
        for square in self.position.occupied() {
            if let Some(piece) = self.position.piece_at(square) {
                for feature in self.values.placement_features(piece, square) {
                    trace.record(piece.color(), feature, 1);
                }
            }
        }
    }
}

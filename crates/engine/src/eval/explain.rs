//! The evaluation term by term, for people and for tuners. It traces the code that the search runs.

use super::features::Term;
use super::scale::FULL_SCALE;
use super::taper::{FULL_PHASE, GRAIN, Taper};
use super::trace::Trace;
use super::{BoardSets, Evaluator, Pawns, Tally, Values};
use lozenge_rules::position::{AnyPosition, ByColor, Color, Position, WidthVisitor};
use lozenge_rules::variant::Rules;

/// The value of one term for both sides, each from its own side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TermValue {
    /// Which.
    pub term: Term,
    /// By color: in the middle game and in the end game, in sixteenths of a centipawn.
    pub value: ByColor<Taper>,
    /// By color: as mixed for the pieces that are left, in sixteenths of a centipawn.
    pub mixed: ByColor<i32>,
}

/// An evaluation, term by term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// All terms, also zero ones.
    pub terms: Vec<TermValue>,
    /// How much of the officers is left: from 0 (end game) to 256 (all).
    pub phase: i32,
    /// How much of the sum counts, of 128: less where what is left can hardly win.
    pub scale: i32,
    /// The evaluation, in centipawns from White's side: White's terms less Black's, scaled.
    pub score: i32,
}

impl Explanation {
    /// Converts sixteenths of a centipawn to centipawns.
    #[must_use]
    pub fn centipawns(sixteenths: i32) -> f64 {
        f64::from(sixteenths) / f64::from(GRAIN)
    }
}

/// An evaluation as a sum of weights, for a tuner: for each feature how often it was counted for White
/// less how often for Black.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coefficients {
    /// Features and counts, by rising feature, without those that cancel out.
    pub counts: Vec<(usize, i32)>,
    /// How much of the officers is left: from 0 (end game) to 256 (all).
    pub phase: i32,
    /// How much of the sum counts, of 128.
    pub scale: i32,
    /// The evaluation with the current weights, in centipawns from White's side.
    pub score: i32,
}

impl Values {
    /// The evaluation of a position of this game as a sum of weights.
    #[must_use]
    pub fn coefficients(&self, position: &AnyPosition) -> Coefficients {
        position.visit(Coefficient { values: self })
    }
}

/// The evaluation as a sum of weights, on the fast form of a position.
struct Coefficient<'a> {
    values: &'a Values,
}

impl WidthVisitor for Coefficient<'_> {
    type Output = Coefficients;
    fn visit<const N: usize>(self, position: &Position<N>, rules: &Rules<N>) -> Coefficients {
        coefficients(position, rules, self.values)
    }
}

/// The evaluation of a position, term by term.
pub(crate) fn explain<const N: usize>(
    position: &Position<N>,
    rules: &Rules<N>,
    values: &Values,
) -> Explanation {
    let (trace, verdict) = trace(position, rules, values);
    let groups = values.groups();
    let mut value = [ByColor::filled(Taper::ZERO); Term::ALL.len()];
    for (color, feature, times) in trace.0 {
        let group = &groups[groups.partition_point(|group| group.first <= feature) - 1];
        value[group.term as usize][color] += values.weights[feature] * times;
    }
    let terms = Term::ALL.map(|term| {
        let value = value[term as usize];
        TermValue { term, value, mixed: value.map(|value| value.at(verdict.phase)) }
    });
    Explanation { terms: terms.into(), phase: verdict.phase, scale: verdict.scale, score: verdict.score }
}

/// The evaluation of a position as a sum of weights.
fn coefficients<const N: usize>(position: &Position<N>, rules: &Rules<N>, values: &Values) -> Coefficients {
    let (trace, verdict) = trace(position, rules, values);
    let mut all = trace.0;
    all.sort_unstable_by_key(|&(_, feature, _)| feature);
    let mut counts: Vec<(usize, i32)> = Vec::new();
    for (color, feature, times) in all {
        let times = if color == Color::White { times } else { -times };
        match counts.last_mut() {
            Some((last, count)) if *last == feature => *count += times,
            _ => counts.push((feature, times)),
        }
    }
    counts.retain(|&(_, count)| count != 0);
    Coefficients { counts, phase: verdict.phase, scale: verdict.scale, score: verdict.score }
}

fn trace<const N: usize>(
    position: &Position<N>,
    rules: &Rules<N>,
    values: &Values,
) -> (Trace, super::WhiteScore) {
    let board_sets = BoardSets::new(values, rules);
    let tally = Tally::of(position, values);
    let pawns = Pawns::new(position, values, &board_sets);
    let evaluator =
        Evaluator { position, rules, values, board_sets: &board_sets, tally: &tally, pawns: &pawns };
    let mut trace = Trace::default();
    let verdict = evaluator.evaluate(&mut trace);
    (trace, verdict)
}

const _: () = assert!(FULL_PHASE == 256 && FULL_SCALE == 128, "as the documentation says");

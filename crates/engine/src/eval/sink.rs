//! Who listens while the evaluation counts: nobody in a search, a [`Trace`] when it is to be explained
//! or tuned. Both hear the same code, so an explanation cannot say anything else than the evaluation.

use super::taper::Taper;
use lozenge_rules::position::Color;

/// Hears what is counted.
pub(super) trait Sink {
    /// Whether it listens at all; what is kept up to date move by move is told only then.
    const LISTENS: bool;
    /// A feature was counted so many times for a side.
    fn hear(&mut self, color: Color, feature: usize, times: i32);
}

/// Nobody.
pub(super) struct Nobody;

impl Sink for Nobody {
    const LISTENS: bool = false;
    #[inline(always)]
    fn hear(&mut self, _: Color, _: usize, _: i32) {}
}

/// Everything that was counted.
#[derive(Default, Debug)]
pub(super) struct Trace(pub(super) Vec<(Color, usize, i32)>);

impl Sink for Trace {
    const LISTENS: bool = true;
    fn hear(&mut self, color: Color, feature: usize, times: i32) {
        self.0.push((color, feature, times));
    }
}

/// Adds up counts times weights, by color.
pub(super) struct Count<'a, S> {
    pub(super) weights: &'a [Taper],
    pub(super) sums: [Taper; 2],
    pub(super) sink: &'a mut S,
}

impl<S: Sink> Count<'_, S> {
    #[inline(always)]
    pub(super) fn add(&mut self, color: Color, feature: usize, times: i32) {
        self.sums[color.index()] += self.weights[feature] * times;
        self.sink.hear(color, feature, times);
    }
}

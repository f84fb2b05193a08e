//! Recording of the features that the evaluation counts: [`NoTrace`] in a search, a [`Trace`] for explanation
//! and tuning. Both run the same code, so an explanation always matches the evaluation.

use super::taper::Taper;
use lozenge_rules::position::{ByColor, Color};

/// Records counted features.
pub(super) trait Recorder {
    /// Whether it records at all; incrementally updated features are recorded only then.
    const ENABLED: bool;
    /// Records how often a feature was counted for a side.
    fn record(&mut self, color: Color, feature: usize, times: i32);
}

/// Records nothing.
pub(super) struct NoTrace;

impl Recorder for NoTrace {
    const ENABLED: bool = false;
    #[inline(always)]
    fn record(&mut self, _: Color, _: usize, _: i32) {}
}

/// All counted features.
#[derive(Default, Debug)]
pub(super) struct Trace(pub(super) Vec<(Color, usize, i32)>);

impl Recorder for Trace {
    const ENABLED: bool = true;
    fn record(&mut self, color: Color, feature: usize, times: i32) {
        self.0.push((color, feature, times));
    }
}

/// Adds up counts times weights, by color.
pub(super) struct Count<'a, S> {
    pub(super) weights: &'a [Taper],
    pub(super) sums: ByColor<Taper>,
    pub(super) trace: &'a mut S,
}

impl<S: Recorder> Count<'_, S> {
    #[inline(always)]
    pub(super) fn add(&mut self, color: Color, feature: usize, times: i32) {
        self.sums[color] += self.weights[feature] * times;
        self.trace.record(color, feature, times);
    }
}

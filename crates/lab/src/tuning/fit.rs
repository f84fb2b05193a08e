//! Logistic regression of the evaluation's weights: Texel's method (Peter Österlund, 2014), with the
//! gradient computed instead of tried, since the evaluation is linear in its weights.
//!
//! Each position is a sum of counts times weights, mixed by phase and scaled (`Coefficients`); a sigmoid
//! makes it the share of the point that White should expect. The loss is the cross entropy of that
//! with what came of the position: a mixture of the game's result and the search's score. The
//! weights are drawn toward those that follow from the geometry, as by a normal prior: where there
//! is little data, they stay there.

use super::TuningError;
use super::data::heading_begins;
use super::record::{Games, Sample};
use crate::rng::Rng;
use lozenge_engine::{Coefficients, FULL_PHASE, GRAIN, Score, Taper, Term, Values};
use lozenge_rules::variant::Variant;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitSettings {
    /// Passes over all positions.
    pub epochs: u32,
    /// How much of the label is the search's score; the rest is the game's result.
    pub score_share: f32,
    /// Every n-th game is held out for validation.
    pub validation: u64,
    /// How many positions of a game count as much as one by itself: neighbors are correlated.
    pub positions_per_sample: f32,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self { epochs: 40, score_share: 0.5, validation: 10, positions_per_sample: 2.0 }
    }
}

/// The result of a fit.
#[derive(Clone, PartialEq, Debug)]
pub struct Fitted {
    /// The weights, one for each feature.
    pub weights: Vec<Taper>,
    /// Positions for training and for validation.
    pub positions: [usize; 2],
    /// Centipawns at which the expectation is e/(1+e) = 73 %.
    pub scale: f32,
    /// Mean cross entropy before: training, validation.
    pub before: [f32; 2],
    /// The same after.
    pub after: [f32; 2],
}

/// Positions between two steps of the descent.
const BATCH: usize = 2_048;
/// First and last step of the descent, in sixteenths of a centipawn.
const STEPS: [f32; 2] = [24.0, 0.8];

/// The score of a forced win, and the largest, in centipawns.
const WON: i32 = 10_000;

/// One position, prepared for training.
struct Case {
    counts: Vec<(u16, i16)>,
    /// Share of the middle game and of the end game in centipawns, scale and grain included.
    shares: [f32; 2],
    score: f32,
    result: f32,
    is_validation: bool,
}

impl Case {
    fn new(coefficients: Coefficients, score: Score, result: u8, is_validation: bool) -> Self {
        let scale = coefficients.scale as f32 / 128.0 / GRAIN as f32;
        let phase = coefficients.phase as f32 / FULL_PHASE as f32;
        Self {
            counts: coefficients.counts.iter().map(|&(f, count)| (f as u16, count as i16)).collect(),
            shares: [scale * phase, scale * (1.0 - phase)],
            score: match score {
                Score::Centipawns(score) => score.clamp(-WON, WON) as f32,
                Score::Wins(_) => WON as f32,
                Score::Loses(_) => -WON as f32,
            },
            result: f32::from(result) / 2.0,
            is_validation,
        }
    }

    /// Centipawns from White's side. Weights are in pairs: middle game, end game.
    fn evaluation(&self, weights: &[f32]) -> f32 {
        let (mut middle, mut end) = (0.0, 0.0);
        for &(feature, count) in &self.counts {
            let at = usize::from(feature) * 2;
            middle += weights[at] * f32::from(count);
            end += weights[at + 1] * f32::from(count);
        }
        middle * self.shares[0] + end * self.shares[1]
    }
}

/// Reads the files and fits the weights; `progress` receives each epoch and its mean loss on the
/// training and the validation positions.
///
/// # Errors
/// When a file cannot be read, is for another game, or holds no usable position.
pub fn fit(
    variant: &Arc<Variant>,
    files: &[PathBuf],
    settings: &FitSettings,
    progress: &mut dyn FnMut(u32, [f32; 2]),
) -> Result<Fitted, TuningError> {
    let values = Values::derived(variant);
    let mut cases = Vec::new();
    for file in files {
        read(variant, &values, file, settings, &mut cases)?;
    }
    if cases.iter().all(|case| case.is_validation) {
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        return Err(TuningError::NoPositions(names.join(", ")));
    }
    let start: Vec<f32> = (values.derived_weights().iter())
        .flat_map(|weight| [weight.middle() as f32, weight.end() as f32])
        .collect();
    // The value of a pawn in points: for our evaluation, and for the scores in the data.
    let scale = best_scale(&cases, |case| case.evaluation(&start));
    let score_scale = best_scale(&cases, |case| case.score);
    let labels: Vec<f32> = (cases.iter())
        .map(|case| {
            let expected = sigmoid(case.score / score_scale);
            case.result * (1.0 - settings.score_share) + expected * settings.score_share
        })
        .collect();
    let mut descent = Descent::new(&values, &cases, &labels, start.clone(), scale, settings);
    let before = descent.losses();
    for epoch in 1..=settings.epochs {
        descent.epoch(epoch, settings.epochs);
        progress(epoch, descent.losses());
    }
    let whole = |weight: f32| weight.round() as i32;
    let weights = descent.weights.chunks(2).map(|pair| Taper::new(whole(pair[0]), whole(pair[1])));
    let validation = cases.iter().filter(|case| case.is_validation).count();
    Ok(Fitted {
        weights: weights.collect(),
        positions: [cases.len() - validation, validation],
        scale,
        before,
        after: descent.losses(),
    })
}

fn read(
    variant: &Arc<Variant>,
    values: &Values,
    file: &Path,
    settings: &FitSettings,
    cases: &mut Vec<Case>,
) -> Result<(), TuningError> {
    let mut games = Games::open(file)?;
    games.expect(&heading_begins(variant))?;
    while let Some(game) = games.next().transpose()? {
        let Some(result) = game.result else { continue };
        let is_validation = settings.validation > 0 && game.number % settings.validation == 0;
        let samples = game.samples(variant).ok_or_else(|| games.damaged("legal moves"))?;
        for Sample { position, score, .. } in samples.into_iter().filter(Sample::is_quiet) {
            cases.push(Case::new(values.coefficients(&position), score, result, is_validation));
        }
    }
    Ok(())
}

/// The centipawns of one unit of the sigmoid that fit the results best: golden section search.
fn best_scale(cases: &[Case], evaluation: impl Fn(&Case) -> f32) -> f32 {
    let stride = (cases.len() / 50_000).max(1);
    let points: Vec<(f32, f32)> =
        cases.iter().step_by(stride).map(|case| (evaluation(case), case.result)).collect();
    let loss = |scale: f32| -> f64 {
        points.iter().map(|&(value, label)| f64::from(entropy(sigmoid(value / scale), label))).sum()
    };
    let ratio = 0.618_034;
    let (mut low, mut high) = (40.0f32, 2_000.0f32);
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_left, mut at_right) = (loss(left), loss(right));
    while high - low > 2.0 {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - ratio * (high - low);
            at_left = loss(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + ratio * (high - low);
            at_right = loss(right);
        }
    }
    (low + high) / 2.0
}

fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

fn entropy(expected: f32, label: f32) -> f32 {
    let expected = expected.clamp(1e-6, 1.0 - 1e-6);
    -(label * expected.ln() + (1.0 - label) * (1.0 - expected).ln())
}

/// Adam (Kingma and Ba, 2015) on the weights.
struct Descent<'a> {
    cases: &'a [Case],
    labels: &'a [f32],
    start: Vec<f32>,
    weights: Vec<f32>,
    /// By weight: how strongly it is drawn back to its start.
    regularization: Vec<f32>,
    /// By weight: what it may not fall below.
    floor: Vec<f32>,
    gradient: Vec<f32>,
    moments: [Vec<f32>; 2],
    steps: i32,
    scale: f32,
    order: Vec<u32>,
}

impl<'a> Descent<'a> {
    fn new(
        values: &Values,
        cases: &'a [Case],
        labels: &'a [f32],
        start: Vec<f32>,
        scale: f32,
        settings: &FitSettings,
    ) -> Self {
        let order: Vec<u32> =
            (0..cases.len() as u32).filter(|&case| !cases[case as usize].is_validation).collect();
        let zero = vec![0.0; start.len()];
        let independent = order.len() as f32 / settings.positions_per_sample.max(1.0);
        let mut regularization = zero.clone();
        let mut floor = vec![f32::NEG_INFINITY; start.len()];
        for group in values.groups() {
            let part = group.first * 2..(group.first + group.len) * 2;
            // Most endings in the data are drawn or decided by pawns. There the hunt for the King means nothing, and
            // a fit without this bound sent the hunter away.
            if group.term == Term::Mating {
                floor[part.clone()].copy_from_slice(&start[part.clone()]);
            }
            // How far from its derived value a weight may well be, in sixteenths of a centipawn.
            let wide = GRAIN as f32 * if group.term == Term::Material { 120.0 } else { 40.0 };
            // Squares are counted many at a time.
            let wide = if group.term == Term::Mobility && group.len == 1 { wide / 10.0 } else { wide };
            regularization[part].fill(1.0 / (wide * wide * independent));
        }
        Self {
            cases,
            labels,
            weights: start.clone(),
            start,
            regularization,
            floor,
            gradient: zero.clone(),
            moments: [zero.clone(), zero],
            steps: 0,
            scale,
            order,
        }
    }

    /// Mean loss on the training and on the validation positions.
    fn losses(&self) -> [f32; 2] {
        let (mut sums, mut counts) = ([0.0f64; 2], [0usize; 2]);
        for (case, &label) in self.cases.iter().zip(self.labels) {
            let loss = entropy(sigmoid(case.evaluation(&self.weights) / self.scale), label);
            sums[usize::from(case.is_validation)] += f64::from(loss);
            counts[usize::from(case.is_validation)] += 1;
        }
        [0, 1].map(|part| (sums[part] / counts[part].max(1) as f64) as f32)
    }

    /// Visits every position once, in another order each time.
    fn epoch(&mut self, epoch: u32, epochs: u32) {
        shuffle(&mut self.order, u64::from(epoch));
        let done = (epoch - 1) as f32 / epochs as f32;
        let step = STEPS[0] * (STEPS[1] / STEPS[0]).powf(done);
        let order = core::mem::take(&mut self.order);
        for batch in order.chunks(BATCH) {
            self.gradient.fill(0.0);
            for &number in batch {
                let case = &self.cases[number as usize];
                let expected = sigmoid(case.evaluation(&self.weights) / self.scale);
                let slope = (expected - self.labels[number as usize]) / self.scale / batch.len() as f32;
                let shares = case.shares.map(|share| share * slope);
                for &(feature, count) in &case.counts {
                    let at = usize::from(feature) * 2;
                    self.gradient[at] += shares[0] * f32::from(count);
                    self.gradient[at + 1] += shares[1] * f32::from(count);
                }
            }
            self.descend(step);
        }
        self.order = order;
    }

    fn descend(&mut self, step: f32) {
        const KEEP: [f32; 2] = [0.9, 0.999];
        self.steps += 1;
        let correction = KEEP.map(|keep| 1.0 - keep.powi(self.steps));
        for at in 0..self.weights.len() {
            let gradient = self.gradient[at] + self.regularization[at] * (self.weights[at] - self.start[at]);
            let first = KEEP[0] * self.moments[0][at] + (1.0 - KEEP[0]) * gradient;
            let second = KEEP[1] * self.moments[1][at] + (1.0 - KEEP[1]) * gradient * gradient;
            (self.moments[0][at], self.moments[1][at]) = (first, second);
            if second > 0.0 {
                let speed = (second / correction[1]).sqrt() + 1e-12;
                let weight = self.weights[at] - step * (first / correction[0]) / speed;
                self.weights[at] = weight.max(self.floor[at]);
            }
        }
    }
}

/// Fisher and Yates, with the same numbers in every run.
fn shuffle(order: &mut [u32], seed: u64) {
    let mut rng = Rng::new(seed);
    for at in (1..order.len()).rev() {
        order.swap(at, rng.below(at + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::data;
    use lozenge_rules::library;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn scale_is_recovered() {
        // Results drawn exactly from a sigmoid of 250 centipawns.
        let cases: Vec<Case> = (-20..=20)
            .map(|step| {
                let score = step as f32 * 40.0;
                let result = sigmoid(score / 250.0);
                Case { counts: Vec::new(), shares: [0.0; 2], score, result, is_validation: false }
            })
            .collect();
        assert!((best_scale(&cases, |case| case.score) - 250.0).abs() < 5.0);
    }

    #[test]
    fn fit_generalizes_to_unseen_positions() {
        let gardner = library::game("gardner").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let few = data::DataSettings { games: 120, nodes: 150, plies: 4, seed: 3, threads: 2 };
        data::generate(&gardner, &few, &path, &AtomicBool::new(false), &mut |_| {}).unwrap();
        let settings = FitSettings { epochs: 8, validation: 5, ..FitSettings::default() };
        let mut epochs = 0;
        let fitted = fit(&gardner, &[path], &settings, &mut |_, _| epochs += 1).unwrap();
        assert_eq!(epochs, 8);
        assert!(fitted.positions[0] > 3 * fitted.positions[1] && fitted.positions[1] > 0);
        assert!(fitted.after[0] < fitted.before[0], "{fitted:?}");
        assert!(fitted.after[1] < fitted.before[1] + 0.01, "{:?} {:?}", fitted.before, fitted.after);
        let values = Values::derived(&gardner);
        for group in values.groups().iter().filter(|group| group.term == Term::Mating) {
            let [tuned, derived] = [&fitted.weights, values.derived_weights()].map(|all| all[group.first]);
            assert!(
                tuned.end() >= derived.end() && tuned.middle() >= derived.middle(),
                "{} {tuned:?}",
                group.name
            );
        }
    }

    #[test]
    fn fit_without_positions_fails() {
        let gardner = library::game("gardner").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        std::fs::write(&path, format!("{}x\n", heading_begins(&gardner))).unwrap();
        let error = fit(&gardner, &[path], &FitSettings::default(), &mut |_, _| {}).unwrap_err();
        assert!(matches!(error, TuningError::NoPositions(_)));
    }
}

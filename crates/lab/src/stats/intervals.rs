//! 95% intervals: of shares, means, medians, and of ratios by drawing games again and again (the bootstrap).

use super::{Estimate, Interval, Points, Score3};
use crate::rng::Rng;

/// How often the games are resampled.
pub(crate) const RESAMPLES: usize = 400;
/// The normal distribution's quantile for 95%.
const Z: f64 = 1.959_963_985;

/// A share of `total`, with Wilson's interval; `None` of nothing.
pub(crate) fn share(count: u64, total: u64) -> Option<Interval> {
    share_of(count as f64, total)
}

/// As [`share`], of parts from 0 to 1, which vary at most as much as 0 and 1.
pub(crate) fn share_of(sum: f64, total: u64) -> Option<Interval> {
    let p = sum / total as f64;
    (total > 0).then(|| wilson(p, p * (1.0 - p), total as f64))
}

/// Wilson's interval of the mean of `n` numbers from 0 to 1 with a variance.
fn wilson(mean: f64, variance: f64, n: f64) -> Interval {
    let scale = 1.0 + Z * Z / n;
    let middle = (mean + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (variance / n + Z * Z / (4.0 * n * n)).sqrt();
    Interval {
        value: mean,
        low: (middle - half).max(0.0).min(mean),
        high: (middle + half).min(1.0).max(mean),
    }
}

/// The mean of places from 1 to `last`, given their number, their sum and that of their squares: Wilson's interval. A few places say
/// little about their variance, so that z² games with the greatest variance are mixed in. Of two places it is that of a share.
pub(crate) fn place(count: u64, sum: f64, squares: f64, last: u8) -> Option<Interval> {
    if count == 0 || last < 2 {
        return None;
    }
    let (n, width) = (count as f64, f64::from(last) - 1.0);
    let place = sum / n;
    let mean = (place - 1.0) / width;
    let measured = ((squares / n - place * place) / (width * width)).max(0.0);
    let variance = (n * measured + Z * Z * mean * (1.0 - mean)) / (n + Z * Z);
    let Interval { low, high, .. } = wilson(mean, variance, n);
    Some(Interval { value: place, low: 1.0 + width * low, high: 1.0 + width * high })
}

/// White's mean score of games given in half points.
pub(crate) fn score(halves: impl Iterator<Item = u8>) -> Option<Interval> {
    let mut counts = Score3::default();
    for half in halves {
        counts.add(match half {
            0 => Points::Loss,
            1 => Points::Draw,
            _ => Points::Win,
        });
    }
    Estimate::of_games(counts).map(Estimate::score)
}

/// The median, with the interval of the order statistics n/2 ± 0.98 √n.
pub(crate) fn median(mut values: Vec<f64>) -> Option<Interval> {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    let last = n.checked_sub(1)?;
    let reach = (0.98 * (n as f64).sqrt()).ceil() as usize;
    let value = (values[last / 2] + values[n / 2]) / 2.0;
    let low = values[(n / 2).saturating_sub(reach)];
    Some(Interval { value, low: low.min(value), high: values[(n / 2 + reach).min(last)].max(value) })
}

/// The sum of the first numbers divided by that of the second ones, one pair for each game.
pub(crate) fn ratio(games: &[(f64, f64)]) -> Option<Interval> {
    let quotient = |sums: (f64, f64)| (sums.1 > 0.0).then(|| sums.0 / sums.1);
    let sum = |(a, b): (f64, f64), &(c, d): &(f64, f64)| (a + c, b + d);
    let value = quotient(games.iter().fold((0.0, 0.0), sum))?;
    let mut rng = Rng::new(games.len() as u64);
    let drawn = (0..RESAMPLES).filter_map(|_| {
        quotient((0..games.len()).map(|_| &games[rng.below(games.len())]).fold((0.0, 0.0), sum))
    });
    let (low, high) = middle_of(drawn.collect())?;
    Some(Interval { value, low: low.min(value), high: high.max(value) })
}

/// The mean of one number for each game.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> Option<Interval> {
    ratio(&values.map(|value| (value, 1.0)).collect::<Vec<_>>())
}

/// Between which two values 95% of them lie.
pub(crate) fn middle_of(mut values: Vec<f64>) -> Option<(f64, f64)> {
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    let at = |share: f64| values[(last as f64 * share).round() as usize];
    Some((at(0.025), at(0.975)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "{found}, expected {expected}");
    }

    #[test]
    fn shares_use_the_wilson_interval() {
        // Wilson's interval of 8 in 10, as in Agresti and Coull 1998.
        let found = share(8, 10).unwrap();
        near(found.low, 0.490, 0.001);
        near(found.high, 0.943, 0.001);
        assert_eq!(share(0, 50).unwrap().low, 0.0);
        assert!(share(0, 50).unwrap().high > 0.05);
        assert_eq!(share(0, 0), None);
    }

    #[test]
    fn few_places_leave_the_others_possible() {
        let one = place(1, 1.0, 1.0, 4).unwrap();
        assert!((one.value, one.low) == (1.0, 1.0) && (3.0..4.0).contains(&one.high), "{one:?}");
        // Two places are a share.
        let (found, wilson) = (place(10, 12.0, 16.0, 2).unwrap(), share(2, 10).unwrap());
        near(found.low - 1.0, wilson.low, 1e-9);
        near(found.high - 1.0, wilson.high, 1e-9);
        assert_eq!(share_of(2.0, 10), share(2, 10));
        assert_eq!(place(0, 0.0, 0.0, 4), None);
        // The interval contains the true mean in about 95% of all samples, however few the games and however uneven the places.
        let mut rng = Rng::new(7);
        for likely in [[1, 1, 1, 1], [9, 4, 2, 1], [13, 1, 1, 1]] {
            let sum: usize = likely.iter().sum();
            let mean =
                (1..).zip(likely).map(|(place, part)| place as f64 * part as f64 / sum as f64).sum::<f64>();
            for games in [1, 2, 4, 8, 20, 100] {
                let holds = |rng: &mut Rng| {
                    let (mut total, mut squares) = (0.0, 0.0);
                    for _ in 0..games {
                        let mut at = rng.below(sum);
                        let mut reached = 1.0;
                        for part in likely {
                            if at < part {
                                break;
                            }
                            at -= part;
                            reached += 1.0;
                        }
                        total += reached;
                        squares += reached * reached;
                    }
                    let found = place(games, total, squares, 4).unwrap();
                    (found.low..=found.high).contains(&mean)
                };
                let held = (0..2_000).filter(|_| holds(&mut rng)).count() as f64 / 2_000.0;
                assert!(held > 0.93, "{likely:?}, {games} games: {held}");
            }
        }
    }

    #[test]
    fn resampling_agrees_with_the_formula() {
        // The standard error of a mean of 400 values of variance 1/12 is 0.0144.
        let mut rng = Rng::new(3);
        let values: Vec<f64> = (0..400).map(|_| rng.below(10_000) as f64 / 10_000.0).collect();
        let found = mean(values.iter().copied()).unwrap();
        near(found.value, 0.5, 0.05);
        near(found.high - found.low, 2.0 * Z * 0.0144, 0.01);
    }

    #[test]
    fn intervals_of_medians_and_uniform_samples() {
        let found = median((1..=101).map(f64::from).collect()).unwrap();
        assert_eq!((found.value, found.low, found.high), (51.0, 41.0, 61.0));
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![4.0]).unwrap(), Interval { value: 4.0, low: 4.0, high: 4.0 });
        // All alike: something may have remained unseen.
        let won = score(std::iter::repeat_n(2, 60)).unwrap();
        assert!(won.value == 1.0 && (0.93..0.95).contains(&won.low), "{won:?}");
    }
}

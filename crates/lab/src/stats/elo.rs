//! Differences of strength: the score as an estimate, as Elo and as normalized Elo, with error bars.
//!
//! No number here is ever NaN. A difference is infinite where every game was won (or lost); the other
//! end of the interval then bounds it.

use super::{Pairs, Score3};
use statrs::distribution::{ContinuousCDF, Normal};
use std::f64::consts::LN_10;

/// Chance that a true value lies outside the error bars.
const OUTSIDE: f64 = 0.05;

/// The scale of normalized Elo: twice the Elo for a factor of e in the odds.
pub(super) const NORMALIZED: f64 = 800.0 / LN_10;

/// The expected score of a player who is stronger by this number of Elo.
///
/// ```
/// use lozenge_lab::stats::expected_score;
/// assert_eq!(expected_score(0.0), 0.5);
/// assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in Elo that gives an expected score: infinite for 0 and 1.
#[must_use]
pub fn elo_of(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// A value and the ends of its 95% interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Half the interval: the number after ±. Infinite where an end is.
    #[must_use]
    pub fn error(self) -> f64 {
        if self.low.is_finite() && self.high.is_finite() {
            (self.high - self.low) / 2.0
        } else {
            f64::INFINITY
        }
    }
}

/// The mean score of a sample and how sure it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Games or pairs.
    samples: f64,
    /// From 0 to 1.
    mean: f64,
    /// Of one sample.
    variance: f64,
    /// Games in a sample.
    games: f64,
}

impl Estimate {
    /// From single games; `None` without any.
    #[must_use]
    pub fn of_games(games: Score3) -> Option<Self> {
        Self::of(&games.counts(), 1.0)
    }

    /// From pairs of games; `None` without any.
    #[must_use]
    pub fn of_pairs(pairs: Pairs) -> Option<Self> {
        Self::of(&pairs.0, 2.0)
    }

    fn of(counts: &[u64], games: f64) -> Option<Self> {
        let samples = counts.iter().sum::<u64>() as f64;
        if samples == 0.0 {
            return None;
        }
        let last = (counts.len() - 1) as f64;
        let values =
            || counts.iter().enumerate().map(|(at, &count)| (at as f64 / last, count as f64 / samples));
        let mean: f64 = values().map(|(value, share)| value * share).sum();
        let variance = values().map(|(value, share)| share * (value - mean).powi(2)).sum();
        let one_kind = counts.iter().filter(|&&count| count > 0).count() == 1;
        Some(Self { samples, mean, variance: if one_kind { 0.0 } else { variance }, games })
    }

    /// The mean score, from 0 to 1, with its error bars.
    ///
    /// Where all samples are alike there is no variance to judge by. Then the bars allow for
    /// unseen results: those of a chance `e` with `(1 - e)^samples` = 2.5%.
    #[must_use]
    pub fn score(self) -> Interval {
        let (low, high) = if self.variance > 0.0 {
            let width = quantile(1.0 - OUTSIDE / 2.0) * (self.variance / self.samples).sqrt();
            (self.mean - width, self.mean + width)
        } else {
            let unseen = 1.0 - (OUTSIDE / 2.0).powf(1.0 / self.samples);
            (self.mean * (1.0 - unseen), self.mean + (1.0 - self.mean) * unseen)
        };
        Interval { value: self.mean, low: low.max(0.0), high: high.min(1.0) }
    }

    /// The difference in Elo.
    #[must_use]
    pub fn elo(self) -> Interval {
        let Interval { value, low, high } = self.score();
        Interval { value: elo_of(value), low: elo_of(low), high: elo_of(high) }
    }

    /// The difference in normalized Elo: measured in the deviation of one game's score, so that it
    /// determines how many games it takes to see it, for any share of draws.
    #[must_use]
    pub fn normalized_elo(self) -> Interval {
        let advantage = self.mean - 0.5;
        if self.variance == 0.0 {
            let value = if advantage == 0.0 { 0.0 } else { advantage.signum() * f64::INFINITY };
            return Interval { value, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let value = advantage / (self.games * self.variance).sqrt() * NORMALIZED;
        let error = quantile(1.0 - OUTSIDE / 2.0) / (self.games * self.samples).sqrt() * NORMALIZED;
        Interval { value, low: value - error, high: value + error }
    }

    /// Likelihood of superiority: the chance that the player is the stronger one. Without variance it is
    /// the chance that as many fair coins do not all fall alike.
    #[must_use]
    pub fn superiority(self) -> f64 {
        let advantage = self.mean - 0.5;
        if self.variance > 0.0 {
            return normal().cdf(advantage / (self.variance / self.samples).sqrt());
        }
        let alike = 0.5f64.powf(self.samples);
        if advantage > 0.0 {
            1.0 - alike
        } else if advantage < 0.0 {
            alike
        } else {
            0.5
        }
    }
}

fn normal() -> Normal {
    Normal::standard()
}

fn quantile(probability: f64) -> f64 {
    normal().inverse_cdf(probability)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Within one percent, as fastchess' own tests ask.
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 0.01 * expected.abs(), "{found}, expected {expected}");
    }

    fn rounds_to(found: f64, expected: &str) {
        assert_eq!(format!("{:.2} %", found * 100.0), expected);
    }

    fn games(wins: u64, losses: u64, draws: u64) -> Estimate {
        Estimate::of_games(Score3 { wins, draws, losses }).unwrap()
    }

    fn pairs(counts: [u64; 5]) -> Estimate {
        Estimate::of_pairs(Pairs(counts)).unwrap()
    }

    // fastchess, app/tests/elo_test.cpp, commit 2f5e888: "EloWDL 1" to "3".
    #[test]
    fn elo_of_games_matches_fastchess() {
        let first = games(76, 89, 123);
        near(first.normalized_elo().value, -20.76);
        near(first.normalized_elo().error(), 40.13);
        rounds_to(first.superiority(), "15.53 %");
        let second = games(136, 96, 111);
        near(second.normalized_elo().value, 49.77);
        near(second.normalized_elo().error(), 36.77);
        near(second.elo().value, 40.70);
        near(second.elo().error(), 30.43);
        rounds_to(second.superiority(), "99.60 %");
        let third = games(34, 356, 0);
        near(third.normalized_elo().value, -508.44);
        near(third.normalized_elo().error(), 34.48);
    }

    // The same file: "EloPentanomial 1" to "3". Its six numbers are LL, LD, WL, DD, WD, WW; we count
    // WL and DD together.
    #[test]
    fn elo_of_pairs_matches_fastchess() {
        let first = pairs([34, 54, 31 + 32, 64, 75]);
        near(first.normalized_elo().value, 57.94);
        near(first.normalized_elo().error(), 28.28);
        near(first.elo().value, 55.58);
        near(first.elo().error(), 27.65);
        rounds_to(first.superiority(), "100.00 %");
        let second = pairs([332, 433, 457 + 41, 333, 334]);
        near(second.normalized_elo().value, -9.17);
        near(second.normalized_elo().error(), 10.96);
        near(second.elo().value, -8.64);
        near(second.elo().error(), 10.33);
        rounds_to(second.superiority(), "5.05 %");
        let third = pairs([7895, 8757, 5485 + 200, 568, 9999]);
        near(third.normalized_elo().value, -19.01);
        near(third.normalized_elo().error(), 2.65);
        near(third.elo().value, -21.04);
        near(third.elo().error(), 2.95);
    }

    #[test]
    fn samples_without_variance_give_no_nan() {
        for (counts, value) in
            [([0, 0, 0, 0, 1], f64::INFINITY), ([7, 0, 0, 0, 0], f64::NEG_INFINITY), ([0, 0, 9, 0, 0], 0.0)]
        {
            let estimate = pairs(counts);
            let elo = estimate.elo();
            assert_eq!(elo.value, value);
            for number in [elo.low, elo.high, elo.error(), estimate.superiority()] {
                assert!(!number.is_nan(), "{counts:?}");
            }
            assert!(elo.low <= elo.value && elo.value <= elo.high, "{elo:?}");
            assert!(!estimate.normalized_elo().value.is_nan());
        }
        // Ten pairs won: a player of 0.025^(1/10) = 69.2% would do that once in forty times.
        let ten = pairs([0, 0, 0, 0, 10]);
        near(ten.score().low, 0.6915);
        near(ten.elo().low, 140.3);
        assert!(ten.superiority() > 0.999);
        assert!(Estimate::of_pairs(Pairs::default()).is_none());
    }

    #[test]
    fn more_samples_narrow_the_interval() {
        for (few, many) in [([1, 2, 3, 2, 2], [10, 20, 30, 20, 20]), ([0, 0, 5, 0, 0], [0, 0, 50, 0, 0])] {
            let (few, many) = (pairs(few).elo(), pairs(many).elo());
            assert!((few.value - many.value).abs() < 1e-9);
            assert!(many.error() < few.error() / 2.0);
        }
    }
}

//! Values of pieces from the results of games: logistic regression of the result on the difference between the pieces of both
//! sides in quiet positions.
//!
//! A game counts once, however many positions it gives. Draws count as half a win and half a loss. The values are drawn towards
//! those derived from the pieces' moves, as by a normal prior of half their size. A piece that is never exchanged for others
//! then keeps its derived value. The intervals are from a bootstrap of whole games.

use super::observe::Observed;
use crate::rng::Rng;
use crate::stats::intervals::middle_of;

/// How often the games are resampled.
const RESAMPLES: usize = 120;
/// Steps of Newton's method.
const STEPS: usize = 12;
/// The prior's deviation, as a part of the derived value.
const LOOSENESS: f64 = 0.5;
/// Games with unequal pieces without which nothing is fitted.
const MIN_GAMES: usize = 30;

/// Values and intervals by role, in pawns; `None` for the King.
pub(super) type Values = Vec<Option<[f64; 3]>>;

/// The rows of a game: White's pieces less Black's, by fitted role.
struct Rows {
    rows: Vec<Vec<f64>>,
    result: f64,
}

/// Fits values. `derived` are the derived ones by role, 0 for the King; `army` is how many of each a side starts with. The
/// scale is such that an army is worth the same in both. Also gives the number of positions.
pub(super) fn fit(games: &[Observed], derived: &[f64], army: &[f64]) -> (Option<Values>, u32) {
    let fitted: Vec<usize> = (0..derived.len()).filter(|&role| derived[role] > 0.0).collect();
    let own: Vec<f64> = fitted.iter().map(|&role| derived[role]).collect();
    let army: Vec<f64> = fitted.iter().map(|&role| army[role]).collect();
    let rows: Vec<Rows> = games
        .iter()
        .map(|game| Rows {
            rows: (game.balances.iter())
                .map(|balance| fitted.iter().map(|&role| f64::from(balance[role])).collect())
                .collect(),
            result: f64::from(game.halves) / 2.0,
        })
        .filter(|game: &Rows| !game.rows.is_empty())
        .collect();
    let positions = rows.iter().map(|game| game.rows.len() as u32).sum();
    let unequal = |game: &&Rows| game.rows.iter().any(|row| row.iter().any(|&count| count != 0.0));
    if rows.iter().filter(unequal).count() < MIN_GAMES {
        return (None, positions);
    }
    let all: Vec<&Rows> = rows.iter().collect();
    let values = fit_once(&all, &own, &army);
    let mut rng = Rng::new(rows.len() as u64);
    let drawn: Vec<Vec<f64>> = (0..RESAMPLES)
        .map(|_| {
            let sample: Vec<&Rows> = (0..rows.len()).map(|_| &rows[rng.below(rows.len())]).collect();
            fit_once(&sample, &own, &army)
        })
        .collect();
    let mut found: Values = vec![None; derived.len()];
    for (at, &role) in fitted.iter().enumerate() {
        let ends = middle_of(drawn.iter().map(|values| values[at]).collect());
        let (low, high) = ends.unwrap_or((values[at], values[at]));
        found[role] = Some([values[at], low.min(values[at]), high.max(values[at])]);
    }
    (Some(found), positions)
}

/// The values of one sample, in pawns.
fn fit_once(games: &[&Rows], derived: &[f64], army: &[f64]) -> Vec<f64> {
    // First how much a pawn's worth decides, then each piece around that.
    let scale = scale(games, derived);
    let n = derived.len();
    let mut values: Vec<f64> = derived.iter().map(|value| value * scale).collect();
    let prior = values.clone();
    let mut white = 0.0;
    for _ in 0..STEPS {
        let mut gradient = vec![0.0; n + 1];
        let mut hessian = vec![vec![0.0; n + 1]; n + 1];
        for at in 0..n {
            let weight = 1.0 / (LOOSENESS * prior[at]).powi(2);
            gradient[at] += weight * (prior[at] - values[at]);
            hessian[at][at] += weight;
        }
        hessian[n][n] += 1e-6;
        for game in games {
            let weight = 1.0 / game.rows.len() as f64;
            for row in &game.rows {
                let sum: f64 = row.iter().zip(&values).map(|(count, value)| count * value).sum();
                let p = 1.0 / (1.0 + (-(white + sum)).exp());
                let (first, second) = (weight * (game.result - p), weight * p * (1.0 - p));
                for i in 0..=n {
                    let left = row.get(i).copied().unwrap_or(1.0);
                    if left == 0.0 {
                        continue;
                    }
                    gradient[i] += left * first;
                    for (j, sum) in hessian[i].iter_mut().enumerate().take(i + 1) {
                        *sum += left * row.get(j).copied().unwrap_or(1.0) * second;
                    }
                }
            }
        }
        let Some(step) = solve(hessian, gradient) else { break };
        for (value, step) in values.iter_mut().zip(&step) {
            *value += step.clamp(-2.0, 2.0);
        }
        white += step[n].clamp(-2.0, 2.0);
        if step.iter().all(|step| step.abs() < 1e-6) {
            break;
        }
    }
    let worth = |values: &[f64]| army.iter().zip(values).map(|(count, value)| count * value).sum::<f64>();
    let (ours, theirs) = (worth(&values), worth(derived));
    let unit = if ours > 0.0 && theirs > 0.0 { theirs / ours } else { 1.0 / scale };
    values.iter().map(|value| value * unit).collect()
}

/// By how much a pawn's worth more changes the logit of the result, if the derived values are right.
fn scale(games: &[&Rows], derived: &[f64]) -> f64 {
    let mut scale = 0.5;
    for _ in 0..STEPS {
        // A weak prior, so that few games give no infinite scale.
        let (mut first, mut second) = ((0.5 - scale) * 4.0, 4.0);
        for game in games {
            let weight = 1.0 / game.rows.len() as f64;
            for row in &game.rows {
                let x: f64 = row.iter().zip(derived).map(|(count, value)| count * value).sum();
                let p = 1.0 / (1.0 + (-scale * x).exp());
                first += weight * x * (game.result - p);
                second += weight * x * x * p * (1.0 - p);
            }
        }
        scale = (scale + first / second).clamp(0.01, 10.0);
    }
    scale
}

/// Solves a system whose matrix is symmetric and positive (its lower half is given), by Cholesky's method.
fn solve(mut matrix: Vec<Vec<f64>>, mut side: Vec<f64>) -> Option<Vec<f64>> {
    let n = side.len();
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let rest = matrix[i][j] - sum;
            if i == j {
                if rest <= 0.0 {
                    return None;
                }
                matrix[i][i] = rest.sqrt();
            } else {
                matrix[i][j] = rest / matrix[j][j];
            }
        }
    }
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| matrix[i][k] * side[k]).sum();
        side[i] = (side[i] - sum) / matrix[i][i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| matrix[k][i] * side[k]).sum();
        side[i] = (side[i] - sum) / matrix[i][i];
    }
    Some(side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_system_is_solved() {
        let matrix = vec![vec![4.0, 0.0], vec![2.0, 3.0]];
        let found = solve(matrix, vec![8.0, 7.0]).unwrap();
        assert!((found[0] - 1.25).abs() < 1e-12 && (found[1] - 1.5).abs() < 1e-12, "{found:?}");
        assert_eq!(solve(vec![vec![0.0]], vec![1.0]), None);
    }

    /// Made-up games in which a piece is worth 3, 5 and 9 pawns are read back, although 4, 4 and 8 were expected.
    #[test]
    fn simulated_values_are_recovered() {
        let truth = [1.0, 3.0, 5.0, 9.0];
        let mut rng = Rng::new(5);
        let games: Vec<Rows> = (0..6_000)
            .map(|_| {
                let row: Vec<f64> = (0..4).map(|_| rng.below(3) as f64 - 1.0).collect();
                let worth: f64 = row.iter().zip(truth).map(|(count, value)| count * value).sum();
                let chance = 1.0 / (1.0 + (-0.4 * worth).exp());
                let won = (rng.below(1_000_000) as f64) < chance * 1e6;
                Rows { rows: vec![row], result: if won { 1.0 } else { 0.0 } }
            })
            .collect();
        let sample: Vec<&Rows> = games.iter().collect();
        // The army's worth is 8 + 6 + 10 + 9 = 33 in truth; it sets the scale.
        let found = fit_once(&sample, &[33.0 / 32.0, 4.125, 4.125, 8.25], &[8.0, 2.0, 2.0, 1.0]);
        for (found, expected) in found.iter().zip(truth) {
            assert!((found - expected).abs() < 0.12 * expected + 0.1, "{found} for {expected}");
        }
    }
}

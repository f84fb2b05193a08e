//! How often a score is won, drawn and lost: the curves of `lozenge_engine::wdl`, fitted to the scores and
//! results of recorded matches.
//!
//! Ordered logistic regression (McCullagh 1980) with four numbers a game: the likelihood has one maximum,
//! and Fisher's scoring, Newton's method with the expected curvature, finds it in a few steps.

use super::weights::today;
use super::{TuningError, fingerprint};
use crate::matches::{Ending, GameRecord, Journal, WrittenScore};
use crate::stats::Points;
use lozenge_engine::wdl::{Curve, share_of_pieces};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Color, Game};
use lozenge_rules::variant::Variant;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Every n-th pair of games is held out for validation.
const VALIDATION_EVERY: u32 = 5;

/// Scores beyond this, in centipawns, are left out: their results are known. The few lost or drawn games
/// among them would flatten the curve where it matters.
const DECIDED: i32 = 1_000;

/// A score and the result of its game, both from the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Case {
    /// In centipawns.
    score: f64,
    /// The share of pieces left.
    share: f64,
    /// 0 lost, 1 drawn, 2 won.
    result: u8,
    is_validation: bool,
}

/// The curve of one game, or of all.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fitted {
    /// The model found.
    pub curve: Curve,
    /// Games, validation games included.
    pub games: usize,
    /// Scores for training and for validation.
    pub scores: [usize; 2],
    /// Mean cross entropy of the validation scores where only the shares of won, drawn and lost are known.
    pub baseline_loss: f64,
    /// The same with the curve.
    pub loss: f64,
}

/// The curves of the games in some records, by the game's id, and that of all together.
#[derive(Clone, Debug)]
pub struct WdlFit {
    /// By id: the game and its curve.
    pub games: BTreeMap<String, (Arc<Variant>, Fitted)>,
    /// The curve of all games together, each counting as much as another.
    pub all: Fitted,
}

/// Reads the records of matches and fits a curve to each game in them.
///
/// # Errors
/// When a file cannot be read or is not the record of a match, a game is not known or breaks the rules, or
/// there are no scores.
pub fn fit(records: &[PathBuf], game: &dyn Fn(&str) -> Option<Arc<Variant>>) -> Result<WdlFit, TuningError> {
    let mut found: BTreeMap<String, (Arc<Variant>, usize, Vec<Case>)> = BTreeMap::new();
    for path in records {
        for record in Journal::read(path).map_err(|error| fault(path, error))? {
            let id = record.game.clone();
            if !found.contains_key(&id) {
                let variant = game(&id).ok_or_else(|| fault(path, format!("no game is called `{id}`")))?;
                found.insert(id.clone(), (variant, 0, Vec::new()));
            }
            let Some((variant, games, cases)) = found.get_mut(&id) else { continue };
            *games += 1;
            cases_of(variant, &record, cases).map_err(|error| fault(path, error))?;
        }
    }
    let names = || records.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    let sets: Vec<&[Case]> = found.values().map(|(_, _, cases)| cases.as_slice()).collect();
    let games = found.values().map(|(_, games, _)| games).sum();
    let all = fitted(&sets, games).ok_or_else(|| TuningError::NoPositions(names()))?;
    let mut curves = BTreeMap::new();
    for (id, (variant, games, cases)) in &found {
        if let Some(fitted) = fitted(&[cases], *games) {
            curves.insert(id.clone(), (Arc::clone(variant), fitted));
        }
    }
    Ok(WdlFit { games: curves, all })
}

pub(super) fn fault(path: &Path, error: impl std::fmt::Display) -> TuningError {
    TuningError::Record { what: path.display().to_string(), error: error.to_string() }
}

/// Adds the scores of a game that are numbers.
fn cases_of(variant: &Arc<Variant>, record: &GameRecord, cases: &mut Vec<Case>) -> Result<(), String> {
    each_score(variant, record, |position, score, result| {
        if let WrittenScore::Centipawns(score) = score
            && score.abs() <= DECIDED
        {
            // Both games of a pair go the same way: they begin alike.
            cases.push(Case {
                score: f64::from(score),
                share: share_of_pieces(position),
                result,
                is_validation: record.pair.is_multiple_of(VALIDATION_EVERY),
            });
        }
    })
}

/// Calls `visit` with each position of a game that has a score, the score, and the result (0 lost, 1 drawn, 2 won), both for
/// the side to move. A game that ended by a fault of an engine, or because it was long, is skipped: its result says nothing.
pub(super) fn each_score(
    variant: &Arc<Variant>,
    record: &GameRecord,
    mut visit: impl FnMut(&AnyPosition, WrittenScore, u8),
) -> Result<(), String> {
    if record.ending.is_fault() || record.ending == Ending::Length {
        return Ok(());
    }
    let start = AnyPosition::from_fen(variant, &record.fen).map_err(|error| error.to_string())?;
    let mut game = Game::from_position(start);
    let first = if record.swapped { Color::Black } else { Color::White };
    for played in &record.moves {
        let position = game.position();
        if let Some(score) = played.score {
            let result = match (record.points, position.turn() == first) {
                (Points::Draw, _) => 1,
                (Points::Win, true) | (Points::Loss, false) => 2,
                (Points::Win, false) | (Points::Loss, true) => 0,
            };
            visit(position, score, result);
        }
        let next = uci::parse(position, &played.text).map_err(|error| error.to_string())?;
        game.play(next).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The curve that fits some sets of cases, each set weighing as much as another; `None` without cases.
fn fitted(sets: &[&[Case]], games: usize) -> Option<Fitted> {
    let part = |is_validation: bool| -> Vec<(f64, Case)> {
        let weigh = |set: &&[Case]| {
            let cases: Vec<Case> =
                set.iter().copied().filter(|case| case.is_validation == is_validation).collect();
            let weight = 1.0 / cases.len().max(1) as f64;
            cases.into_iter().map(move |case| (weight, case)).collect::<Vec<_>>()
        };
        sets.iter().flat_map(weigh).collect()
    };
    let (training, validation) = (part(false), part(true));
    if training.is_empty() {
        return None;
    }
    let curve = score(&training);
    let shares = [0, 1, 2].map(|result| {
        let (total, matching) = training.iter().fold((0.0, 0.0), |(total, matching), (weight, case)| {
            (total + weight, matching + if case.result == result { *weight } else { 0.0 })
        });
        matching / total
    });
    Some(Fitted {
        curve,
        games,
        scores: [training.len(), validation.len()],
        baseline_loss: loss(&validation, |_| shares),
        loss: loss(&validation, |case| chances(&curve, case)),
    })
}

/// The chances to lose, draw and win.
fn chances(curve: &Curve, case: &Case) -> [f64; 3] {
    let model = curve.at(case.share);
    let [win, loss] = model.chances(case.score as i32);
    [loss, 1.0 - win - loss, win]
}

/// Mean cross entropy.
fn loss(cases: &[(f64, Case)], chances: impl Fn(&Case) -> [f64; 3]) -> f64 {
    let total: f64 = cases.iter().map(|(weight, _)| weight).sum();
    let term =
        |(weight, case): &(f64, Case)| -weight * chances(case)[usize::from(case.result)].max(1e-9).ln();
    cases.iter().map(term).sum::<f64>() / total.max(1e-9)
}

/// Fisher's scoring. The four numbers are slope and draw, each with all pieces and with none.
fn score(cases: &[(f64, Case)]) -> Curve {
    let mut numbers = [1.0f64; 4];
    for _ in 0..50 {
        let mut gradient = [0.0f64; 4];
        // A trace of curvature for numbers that the cases do not determine.
        let mut curvature: [[f64; 4]; 4] =
            core::array::from_fn(|row| core::array::from_fn(|column| if row == column { 1e-6 } else { 0.0 }));
        for (weight, case) in cases {
            let basis = [case.share, 1.0 - case.share];
            let mix = |at: usize| numbers[at] * basis[0] + numbers[at + 1] * basis[1];
            let score = case.score / 100.0;
            let [lifted, draw] = [mix(0).max(0.01) * score, mix(2).max(0.01)];
            let [win, lose] = [1.0 / (1.0 + (draw - lifted).exp()), 1.0 / (1.0 + (draw + lifted).exp())];
            let shares = [lose, (1.0 - win - lose).max(1e-9), win];
            let (steep_win, steep_lose) = (win * (1.0 - win), lose * (1.0 - lose));
            // By result: the slope of the log likelihood by what the score lifts, and by the draw.
            let slopes = [
                [-(1.0 - lose), -(1.0 - lose)],
                [(steep_lose - steep_win) / shares[1], (steep_win + steep_lose) / shares[1]],
                [1.0 - win, -(1.0 - win)],
            ];
            let by_number =
                [[score * basis[0], 0.0], [score * basis[1], 0.0], [0.0, basis[0]], [0.0, basis[1]]];
            let along = |result: usize| {
                by_number
                    .map(|[by_lifted, by_draw]| by_lifted * slopes[result][0] + by_draw * slopes[result][1])
            };
            let here = along(usize::from(case.result));
            for (row, sum) in gradient.iter_mut().enumerate() {
                *sum += weight * here[row];
            }
            for (result, share) in shares.iter().enumerate() {
                let slope = along(result);
                for (row, sums) in curvature.iter_mut().enumerate() {
                    for (column, sum) in sums.iter_mut().enumerate() {
                        *sum += weight * share * slope[row] * slope[column];
                    }
                }
            }
        }
        let step = solve(curvature, gradient);
        let longest = step.iter().fold(0.0f64, |most, step| most.max(step.abs()));
        let damping = (1.0 / longest).min(1.0);
        for (number, step) in numbers.iter_mut().zip(step) {
            *number += step * damping;
        }
        if longest < 1e-9 {
            break;
        }
    }
    Curve { slope: [numbers[0], numbers[1]], draw: [numbers[2], numbers[3]] }
}

/// The solution of a symmetric positive system of equations, by elimination.
fn solve(mut matrix: [[f64; 4]; 4], mut right: [f64; 4]) -> [f64; 4] {
    for pivot in 0..4 {
        for row in pivot + 1..4 {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            let above = matrix[pivot];
            matrix[row].iter_mut().zip(above).for_each(|(here, above)| *here -= factor * above);
            right[row] -= factor * right[pivot];
        }
    }
    for row in (0..4).rev() {
        let known: f64 = (row + 1..4).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

/// The curves as `lozenge_engine::wdl::read` reads them, with the commands that made them.
#[must_use]
pub fn text(chances: &WdlFit, commands: &[String]) -> String {
    let mut text = format!(
        "# Chances to win, draw and lose by score and pieces left, game by game. `slope` is what 100 centipawns are\n\
         # worth, `draw` how rarely a level game is won, each with all pieces on the board and with bare Kings.\n\
         # Made by the commands below; docs/evaluation.md explains them. Not to be edited by hand.\n\n\
         date = \"{}\"\ncommands = [\n",
        today()
    );
    commands.iter().for_each(|command| text.push_str(&format!("  {command:?},\n")));
    text.push_str("]\n");
    let part = |fitted: &Fitted| {
        let Fitted { curve: Curve { slope, draw }, games, scores, baseline_loss, loss } = fitted;
        format!(
            "slope = [{:.4}, {:.4}]\ndraw = [{:.4}, {:.4}]\ngames = {games}\nscores = {}\nkept-aside = {}\n\
             # Mean cross entropy of what was kept aside: without the scores, and with them.\n\
             loss = [{baseline_loss:.4}, {loss:.4}]\n",
            slope[0], slope[1], draw[0], draw[1], scores[0], scores[1],
        )
    };
    text.push_str(&format!("\n[all]\n{}", part(&chances.all)));
    for (id, (variant, fitted)) in &chances.games {
        text.push_str(&format!(
            "\n[games.{id}]\nrules = \"{:016x}\"\n{}",
            fingerprint(variant),
            part(fitted)
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use lozenge_engine::wdl::read;
    use lozenge_rules::library;

    const TRUE: Curve = Curve { slope: [1.3, 2.1], draw: [0.8, 1.9] };

    /// Results drawn by a known curve.
    fn drawn(count: usize) -> Vec<Case> {
        let mut rng = Rng::new(7);
        let case = |_| {
            let score = rng.below(800) as f64 - 400.0;
            let share = rng.below(101) as f64 / 100.0;
            let mut case = Case { score, share, result: 0, is_validation: rng.below(5) == 0 };
            let [lose, draw, _] = chances(&TRUE, &case);
            let chance = rng.below(1 << 20) as f64 / f64::from(1 << 20);
            case.result = if chance < lose {
                0
            } else if chance < lose + draw {
                1
            } else {
                2
            };
            case
        };
        (0..count).map(case).collect()
    }

    #[test]
    fn known_curve_is_recovered() {
        let fitted = fitted(&[&drawn(60_000)], 1).unwrap();
        let found = [fitted.curve.slope, fitted.curve.draw].concat();
        let expected = [TRUE.slope, TRUE.draw].concat();
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 0.1, "{:?}", fitted.curve);
        }
        assert!(fitted.loss < fitted.baseline_loss - 0.2, "{fitted:?}");
    }

    #[test]
    fn linear_equations_are_solved() {
        let matrix = [[4.0, 1.0, 0.0, 0.5], [1.0, 3.0, 0.2, 0.0], [0.0, 0.2, 2.0, 0.1], [0.5, 0.0, 0.1, 1.0]];
        let expected = [1.0, -2.0, 3.0, 0.5];
        let right = matrix.map(|row: [f64; 4]| row.iter().zip(expected).map(|(a, b)| a * b).sum::<f64>());
        for (found, expected) in solve(matrix, right).iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn fitted_curves_are_written_as_the_engine_reads_them() {
        let record = |pair: u32, points: &str, score: i32| {
            format!(
                r#"{{"game":"chess","pair":{pair},"swapped":true,"fen":"{}","points":"{points}","ending":"agreed-win","begun":1,"moves":[{{"m":"e2e4","s":{{"c":{score}}},"t":1}},{{"m":"e7e5","s":{{"w":3}},"t":1}}]}}"#,
                library::game("chess").unwrap().starts()[0].fen
            )
        };
        let mut text_of_record = String::from("{\"lozenge_match\":1,\"id\":\"x\",\"settings\":null}\n");
        // The second engine has White: a loss of the first is a win for White.
        for (pair, points, score) in
            [(1, "loss", 90), (2, "win", -80), (3, "draw", 5), (4, "loss", 20), (6, "win", 10)]
        {
            text_of_record += &record(pair, points, score);
            text_of_record.push('\n');
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record");
        std::fs::write(&path, format!("{text_of_record}{{\"half")).unwrap();
        let chances = fit(std::slice::from_ref(&path), &library::game).unwrap();
        let (chess, fitted) = &chances.games["chess"];
        assert_eq!((fitted.games, fitted.scores), (5, [5, 0]));
        assert!(fitted.curve.slope[0] > 0.0, "{fitted:?}");
        let text = text(&chances, &["lozenge lab wdl".into()]);
        let read_again = read(&text, Some(chess)).unwrap();
        assert!((read_again.slope[0] - fitted.curve.slope[0]).abs() < 1e-3, "{text}");
        assert!(read(&text, None).is_some());
        assert_eq!(read(&text, Some(&library::game("diamond").unwrap())), None);
        let unknown = fit(std::slice::from_ref(&path), &|_| None).unwrap_err();
        assert!(unknown.to_string().contains("`chess`"), "{unknown}");
        std::fs::write(&path, "no record\n").unwrap();
        assert!(matches!(fit(&[path], &library::game), Err(TuningError::Record { .. })));
    }
}

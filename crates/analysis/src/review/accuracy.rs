//! Accuracy as lichess computes it (lila, `AccuracyPercent.scala`), over expected scores instead of its curve.

use lozenge_rules::position::Color;

/// The accuracy of a move, from 0 to 100. `lost` is its loss in expected score, in hundredths of a point.
pub(crate) fn move_accuracy(lost: f64) -> f64 {
    if lost <= 0.0 {
        return 100.0;
    }
    let raw = 103.166_810_071_164_9 * (-0.043_544_153_867_539_51 * lost).exp() - 3.166_924_740_191_411;
    (raw + 1.0).clamp(0.0, 100.0)
}

/// The accuracy of a side in a game. `expected` are White's expected scores (0 to 1), the start's first; `first` moves first.
/// `None` when the side did not move.
///
/// It is the mean of two means: one weights moves by how much the chances change around them, the other, harmonic, is hard
/// on single bad moves.
pub(crate) fn game_accuracy(expected: &[f64], first: Color, color: Color) -> Option<f64> {
    let percent: Vec<f64> = expected.iter().map(|value| 100.0 * value).collect();
    let plies = percent.len().saturating_sub(1);
    let size = (plies / 10).clamp(2, 8).min(percent.len());
    let moves = (0..plies).filter(|ply| (ply % 2 == 0) == (first == color));
    let weighted: Vec<(f64, f64)> = moves
        .map(|ply| {
            // The window ends with the move, but for the first moves, which share the first window.
            let start = (ply + 2).saturating_sub(size);
            let weight = deviation(&percent[start..start + size]).clamp(0.5, 12.0);
            let gain = percent[ply + 1] - percent[ply];
            let lost = if color == Color::White { -gain } else { gain };
            (move_accuracy(lost), weight)
        })
        .collect();
    if weighted.is_empty() {
        return None;
    }
    let weights: f64 = weighted.iter().map(|(_, weight)| weight).sum();
    let mean = weighted.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / weights;
    let harmonic =
        weighted.len() as f64 / weighted.iter().map(|(accuracy, _)| 1.0 / accuracy.max(1.0)).sum::<f64>();
    Some((mean + harmonic) / 2.0)
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_have_the_accuracy_that_lichess_gives_them() {
        for (lost, expected) in
            [(-3.0, 100), (0.0, 100), (5.0, 81), (10.0, 65), (20.0, 41), (30.0, 26), (100.0, 0)]
        {
            assert_eq!(move_accuracy(lost).round() as i32, expected, "{lost}");
        }
    }

    #[test]
    fn play_without_losses_has_full_accuracy() {
        let level = [0.5; 21];
        assert_eq!(game_accuracy(&level, Color::White, Color::White), Some(100.0));
        assert_eq!(game_accuracy(&level[..1], Color::White, Color::White), None);
        assert_eq!(game_accuracy(&level[..2], Color::White, Color::Black), None);
        // Black gives away half a point with the second ply.
        let mut blunder = [0.5; 21];
        blunder[2..].fill(1.0);
        assert_eq!(game_accuracy(&blunder, Color::White, Color::White), Some(100.0));
        let black = game_accuracy(&blunder, Color::White, Color::Black).unwrap();
        assert!((20.0..80.0).contains(&black), "{black}");
    }
}

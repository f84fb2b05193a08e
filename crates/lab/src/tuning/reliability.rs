//! Reliability of the engine's expectations: of the positions in which it expects a certain score, what was scored, by phase of the
//! game (a reliability diagram: Murphy and Winkler 1977).

use super::TuningError;
use super::wdl::{each_score, fault};
use crate::matches::{Journal, WrittenScore};
use lozenge_engine::Score;
use lozenge_engine::wdl::{Curve, share_of_pieces};
use lozenge_rules::variant::Variant;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Phases of a game by the share of pieces left: more than two thirds, more than a third, and fewer.
pub const PHASES: [&str; 3] = ["opening", "middlegame", "endgame"];

/// The tenths of the expected score.
pub const BANDS: usize = 10;

/// The positions of a band and phase.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Bin {
    /// How many.
    pub positions: u64,
    expected: f64,
    scored: f64,
}

impl Bin {
    fn add(&mut self, expected: f64, scored: f64) {
        self.positions += 1;
        self.expected += expected;
        self.scored += scored;
    }

    /// The mean expected score, from 0 to 1.
    #[must_use]
    pub fn expected(&self) -> f64 {
        self.expected / self.positions.max(1) as f64
    }

    /// The mean score.
    #[must_use]
    pub fn scored(&self) -> f64 {
        self.scored / self.positions.max(1) as f64
    }
}

/// Expected and actual score of one game, by phase and band.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Reliability {
    /// Games in the records.
    pub games: usize,
    /// By phase and band.
    pub bins: [[Bin; BANDS]; PHASES.len()],
}

impl Reliability {
    /// The mean distance between expected and scored in a phase, each band by its positions; `None` without positions.
    #[must_use]
    pub fn error(&self, phase: usize) -> Option<f64> {
        let bins = &self.bins[phase];
        let positions: u64 = bins.iter().map(|bin| bin.positions).sum();
        let distance = |bin: &Bin| bin.positions as f64 * (bin.expected() - bin.scored()).abs();
        (positions > 0).then(|| bins.iter().map(distance).sum::<f64>() / positions as f64)
    }
}

/// The phase with this share of the pieces.
fn phase(share: f64) -> usize {
    if share > 2.0 / 3.0 {
        0
    } else if share > 1.0 / 3.0 {
        1
    } else {
        2
    }
}

/// Reads the records of matches and sorts their positions, game by game.
///
/// # Errors
/// When a file cannot be read or is not the record of a match, or a game is not known or breaks the rules.
pub fn measure(
    records: &[PathBuf],
    game: &dyn Fn(&str) -> Option<Arc<Variant>>,
) -> Result<BTreeMap<String, Reliability>, TuningError> {
    let mut found: BTreeMap<String, Reliability> = BTreeMap::new();
    for path in records {
        for record in Journal::read(path).map_err(|error| fault(path, error))? {
            let id = &record.game;
            let variant = game(id).ok_or_else(|| fault(path, format!("no game is called `{id}`")))?;
            let curve = Curve::of(&variant);
            let reliability = found.entry(id.clone()).or_default();
            reliability.games += 1;
            each_score(&variant, &record, |position, score, result| {
                let score = match score {
                    WrittenScore::Centipawns(centipawns) => Score::Centipawns(centipawns),
                    WrittenScore::Wins(moves) => Score::Wins(moves),
                    WrittenScore::Loses(moves) => Score::Loses(moves),
                };
                let expected = curve.model(position).expected_score(score);
                let band = ((expected * BANDS as f64) as usize).min(BANDS - 1);
                let phase = phase(share_of_pieces(position));
                reliability.bins[phase][band].add(expected, f64::from(result) / 2.0);
            })
            .map_err(|error| fault(path, error))?;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    #[test]
    fn positions_are_sorted_by_phase_and_expected_score() {
        let game = |pair: u32, fen: &str, score: &str, points: &str| {
            format!(
                r#"{{"game":"chess","pair":{pair},"swapped":false,"fen":"{fen}","points":"{points}","ending":"agreed-win","begun":1,"moves":[{{"m":"e1e2","s":{score},"t":1}}]}}"#
            )
        };
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1";
        let records = [
            "{\"lozenge_match\":1,\"id\":\"x\",\"settings\":null}".to_owned(),
            game(1, start, "{\"c\":0}", "draw"),
            game(2, start, "{\"c\":0}", "win"),
            game(3, "4k3/8/8/8/8/8/7R/4K3 w - - 0 1", "{\"w\":9}", "win"),
            game(4, "4k3/8/8/8/8/8/7R/4K3 w - - 0 1", "{\"w\":9}", "draw"),
        ];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record");
        std::fs::write(&path, records.join("\n") + "\n").unwrap();
        let found = measure(std::slice::from_ref(&path), &library::game).unwrap();
        let chess = &found["chess"];
        assert_eq!(chess.games, 4);
        let opening = chess.bins[0][5];
        assert_eq!((opening.positions, opening.expected(), opening.scored()), (2, 0.5, 0.75));
        let endgame = chess.bins[2][9];
        assert_eq!((endgame.positions, endgame.expected(), endgame.scored()), (2, 1.0, 0.75));
        assert_eq!([0, 1, 2].map(|phase| chess.error(phase)), [Some(0.25), None, Some(0.25)]);
        let unknown = measure(&[path], &|_| None).unwrap_err();
        assert!(unknown.to_string().contains("`chess`"), "{unknown}");
    }
}

//! The report as data. `lozenge lab report --json` prints it; `docs/reports.md` explains its keys.

use super::plan::Plan;
use crate::stats::Interval;
use serde::{Deserialize, Serialize};

/// A report.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameReport {
    /// Id of the game.
    pub game: String,
    /// Its name.
    pub name: String,
    /// A number that changes with its rules.
    pub rules: String,
    /// Version of the program.
    pub program: String,
    /// The plan of its games.
    pub plan: Plan,
    /// Different games played at full strength, at the weaker level, with twice and with four times the nodes.
    pub games: [u32; 4],
    /// The measured numbers.
    pub numbers: Vec<Number>,
    /// The pieces, in the order of their letters.
    pub pieces: Vec<PieceReport>,
    /// The first moves, the most promising first.
    pub first_moves: Vec<FirstMove>,
    /// Numbers for each square.
    pub heat_maps: HeatMaps,
    /// Numbers for each ply, or each length.
    pub series: Series,
    /// How the numbers were found, and their limits.
    pub limits: Limits,
    /// Squares of the board.
    pub squares: u32,
}

/// A measured number.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Number {
    /// Its name for programs.
    pub key: String,
    /// Its name for people.
    pub name: String,
    /// Its unit.
    pub unit: Unit,
    /// The estimate; `null` where nothing was seen of it.
    pub value: Option<f64>,
    /// Lower end of the 95% interval; `null`: no bound.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// How many games (or pairs of games) it is from.
    pub games: u32,
    /// Its meaning, in a sentence.
    pub meaning: String,
    /// A word for it, where the whole interval deserves that word.
    pub verdict: Option<Assessment>,
}

/// The unit of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A share, from 0 to 1.
    Share,
    /// Plies: moves of one side.
    Plies,
    /// A difference in Elo.
    Elo,
    /// A plain number.
    Count,
}

/// A word for a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assessment {
    /// Neither side is better off.
    Level,
    /// As much for the side to move first as in orthodox chess.
    AsChess,
    /// A marked advantage.
    Marked,
    /// One side is clearly better off.
    Unfair,
    /// Few draws.
    Sharp,
    /// Draws are neither rare nor most results.
    Balanced,
    /// Most games are drawn.
    Drawish,
    /// The games do not decide it.
    NotKnown,
}

impl Assessment {
    /// Its name for programs.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Level => "level",
            Self::AsChess => "as-chess",
            Self::Marked => "marked",
            Self::Unfair => "unfair",
            Self::Sharp => "sharp",
            Self::Balanced => "balanced",
            Self::Drawish => "drawish",
            Self::NotKnown => "not-known",
        }
    }

    /// White's score: the word of the band that has the whole interval.
    pub(super) fn of_score(score: Interval) -> Self {
        let away = |value: f64| (value - 0.5).abs();
        let farthest = away(score.low).max(away(score.high));
        let nearest =
            if score.low <= 0.5 && score.high >= 0.5 { 0.0 } else { away(score.low).min(away(score.high)) };
        match () {
            () if farthest <= 0.02 => Self::Level,
            () if nearest >= 0.02 && farthest <= 0.06 => Self::AsChess,
            () if nearest >= 0.06 && farthest <= 0.10 => Self::Marked,
            () if nearest >= 0.10 => Self::Unfair,
            () => Self::NotKnown,
        }
    }

    /// The share of draws.
    pub(super) fn of_draws(draws: Interval) -> Self {
        match () {
            () if draws.high < 0.15 => Self::Sharp,
            () if draws.low > 0.60 => Self::Drawish,
            () if draws.low >= 0.15 && draws.high <= 0.60 => Self::Balanced,
            () => Self::NotKnown,
        }
    }
}

/// A kind of piece in the games at full strength: means for each game, both sides together.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PieceReport {
    /// Its letter.
    pub letter: char,
    /// Its name.
    pub name: String,
    /// Its picture.
    pub picture: String,
    /// How many both sides start with.
    pub at_start: u32,
    /// Moves.
    pub moves: f64,
    /// Captures made.
    pub captures: f64,
    /// Captured, of those that were ever on the board.
    pub lost: Option<f64>,
    /// How often a piece was promoted to it.
    pub promoted_to: f64,
    /// Value that follows from its moves alone, in pawns of 100 centipawns; `None` for the King.
    pub derived: Option<f64>,
    /// Value that the engine played with.
    pub engine: Option<f64>,
    /// Value fitted to the results, and its 95% interval.
    pub fitted: Option<[f64; 3]>,
    /// The 95% intervals of the counts; `None` in reports of versions that had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intervals: Option<PieceIntervals>,
}

/// The ends of the 95% intervals of the counts of a kind of piece.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PieceIntervals {
    /// Of its moves.
    pub moves: [f64; 2],
    /// Of the captures it makes.
    pub captures: [f64; 2],
    /// Of the share that is captured; `None` for the King.
    pub lost: Option<[f64; 2]>,
    /// Of the promotions to it.
    pub promoted_to: [f64; 2],
}

/// A first move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FirstMove {
    /// In long algebraic form.
    pub uci: String,
    /// As players write it.
    pub san: String,
    /// The score that the engine expects for White, from 0 to 1.
    pub expected: f64,
    /// Games that began with it.
    pub games: u32,
    /// White's score in them, drawn towards that of all games the more, the fewer they are; with its 95% interval.
    pub score: [f64; 3],
    /// Whether there were fewer than thirty games.
    pub few: bool,
}

/// One number for each square, in the order of the board's squares: a1, b1 … without holes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeatMaps {
    /// Arrivals of pieces in a game.
    pub arrivals: Vec<f64>,
    /// Legal moves to the square in a position.
    pub mobility: Vec<f64>,
    /// Share of the won games that ended there: where the mated King stood, or the goal reached.
    pub endings: Vec<f64>,
}

/// Curves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Series {
    /// The length of each game, in plies.
    pub lengths: Vec<u32>,
    /// Legal moves by ply: mean, and the quarters of the games below and above.
    pub legal_moves: Vec<[f64; 3]>,
    /// By twentieths of the game: how far the expected score is from one half, on average.
    pub lead: Vec<f64>,
}

/// How the numbers were found: strength of the engine, samples and fits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// The rating of the weaker level on the engine's own scale, and that of full strength with a minute or so for a game.
    pub ratings: [u32; 2],
    /// Games that were played again and did not count.
    pub repeated: u32,
    /// One pawn's worth, in the logistic function from score to expected score: fitted to these games.
    pub slope: f64,
    /// Positions that the values of the pieces are fitted to.
    pub positions: u32,
    /// Random plies, and plies drawn among the engine's moves, of an opening.
    pub opening_plies: [u32; 2],
}

/// A game in the table of comparison.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Compared {
    /// Id of the game.
    pub game: String,
    /// Its name.
    pub name: String,
    /// Games and nodes.
    pub games: u32,
    /// Nodes for each move.
    pub nodes: u64,
    /// The numbers by their keys: value, lower and upper end.
    pub numbers: std::collections::BTreeMap<String, [Option<f64>; 3]>,
}

/// The keys of the numbers that are compared.
pub(super) const COMPARED: [&str; 8] =
    ["white-score", "draws", "length", "legal-moves", "lead-changes", "decided-at", "sharpness", "depth"];

impl GameReport {
    /// A number by its key.
    #[must_use]
    pub fn number(&self, key: &str) -> Option<&Number> {
        self.numbers.iter().find(|number| number.key == key)
    }

    /// The line of the game in a table of comparison.
    #[must_use]
    pub fn compared(&self) -> Compared {
        let numbers = COMPARED.iter().filter_map(|key| self.number(key));
        Compared {
            game: self.game.clone(),
            name: self.name.clone(),
            games: self.games[0],
            nodes: self.plan.nodes,
            numbers: numbers.map(|n| (n.key.clone(), [n.value, n.low, n.high])).collect(),
        }
    }
}

/// The lines of the games that Lozenge comes with.
pub(super) fn shipped() -> Vec<Compared> {
    serde_json::from_str(include_str!("compared.json")).unwrap_or_default()
}

//! What an engine says of its thinking: the numbers of an `info` line.

use lozenge_engine::Score;
use std::time::Duration;

/// The numbers of an `info` line; what is not said stays `None`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thinking {
    /// What the position is worth to the side to move.
    pub score: Option<Score>,
    /// Iteration, in plies.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Time used, by the engine's own clock.
    pub time: Option<Duration>,
}

impl Thinking {
    /// Reads an `info` line; words it does not know are passed over.
    ///
    /// ```
    /// use lozenge_engine::Score;
    /// use lozenge_protocol::client::Thinking;
    /// let said = Thinking::parse("info depth 9 seldepth 14 score mate -3 nodes 1200 time 7 pv e2e4");
    /// assert_eq!(said.score, Some(Score::Loses(3)));
    /// assert_eq!((said.depth, said.nodes), (Some(9), Some(1200)));
    /// ```
    #[must_use]
    pub fn parse(line: &str) -> Self {
        let mut said = Self::default();
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => said.depth = number(words.next()),
                "nodes" => said.nodes = number(words.next()),
                "time" => said.time = number(words.next()).map(Duration::from_millis),
                "score" => said.score = score(words.next(), words.next()),
                "pv" | "string" => break,
                _ => {}
            }
        }
        said
    }

    /// Whether an `info` line tells the exact score of the first of the best lines.
    pub(super) fn tells_score(line: &str) -> bool {
        let head = line.split(" pv ").next().unwrap_or_default();
        let mut words = head.split_whitespace().skip(1);
        let (mut scored, mut first) = (false, true);
        while let Some(word) = words.next() {
            match word {
                "string" => return false,
                "score" => scored = true,
                "lowerbound" | "upperbound" => return false,
                "multipv" => first = words.next() == Some("1"),
                _ => {}
            }
        }
        scored && first
    }
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

fn score(kind: Option<&str>, value: Option<&str>) -> Option<Score> {
    let value: i32 = number(value)?;
    match kind? {
        "cp" => Some(Score::Centipawns(value)),
        "mate" if value > 0 => Some(Score::Wins(value.unsigned_abs())),
        "mate" => Some(Score::Loses(value.unsigned_abs())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_passed_over() {
        for (line, expected) in [
            ("info", Thinking::default()),
            ("info depth x score cp", Thinking::default()),
            ("info score mate 99999999999", Thinking::default()),
            ("info string depth 3 score cp 1", Thinking::default()),
            (
                "info score cp -31 lowerbound",
                Thinking { score: Some(Score::Centipawns(-31)), ..Thinking::default() },
            ),
        ] {
            assert_eq!(Thinking::parse(line), expected, "{line}");
        }
    }

    #[test]
    fn only_exact_scores_of_the_first_line_count() {
        for (line, expected) in [
            ("info depth 1 score cp 5 pv a1a2", true),
            ("info depth 1 multipv 1 score cp 5", true),
            ("info depth 1 multipv 2 score cp 5", false),
            ("info depth 1 score cp 5 upperbound nodes 3", false),
            ("info string score cp 5", false),
            ("info nodes 5", false),
        ] {
            assert_eq!(Thinking::tells_score(line), expected, "{line}");
        }
    }
}

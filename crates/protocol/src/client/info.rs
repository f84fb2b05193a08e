//! The numbers of an `info` line.

use lozenge_engine::Score;
use std::time::Duration;

/// The numbers of an `info` line; missing ones are `None`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchInfo {
    /// The score for the side to move.
    pub score: Option<Score>,
    /// Iteration, in plies.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Time used, by the engine's own clock.
    pub time: Option<Duration>,
}

impl SearchInfo {
    /// Reads an `info` line; unknown words are skipped.
    ///
    /// ```
    /// use lozenge_engine::Score;
    /// use lozenge_protocol::client::SearchInfo;
    /// let info = SearchInfo::parse("info depth 9 seldepth 14 score mate -3 nodes 1200 time 7 pv e2e4");
    /// assert_eq!(info.score, Some(Score::Loses(3)));
    /// assert_eq!((info.depth, info.nodes), (Some(9), Some(1200)));
    /// ```
    #[must_use]
    pub fn parse(line: &str) -> Self {
        let mut info = Self::default();
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(words.next()),
                "nodes" => info.nodes = number(words.next()),
                "time" => info.time = number(words.next()).map(Duration::from_millis),
                "score" => info.score = score(words.next(), words.next()),
                "pv" | "string" => break,
                _ => {}
            }
        }
        info
    }

    /// Whether an `info` line has the exact score of the best line.
    pub(super) fn has_exact_score(line: &str) -> bool {
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
    fn invalid_numbers_are_ignored() {
        for (line, expected) in [
            ("info", SearchInfo::default()),
            ("info depth x score cp", SearchInfo::default()),
            ("info score mate 99999999999", SearchInfo::default()),
            ("info string depth 3 score cp 1", SearchInfo::default()),
            (
                "info score cp -31 lowerbound",
                SearchInfo { score: Some(Score::Centipawns(-31)), ..SearchInfo::default() },
            ),
        ] {
            assert_eq!(SearchInfo::parse(line), expected, "{line}");
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
            assert_eq!(SearchInfo::has_exact_score(line), expected, "{line}");
        }
    }
}

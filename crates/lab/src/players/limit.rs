//! How much a player may use for a move: nodes, depth, time, or a clock; as written on a command line.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The limits of a player's moves. A match needs at least one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Limit {
    /// Nodes a move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nodes: Option<u64>,
    /// Plies.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub depth: Option<u32>,
    /// Time a move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub movetime: Option<Duration>,
    /// A clock for the game.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clock: Option<TimeControl>,
}

impl Limit {
    /// Whether nothing bounds the moves.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// As in the tag `TimeControl` of PGN, followed by the limits for which PGN has no notation.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(clock) = self.clock {
            parts.push(clock.to_string());
        }
        if let Some(time) = self.movetime {
            parts.push(format!("{}/move", Seconds(time)));
        }
        if let Some(nodes) = self.nodes {
            parts.push(format!("{nodes} nodes"));
        }
        if let Some(depth) = self.depth {
            parts.push(format!("depth {depth}"));
        }
        if parts.is_empty() {
            parts.push("-".into());
        }
        f.write_str(&parts.join(", "))
    }
}

/// A chess clock: base time, for a number of moves or for the whole game, and an increment.
///
/// ```
/// use lozenge_lab::players::TimeControl;
/// let control: TimeControl = "40/10+0.1".parse().unwrap();
/// assert_eq!(control.moves, Some(40));
/// assert_eq!(control.increment.as_millis(), 100);
/// assert_eq!(control.to_string(), "40/10+0.1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TimeControl {
    /// Moves until the base time is added again; `None`: the whole game.
    pub moves: Option<u32>,
    /// Time at the beginning.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// Why a text is no time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected seconds such as `10`, `10+0.1` or `40/60+0.5`, found `{0}`")]
pub struct LimitError(String);

impl FromStr for TimeControl {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        let fault = || LimitError(text.chars().take(60).collect());
        let (moves, rest) = match text.split_once('/') {
            None => (None, text),
            Some((moves, rest)) => {
                let moves = moves.parse().ok().filter(|moves| (1..=1000).contains(moves));
                (Some(moves.ok_or_else(fault)?), rest)
            }
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let base = seconds(base).filter(|base| !base.is_zero()).ok_or_else(fault)?;
        Ok(Self { moves, base, increment: seconds(increment).ok_or_else(fault)? })
    }
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=1e6).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}+{}", Seconds(self.base), Seconds(self.increment))
    }
}

/// Seconds without needless zeros.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.3}", self.0.as_secs_f64());
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// A clock in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockTime {
    control: TimeControl,
    remaining: Duration,
    moves_left: Option<u32>,
}

impl ClockTime {
    /// The clock at the beginning of a game.
    #[must_use]
    pub const fn new(control: TimeControl) -> Self {
        Self { control, remaining: control.base, moves_left: control.moves }
    }

    /// Time left.
    #[must_use]
    pub const fn remaining(&self) -> Duration {
        self.remaining
    }

    /// Added after each move.
    #[must_use]
    pub const fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves until the base time is added again.
    #[must_use]
    pub const fn moves_left(&self) -> Option<u32> {
        self.moves_left
    }

    /// Subtracts the time of a move. `Err`: by how much it exceeds the time left and the margin.
    ///
    /// # Errors
    /// When the time used is more than the time left and the margin.
    pub fn press(&mut self, used: Duration, margin: Duration) -> Result<(), Duration> {
        if used > self.remaining + margin {
            return Err(used - self.remaining);
        }
        self.remaining = self.remaining.saturating_sub(used) + self.control.increment;
        if let Some(moves) = &mut self.moves_left {
            *moves -= 1;
            if *moves == 0 {
                self.remaining += self.control.base;
                self.moves_left = self.control.moves;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        for (text, written) in
            [("10", "10+0"), ("1+0.01", "1+0.01"), ("40/60+0.5", "40/60+0.5"), ("0.25", "0.25+0")]
        {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), written);
        }
        for text in ["", "x", "0", "-1", "1+", "1+x", "0/10", "a/10", "10+-1", "inf", "nan", "1e9", "1/2/3"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn clock_counts_moves_and_runs_out() {
        let ms = Duration::from_millis;
        let mut clock = ClockTime::new("2/1+0.1".parse().unwrap());
        assert_eq!(clock.press(ms(300), ms(0)), Ok(()));
        assert_eq!((clock.remaining(), clock.moves_left()), (ms(800), Some(1)));
        assert_eq!(clock.press(ms(800), ms(0)), Ok(()));
        assert_eq!((clock.remaining(), clock.moves_left()), (ms(1100), Some(2)));
        assert_eq!(clock.press(ms(1110), ms(20)), Ok(()));
        assert_eq!(clock.remaining(), ms(100));
        assert_eq!(clock.press(ms(121), ms(20)), Err(ms(21)));
    }
}

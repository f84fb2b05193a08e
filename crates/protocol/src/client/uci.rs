//! The client half of UCI: an engine's name, its options, and a move for a position.

use super::{ClientError, Process, Program, SearchInfo};
use crate::InputLine;
use std::time::{Duration, Instant};

/// Time between two checks for an interruption.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// How long to wait for an answer.
#[derive(Clone, Copy)]
pub struct Wait<'a> {
    /// The longest time to wait.
    pub timeout: Duration,
    /// Polled; `true` ends the wait.
    pub interrupted: &'a dyn Fn() -> bool,
}

impl Wait<'_> {
    /// A limit without interruption.
    #[must_use]
    pub fn timeout(timeout: Duration) -> Self {
        Wait { timeout, interrupted: &|| false }
    }
}

/// An option that an engine offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UciOption {
    /// Its name as the engine spells it.
    pub name: String,
    /// The values of a `combo`.
    pub values: Vec<String>,
    /// The least and the greatest value of a `spin`.
    pub bounds: Option<(i64, i64)>,
}

/// An engine's answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayResult {
    /// The move as the engine wrote it; `(none)` and the like included.
    pub best: String,
    /// The last exact score and the last number of nodes of the `info` lines.
    pub info: SearchInfo,
    /// From the moment `go` was sent until `bestmove` was read.
    pub time: Duration,
}

/// A UCI engine that has answered `uci`.
#[derive(Debug)]
pub struct UciEngine {
    process: Process,
    name: String,
    offered: Vec<UciOption>,
}

impl UciEngine {
    /// Starts a program and sends `uci`.
    ///
    /// # Errors
    /// When it cannot be started, ends, or does not send `uciok` in time.
    pub fn start(program: &Program, wait: Wait<'_>) -> Result<Self, ClientError> {
        let process = Process::start(program)?;
        let mut engine = Self { process, name: String::new(), offered: Vec::new() };
        engine.handshake(wait)?;
        Ok(engine)
    }

    /// The name of the engine; may be empty.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of the engine's process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// The option with this name, whose case does not matter.
    #[must_use]
    pub fn offered(&self, name: &str) -> Option<&UciOption> {
        self.offered.iter().find(|offered| offered.name.eq_ignore_ascii_case(name))
    }

    /// Reads the name and the options; also later, because a variant file can change the options.
    ///
    /// # Errors
    /// When the engine ends or does not send `uciok` in time.
    pub fn handshake(&mut self, wait: Wait<'_>) -> Result<(), ClientError> {
        self.offered.clear();
        self.process.send("uci")?;
        let (mut name, mut offered) = (String::new(), Vec::new());
        self.read_until(wait, "uciok", |line, _| {
            if let Some(text) = line.strip_prefix("id name ") {
                name = text.trim().to_owned();
            } else if let Some(text) = line.strip_prefix("option name ") {
                offered.push(UciOption::parse(text));
            }
            line.trim() == "uciok"
        })?;
        self.name = name;
        self.offered = offered;
        Ok(())
    }

    /// Sets an option; an empty value presses a button.
    ///
    /// # Errors
    /// When the engine has ended.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        if value.is_empty() {
            return self.process.send(&format!("setoption name {name}"));
        }
        self.process.send(&format!("setoption name {name} value {value}"))
    }

    /// Waits until the engine has processed all commands.
    ///
    /// # Errors
    /// When the engine ends or does not become ready in time.
    pub fn ready(&mut self, wait: Wait<'_>) -> Result<(), ClientError> {
        self.process.send("isready")?;
        self.read_until(wait, "readyok", |line, _| line.trim() == "readyok")
    }

    /// Sends `ucinewgame` and waits until the engine is ready.
    ///
    /// # Errors
    /// As [`ready`](Self::ready).
    pub fn new_game(&mut self, wait: Wait<'_>) -> Result<(), ClientError> {
        self.process.send("ucinewgame")?;
        self.ready(wait)
    }

    /// Asks for a move: `position` and `go` are the whole lines. The time begins with both.
    ///
    /// # Errors
    /// When the engine ends, does not answer in time, or the waiting is interrupted. Then it may still
    /// be info: see [`abort`](Self::abort).
    pub fn think(&mut self, position: &str, go: &str, wait: Wait<'_>) -> Result<PlayResult, ClientError> {
        let lines = format!("{position}\n{go}");
        let begun = Instant::now();
        self.process.send(&lines)?;
        let mut answer = None;
        let mut latest = LatestInfo::default();
        self.read_until(wait, "bestmove", |line, at| {
            if line.starts_with("info ") {
                latest.take(line);
                return false;
            }
            let Some(rest) = line.strip_prefix("bestmove") else { return false };
            answer = Some((rest.split_whitespace().next().unwrap_or_default().to_owned(), at));
            true
        })?;
        let (best, at) = answer.unwrap_or_else(|| (String::new(), Instant::now()));
        Ok(PlayResult { best, info: latest.info(), time: at.saturating_duration_since(begun) })
    }

    /// Stops an engine that thinks too long, and waits for its move, which is discarded.
    /// `false`: it does not respond.
    pub fn abort(&mut self, wait: Wait<'_>) -> bool {
        self.process.send("stop").is_ok()
            && self.read_until(wait, "bestmove", |line, _| line.starts_with("bestmove")).is_ok()
    }

    /// Sends `quit`. Dropping this ends the process if it has not ended by itself.
    pub fn quit(mut self) {
        let _ = self.process.send("quit");
    }

    /// Kills an engine that does not respond.
    pub fn kill(mut self) {
        self.process.kill();
    }

    /// Reads lines until `last` returns true for the expected one.
    fn read_until(
        &mut self,
        wait: Wait<'_>,
        expected: &'static str,
        mut last: impl FnMut(&str, Instant) -> bool,
    ) -> Result<(), ClientError> {
        let begun = Instant::now();
        loop {
            let left = wait.timeout.saturating_sub(begun.elapsed());
            match self.process.receive(Instant::now() + left.min(POLL_INTERVAL))? {
                Some(received) => {
                    // A line that is not text cannot be the expected one.
                    if let InputLine::Text(line) = &received.line
                        && last(line, received.at)
                    {
                        return Ok(());
                    }
                }
                None if left.is_zero() => {
                    return Err(ClientError::Timeout { expected, seconds: wait.timeout.as_secs_f64() });
                }
                None => {}
            }
            if (wait.interrupted)() {
                return Err(ClientError::Interrupted);
            }
            // An engine that floods us with lines is as late as a silent one.
            if begun.elapsed() > wait.timeout + POLL_INTERVAL {
                return Err(ClientError::Timeout { expected, seconds: wait.timeout.as_secs_f64() });
            }
        }
    }
}

/// The latest `info` lines that matter, parsed only after the move.
#[derive(Default)]
struct LatestInfo {
    scored: String,
    last: String,
}

impl LatestInfo {
    fn take(&mut self, line: &str) {
        if SearchInfo::has_exact_score(line) {
            self.scored.clear();
            self.scored.push_str(line);
        }
        if line.contains(" nodes ") {
            self.last.clear();
            self.last.push_str(line);
        }
    }

    fn info(&self) -> SearchInfo {
        let scored = SearchInfo::parse(&self.scored);
        let last = SearchInfo::parse(&self.last);
        SearchInfo { nodes: last.nodes.or(scored.nodes), time: last.time.or(scored.time), ..scored }
    }
}

impl UciOption {
    /// Reads the text after `option name `.
    ///
    /// ```
    /// use lozenge_protocol::client::UciOption;
    /// let option = UciOption::parse("Skill Level type spin default 20 min -20 max 20");
    /// assert_eq!((option.name.as_str(), option.bounds), ("Skill Level", Some((-20, 20))));
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (name, rest) = text.split_once(" type ").unwrap_or((text, ""));
        let mut values = Vec::new();
        let (mut least, mut most) = (None, None);
        let mut words = rest.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "min" => least = words.next().and_then(|number| number.parse().ok()),
                "max" => most = words.next().and_then(|number| number.parse().ok()),
                _ => {}
            }
            if word != "var" {
                continue;
            }
            let mut value = Vec::new();
            while let Some(part) = words.next_if(|&part| part != "var") {
                value.push(part);
            }
            values.push(value.join(" "));
        }
        Self { name: name.trim().to_owned(), values, bounds: least.zip(most) }
    }

    /// The values that the option accepts, if it does not accept this one.
    #[must_use]
    pub fn expected_instead_of(&self, value: &str) -> Option<String> {
        if let Some((least, most)) = self.bounds {
            let fits = value.parse().is_ok_and(|number: i64| (least..=most).contains(&number));
            return (!fits).then(|| format!("a number from {least} to {most}"));
        }
        let fits =
            self.values.is_empty() || self.values.iter().any(|known| known.eq_ignore_ascii_case(value));
        (!fits).then(|| format!("one of {}", self.values.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_with_their_values() {
        let combo = UciOption::parse("UCI_Variant type combo default a var a var b c var d");
        assert_eq!(
            combo,
            UciOption {
                name: "UCI_Variant".into(),
                values: vec!["a".into(), "b c".into(), "d".into()],
                bounds: None
            }
        );
        let spin = UciOption::parse("Skill Level type spin default 20 min -20 max 20");
        assert_eq!(spin, UciOption { name: "Skill Level".into(), values: vec![], bounds: Some((-20, 20)) });
        assert_eq!(spin.expected_instead_of("-20"), None);
        assert_eq!(spin.expected_instead_of("99").as_deref(), Some("a number from -20 to 20"));
        assert_eq!(
            (combo.expected_instead_of("B c"), combo.expected_instead_of("e")),
            (None, Some("one of a, b c, d".into()))
        );
    }

    #[test]
    fn the_last_exact_score_is_kept_and_the_last_nodes() {
        let mut latest = LatestInfo::default();
        for line in [
            "info depth 3 score cp 10 nodes 100 time 1 pv e2e4",
            "info depth 4 score cp 50 lowerbound nodes 150",
            "info depth 4 currmove e2e4 nodes 180 time 3",
        ] {
            latest.take(line);
        }
        let info = latest.info();
        assert_eq!(info.score, Some(lozenge_engine::Score::Centipawns(10)));
        assert_eq!((info.depth, info.nodes), (Some(3), Some(180)));
    }
}

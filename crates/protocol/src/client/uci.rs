//! The conversation with a UCI engine, from our side: who it is, what it offers, a move for a position.

use super::{ClientError, Process, Program, Thinking};
use crate::Line;
use std::time::{Duration, Instant};

/// The shortest sleep between two looks at whether to go on waiting.
const SLICE: Duration = Duration::from_millis(100);

/// How long to wait for an answer, and whether to go on at all.
#[derive(Clone, Copy)]
pub struct Wait<'a> {
    /// At most so long.
    pub most: Duration,
    /// Asked now and then: `true` ends the waiting.
    pub interrupted: &'a dyn Fn() -> bool,
}

impl Wait<'_> {
    /// At most so long, without interruption.
    #[must_use]
    pub fn most(most: Duration) -> Self {
        Wait { most, interrupted: &|| false }
    }
}

/// An option that an engine offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offered {
    /// Its name as the engine spells it.
    pub name: String,
    /// The values of a `combo`.
    pub values: Vec<String>,
    /// The least and the greatest value of a `spin`.
    pub bounds: Option<(i64, i64)>,
}

/// An engine's answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move as the engine wrote it; `(none)` and the like included.
    pub best: String,
    /// The last exact score it told on the way, and the last number of nodes.
    pub thinking: Thinking,
    /// From the moment `go` was sent until `bestmove` was read.
    pub time: Duration,
}

/// A UCI engine that has introduced itself.
#[derive(Debug)]
pub struct UciEngine {
    process: Process,
    name: String,
    offered: Vec<Offered>,
}

impl UciEngine {
    /// Starts a program and has it introduce itself.
    ///
    /// # Errors
    /// When it cannot be started, ends, or says no `uciok` in time.
    pub fn start(program: &Program, wait: Wait<'_>) -> Result<Self, ClientError> {
        let process = Process::start(program)?;
        let mut engine = Self { process, name: String::new(), offered: Vec::new() };
        engine.introduce(wait)?;
        Ok(engine)
    }

    /// What the engine calls itself; may be empty.
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
    pub fn offered(&self, name: &str) -> Option<&Offered> {
        self.offered.iter().find(|offered| offered.name.eq_ignore_ascii_case(name))
    }

    /// Asks for the name and the options: also later, since a file of variants can change them.
    ///
    /// # Errors
    /// When the engine ends or says no `uciok` in time.
    pub fn introduce(&mut self, wait: Wait<'_>) -> Result<(), ClientError> {
        self.offered.clear();
        self.process.send("uci")?;
        let (mut name, mut offered) = (String::new(), Vec::new());
        self.hear_until(wait, "uciok", |line, _| {
            if let Some(said) = line.strip_prefix("id name ") {
                name = said.trim().to_owned();
            } else if let Some(said) = line.strip_prefix("option name ") {
                offered.push(Offered::parse(said));
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

    /// Waits until the engine has done all it was told.
    ///
    /// # Errors
    /// When the engine ends or does not get ready in time.
    pub fn ready(&mut self, wait: Wait<'_>) -> Result<(), ClientError> {
        self.process.send("isready")?;
        self.hear_until(wait, "readyok", |line, _| line.trim() == "readyok")
    }

    /// Tells of a new game and waits until the engine has made ready for it.
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
    /// be thinking: see [`break_off`](Self::break_off).
    pub fn think(&mut self, position: &str, go: &str, wait: Wait<'_>) -> Result<Answer, ClientError> {
        let lines = format!("{position}\n{go}");
        let begun = Instant::now();
        self.process.send(&lines)?;
        let mut answer = None;
        let mut told = Told::default();
        self.hear_until(wait, "bestmove", |line, at| {
            if line.starts_with("info ") {
                told.take(line);
                return false;
            }
            let Some(rest) = line.strip_prefix("bestmove") else { return false };
            answer = Some((rest.split_whitespace().next().unwrap_or_default().to_owned(), at));
            true
        })?;
        let (best, at) = answer.unwrap_or_else(|| (String::new(), Instant::now()));
        Ok(Answer { best, thinking: told.thinking(), time: at.saturating_duration_since(begun) })
    }

    /// Tells an engine that thinks too long to stop, and waits for its move, which is thrown away.
    /// `false`: it does not listen any more.
    pub fn break_off(&mut self, wait: Wait<'_>) -> bool {
        self.process.send("stop").is_ok()
            && self.hear_until(wait, "bestmove", |line, _| line.starts_with("bestmove")).is_ok()
    }

    /// Says `quit`. The process ends when this is dropped, if it has not by itself.
    pub fn quit(mut self) {
        let _ = self.process.send("quit");
    }

    /// Ends an engine that does not listen any more.
    pub fn kill(mut self) {
        self.process.kill();
    }

    /// Hears lines until `last` says that the one awaited has come.
    fn hear_until(
        &mut self,
        wait: Wait<'_>,
        expected: &'static str,
        mut last: impl FnMut(&str, Instant) -> bool,
    ) -> Result<(), ClientError> {
        let begun = Instant::now();
        loop {
            let left = wait.most.saturating_sub(begun.elapsed());
            match self.process.hear(Instant::now() + left.min(SLICE))? {
                Some(heard) => {
                    // What is no text cannot be what is awaited.
                    if let Line::Text(line) = &heard.line
                        && last(line, heard.at)
                    {
                        return Ok(());
                    }
                }
                None if left.is_zero() => {
                    return Err(ClientError::Silent { expected, seconds: wait.most.as_secs_f64() });
                }
                None => {}
            }
            if (wait.interrupted)() {
                return Err(ClientError::Interrupted);
            }
            // An engine that never stops talking is as late as one that is silent.
            if begun.elapsed() > wait.most + SLICE {
                return Err(ClientError::Silent { expected, seconds: wait.most.as_secs_f64() });
            }
        }
    }
}

/// The lines worth reading once the move is there: most never are.
#[derive(Default)]
struct Told {
    scored: String,
    last: String,
}

impl Told {
    fn take(&mut self, line: &str) {
        if Thinking::tells_score(line) {
            self.scored.clear();
            self.scored.push_str(line);
        }
        if line.contains(" nodes ") {
            self.last.clear();
            self.last.push_str(line);
        }
    }

    fn thinking(&self) -> Thinking {
        let scored = Thinking::parse(&self.scored);
        let last = Thinking::parse(&self.last);
        Thinking { nodes: last.nodes.or(scored.nodes), time: last.time.or(scored.time), ..scored }
    }
}

impl Offered {
    /// Reads what follows `option name `.
    fn parse(text: &str) -> Self {
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

    /// What is expected instead, where a value is none that the engine says it takes.
    #[must_use]
    pub fn refuses(&self, value: &str) -> Option<String> {
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
        let combo = Offered::parse("UCI_Variant type combo default a var a var b c var d");
        assert_eq!(
            combo,
            Offered {
                name: "UCI_Variant".into(),
                values: vec!["a".into(), "b c".into(), "d".into()],
                bounds: None
            }
        );
        let spin = Offered::parse("Skill Level type spin default 20 min -20 max 20");
        assert_eq!(spin, Offered { name: "Skill Level".into(), values: vec![], bounds: Some((-20, 20)) });
        assert_eq!(spin.refuses("-20"), None);
        assert_eq!(spin.refuses("99").as_deref(), Some("a number from -20 to 20"));
        assert_eq!((combo.refuses("B c"), combo.refuses("e")), (None, Some("one of a, b c, d".into())));
    }

    #[test]
    fn the_last_exact_score_is_kept_and_the_last_nodes() {
        let mut told = Told::default();
        for line in [
            "info depth 3 score cp 10 nodes 100 time 1 pv e2e4",
            "info depth 4 score cp 50 lowerbound nodes 150",
            "info depth 4 currmove e2e4 nodes 180 time 3",
        ] {
            told.take(line);
        }
        let thinking = told.thinking();
        assert_eq!(thinking.score, Some(lozenge_engine::Score::Centipawns(10)));
        assert_eq!((thinking.depth, thinking.nodes), (Some(3), Some(180)));
    }
}

//! Parses ENGINE on the command line into an engine.

use super::MatchFailure;
use super::args::milliseconds;
use lozenge_lab::matches::{EngineKind, EngineSettings};
use lozenge_lab::players::{Limit, UciSettings};
use lozenge_protocol::client::Program;
use lozenge_protocol::games::PATH_SEPARATOR;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Reads an engine. `limit` is for engines without one of their own; `seed` is that of the random mover; `files` are the
/// variant files of the match; `startup_timeout` is for starting the engine.
pub(super) fn read(
    text: &str,
    limit: &Limit,
    seed: u64,
    files: &[String],
    startup_timeout: Duration,
) -> Result<EngineSettings, MatchFailure> {
    let fault = |what: String| MatchFailure::Engine { engine: text.to_owned(), what };
    let words = shlex::split(text).ok_or_else(|| fault("expected closed quotation marks".into()))?;
    let mut words = words.into_iter();
    let head = words.next().ok_or_else(|| fault("expected the name of an engine or a program".into()))?;
    let mut written = Written::default();
    for word in words {
        written.take(&word).map_err(fault)?;
    }
    let limit = if written.limit.is_none() { limit.clone() } else { written.limit.clone() };
    if limit.is_none() && !["random", "greedy"].contains(&head.as_str()) {
        return Err(MatchFailure::NoLimit);
    }
    let default_name = written.name(&head);
    let kind = match head.as_str() {
        "random" | "greedy" | "plain" => {
            if !written.is_plain() {
                return Err(fault("expected no arguments or options for a player that is built in".into()));
            }
            match head.as_str() {
                "plain" => EngineKind::Plain,
                "greedy" => EngineKind::Greedy(seed),
                _ => EngineKind::Random(seed),
            }
        }
        "this" => {
            let program = std::env::current_exe().map_err(|error| fault(error.to_string()))?;
            written.arguments.insert(0, "engine".into());
            if !files.is_empty() && written.variant_path.is_none() {
                written.variant_path = Some(files.join(PATH_SEPARATOR.encode_utf8(&mut [0; 4])));
            }
            EngineKind::Uci(written.program(program, startup_timeout))
        }
        path => EngineKind::Uci(written.program(PathBuf::from(path), startup_timeout)),
    };
    Ok(EngineSettings { name: default_name, kind, limit })
}

/// The settings after the first word.
#[derive(Default)]
struct Written {
    name: Option<String>,
    arguments: Vec<String>,
    options: Vec<(String, String)>,
    variants: BTreeMap<String, String>,
    variant_path: Option<String>,
    forget_history: bool,
    limit: Limit,
}

impl Written {
    fn take(&mut self, word: &str) -> Result<(), String> {
        let Some((key, value)) = word.split_once('=').filter(|(key, _)| !key.starts_with('-')) else {
            self.arguments.push(word.to_owned());
            return Ok(());
        };
        if value.contains(['\n', '\r']) {
            return Err(format!("expected one line after {key}="));
        }
        let number = || format!("expected a number after {key}=, found `{value}`");
        match key {
            "name" => self.name = Some(value.to_owned()),
            "arg" => self.arguments.push(value.to_owned()),
            "variants" => self.variant_path = Some(value.to_owned()),
            "history" if value == "fen" => self.forget_history = true,
            "history" if value == "moves" => self.forget_history = false,
            "history" => return Err(format!("expected history=fen or history=moves, found `{value}`")),
            "nodes" => self.limit.nodes = Some(value.parse().map_err(|_| number())?),
            "depth" => self.limit.depth = Some(value.parse().map_err(|_| number())?),
            "movetime" => self.limit.movetime = Some(milliseconds(value)?),
            "tc" => {
                self.limit.clock =
                    Some(value.parse().map_err(|error: lozenge_lab::players::LimitError| error.to_string())?);
            }
            _ => {
                if let Some(option) = key.strip_prefix("option.") {
                    self.options.push((option.to_owned(), value.to_owned()));
                } else if let Some(id) = key.strip_prefix("variant.") {
                    self.variants.insert(id.to_owned(), value.to_owned());
                } else {
                    return Err(format!(
                        "expected one of the keys name, arg, option.NAME, variant.ID, variants, history, nodes, \
depth, movetime, tc, found `{key}`"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Whether it has no arguments, options or variants of its own.
    fn is_plain(&self) -> bool {
        self.arguments.is_empty()
            && self.options.is_empty()
            && self.variants.is_empty()
            && self.variant_path.is_none()
    }

    /// The name that was given, or that of the program.
    fn name(&self, head: &str) -> String {
        self.name.clone().unwrap_or_else(|| {
            Path::new(head)
                .file_stem()
                .map_or_else(|| head.to_owned(), |stem| stem.to_string_lossy().into_owned())
        })
    }

    fn program(self, path: PathBuf, startup_timeout: Duration) -> UciSettings {
        UciSettings {
            program: Program { path, arguments: self.arguments },
            options: self.options,
            variants: self.variants,
            variant_path: self.variant_path,
            forget_history: self.forget_history,
            startup_timeout,
        }
    }
}

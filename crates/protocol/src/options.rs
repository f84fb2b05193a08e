//! The options of the engine: their names, bounds and values.
//!
//! `Ponder` has no effect: `go ponder` works without it.
//! `UCI_AnalyseMode` means full strength, regardless of the other options.
//!
//! With the feature `tunables` the numbers of the search are options as well, for tuners.

use crate::games::DEFAULT_VARIANT;
use crate::output::quote;
use lozenge_engine::skill::{FULL_ELO, FULL_LEVEL, Handicap, MIN_ELO};
use lozenge_engine::{Engine, Tunable, Tunables};
use std::fmt::Write as _;
use std::hash::{BuildHasher, Hasher, RandomState};

/// The `Skill Level` that is full strength.
const MAX_SKILL: i64 = FULL_LEVEL as i64;

/// The values of all options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Options {
    pub(crate) hash: i64,
    pub(crate) threads: i64,
    pub(crate) multipv: i64,
    pub(crate) overhead: i64,
    pub(crate) skill_level: i64,
    pub(crate) elo: i64,
    pub(crate) ponder: bool,
    pub(crate) limit_strength: bool,
    pub(crate) analyse_mode: bool,
    pub(crate) show_wdl: bool,
    pub(crate) raw_score: bool,
    pub(crate) chess960: bool,
    /// The numbers of the search.
    pub(crate) tunables: Tunables,
    /// Seed of a handicapped player's mistakes; not an option, but renewed with every game.
    pub(crate) seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            multipv: 1,
            overhead: 10,
            skill_level: MAX_SKILL,
            elo: 1350,
            ponder: false,
            limit_strength: false,
            analyse_mode: false,
            show_wdl: false,
            raw_score: false,
            chess960: false,
            tunables: Tunables::default(),
            seed: 0,
        }
    }
}

/// The effect of setting an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// The value is stored.
    Stored,
    /// The size of the transposition table, the number of threads or a number of the search has changed: call [`apply_resources`].
    Resources,
    /// Clear the transposition table and the histories.
    ClearHash,
    /// Whether starts are shuffled.
    Chess960,
    /// Another game, by id.
    Variant(String),
    /// Variant files to load, as written.
    VariantPath(String),
    /// The folder of endgame tables; none if empty.
    TablebasePath(String),
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum OptionError {
    #[error("unknown option {0}")]
    Unknown(String),
    #[error("option {name}: expected {expected}, found {found}")]
    Value { name: &'static str, expected: String, found: String },
}

enum Kind {
    Spin {
        min: i64,
        max: i64,
        field: fn(&mut Options) -> &mut i64,
    },
    Check {
        field: fn(&mut Options) -> &mut bool,
    },
    Button,
    Variant,
    /// Without `may_be_empty` an empty path changes nothing.
    Path {
        change: fn(String) -> Change,
        may_be_empty: bool,
    },
}

/// Largest transposition table, in MiB.
const MAX_HASH: i64 = 128 << 10;

/// The options in the order in which they are listed.
const TABLE: [(&str, Kind); 16] = [
    ("Threads", Kind::Spin { min: 1, max: 512, field: |options| &mut options.threads }),
    ("Hash", Kind::Spin { min: 1, max: MAX_HASH, field: |options| &mut options.hash }),
    ("Clear Hash", Kind::Button),
    ("Ponder", Kind::Check { field: |options| &mut options.ponder }),
    ("MultiPV", Kind::Spin { min: 1, max: 500, field: |options| &mut options.multipv }),
    ("Skill Level", Kind::Spin { min: 0, max: MAX_SKILL, field: |options| &mut options.skill_level }),
    ("Move Overhead", Kind::Spin { min: 0, max: 5000, field: |options| &mut options.overhead }),
    ("UCI_Variant", Kind::Variant),
    ("UCI_Chess960", Kind::Check { field: |options| &mut options.chess960 }),
    ("UCI_AnalyseMode", Kind::Check { field: |options| &mut options.analyse_mode }),
    ("UCI_LimitStrength", Kind::Check { field: |options| &mut options.limit_strength }),
    ("UCI_Elo", Kind::Spin { min: MIN_ELO as i64, max: FULL_ELO as i64, field: |options| &mut options.elo }),
    ("UCI_ShowWDL", Kind::Check { field: |options| &mut options.show_wdl }),
    ("Raw Score", Kind::Check { field: |options| &mut options.raw_score }),
    ("VariantPath", Kind::Path { change: Change::VariantPath, may_be_empty: false }),
    ("TablebasePath", Kind::Path { change: Change::TablebasePath, may_be_empty: true }),
];

/// The `option` lines of the answer to `uci`.
pub(crate) fn list(ids: &[String]) -> String {
    let mut text = String::new();
    let mut defaults = Options::default();
    for (name, kind) in &TABLE {
        let _ = write!(text, "option name {name} type ");
        let _ = match kind {
            Kind::Spin { min, max, field } => {
                writeln!(text, "spin default {} min {min} max {max}", field(&mut defaults))
            }
            Kind::Check { field } => writeln!(text, "check default {}", field(&mut defaults)),
            Kind::Button => writeln!(text, "button"),
            Kind::Variant => {
                let _ = write!(text, "combo default {DEFAULT_VARIANT}");
                for id in ids {
                    let _ = write!(text, " var {id}");
                }
                writeln!(text)
            }
            Kind::Path { .. } => writeln!(text, "string default <empty>"),
        };
    }
    for Tunable { name, default, min, max, .. } in tunables() {
        let _ = writeln!(text, "option name {name} type spin default {default} min {min} max {max}");
    }
    text.truncate(text.trim_end().len());
    text
}

/// The numbers of the search that can be set.
fn tunables() -> &'static [Tunable] {
    if cfg!(feature = "tunables") { Tunables::TABLE } else { &[] }
}

impl Options {
    /// Sets an option by name, whose case does not matter.
    pub(crate) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, OptionError> {
        let Some((name, kind)) = TABLE.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) else {
            return self.set_tunable(name, value);
        };
        let text = value.unwrap_or_default();
        let wrong = |expected: String| {
            let found = value.filter(|value| !value.is_empty()).map_or_else(|| "nothing".into(), quote);
            OptionError::Value { name, expected, found }
        };
        match kind {
            Kind::Spin { min, max, field } => {
                let number = text.parse().ok().filter(|number| (min..=max).contains(&number));
                let number: i64 = number.ok_or_else(|| wrong(format!("a number from {min} to {max}")))?;
                *field(self) = number;
                if matches!(*name, "Hash" | "Threads") {
                    return Ok(Change::Resources);
                }
            }
            Kind::Check { field } => {
                *field(self) = match text {
                    "true" => true,
                    "false" => false,
                    _ => return Err(wrong("`true` or `false`".into())),
                };
                if *name == "UCI_Chess960" {
                    return Ok(Change::Chess960);
                }
            }
            Kind::Button => return Ok(Change::ClearHash),
            Kind::Variant if text.is_empty() => return Err(wrong("the id of a game".into())),
            Kind::Variant => return Ok(Change::Variant(text.to_owned())),
            Kind::Path { change, may_be_empty } => match text {
                "" | "<empty>" if !may_be_empty => {}
                "<empty>" => return Ok(change(String::new())),
                path => return Ok(change(path.to_owned())),
            },
        }
        Ok(Change::Stored)
    }

    fn set_tunable(&mut self, name: &str, value: Option<&str>) -> Result<Change, OptionError> {
        let known = tunables().iter().find(|known| known.name.eq_ignore_ascii_case(name));
        let Some(Tunable { name, min, max, .. }) = known else {
            return Err(OptionError::Unknown(quote(name)));
        };
        let text = value.unwrap_or_default();
        if text.parse().is_ok_and(|number| self.tunables.set(name, number)) {
            return Ok(Change::Resources);
        }
        let expected = format!("a number from {min} to {max}");
        Err(OptionError::Value { name, expected, found: quote(text) })
    }
}

impl Options {
    /// Sets an option by the name and in the manner of XBoard, where a box is ticked with `1`.
    pub(crate) fn set_from_xboard(&mut self, name: &str, value: Option<&str>) -> Result<Change, OptionError> {
        let known = TABLE.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        match (known, value) {
            (Some((_, Kind::Variant)), _) => Err(OptionError::Unknown(quote(name))),
            (Some((_, Kind::Check { .. })), Some("1")) => self.set(name, Some("true")),
            (Some((_, Kind::Check { .. })), Some("0")) => self.set(name, Some("false")),
            _ => self.set(name, value),
        }
    }
}

impl Options {
    /// The handicap: of `UCI_Elo` if `UCI_LimitStrength` is set, otherwise of `Skill Level`.
    pub(crate) fn handicap(&self) -> Option<Handicap> {
        if self.analyse_mode {
            return None;
        }
        if self.limit_strength {
            return Handicap::at_elo(self.elo as u32, self.seed);
        }
        Handicap::at_level(self.skill_level as u8, self.seed)
    }

    /// Renews the seed, so that a new game has other mistakes.
    pub(crate) fn reseed(&mut self) {
        self.seed = RandomState::new().build_hasher().finish();
    }
}

/// Options for which XBoard has its own commands, or no use.
const HIDDEN_FROM_XBOARD: [&str; 7] =
    ["Threads", "Hash", "Ponder", "UCI_Chess960", "UCI_AnalyseMode", "UCI_ShowWDL", "Raw Score"];

/// The options and their values in the format of XBoard's `feature option`.
pub(crate) fn features(options: &Options) -> Vec<String> {
    let mut options = options.clone();
    let offered = TABLE.iter().filter(|(name, _)| !HIDDEN_FROM_XBOARD.contains(name));
    offered
        .filter_map(|(name, kind)| match kind {
            Kind::Spin { min, max, field } => {
                Some(format!("{name} -spin {} {min} {max}", field(&mut options)))
            }
            Kind::Check { field } => Some(format!("{name} -check {}", u8::from(*field(&mut options)))),
            Kind::Button => Some(format!("{name} -button")),
            Kind::Path { may_be_empty, .. } => {
                let kind = if *may_be_empty { "path" } else { "file" };
                Some(format!("{name} -{kind} "))
            }
            Kind::Variant => None,
        })
        .collect()
}

/// A new engine with the memory and threads of the options, as far as available.
pub(crate) fn fresh_engine(options: &Options) -> Engine {
    let mut engine = Engine::new(1);
    apply_resources(&mut engine, &mut options.clone());
    engine
}

/// Applies `Hash` and `Threads` to the engine. Returns a comment if they are not available; then the table keeps its
/// size, and `options` is corrected.
pub(crate) fn apply_resources(engine: &mut Engine, options: &mut Options) -> Option<String> {
    let (threads, useful) = (options.threads as usize, Engine::useful_threads());
    engine.set_threads(threads.min(useful));
    *engine.tunables_mut() = options.tunables;
    if engine.hash() != options.hash as usize
        && let Err(error) = engine.set_hash(options.hash as usize)
    {
        options.hash = engine.hash() as i64;
        return Some(error.to_string());
    }
    (threads > useful).then(|| format!("Threads: this machine runs at most {useful} threads at once"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_any_case_and_values_within_bounds() {
        let mut options = Options::default();
        assert_eq!(options.set("hash", Some("32")), Ok(Change::Resources));
        assert_eq!(options.set("SKILL LEVEL", Some("3")), Ok(Change::Stored));
        assert_eq!(options.set("uci_showwdl", Some("true")), Ok(Change::Stored));
        assert_eq!(options.set("clear hash", None), Ok(Change::ClearHash));
        assert_eq!((options.hash, options.skill_level, options.show_wdl), (32, 3, true));
        for (name, value) in [
            ("Hash", "0"),
            ("Hash", "x"),
            ("Threads", "9999999999999999999999"),
            ("Ponder", "yes"),
            ("Hash", ""),
        ] {
            assert!(options.set(name, Some(value)).is_err(), "{name} {value}");
        }
        let tunable = options.set("Null_Move", Some("5"));
        if cfg!(feature = "tunables") {
            assert_eq!((tunable, options.tunables.null_move), (Ok(Change::Resources), 5));
            assert!(options.set("null_move", Some("99")).is_err());
        } else {
            assert_eq!(tunable, Err(OptionError::Unknown("`Null_Move`".into())));
        }
        assert_eq!(options.set("Contempt", Some("1")), Err(OptionError::Unknown("`Contempt`".into())));
        assert_eq!(options.hash, 32);
    }
}

//! The text as sections: `[name]` or `[name:parent]`, then `key = value`. Comments are whole lines that begin with `#` or `;`.

use lozenge_rules::variant::suggestion;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Longest text that is read.
const MAX_BYTES: usize = 1 << 20;
/// Parents above a section.
const MAX_PARENTS: usize = 16;

/// A section.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// The name of the section that it changes.
    pub parent: Option<String>,
    /// The line of its heading, from 1.
    pub line: usize,
    /// The keys with their values and lines, in their order.
    pub entries: Vec<(String, String, usize)>,
}

/// Why a text gives no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IniError {
    /// A line is neither a heading nor a key with its value.
    #[error("line {line}: expected `[name]`, `[name:parent]`, `key = value` or a comment, found `{found}`")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// Its text.
        found: String,
    },
    /// Two sections have one name.
    #[error("line {line}: expected a section of another name, found a second `[{name}]`")]
    Twice {
        /// The line of the second one.
        line: usize,
        /// The name.
        name: String,
    },
    /// The text is too long.
    #[error("expected at most 1048576 bytes, found {0}")]
    TooLong(usize),
    /// There is no section of this name.
    #[error("expected one of the sections {known}, found `{name}`{nearest}")]
    Unknown {
        /// The name asked for.
        name: String,
        /// Those there are.
        known: String,
        /// The nearest of them as a question, or nothing.
        nearest: String,
    },
    /// There is more than one section and no name.
    #[error("expected a name after --name, one of {0}")]
    Several(String),
    /// There is no section.
    #[error("expected a section `[name]`, found none")]
    Empty,
    /// The section above is nowhere.
    #[error(
        "line {line}: expected a parent that stands above or that Fairy-Stockfish has, and that Lozenge can say; found `{parent}`"
    )]
    Parent {
        /// The line of the section.
        line: usize,
        /// The parent's name.
        parent: String,
    },
    /// A game cannot be expressed at all.
    #[error("line {line}: {why}")]
    Impossible {
        /// The line of its section.
        line: usize,
        /// Why.
        why: String,
    },
}

/// The sections of a text.
///
/// # Errors
/// The first line that is neither a section nor a key, or a name that is there twice.
pub fn sections(text: &str) -> Result<Vec<Section>, IniError> {
    if text.len() > MAX_BYTES {
        return Err(IniError::TooLong(text.len()));
    }
    let mut sections: Vec<Section> = Vec::new();
    let mut names = BTreeSet::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        if line.trim().is_empty() || line.trim_start().starts_with(['#', ';']) {
            continue;
        }
        let bad = || IniError::Line { line: number, found: line.chars().take(60).collect() };
        if let Some(heading) = line.strip_prefix('[') {
            let heading = heading.trim_end().strip_suffix(']').ok_or_else(bad)?;
            let (name, parent) = match heading.split_once(':') {
                Some((name, parent)) => (name.trim(), Some(parent.trim().to_owned())),
                None => (heading.trim(), None),
            };
            if name.is_empty() || parent.as_deref() == Some("") {
                return Err(bad());
            }
            if !names.insert(name) {
                return Err(IniError::Twice { line: number, name: name.into() });
            }
            sections.push(Section { name: name.into(), parent, line: number, entries: Vec::new() });
            continue;
        }
        let (key, value) = line.split_once('=').ok_or_else(bad)?;
        let section = sections.last_mut().ok_or_else(bad)?;
        // A key with spaces before it, or a flag with spaces behind it, is another one there.
        section.entries.push((key.trim_end_matches(' ').into(), value.trim_start().into(), number));
    }
    Ok(sections)
}

/// The section of this name, and the sections that it changes one after the other, the first one first and itself last. The
/// flag of each tells whether it is part of the text.
pub(crate) fn resolve(
    sections: &[Section],
    name: Option<&str>,
) -> Result<(Section, Vec<(Section, bool)>), IniError> {
    let list = || sections.iter().map(|section| format!("`{}`", section.name)).collect::<Vec<_>>().join(", ");
    let found = match (name, sections) {
        (_, []) => return Err(IniError::Empty),
        (None, [only]) => only,
        (None, _) => return Err(IniError::Several(list())),
        (Some(name), _) => sections.iter().find(|section| section.name == name).ok_or_else(|| {
            let names: Vec<&str> = sections.iter().map(|section| section.name.as_str()).collect();
            IniError::Unknown { name: name.into(), known: list(), nearest: suggestion(&names, name) }
        })?,
    };
    let mut chain = vec![(found.clone(), true)];
    let mut section = found.clone();
    let mut own = true;
    for _ in 0..MAX_PARENTS {
        let Some(parent) = section.parent.clone() else {
            chain.reverse();
            return Ok((found.clone(), chain));
        };
        // Fairy-Stockfish knows only the sections above by then, and its own games before all of them.
        let above = |other: &&Section| own && other.name == parent && other.line < section.line;
        section = match (built_in(&parent), sections.iter().find(above)) {
            (Some(known), _) => {
                own = false;
                known
            }
            (None, Some(known)) => known.clone(),
            (None, None) => return Err(IniError::Parent { line: found.line, parent }),
        };
        chain.push((section.clone(), own));
    }
    Err(IniError::Parent { line: found.line, parent: section.name })
}

/// The games that Fairy-Stockfish has built in, as far as a variant file can express them.
const PARENTS: &str = include_str!("parents.ini");

/// Their sections. It is our own text, which the tests read.
static BUILT_IN: LazyLock<Vec<Section>> = LazyLock::new(|| sections(PARENTS).unwrap_or_default());

/// The section of a game that Fairy-Stockfish has built in.
fn built_in(name: &str) -> Option<Section> {
    BUILT_IN.iter().find(|section| section.name == name).cloned()
}

/// The names of the games that Fairy-Stockfish has built in and a section can begin with.
///
/// ```
/// assert!(lozenge_ini::parents().contains(&"capablanca".to_owned()));
/// ```
#[must_use]
pub fn parents() -> Vec<String> {
    BUILT_IN.iter().map(|section| section.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_parents_and_lines() {
        let found = sections("# games\n\n[one]\nking = k\n; no\n[two:one]\nqueen = q # a queen\n").unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].parent.as_deref(), Some("one"));
        // Text after the value belongs to it, as in Fairy-Stockfish.
        assert_eq!(found[1].entries, [("queen".into(), "q # a queen".into(), 7)]);
        let (_, chain) = resolve(&found, Some("two")).unwrap();
        assert_eq!(
            chain.iter().map(|(section, _)| section.name.as_str()).collect::<Vec<_>>(),
            ["one", "two"]
        );
    }

    #[test]
    fn ini_syntax_errors_name_their_line() {
        for (text, line) in [("king = k", 1), ("[a]\nking: k", 2), ("[a\n", 1), ("[a]\n[a]", 2), ("[:a]", 1)]
        {
            let error = sections(text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("line {line}: expected ")), "{error}");
        }
        let resolve = |text: &str, name| resolve(&sections(text).unwrap(), name).unwrap_err();
        assert_eq!(resolve("", None), IniError::Empty);
        assert!(matches!(resolve("[a]\n[b]", None), IniError::Several(_)));
        assert!(matches!(resolve("[a]", Some("b")), IniError::Unknown { .. }));
        let error = resolve("[gorgon]\n[manticore]", Some("gorgno")).to_string();
        assert!(error.ends_with("found `gorgno`; did you mean `gorgon`?"), "{error}");
        assert!(matches!(resolve("[a:b]\n[b]", Some("a")), IniError::Parent { line: 1, .. }));
    }
}

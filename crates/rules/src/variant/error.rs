//! Faults of a variant file, each with its location. One reading finds them all.

use super::betza::BetzaError;
use crate::one_line::OneLine;
use crate::setup::SetupFault;
use crate::setup::multi::MultiSetupFault;

/// A location in a text, counted from one; columns count characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FileLocation {
    /// The file's name or the game's id: where the text came from.
    pub source: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl core::fmt::Display for FileLocation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}:{}:{}", self.source, self.line, self.column)
    }
}

/// One fault of a variant file, and its location. Its text is one line, even if it quotes several.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: {}{}", OneLine(location), OneLine(kind), inherited_text(inherited.as_ref()))]
pub struct Fault {
    /// Where it stands, in the variant's own file.
    pub location: FileLocation,
    /// Where it stands in a file that the variant extends, if it does not stand in its own.
    pub inherited: Option<FileLocation>,
    /// The kind of fault.
    pub kind: FaultKind,
}

impl Fault {
    /// The key that was meant, where a key is misspelled.
    #[must_use]
    pub fn suggestion(&self) -> Option<&'static str> {
        match &self.kind {
            FaultKind::UnknownKey { expected, found } => nearest_key(expected, found),
            _ => None,
        }
    }
}

/// The kinds of faults in a variant file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FaultKind {
    /// The text is not TOML, for this reason.
    #[error("{0}")]
    Syntax(String),
    /// The file is larger than a variant file may be.
    #[error("expected at most {limit} {what}, found {found}")]
    TooLarge {
        /// The things counted, for example bytes.
        what: &'static str,
        /// The most there may be.
        limit: usize,
        /// How much there is.
        found: usize,
    },
    /// A key that must be there is not.
    #[error("expected the key `{key}` ({what}), found none")]
    Missing {
        /// The key.
        key: &'static str,
        /// A description of its value.
        what: &'static str,
    },
    /// A key that means nothing here.
    #[error("expected one of {}, found the key `{found}`{}", list(expected), hint(expected, found))]
    UnknownKey {
        /// The keys that would mean something.
        expected: Vec<&'static str>,
        /// The key in the file.
        found: String,
    },
    /// A value of the wrong kind or out of range, or one that contradicts another part of the file.
    #[error("expected {expected}, found {found}")]
    Value {
        /// A description of the values allowed there.
        expected: String,
        /// The value found, or a description of it.
        found: String,
    },
    /// A starting position that is not legal in the game.
    #[error("in the starting position: {0}")]
    Start(SetupFault),
    /// A starting position that is not legal in a game of four.
    #[error("in the starting position: {0}")]
    MultiStart(MultiSetupFault),
    /// A game of another number of players than can be played here.
    #[error("expected a game of {} players, found one of {}", number(*expected), number(*found))]
    Players {
        /// How many there should be.
        expected: i64,
        /// How many the file has.
        found: i64,
    },
    /// A text of moves that is not Betza notation.
    #[error("in the moves `{text}`: {error}")]
    Betza {
        /// The whole text.
        text: String,
        /// The fault in it.
        error: BetzaError,
    },
}

fn inherited_text(location: Option<&FileLocation>) -> String {
    location.map_or_else(String::new, |location| format!(" (inherited from {})", OneLine(location)))
}

/// A small number as a word.
pub(super) fn number(players: i64) -> String {
    match players {
        1 => "one".into(),
        2 => "two".into(),
        3 => "three".into(),
        4 => "four".into(),
        other => other.to_string(),
    }
}

fn list(keys: &[&str]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

/// A hint about an unknown key: the key that was probably meant, or that variant files cannot express the feature.
fn hint(known: &[&str], found: &str) -> String {
    let plain: String = found.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    match UNSUPPORTED.iter().find(|(words, _)| words.contains(&plain.as_str())) {
        Some((_, what)) => format!("; variant files cannot express {what}"),
        None => suggestion(known, found),
    }
}

/// Keys, in lower case, that other programs or intuition suggest for features that variant files cannot express.
/// `docs/variants/limits.md` lists the same.
const UNSUPPORTED: [(&[&str], &str); 6] = [
    (&["drop", "drops", "piecedrops", "hand", "pocket", "pockets", "holdings", "capturestohand"], "drops"),
    (&["gating", "seirawangating", "walling", "duck"], "gating or walls built in play"),
    (
        &["check", "checks", "checkcounting", "counter", "counters", "counting", "material", "points"],
        "counters",
    ),
    (&["pass", "passing", "passonstalemate"], "passing"),
    (&["explosion", "atomic", "blastoncapture", "extinction", "mustcapture", "capture"], "special captures"),
    (
        &["flip", "flipping", "demotion", "promotedpiecetype"],
        "pieces that change otherwise than by promotion",
    ),
];

/// The end of a message about an unknown word: `; did you mean …?` if one of the known words is similar, otherwise nothing.
///
/// ```
/// use lozenge_rules::variant::suggestion;
/// assert_eq!(suggestion(&["gorgon", "manticore"], "Gorgno"), "; did you mean `gorgon`?");
/// assert_eq!(suggestion(&["gorgon", "manticore"], "chess"), "");
/// ```
#[must_use]
pub fn suggestion(known: &[&str], found: &str) -> String {
    nearest_key(known, found).map_or_else(String::new, |key| format!("; did you mean `{key}`?"))
}

/// The nearest of the words that are known, if one may have been meant.
fn nearest_key<'k>(known: &[&'k str], found: &str) -> Option<&'k str> {
    known.iter().copied().filter(|key| is_similar(found, key)).min_by_key(|key| distance(found, key))
}

/// Whether a word may have been meant for another: nearly the same letters, or the word that older files had for it.
pub(crate) fn is_similar(found: &str, key: &str) -> bool {
    let letters = key.chars().count();
    matches!((found, key), ("men", "pieces") | ("man", "piece"))
        || (found.chars().count() <= 2 * letters && 3 * distance(found, key) <= letters.max(3))
}

/// Edits from one word to the other, in any case.
fn distance(found: &str, key: &str) -> usize {
    strsim::damerau_levenshtein(&found.to_lowercase(), &key.to_lowercase())
}

/// Every fault of one variant file, in the order of their locations; never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantError {
    /// The faults.
    pub faults: Vec<Fault>,
}

impl core::fmt::Display for VariantError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (number, fault) in self.faults.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl core::error::Error for VariantError {}

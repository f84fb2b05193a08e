//! Fairy-Stockfish's `variants.ini`, in and out: [`import`] makes a variant file of a section as far as the format can express
//! it, [`export`] writes a section for a game. Both name everything they cannot translate.
//!
//! `parse` reads the text into sections (those of the games that Fairy-Stockfish has built in are in `parents.ini`), and
//! `rules` adds them up as Fairy-Stockfish does. `keys` lists the known keys; `betza`, `vectors` and `region` are about moves
//! and squares. `write` has the parts of a file, and `import` and `export` put them together. Not here: files, and whether the
//! game is sound (`rules`).

mod betza;
mod export;
mod import;
mod keys;
mod parse;
mod region;
mod rules;
mod vectors;
mod write;

pub use export::{Exported, export};
pub use import::{Imported, import, import_section};
pub use parse::{IniError, Section, parents, sections};

use std::fmt;

/// A line that cannot be translated, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Untranslated {
    /// Its number, from 1; `None` where it is part of a game that Fairy-Stockfish has built in, or of none.
    pub line: Option<usize>,
    /// The key, or what the game has.
    pub what: String,
    /// Why, or what the format has instead.
    pub why: String,
}

impl fmt::Display for Untranslated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "`{}`: {}", self.what, self.why)
    }
}

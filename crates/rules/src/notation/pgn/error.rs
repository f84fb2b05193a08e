//! Faults and oddities of a PGN text, and their locations. Not here: when each fault arises (lexer, draft, reader).

use std::fmt;

use super::{
    MAX_ELEMENTS, MAX_FAULTS, MAX_GAME, MAX_LINE, MAX_MOVE, MAX_NESTING, MAX_TAG, MAX_TAGS, PgnGame,
    ResultTag,
};

/// A location in a text. The default, all zeros, is that of a tree made by hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PgnLocation {
    /// The game, counted from 1; broken games count.
    pub game: u64,
    /// The line, counted from 1. `\n`, `\r\n` and a lone `\r` end lines.
    pub line: u64,
    /// The column, counted from 1 in characters. A byte order mark at the start of the text takes no column.
    pub column: u64,
    /// Bytes before this location in the whole text.
    pub byte: u64,
}

impl fmt::Display for PgnLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, line {}, column {}", self.game, self.line, self.column)
    }
}

/// The element that the grammar requires at a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Expected {
    /// The name of a tag, after `[`.
    TagName,
    /// The value of a tag, beginning with `"`.
    TagValue,
    /// The `"` that ends the value of a tag, on the same line.
    ClosingQuote,
    /// The `]` that ends a tag.
    ClosingBracket,
    /// A number after `$`.
    NagNumber,
    /// A move, a move number, a comment, a glyph, a variation or a result.
    Movetext,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::TagName => "the name of a tag",
            Expected::TagValue => "the value of the tag in quotation marks",
            Expected::ClosingQuote => "the quotation mark that ends the value",
            Expected::ClosingBracket => "the `]` that ends the tag",
            Expected::NagNumber => "a number after `$`",
            Expected::Movetext => "a move, a comment or a result",
        })
    }
}

/// The character or end found where something else was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Found {
    /// A character.
    Char(char),
    /// The end of the line.
    LineEnd,
    /// The end of the text.
    TextEnd,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Char(c) if c.is_control() => write!(f, "the character U+{:04X}", u32::from(*c)),
            Found::Char(c) => write!(f, "`{c}`"),
            Found::LineEnd => f.write_str("the end of the line"),
            Found::TextEnd => f.write_str("the end of the text"),
        }
    }
}

/// An error in a PGN text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PgnError {
    /// The text is not the element that the grammar requires.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// The element that the grammar requires.
        expected: Expected,
        /// The character or end found there.
        found: Found,
    },
    /// A `{` without its `}`; the location is that of the `{`.
    #[error("this comment is never closed")]
    UnclosedComment,
    /// A `(` without its `)`; the location is that of the innermost open `(`.
    #[error("this variation is never closed")]
    UnclosedVariation,
    /// A `)` without its `(`.
    #[error("`)` closes no variation")]
    UnmatchedClose,
    /// A `(` where no move precedes that it could replace.
    #[error("a variation needs a move before it")]
    VariationBeforeMove,
    /// Variations lie deeper than [`MAX_NESTING`].
    #[error("variations lie more than {MAX_NESTING} deep")]
    NestingTooDeep,
    /// A `$` number over 255.
    #[error("a `$` number goes up to 255")]
    NagTooLarge,
    /// A move longer than [`MAX_MOVE`].
    #[error("a move is longer than {MAX_MOVE} bytes")]
    MoveTooLong,
    /// A tag longer than [`MAX_TAG`].
    #[error("a tag is longer than {MAX_TAG} bytes")]
    TagTooLong,
    /// More tags than [`MAX_TAGS`].
    #[error("a game has more than {MAX_TAGS} tags")]
    TooManyTags,
    /// More moves, comments and variations than [`MAX_ELEMENTS`].
    #[error("a game has more than {MAX_ELEMENTS} moves, comments and variations")]
    TooManyElements,
    /// A line longer than [`MAX_LINE`].
    #[error("a line is longer than {MAX_LINE} bytes")]
    LineTooLong,
    /// A game longer than [`MAX_GAME`].
    #[error("a game is longer than {MAX_GAME} bytes")]
    GameTooLong,
    /// The text itself could not be had. Nothing follows this error.
    #[error("the text could not be read: {message}")]
    Io {
        /// The kind of the input's error.
        kind: std::io::ErrorKind,
        /// The input's own words.
        message: String,
    },
}

impl PgnError {
    /// Whether nothing of the game can be read after it.
    pub(super) fn ends_game(&self) -> bool {
        matches!(
            self,
            PgnError::TooManyElements | PgnError::LineTooLong | PgnError::GameTooLong | PgnError::Io { .. }
        )
    }
}

/// An error with its location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{location}: {error}")]
pub struct Fault {
    /// The error.
    pub error: PgnError,
    /// Its location.
    pub location: PgnLocation,
}

/// The faults of a game in the order of the text: the first [`MAX_FAULTS`], and how many more there are.
///
/// Display joins them with semicolons.
///
/// ```
/// # use lozenge_rules::notation::pgn::{Faults, MAX_FAULTS};
/// let mut faults = Faults::default();
/// (0..MAX_FAULTS + 3).for_each(|number| faults.push(number));
/// assert_eq!((faults.listed().len(), faults.more()), (MAX_FAULTS, 3));
/// assert!(faults.to_string().ends_with("; 99; and 3 more"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults<E> {
    listed: Vec<E>,
    more: u64,
}

impl<E> Faults<E> {
    /// Adds a fault behind the others.
    pub fn push(&mut self, fault: E) {
        if self.listed.len() < MAX_FAULTS {
            self.listed.push(fault);
        } else {
            self.more += 1;
        }
    }

    /// Whether the list has no faults.
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// The first faults.
    pub fn listed(&self) -> &[E] {
        &self.listed
    }

    /// How many there are besides [`Faults::listed`].
    pub fn more(&self) -> u64 {
        self.more
    }

    /// Adds other faults behind these.
    pub fn append<F: Into<E>>(&mut self, others: Faults<F>) {
        others.listed.into_iter().for_each(|fault| self.push(fault.into()));
        self.more += others.more;
    }

    /// Puts the listed ones in order.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl FnMut(&E) -> K) {
        self.listed.sort_by_key(key);
    }
}

impl<E> From<E> for Faults<E> {
    fn from(fault: E) -> Self {
        Faults { listed: vec![fault], more: 0 }
    }
}

impl<E> Default for Faults<E> {
    fn default() -> Self {
        Faults { listed: Vec::new(), more: 0 }
    }
}

impl<E: fmt::Display> fmt::Display for Faults<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.listed.iter().enumerate() {
            write!(f, "{}{fault}", if number == 0 { "" } else { "; " })?;
        }
        if self.more > 0 { write!(f, "; and {} more", self.more) } else { Ok(()) }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Faults<E> {}

/// A game with faults, and its readable part. The reader goes on with the next game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{faults}")]
pub struct BadGame {
    /// The faults, at least one.
    pub faults: Faults<Fault>,
    /// The game without its faulty parts. Unreadable text becomes a comment.
    pub game: Box<PgnGame>,
}

/// Something odd in a game that could still be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The kind of oddity.
    pub kind: WarningKind,
    /// Where.
    pub location: PgnLocation,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.kind)
    }
}

/// The oddities that the reader mends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WarningKind {
    /// A line is not UTF-8 and was read as Latin-1. Reported once for each game.
    #[error("not UTF-8, read as Latin-1")]
    Latin1,
    /// A tag occurs again (letter case aside); its first value counts.
    #[error("the tag {name} occurs again; its first value is kept")]
    DuplicateTag {
        /// The name, as the later tag spells it.
        name: String,
    },
    /// A `"` inside a value has no `\` before it.
    #[error("a quotation mark inside a value has no `\\` before it")]
    UnescapedQuote,
    /// The movetext ends without a result; the Result tag's is taken, or else `*`.
    #[error("the moves end without a result")]
    MissingResult,
    /// The result after the moves is not that of the Result tag; the former counts.
    #[error("the Result tag says {tag}, the end of the moves says otherwise")]
    ResultMismatch {
        /// The tag's result.
        tag: ResultTag,
    },
    /// A result inside a variation, left out.
    #[error("a result inside a variation is left out")]
    ResultInVariation,
    /// A glyph with no move before it, left out.
    #[error("a glyph before the first move is left out")]
    NagBeforeMove,
}

//! What can be wrong with a PGN text, and where. Not here: when each fault arises (lexer, draft, reader).

use std::fmt;

use super::{MAX_ELEMENTS, MAX_GAME, MAX_LINE, MAX_MOVE, MAX_NESTING, MAX_TAG, MAX_TAGS, ResultTag, Tags};

/// A place in a text. The default, all zeros, is no place: that of a tree made by hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The game, counted from 1; broken games count.
    pub game: u64,
    /// The line, counted from 1. `\n`, `\r\n` and a lone `\r` end lines.
    pub line: u64,
    /// The column, counted from 1 in characters. A byte order mark at the start of the text takes no column.
    pub column: u64,
    /// Bytes before this place in the whole text.
    pub byte: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, line {}, column {}", self.game, self.line, self.column)
    }
}

/// What the grammar asks for at a place.
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

/// What stands where something else was expected.
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

/// Why a game could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PgnError {
    /// Something else stands where the grammar asks for one thing.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What the grammar asks for.
        expected: Expected,
        /// What stands there.
        found: Found,
    },
    /// A `{` without its `}`; the place is that of the `{`.
    #[error("this comment is never closed")]
    UnclosedComment,
    /// A `(` without its `)`; the place is that of the innermost open `(`.
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

/// A game that could not be read, and what is known of it. The reader goes on with the next game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {error}")]
pub struct BadGame {
    /// What is wrong.
    pub error: PgnError,
    /// Where it is wrong.
    pub place: Place,
    /// The tags read until then.
    pub tags: Tags,
}

/// Something odd in a game that could be read all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What is odd.
    pub kind: WarningKind,
    /// Where.
    pub place: Place,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}

/// The oddities that the reader mends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WarningKind {
    /// A line is not UTF-8 and was read as Latin-1. Said once for each game.
    #[error("not UTF-8, read as Latin-1")]
    Latin1,
    /// A tag occurs again (letter case aside); its first value is kept.
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
    /// The result after the moves is not that of the Result tag; the former is kept.
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

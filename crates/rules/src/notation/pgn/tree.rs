//! A game as a tree of moves that are still text. Not here: the meaning of the moves, and reading and writing
//! the tree.

use std::fmt;
use std::str::FromStr;

use super::{Comment, PgnLocation, Tags, Warning};

/// One game: its tags, its moves with all variations, and its result.
///
/// Two games are equal when their contents are; locations in the text and warnings do not count.
#[derive(Clone, Debug, Default)]
pub struct PgnGame {
    /// The tags, the seven tag roster first.
    pub tags: Tags,
    /// The moves of the game; the comments before them are [`Line::start_comments`].
    pub line: Line,
    /// The result that ends the movetext.
    pub result: ResultTag,
    /// Where the game begins.
    pub at: PgnLocation,
    /// The oddities that the reader mended.
    pub warnings: Vec<Warning>,
}

impl PgnGame {
    /// Whether there are neither tags nor moves.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.line.nodes.is_empty()
    }

    /// Sets the result, and the Result tag with it.
    ///
    /// ```
    /// use lozenge_rules::notation::pgn::{PgnGame, ResultTag};
    /// let mut game = PgnGame::default();
    /// game.set_result(ResultTag::Draw);
    /// assert_eq!(game.tags.get("Result"), Some("1/2-1/2"));
    /// ```
    pub fn set_result(&mut self, result: ResultTag) {
        self.result = result;
        self.tags.put_result(result);
    }
}

impl PartialEq for PgnGame {
    fn eq(&self, other: &Self) -> bool {
        self.tags == other.tags && self.line == other.line && self.result == other.result
    }
}

impl Eq for PgnGame {}

/// Moves that follow one another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The comments before the first move (and before its number), or of a line without moves.
    pub start_comments: Vec<Comment>,
    /// The moves.
    pub nodes: Vec<Node>,
}

/// One move as it was written, with all that hangs on it.
///
/// In the text its parts come in the order of the fields; a move number stands before
/// [`Node::comments_before`], and distinguishes these from the comments after the move before. Two nodes are equal
/// wherever they stood.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The comments between the move's number and the move.
    pub comments_before: Vec<Comment>,
    /// The move: one word for which [`is_move_text`](super::is_move_text) holds.
    pub san: String,
    /// Numeric annotation glyphs; `!` is 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6.
    pub nags: Vec<u8>,
    /// The comments after the move, before its variations.
    pub comments_after: Vec<Comment>,
    /// The lines that could have been played instead of this move.
    pub variations: Vec<Variation>,
    /// Where the move stands.
    pub at: PgnLocation,
}

impl Node {
    /// A move with nothing on it.
    pub fn new(san: impl Into<String>) -> Self {
        Node { san: san.into(), ..Node::default() }
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.san == other.san
            && self.nags == other.nags
            && self.comments_before == other.comments_before
            && self.comments_after == other.comments_after
            && self.variations == other.variations
    }
}

impl Eq for Node {}

/// A line in parentheses, played instead of the move that it hangs on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// The moves.
    pub line: Line,
    /// The comments after the closing parenthesis, up to the next variation or move number.
    pub comments_after: Vec<Comment>,
}

/// How a game ended, in the terms of PGN. A goal is a win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResultTag {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished, abandoned or unknown.
    #[default]
    Unknown,
}

impl ResultTag {
    /// The spelling in a text.
    ///
    /// ```
    /// use lozenge_rules::notation::pgn::ResultTag;
    /// assert_eq!(ResultTag::BlackWins.as_str(), "0-1");
    /// assert_eq!("0-1".parse(), Ok(ResultTag::BlackWins));
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            ResultTag::WhiteWins => "1-0",
            ResultTag::BlackWins => "0-1",
            ResultTag::Draw => "1/2-1/2",
            ResultTag::Unknown => "*",
        }
    }
}

impl fmt::Display for ResultTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A text other than the four results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("a result is `1-0`, `0-1`, `1/2-1/2` or `*`")]
pub struct ParseResultError;

impl FromStr for ResultTag {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        super::syntax::RESULTS
            .iter()
            .find(|(spelling, _)| *spelling == text)
            .map(|&(_, result)| result)
            .ok_or(ParseResultError)
    }
}

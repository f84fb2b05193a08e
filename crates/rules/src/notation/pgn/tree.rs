//! A game as a tree of moves that are still text. Not here: the meaning of the moves, and reading and writing
//! the tree.

use crate::seat::SEATS;
use std::fmt;
use std::str::FromStr;

use super::syntax::places_at;
use super::{Comment, MoveNumber, PgnLocation, Tags, Warning};

/// One game: its tags, its moves with all variations, and its result.
///
/// Two games are equal when their contents are; locations in the text and warnings do not count.
#[derive(Clone, Debug, Default)]
pub struct PgnGame {
    /// The tags, the seven tag roster first.
    pub tags: Tags,
    /// The moves of the game; the comments before them are [`PgnLine::start_comments`].
    pub line: PgnLine,
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
pub struct PgnLine {
    /// The comments before the first move (and before its number), or of a line without moves.
    pub start_comments: Vec<Comment>,
    /// The moves.
    pub nodes: Vec<PgnNode>,
}

/// One move as it was written, with all that hangs on it.
///
/// In the text its parts come in the order of the fields; a move number stands before
/// [`PgnNode::comments_before`], and distinguishes these from the comments after the move before. Two nodes are equal
/// wherever they stood.
#[derive(Clone, Debug, Default)]
pub struct PgnNode {
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
    /// The number to be written, where the writer cannot count it: players of four pass and go out.
    pub number: Option<MoveNumber>,
    /// Where the move stands.
    pub at: PgnLocation,
}

impl PgnNode {
    /// A move with nothing on it.
    pub fn new(san: impl Into<String>) -> Self {
        PgnNode { san: san.into(), ..PgnNode::default() }
    }
}

impl PartialEq for PgnNode {
    fn eq(&self, other: &Self) -> bool {
        self.san == other.san
            && self.nags == other.nags
            && self.comments_before == other.comments_before
            && self.comments_after == other.comments_after
            && self.variations == other.variations
    }
}

impl Eq for PgnNode {}

/// A line in parentheses, played instead of the move that it hangs on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// The moves.
    pub line: PgnLine,
    /// The comments after the closing parenthesis, up to the next variation or move number.
    pub comments_after: Vec<Comment>,
}

/// How a game ended, in the terms of PGN. A goal is a win; of two teams, the first is White.
///
/// ```
/// use lozenge_rules::notation::pgn::ResultTag;
/// assert_eq!("0-1".parse(), Ok(ResultTag::BlackWins));
/// assert_eq!("1-4-2-3".parse(), Ok(ResultTag::Places([1, 4, 2, 3])));
/// assert_eq!(ResultTag::Places([1, 1, 3, 4]).to_string(), "1-1-3-4");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResultTag {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `1-4-2-3`: the places of three or four players, in the order of their turns; 0 for an empty seat.
    Places([u8; SEATS]),
    /// `*`: unfinished, abandoned or unknown.
    #[default]
    Unknown,
}

impl fmt::Display for ResultTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResultTag::WhiteWins => f.pad("1-0"),
            ResultTag::BlackWins => f.pad("0-1"),
            ResultTag::Draw => f.pad("1/2-1/2"),
            ResultTag::Places(places) => {
                let taken = places.iter().filter(|&&place| place != 0);
                f.pad(&taken.map(u8::to_string).collect::<Vec<_>>().join("-"))
            }
            ResultTag::Unknown => f.pad("*"),
        }
    }
}

/// A text that is no result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("a result is `1-0`, `0-1`, `1/2-1/2`, `*` or the places of the players, `1-4-2-3`")]
pub struct ParseResultError;

impl FromStr for ResultTag {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = super::syntax::RESULTS.iter().find(|(spelling, _)| *spelling == text);
        let places = || places_at(text).filter(|&(len, _)| len == text.len());
        known.map(|&(_, result)| result).or_else(|| Some(places()?.1)).ok_or(ParseResultError)
    }
}

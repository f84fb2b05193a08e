//! A game while it is being read: the tree grows word by word, with a stack for the open variations. Not
//! here: where the words come from, and where a game ends.

use super::lexer::{Fault, Token};
use super::tag_lexer::Pair;
use super::{
    Comment, Line, MAX_ELEMENTS, MAX_NESTING, MAX_TAGS, Node, PgnError, Place, ResultTag, Tags, Variation,
    WarningKind,
};

/// What a word did to the game.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The game goes on.
    On,
    /// The game goes on, and this was odd.
    Odd(WarningKind),
    /// The game has ended with this result.
    Over(ResultTag),
}

/// A game of which the end has not been read.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) tags: Tags,
    /// Where the game begins; `None` until its first word.
    pub(super) at: Option<Place>,
    /// A tag has begun.
    pub(super) tag_section: bool,
    /// A word of movetext other than a comment has been read.
    pub(super) movetext: bool,
    /// The last word was a result inside a variation.
    pub(super) inner_result: bool,
    tags_read: usize,
    elements: usize,
    current: Open,
    /// The lines around the current one, from the main line inward.
    outer: Vec<Open>,
}

/// A line that is still being read.
#[derive(Debug, Default)]
struct Open {
    line: Line,
    /// A move number was read and its move was not.
    numbered: bool,
    /// The comments since that number.
    before: Vec<Comment>,
    /// Where the line's `(` stands.
    at: Place,
}

impl Draft {
    /// Whether nothing but comments has been read.
    pub(super) fn is_empty(&self) -> bool {
        !self.tag_section && !self.movetext
    }

    /// Whether comments stand after the tags and before any move.
    pub(super) fn has_start_comments(&self) -> bool {
        !self.current.line.start_comments.is_empty()
    }

    /// Takes a tag; says what is odd about it.
    pub(super) fn tag(&mut self, (name, value): Pair, place: Place) -> Result<Option<WarningKind>, Fault> {
        self.tags_read += 1;
        if self.tags_read > MAX_TAGS {
            return Err(Fault { error: PgnError::TooManyTags, place });
        }
        if self.tags.get(&name).is_some() {
            return Ok(Some(WarningKind::DuplicateTag { name }));
        }
        self.tags.put(&name, value);
        Ok(None)
    }

    /// Takes a word of movetext.
    pub(super) fn word(&mut self, token: Token, place: Place) -> Result<Step, Fault> {
        self.movetext |= !matches!(token, Token::Comment(_));
        self.inner_result = false;
        if matches!(token, Token::Move(_) | Token::Comment(_) | Token::Open) {
            self.elements += 1;
            if self.elements > MAX_ELEMENTS {
                return Err(Fault { error: PgnError::TooManyElements, place });
            }
        }
        match token {
            Token::Number => self.current.numbered = true,
            Token::Move(san) => self.current.play(san, place),
            Token::Comment(comment) => self.current.comment(comment),
            Token::Open => self.open(place)?,
            Token::Close => self.close(place)?,
            Token::Nag(number) => match self.current.line.nodes.last_mut() {
                Some(node) => node.nags.push(number),
                None => return Ok(Step::Odd(WarningKind::NagBeforeMove)),
            },
            Token::Result(result) if self.outer.is_empty() => return Ok(Step::Over(result)),
            Token::Result(_) => {
                self.inner_result = true;
                return Ok(Step::Odd(WarningKind::ResultInVariation));
            }
        }
        Ok(Step::On)
    }

    /// The error of ending here, if variations are open.
    pub(super) fn unclosed(&self) -> Option<Fault> {
        (!self.outer.is_empty())
            .then_some(Fault { error: PgnError::UnclosedVariation, place: self.current.at })
    }

    /// The moves, when the game is over.
    pub(super) fn into_line(mut self) -> Line {
        self.current.settle();
        self.current.line
    }

    fn open(&mut self, place: Place) -> Result<(), Fault> {
        if self.current.line.nodes.is_empty() {
            return Err(Fault { error: PgnError::VariationBeforeMove, place });
        }
        if self.outer.len() >= MAX_NESTING {
            return Err(Fault { error: PgnError::NestingTooDeep, place });
        }
        self.current.settle();
        let inner = Open { at: place, ..Open::default() };
        self.outer.push(std::mem::replace(&mut self.current, inner));
        Ok(())
    }

    fn close(&mut self, place: Place) -> Result<(), Fault> {
        let Some(outer) = self.outer.pop() else {
            return Err(Fault { error: PgnError::UnmatchedClose, place });
        };
        self.current.settle();
        let inner = std::mem::replace(&mut self.current, outer);
        if let Some(node) = self.current.line.nodes.last_mut() {
            node.variations.push(Variation { line: inner.line, comments_after: Vec::new() });
        }
        Ok(())
    }
}

impl Open {
    fn play(&mut self, san: String, at: Place) {
        let comments_before = std::mem::take(&mut self.before);
        self.numbered = false;
        self.line.nodes.push(Node { comments_before, at, ..Node::new(san) });
    }

    /// Puts a comment where it belongs: before the move whose number was read, or after what was last.
    fn comment(&mut self, comment: Comment) {
        if self.numbered {
            self.before.push(comment);
            return;
        }
        let after = match self.line.nodes.last_mut() {
            None => &mut self.line.start_comments,
            Some(Node { variations, comments_after, .. }) => match variations.last_mut() {
                None => comments_after,
                Some(variation) => &mut variation.comments_after,
            },
        };
        after.push(comment);
    }

    /// Forgets a number that no move followed.
    fn settle(&mut self) {
        self.numbered = false;
        for comment in std::mem::take(&mut self.before) {
            self.comment(comment);
        }
    }
}

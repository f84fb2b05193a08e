//! A game while it is being read: the tree grows word by word, with a stack for the open variations. Not
//! here: where the words come from, and where a game ends.

use super::lexer::Token;
use super::tag_lexer::Pair;
use super::{
    Comment, Fault, Faults, MAX_ELEMENTS, MAX_NESTING, MAX_TAGS, PgnError, PgnLine, PgnLocation, PgnNode,
    ResultTag, Tags, Variation, WarningKind,
};

/// The effect of a word on the game.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DraftStep {
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
    pub(super) at: Option<PgnLocation>,
    /// A tag has begun.
    pub(super) tag_section: bool,
    /// A word of movetext other than a comment has been read.
    pub(super) movetext: bool,
    /// The last word was a result inside a variation.
    pub(super) inner_result: bool,
    /// The faults, except for one that ends the game.
    pub(super) faults: Faults<Fault>,
    /// Broken tags.
    lost_tags: Vec<Comment>,
    tags_read: usize,
    elements: usize,
    current: OpenLine,
    /// The lines around the current one, from the main line inward.
    outer: Vec<OpenLine>,
    skipped: Option<Skipped>,
}

/// A variation that cannot stand where it is written; it becomes a comment.
#[derive(Debug)]
struct Skipped {
    /// Variations that are open in it, itself among them.
    depth: usize,
    words: String,
    /// Where its `(` stands.
    at: PgnLocation,
}

/// A line that is still being read.
#[derive(Debug, Default)]
struct OpenLine {
    line: PgnLine,
    /// A move number was read and its move was not.
    numbered: bool,
    /// The comments since that number.
    before: Vec<Comment>,
    /// Where the line's `(` stands.
    at: PgnLocation,
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

    /// Takes a tag; returns its oddity, if any.
    pub(super) fn tag(&mut self, (name, value): Pair, location: PgnLocation) -> Option<WarningKind> {
        self.tags_read += 1;
        if self.tags_read > MAX_TAGS {
            if self.tags_read == MAX_TAGS + 1 {
                self.faults.push(Fault { error: PgnError::TooManyTags, location });
            }
            return None;
        }
        if self.tags.get(&name).is_some() {
            return Some(WarningKind::DuplicateTag { name });
        }
        self.tags.put(&name, value);
        None
    }

    /// Takes a broken tag and its text.
    pub(super) fn broken_tag(&mut self, fault: Fault, text: String) {
        self.faults.push(fault);
        if is_kept(&text) && self.lost_tags.len() < MAX_TAGS {
            self.lost_tags.push(Comment::new(text));
        }
    }

    /// Takes an invalid word and its text.
    pub(super) fn broken_word(&mut self, fault: Fault, text: String) -> Result<(), Fault> {
        let location = fault.location;
        self.faults.push(fault);
        self.movetext = true;
        if is_kept(&text) {
            self.word(Token::Comment(Comment::new(text)), location)?;
        }
        Ok(())
    }

    /// Takes a word of movetext.
    ///
    /// # Errors
    /// If the game has too many.
    pub(super) fn word(&mut self, token: Token, location: PgnLocation) -> Result<DraftStep, Fault> {
        self.movetext |= !matches!(token, Token::Comment(_));
        self.inner_result = false;
        if matches!(token, Token::Move(_) | Token::Comment(_) | Token::Open) {
            self.elements += 1;
            if self.elements > MAX_ELEMENTS {
                return Err(Fault { error: PgnError::TooManyElements, location });
            }
        }
        if let Some(skipped) = self.skipped.take() {
            return Ok(self.skip(skipped, token));
        }
        match token {
            Token::Number => self.current.numbered = true,
            Token::Move(san) => self.current.play(san, location),
            Token::Comment(comment) => self.current.comment(comment),
            Token::Open => self.open(location),
            Token::Close => self.close(location),
            Token::Nag(number) => match self.current.line.nodes.last_mut() {
                Some(node) => node.nags.push(number),
                None => return Ok(DraftStep::Odd(WarningKind::NagBeforeMove)),
            },
            Token::Result(result) if self.outer.is_empty() => return Ok(DraftStep::Over(result)),
            Token::Result(_) => {
                self.inner_result = true;
                return Ok(DraftStep::Odd(WarningKind::ResultInVariation));
            }
        }
        Ok(DraftStep::On)
    }

    /// Whether variations are open.
    pub(super) fn is_open(&self) -> bool {
        self.skipped.is_some() || !self.outer.is_empty()
    }

    /// Names every variation that is open, where the game ends.
    pub(super) fn name_unclosed(&mut self) {
        let skipped = self.skipped.iter().map(|skipped| skipped.at);
        let open = self.outer.iter().skip(1).chain(self.outer.last().map(|_| &self.current));
        for location in open.map(|open| open.at).chain(skipped).collect::<Vec<_>>() {
            self.faults.push(Fault { error: PgnError::UnclosedVariation, location });
        }
    }

    /// The moves, when the game is over.
    pub(super) fn into_line(mut self) -> PgnLine {
        if let Some(Skipped { words, .. }) = self.skipped.take() {
            self.current.comment(Comment::new(words));
        }
        while !self.outer.is_empty() {
            self.close(PgnLocation::default());
        }
        self.current.settle();
        let mut line = self.current.line;
        line.start_comments.splice(0..0, self.lost_tags);
        line
    }

    fn open(&mut self, location: PgnLocation) {
        let error = if self.current.line.nodes.is_empty() {
            PgnError::VariationBeforeMove
        } else if self.outer.len() >= MAX_NESTING {
            PgnError::NestingTooDeep
        } else {
            self.current.settle();
            let inner = OpenLine { at: location, ..OpenLine::default() };
            self.outer.push(std::mem::replace(&mut self.current, inner));
            return;
        };
        self.faults.push(Fault { error, location });
        self.skipped = Some(Skipped { depth: 1, words: "(".into(), at: location });
    }

    /// Takes a word of a variation that becomes a comment. Move numbers are left out, as everywhere.
    fn skip(&mut self, mut skipped: Skipped, token: Token) -> DraftStep {
        let word = match token {
            Token::Number => String::new(),
            Token::Move(san) => san,
            Token::Nag(number) => format!("${number}"),
            Token::Comment(comment) => comment.text().to_owned(),
            Token::Open => {
                skipped.depth += 1;
                "(".into()
            }
            Token::Close => {
                skipped.depth -= 1;
                ")".into()
            }
            Token::Result(_) => {
                self.inner_result = true;
                self.skipped = Some(skipped);
                return DraftStep::Odd(WarningKind::ResultInVariation);
            }
        };
        if word != ")" && !skipped.words.ends_with('(') && !word.is_empty() {
            skipped.words.push(' ');
        }
        skipped.words += &word;
        if skipped.depth == 0 {
            self.current.comment(Comment::new(skipped.words));
        } else {
            self.skipped = Some(skipped);
        }
        DraftStep::On
    }

    fn close(&mut self, location: PgnLocation) {
        let Some(outer) = self.outer.pop() else {
            self.faults.push(Fault { error: PgnError::UnmatchedClose, location });
            return;
        };
        self.current.settle();
        let inner = std::mem::replace(&mut self.current, outer);
        if let Some(node) = self.current.line.nodes.last_mut() {
            node.variations.push(Variation { line: inner.line, comments_after: Vec::new() });
        }
    }
}

/// Whether the text of something broken has any content.
fn is_kept(text: &str) -> bool {
    text.chars().any(|c| !c.is_ascii_punctuation() && !c.is_control() && !c.is_whitespace())
}

impl OpenLine {
    fn play(&mut self, san: String, at: PgnLocation) {
        let comments_before = std::mem::take(&mut self.before);
        self.numbered = false;
        self.line.nodes.push(PgnNode { comments_before, at, ..PgnNode::new(san) });
    }

    /// Puts a comment where it belongs: before the move whose number was read, or else after the last element.
    fn comment(&mut self, comment: Comment) {
        if self.numbered {
            self.before.push(comment);
            return;
        }
        let after = match self.line.nodes.last_mut() {
            None => &mut self.line.start_comments,
            Some(PgnNode { variations, comments_after, .. }) => match variations.last_mut() {
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

//! Games from an input, one after another. Here: where a game begins and ends, and how a broken one is passed
//! over. Not here: words (`lexer`) and the tree (`draft`).

use std::io::BufRead;
use std::iter::FusedIterator;

use super::draft::{Draft, Step};
use super::lexer::{Fault, Lexer};
use super::{BadGame, Expected, Game, MAX_GAME, PgnError, ResultTag, WarningKind};

/// Reads games from any input as they are asked for.
///
/// It holds one line (at most [`MAX_LINE`](super::MAX_LINE)) and one game (at most [`MAX_GAME`]) at a time.
///
/// **Where a game ends.** After its result and the comments behind it on the same line; or, with a warning,
/// before a tag at the start of a line, or at the end of the text. Tags after a blank line or a comment still
/// belong to the same game as long as it has no moves, unless they repeat a tag or are an `[Event]`. Comments
/// alone make no game.
///
/// **After a broken game** the reader goes on at the next line that begins with a tag (after a blank line or
/// a line that ends with a result, if it broke in its tags), or with what follows a result and a blank line.
///
/// **Letters.** A line that is not UTF-8 is read as Latin-1, with a warning. NUL and other control characters
/// are text in comments and tag values, and an error in movetext.
pub struct Reader<R> {
    lexer: Lexer<R>,
    /// The last game was broken.
    broken: Option<Broken>,
    done: bool,
}

/// Where a game broke, and so where to look for the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Broken {
    InTags,
    InMoves,
    /// The next game begins under the cursor.
    BeforeNext,
}

impl<R: BufRead> Reader<R> {
    /// A reader at the start of an input.
    pub fn new(input: R) -> Self {
        Reader { lexer: Lexer::new(input), broken: None, done: false }
    }

    /// Bytes that the line buffers hold room for: what memory use there is beside the game just read. It
    /// is at most six times [`MAX_LINE`](super::MAX_LINE), whatever the input.
    pub fn buffer_capacity(&self) -> usize {
        self.lexer.capacity()
    }

    /// The next game; `None` at the end of the text.
    fn read(&mut self, draft: &mut Draft) -> Result<Option<ResultTag>, Fault> {
        match self.broken.take() {
            None | Some(Broken::BeforeNext) => {}
            Some(broken) => {
                if !self.lexer.recover(broken == Broken::InTags)? {
                    return Ok(None);
                }
            }
        }
        while self.lexer.seek_token()? {
            if draft.at.is_none() {
                draft.at = Some(self.lexer.place());
                self.lexer.limit_game(MAX_GAME);
            }
            if draft.inner_result
                && self.lexer.after_blank_line()
                && let Some(unclosed) = draft.unclosed()
            {
                self.broken = Some(Broken::BeforeNext);
                return Err(unclosed);
            }
            if !self.lexer.at_bracket() {
                if let Some(result) = self.word(draft)? {
                    self.trailing_comments(draft)?;
                    return Ok(Some(result));
                }
            } else if self.begins_next_game(draft) {
                return self.end_without_result(draft).map(Some);
            } else if draft.movetext {
                return Err(self.lexer.unexpected(Expected::Movetext));
            } else {
                self.tag(draft)?;
            }
        }
        if draft.is_empty() { Ok(None) } else { self.end_without_result(draft).map(Some) }
    }

    /// Takes a word of movetext; the result if that is what it is.
    fn word(&mut self, draft: &mut Draft) -> Result<Option<ResultTag>, Fault> {
        let place = self.lexer.place();
        let token = self.lexer.token()?;
        match draft.word(token, place)? {
            Step::On => Ok(None),
            Step::Odd(kind) => {
                self.lexer.warn(kind, place);
                Ok(None)
            }
            Step::Over(result) => {
                if let Some(tag) = draft.tags.result().filter(|&tag| tag != result) {
                    self.lexer.warn(WarningKind::ResultMismatch { tag }, place);
                }
                Ok(Some(result))
            }
        }
    }

    fn tag(&mut self, draft: &mut Draft) -> Result<(), Fault> {
        draft.tag_section = true;
        let place = self.lexer.place();
        let pair = self.lexer.tag()?;
        if let Some(kind) = draft.tag(pair, place)? {
            self.lexer.warn(kind, place);
        }
        Ok(())
    }

    /// Whether the `[` under the cursor belongs to another game than the draft.
    fn begins_next_game(&self, draft: &Draft) -> bool {
        if draft.movetext {
            return self.lexer.at_tag_line();
        }
        let apart = self.lexer.after_blank_line() || draft.has_start_comments();
        let name = self.lexer.peek_tag_name();
        draft.tag_section && apart && (name.eq_ignore_ascii_case("Event") || draft.tags.get(name).is_some())
    }

    fn end_without_result(&mut self, draft: &Draft) -> Result<ResultTag, Fault> {
        if let Some(unclosed) = draft.unclosed() {
            return Err(unclosed);
        }
        self.lexer.warn(WarningKind::MissingResult, self.lexer.place());
        Ok(draft.tags.result().unwrap_or_default())
    }

    /// Takes the comments behind the result on its line.
    fn trailing_comments(&mut self, draft: &mut Draft) -> Result<(), Fault> {
        loop {
            self.lexer.skip_spaces();
            if !self.lexer.rest().starts_with(['{', ';']) {
                return Ok(());
            }
            self.word(draft)?;
        }
    }

    /// Where a game broke that broke here. A comment is found to be unclosed where the next game begins.
    fn broken(&self, draft: &Draft, error: &PgnError) -> Broken {
        if *error == PgnError::UnclosedComment {
            Broken::BeforeNext
        } else if draft.tag_section && !draft.movetext && !self.lexer.after_blank_line() {
            Broken::InTags
        } else {
            Broken::InMoves
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Game, BadGame>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        self.lexer.begin_game();
        let mut draft = Draft::default();
        match self.read(&mut draft) {
            Ok(Some(result)) => {
                let tags = std::mem::take(&mut draft.tags);
                let at = draft.at.unwrap_or_default();
                let warnings = std::mem::take(&mut self.lexer.warnings);
                Some(Ok(Game { tags, line: draft.into_line(), result, at, warnings }))
            }
            Ok(None) => {
                self.done = true;
                None
            }
            Err(Fault { error, place }) => {
                self.done = matches!(error, PgnError::Io { .. });
                let broken = self.broken(&draft, &error);
                self.broken.get_or_insert(broken);
                Some(Err(BadGame { error, place, tags: draft.tags }))
            }
        }
    }
}

impl<R: BufRead> FusedIterator for Reader<R> {}

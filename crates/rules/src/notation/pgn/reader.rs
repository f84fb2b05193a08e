//! Games from an input, one after another. Here: where a game begins and ends, and how reading goes on after a
//! fault. Not here: words (`lexer`) and the tree (`draft`).

use std::io::BufRead;
use std::iter::FusedIterator;

use super::draft::{Draft, DraftStep};
use super::lexer::Lexer;
use super::{BadGame, Fault, MAX_GAME, PgnError, PgnGame, ResultTag, WarningKind};

/// Reads games from any input on demand.
///
/// It holds one line (at most [`MAX_LINE`](super::MAX_LINE)) and one game (at most [`MAX_GAME`]) at a time.
///
/// **Where a game ends.** After its result and the comments behind it on the same line. Without a result it
/// ends, with a warning, before a tag at the start of a line, or at the end of the text. Tags after a blank
/// line or a comment still belong to the same game as long as it has no moves, unless they repeat a tag or
/// are an `[Event]`. Comments alone make no game.
///
/// **After a fault** the reader goes on behind the `]` or the line of a broken tag, behind an invalid word,
/// or behind a misplaced variation. After a comment that is never closed it goes on at the next game.
/// Skipped text becomes a comment. Text before the first tag is a broken game of its own.
///
/// **After a limit** is exceeded (length of a line or a game, number of its moves) it goes on with the next
/// game. That begins at the next line with a tag at its start, or after a result and a blank line. If the
/// limit was exceeded in the tags, a blank line or a line that ends with a result must come before the tag.
///
/// **Letters.** A line that is not UTF-8 is read as Latin-1, with a warning. NUL and other control characters
/// are text in comments and tag values, and an error in movetext.
pub struct Reader<R> {
    lexer: Lexer<R>,
    /// The last game exceeded a limit, and whether that was in its tags.
    left_in_tags: Option<bool>,
    done: bool,
}

impl<R: BufRead> Reader<R> {
    /// A reader at the start of an input.
    pub fn new(input: R) -> Self {
        Reader { lexer: Lexer::new(input), left_in_tags: None, done: false }
    }

    /// Capacity of the line buffers in bytes: the memory in use besides the game just read. It is
    /// at most six times [`MAX_LINE`](super::MAX_LINE) for any input.
    pub fn buffer_capacity(&self) -> usize {
        self.lexer.capacity()
    }

    /// The next game; `None` at the end of the text.
    fn read(&mut self, draft: &mut Draft) -> Result<Option<ResultTag>, Fault> {
        if let Some(in_tags) = self.left_in_tags.take()
            && !self.lexer.recover(in_tags)?
        {
            return Ok(None);
        }
        while self.lexer.seek_token()? {
            if draft.at.is_none() {
                draft.at = Some(self.lexer.location());
                self.lexer.limit_game(MAX_GAME);
            }
            if draft.inner_result && self.lexer.after_blank_line() && draft.is_open() {
                return Ok(Some(self.end_without_result(draft)));
            }
            let at_bracket = self.lexer.at_bracket();
            if at_bracket && self.begins_next_game(draft) {
                return Ok(Some(self.end_without_result(draft)));
            } else if at_bracket && !draft.movetext {
                self.tag(draft)?;
            } else if let Some(result) = self.word(draft)? {
                self.trailing_comments(draft)?;
                return Ok(Some(result));
            }
        }
        Ok((!draft.is_empty()).then(|| self.end_without_result(draft)))
    }

    /// Takes a word of movetext; returns the result if the word is one.
    fn word(&mut self, draft: &mut Draft) -> Result<Option<ResultTag>, Fault> {
        let (location, start) = (self.lexer.location(), self.lexer.start());
        let token = match self.lexer.token() {
            Ok(token) => token,
            Err(fault) if fault.error.ends_game() => return Err(fault),
            Err(fault) => {
                let text = self.lexer.pass_over_word(start);
                draft.broken_word(fault, text)?;
                return Ok(None);
            }
        };
        match draft.word(token, location)? {
            DraftStep::On => Ok(None),
            DraftStep::Odd(kind) => {
                self.lexer.warn(kind, location);
                Ok(None)
            }
            DraftStep::Over(result) => {
                if let Some(tag) = draft.tags.result().filter(|&tag| tag != result) {
                    self.lexer.warn(WarningKind::ResultMismatch { tag }, location);
                }
                Ok(Some(result))
            }
        }
    }

    fn tag(&mut self, draft: &mut Draft) -> Result<(), Fault> {
        draft.tag_section = true;
        let (location, start) = (self.lexer.location(), self.lexer.start());
        match self.lexer.tag() {
            Ok((pair, fault)) => {
                if let Some(kind) = draft.tag(pair, location) {
                    self.lexer.warn(kind, location);
                }
                if let Some(fault) = fault {
                    let text = self.lexer.pass_over_tag(start, self.lexer.start());
                    draft.broken_tag(fault, text);
                }
            }
            Err(fault) if fault.error.ends_game() => return Err(fault),
            Err(fault) => {
                let text = self.lexer.pass_over_tag(start, start);
                draft.broken_tag(fault, text);
            }
        }
        Ok(())
    }

    /// Whether the `[` under the cursor belongs to another game than the draft.
    fn begins_next_game(&self, draft: &Draft) -> bool {
        if draft.movetext {
            let broken = self.lexer.after_blank_line() && self.lexer.at_broken_tag_line();
            return broken || self.lexer.at_tag_line();
        }
        let apart = self.lexer.after_blank_line() || draft.has_start_comments();
        let name = self.lexer.peek_tag_name();
        draft.tag_section && apart && (name.eq_ignore_ascii_case("Event") || draft.tags.get(name).is_some())
    }

    fn end_without_result(&mut self, draft: &mut Draft) -> ResultTag {
        draft.name_unclosed();
        self.lexer.warn(WarningKind::MissingResult, self.lexer.location());
        draft.tags.result().unwrap_or_default()
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
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<PgnGame, BadGame>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        self.lexer.begin_game();
        let mut draft = Draft::default();
        let result = match self.read(&mut draft) {
            Ok(Some(result)) => result,
            Ok(None) => {
                self.done = true;
                return None;
            }
            Err(fault) => {
                self.done = matches!(fault.error, PgnError::Io { .. });
                let in_tags = draft.tag_section && !draft.movetext && !self.lexer.after_blank_line();
                self.left_in_tags = Some(in_tags);
                draft.faults.push(fault);
                draft.tags.result().unwrap_or_default()
            }
        };
        let mut faults = std::mem::take(&mut draft.faults);
        faults.sort_by_key(|fault| fault.location.byte);
        let tags = std::mem::take(&mut draft.tags);
        let at = draft.at.unwrap_or_default();
        let warnings = std::mem::take(&mut self.lexer.warnings);
        let game = PgnGame { tags, line: draft.into_line(), result, at, warnings };
        if faults.is_empty() { Some(Ok(game)) } else { Some(Err(BadGame { faults, game: Box::new(game) })) }
    }
}

impl<R: BufRead> FusedIterator for Reader<R> {}

//! The words of movetext, one by one, each with its location. Here: the cursor over the lines, comments, moves,
//! glyphs, results, and the way from a broken game to the next. Not here: tags (`tag_lexer`), and which word
//! may follow which.

use std::io::BufRead;

use super::lines::Lines;
use super::syntax::{
    RESULTS, begins_move, begins_tag, ends_with_result, is_blank, is_blank_line, is_move_byte, places_at,
};
use super::{
    Comment, Expected, Fault, Found, MAX_MOVE, MAX_WARNINGS, PgnError, PgnLocation, ResultTag, Warning,
    WarningKind,
};

/// A word of movetext.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A move number with its dots, or dots alone. The number is not stored: positions know it.
    Number,
    Move(String),
    /// Glyphs: `$1`, or one or two of `!` and `?`.
    Nag(u8),
    Comment(Comment),
    Open,
    Close,
    Result(ResultTag),
}

/// Where a tag or word begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    line: u64,
    pos: usize,
}

/// A cursor over the lines of an input.
pub(super) struct Lexer<R> {
    lines: Lines<R>,
    /// The cursor: bytes into the line's text, column, bytes into the whole input.
    pos: usize,
    column: u64,
    byte: u64,
    /// Nothing but blanks was passed on this line.
    fresh: bool,
    /// A blank line was passed on the way to the word under the cursor.
    blank: bool,
    /// A blank line was passed inside a broken tag.
    blank_in_tag: bool,
    /// The text of a comment that is never closed.
    unclosed: Option<String>,
    ended: bool,
    game: u64,
    latin1_warned: bool,
    /// The byte at which the game is too long.
    limit: u64,
    pub(super) warnings: Vec<Warning>,
}

impl<R: BufRead> Lexer<R> {
    pub(super) fn new(input: R) -> Self {
        Lexer {
            lines: Lines::new(input),
            pos: 0,
            column: 1,
            byte: 0,
            fresh: false,
            blank: false,
            blank_in_tag: false,
            unclosed: None,
            ended: false,
            game: 0,
            latin1_warned: false,
            limit: u64::MAX,
            warnings: Vec::new(),
        }
    }

    /// The cursor's location.
    pub(super) fn location(&self) -> PgnLocation {
        PgnLocation {
            game: self.game,
            line: self.lines.number().max(1),
            column: self.column,
            byte: self.byte,
        }
    }

    /// The cursor's location as that of an error.
    pub(super) fn fault(&self, error: PgnError) -> Fault {
        Fault { error, location: self.location() }
    }

    /// The fault "expected this, found the character or end under the cursor".
    pub(super) fn unexpected(&self, expected: Expected) -> Fault {
        let found = match self.rest().chars().next() {
            Some(c) => Found::Char(c),
            None if self.ended => Found::TextEnd,
            None => Found::LineEnd,
        };
        self.fault(PgnError::Unexpected { expected, found })
    }

    /// Records a warning, unless the game already has too many.
    pub(super) fn warn(&mut self, kind: WarningKind, location: PgnLocation) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(Warning { kind, location });
        }
    }

    /// Counts a new game. Its length is not limited until [`Lexer::limit_game`].
    pub(super) fn begin_game(&mut self) {
        self.game += 1;
        self.limit = u64::MAX;
        self.latin1_warned = false;
        self.warnings.clear();
    }

    /// Limits the rest of the game to this number of bytes.
    pub(super) fn limit_game(&mut self, bytes: u64) {
        self.limit = self.byte.saturating_add(bytes);
    }

    /// Whether a blank line lies between the word before and the one under the cursor.
    pub(super) fn after_blank_line(&self) -> bool {
        self.blank
    }

    /// Whether a tag begins under the cursor, the first on its line.
    pub(super) fn at_tag_line(&self) -> bool {
        self.fresh && begins_tag(self.rest())
    }

    /// Whether the cursor is at the first word of its line, and a broken tag may begin there.
    pub(super) fn at_broken_tag_line(&self) -> bool {
        self.fresh && self.rest().strip_prefix('[').is_some_and(|rest| rest.starts_with(char::is_alphabetic))
    }

    /// The cursor's position, to come back to in [`Lexer::pass_over_word`].
    pub(super) fn start(&self) -> Start {
        Start { line: self.lines.number(), pos: self.pos }
    }

    /// Moves the cursor behind the invalid word that begins there and returns its text.
    pub(super) fn pass_over_word(&mut self, Start { pos, .. }: Start) -> String {
        if let Some(text) = self.unclosed.take() {
            return text;
        }
        let rest = self.rest();
        let bracket = rest.starts_with('[').then(|| rest.find(']').map(|at| at + 1)).flatten();
        let end = rest.find(|c: char| is_blank(c) || "{}()[];".contains(c)).unwrap_or(rest.len());
        let one = rest.chars().next().filter(|_| self.pos == pos).map_or(0, char::len_utf8);
        self.advance(bracket.unwrap_or(end).max(one));
        self.lines.text().get(pos..self.pos).unwrap_or_default().to_owned()
    }

    /// Moves the cursor behind the broken tag that begins at `tag` and returns its text from `unread` on, as far as that
    /// is on the current line. Leaves a later line alone if nothing of it was read: it may be intact.
    pub(super) fn pass_over_tag(&mut self, tag: Start, unread: Start) -> String {
        self.blank_in_tag = self.blank;
        let line = self.lines.number();
        if self.ended || (line != tag.line && self.fresh) {
            return String::new();
        }
        let rest = self.rest();
        let end = rest.find(']').map_or(rest.len(), |at| at + 1);
        self.advance(end);
        let from = if line == unread.line { unread.pos } else { 0 };
        self.lines.text().get(from..self.pos).unwrap_or_default().to_owned()
    }

    /// Bytes that the buffers hold room for.
    pub(super) fn capacity(&self) -> usize {
        self.lines.capacity()
    }

    /// The rest of the line.
    pub(super) fn rest(&self) -> &str {
        self.lines.text().get(self.pos..).unwrap_or_default()
    }

    /// Moves the cursor over the next `len` bytes of the line, which are words of the game.
    pub(super) fn advance(&mut self, len: usize) {
        let before = self.byte;
        self.skip(len);
        self.fresh = false;
        if let Some(at) = self.lines.latin1() {
            self.note_latin1(at as u64, before);
        }
    }

    /// Warns once a game, when the cursor passes the byte that made the line Latin-1.
    fn note_latin1(&mut self, at: u64, before: u64) {
        let byte = self.lines.start() + at;
        if !self.latin1_warned && (before..self.byte).contains(&byte) {
            self.latin1_warned = true;
            self.warn(WarningKind::Latin1, PgnLocation { column: 1 + at, byte, ..self.location() });
        }
    }

    fn skip(&mut self, len: usize) {
        let chars = self.rest().get(..len).unwrap_or_default().chars().count() as u64;
        self.pos += len;
        self.column += chars;
        self.byte += if self.lines.latin1().is_some() { chars } else { len as u64 };
    }

    /// Moves the cursor over blanks up to the end of the line.
    pub(super) fn skip_spaces(&mut self) {
        let rest = self.rest();
        let len = rest.len() - rest.trim_start_matches(is_blank).len();
        self.skip(len);
    }

    /// Moves the cursor over blanks, line ends and escape lines (`%`); false at the end of the text.
    pub(super) fn skip_blanks(&mut self) -> Result<bool, Fault> {
        loop {
            if self.fresh && self.pos == 0 && self.rest().starts_with('%') {
                self.skip(self.rest().len());
                self.fresh = false;
            }
            self.skip_spaces();
            if !self.rest().is_empty() {
                return Ok(true);
            }
            self.blank |= self.fresh;
            if !self.next_line()? {
                return Ok(false);
            }
        }
    }

    /// Moves the cursor to the next word; false at the end of the text.
    pub(super) fn seek_token(&mut self) -> Result<bool, Fault> {
        self.blank = std::mem::take(&mut self.blank_in_tag);
        self.skip_blanks()
    }

    fn next_line(&mut self) -> Result<bool, Fault> {
        if !self.next_line_of_any_length()? {
            return Ok(false);
        }
        if self.lines.overlong() {
            return Err(self.fault(PgnError::LineTooLong));
        }
        if self.lines.end() > self.limit {
            return Err(self.fault(PgnError::GameTooLong));
        }
        Ok(true)
    }

    fn next_line_of_any_length(&mut self) -> Result<bool, Fault> {
        if self.ended {
            return Ok(false);
        }
        match self.lines.advance() {
            Ok(true) => {
                self.seek_line_start();
                Ok(true)
            }
            Ok(false) => {
                (self.ended, self.fresh) = (true, false);
                Ok(false)
            }
            Err(error) => {
                self.ended = true;
                Err(self.fault(PgnError::Io { kind: error.kind(), message: error.to_string() }))
            }
        }
    }

    fn seek_line_start(&mut self) {
        (self.pos, self.column, self.byte, self.fresh) = (0, 1, self.lines.start(), true);
    }

    /// Reads the word of movetext under the cursor.
    pub(super) fn token(&mut self) -> Result<Token, Fault> {
        let rest = self.rest();
        if let Some((len, result)) = result_at(rest) {
            self.advance(len);
            return Ok(Token::Result(result));
        }
        if begins_move(rest) {
            return self.move_text();
        }
        match rest.chars().next() {
            Some('{') => self.brace_comment(),
            Some(';') => Ok(self.line_comment()),
            Some('(') => Ok(self.sign(Token::Open)),
            Some(')') => Ok(self.sign(Token::Close)),
            Some('$') => self.nag(),
            Some('!' | '?') => Ok(self.suffix()),
            Some('.' | '0'..='9') => Ok(self.number()),
            _ => Err(self.unexpected(Expected::Movetext)),
        }
    }

    fn sign(&mut self, token: Token) -> Token {
        self.advance(1);
        token
    }

    fn number(&mut self) -> Token {
        let rest = self.rest();
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
        self.advance(rest.len() - after.len());
        Token::Number
    }

    /// A move, and the `e.p.` of old books after it.
    fn move_text(&mut self) -> Result<Token, Fault> {
        let rest = self.rest();
        let mut len = rest.bytes().take_while(|&b| is_move_byte(b)).count();
        if len > MAX_MOVE {
            return Err(self.fault(PgnError::MoveTooLong));
        }
        let (mut san, after) = rest.split_at(len);
        if after.starts_with(".p.") && san.len() > 1 && san.ends_with('e') {
            san = &san[..len - 1];
            len += 3;
        } else if let Some(mark) = after.trim_start_matches(' ').strip_prefix("e.p.") {
            len = rest.len() - mark.len();
        }
        let token = Token::Move(san.to_owned());
        self.advance(len);
        Ok(token)
    }

    fn nag(&mut self) -> Result<Token, Fault> {
        let digits = self.rest().bytes().skip(1).take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            self.advance(1);
            return Err(self.unexpected(Expected::NagNumber));
        }
        let number = self.rest().get(1..=digits).and_then(|text| text.parse().ok());
        let number = number.ok_or_else(|| self.fault(PgnError::NagTooLarge))?;
        self.advance(1 + digits);
        Ok(Token::Nag(number))
    }

    fn suffix(&mut self) -> Token {
        let glyphs = [("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("!", 1), ("?", 2)];
        let found = glyphs.into_iter().find(|(glyph, _)| self.rest().starts_with(glyph));
        let (glyph, number) = found.unwrap_or(("?", 2));
        self.advance(glyph.len());
        Token::Nag(number)
    }

    fn line_comment(&mut self) -> Token {
        let text = self.rest().get(1..).unwrap_or_default().to_owned();
        self.advance(1 + text.len());
        Token::Comment(Comment::new(text))
    }

    /// A comment in braces. It is unclosed when the text ends. It is also unclosed when a tag begins a line
    /// after a blank line or after a line that ends with a result: that is the next game.
    fn brace_comment(&mut self) -> Result<Token, Fault> {
        let unclosed = self.fault(PgnError::UnclosedComment);
        self.advance(1);
        let mut text = String::new();
        loop {
            let rest = self.rest();
            if let Some(end) = rest.find('}') {
                text.push_str(&rest[..end]);
                self.advance(end + 1);
                return Ok(Token::Comment(Comment::new(text)));
            }
            text.push_str(rest);
            text.push('\n');
            let may_end = is_blank_line(self.lines.text()) || ends_with_result(self.lines.text());
            self.advance(self.rest().len());
            if !self.next_line()? || (may_end && self.at_tag_line()) {
                text.truncate(text.trim_end().len());
                self.unclosed = Some(text);
                return Err(unclosed);
            }
        }
    }

    /// Moves the cursor from a broken game to where the next may begin; false at the end of the text.
    ///
    /// That is a line that begins with a tag, once the broken game's own tags are over, or any line after a
    /// result and a blank line. `in_tags`: its tags are not over; a blank line or a result at the end of a
    /// line ends them.
    pub(super) fn recover(&mut self, mut in_tags: bool) -> Result<bool, Fault> {
        let mut over = false;
        let mut after_result = !self.fresh && ends_with_result(self.rest());
        loop {
            if !self.fresh && !self.next_line_of_any_length()? {
                return Ok(false);
            }
            let line = self.lines.text();
            if is_blank_line(line) && !self.lines.overlong() {
                (in_tags, over) = (false, over || after_result);
            } else {
                in_tags &= !after_result;
                let tag = !in_tags && begins_tag(line.trim_start_matches(is_blank));
                if (tag || over) && !self.lines.overlong() {
                    self.seek_line_start();
                    return Ok(true);
                }
                after_result = !self.lines.overlong() && ends_with_result(line);
            }
            self.fresh = false;
        }
    }
}

/// The result that stands at the beginning of `text`, and its length.
fn result_at(text: &str) -> Option<(usize, ResultTag)> {
    let known = RESULTS.into_iter().find_map(|(spelling, result)| {
        let after = text.strip_prefix(spelling)?;
        let alone = spelling == "*" || !after.bytes().next().is_some_and(is_move_byte);
        alone.then_some((spelling.len(), result))
    });
    known.or_else(|| places_at(text))
}

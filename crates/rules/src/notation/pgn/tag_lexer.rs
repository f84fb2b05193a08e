//! One tag, from `[` to `]`. Not here: which tags belong to one game.

use std::io::BufRead;

use super::lexer::Lexer;
use super::syntax::{is_blank, is_tag_name_char};
use super::{Expected, Fault, MAX_TAG, PgnError, WarningKind};

/// A tag's name and value.
pub(super) type Pair = (String, String);

impl<R: BufRead> Lexer<R> {
    /// Whether a `[` stands under the cursor.
    pub(super) fn at_bracket(&self) -> bool {
        self.rest().starts_with('[')
    }

    /// The name of the tag that begins under the cursor, without moving.
    pub(super) fn peek_tag_name(&self) -> &str {
        let rest = self.rest().trim_start_matches('[').trim_start();
        let end = rest.find(|c| !is_tag_name_char(c)).unwrap_or(rest.len());
        &rest[..end]
    }

    /// Reads the tag that begins under the cursor; a missing `]` is a fault of its own. Its parts may stand on several lines;
    /// a value may not.
    pub(super) fn tag(&mut self) -> Result<(Pair, Option<Fault>), Fault> {
        let too_long = self.fault(PgnError::TagTooLong);
        self.advance(1);
        self.skip_blanks()?;
        let name = self.tag_name()?;
        self.skip_blanks()?;
        if !self.rest().starts_with('"') {
            return Err(self.unexpected(Expected::TagValue));
        }
        let value = self.tag_value()?;
        if name.len() + value.len() > MAX_TAG {
            return Err(too_long);
        }
        self.skip_blanks()?;
        if !self.rest().starts_with(']') {
            return Ok(((name, value), Some(self.unexpected(Expected::ClosingBracket))));
        }
        self.advance(1);
        Ok(((name, value), None))
    }

    fn tag_name(&mut self) -> Result<String, Fault> {
        let rest = self.rest();
        let len = rest.find(|c| !is_tag_name_char(c)).unwrap_or(rest.len());
        if len == 0 {
            return Err(self.unexpected(Expected::TagName));
        }
        let name = rest[..len].to_owned();
        self.advance(len);
        Ok(name)
    }

    /// A value in quotation marks. `\"` and `\\` are undone, other backslashes stand for themselves. A bare
    /// `"` ends the value only before `]` or the end of the line; elsewhere it belongs to the value, with a
    /// warning.
    fn tag_value(&mut self) -> Result<String, Fault> {
        self.advance(1);
        let mut value = String::new();
        loop {
            let rest = self.rest();
            let plain = rest.find(['"', '\\']).unwrap_or(rest.len());
            value.push_str(&rest[..plain]);
            let (mark, after) = rest.split_at(plain);
            let len = mark.len();
            if after.is_empty() {
                self.advance(len);
                return Err(self.unexpected(Expected::ClosingQuote));
            }
            let escaped = ["\\\"", "\\\\"].into_iter().find(|pair| after.starts_with(pair));
            if let Some(pair) = escaped {
                value.push_str(&pair[1..]);
                self.advance(len + pair.len());
            } else if after.starts_with('\\') {
                value.push('\\');
                self.advance(len + 1);
            } else {
                let following = after[1..].trim_start_matches(is_blank);
                let closes = following.is_empty() || following.starts_with(']');
                self.advance(len);
                if closes {
                    self.advance(1);
                    return Ok(value);
                }
                self.warn(WarningKind::UnescapedQuote, self.location());
                value.push('"');
                self.advance(1);
            }
        }
    }
}

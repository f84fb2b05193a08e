//! Reads lines of bounded length: memory stays bounded for any input, and reading continues after bad lines.

use std::io::{self, BufRead};

/// Longest line accepted, in bytes. A game of twenty thousand moves fits.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// One line of input, without its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputLine {
    /// Text.
    Text(String),
    /// More than [`MAX_LINE_BYTES`]; discarded.
    TooLong {
        /// How long it was, in bytes.
        bytes: u64,
    },
    /// Bytes that are not UTF-8.
    NotText {
        /// The first such byte, from 1.
        column: usize,
    },
}

/// Lines from a reader.
///
/// ```
/// use lozenge_protocol::{InputLine, LineReader};
/// let mut lines = LineReader::new(&b"uci\r\nquit"[..]);
/// assert_eq!(lines.next_line().unwrap(), Some(InputLine::Text("uci".into())));
/// assert_eq!(lines.next_line().unwrap(), Some(InputLine::Text("quit".into())));
/// assert_eq!(lines.next_line().unwrap(), None);
/// ```
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
}

impl<R: BufRead> LineReader<R> {
    /// Reads lines from `input`.
    pub const fn new(input: R) -> Self {
        Self { input }
    }

    /// The next line; `None` at the end of the input. The last line may lack its newline.
    ///
    /// # Errors
    /// When reading fails.
    pub fn next_line(&mut self) -> io::Result<Option<InputLine>> {
        let mut line = Vec::new();
        let mut length = 0u64;
        let mut any = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                break;
            }
            any = true;
            let newline = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..newline.unwrap_or(chunk.len())];
            length += part.len() as u64;
            if length <= MAX_LINE_BYTES as u64 {
                line.extend_from_slice(part);
            } else {
                line = Vec::new();
            }
            let used = part.len() + usize::from(newline.is_some());
            self.input.consume(used);
            if newline.is_some() {
                break;
            }
        }
        if !any {
            return Ok(None);
        }
        if length > MAX_LINE_BYTES as u64 {
            return Ok(Some(InputLine::TooLong { bytes: length }));
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Ok(Some(match String::from_utf8(line) {
            Ok(text) => InputLine::Text(text),
            Err(error) => InputLine::NotText { column: error.utf8_error().valid_up_to() + 1 },
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    #[test]
    fn overlong_line_is_discarded_and_the_next_is_read() {
        let input = io::repeat(b'x').take(10 << 20).chain(&b"\nisready\n"[..]);
        let mut lines = LineReader::new(BufReader::new(input));
        assert_eq!(lines.next_line().unwrap(), Some(InputLine::TooLong { bytes: 10 << 20 }));
        assert_eq!(lines.next_line().unwrap(), Some(InputLine::Text("isready".into())));
        assert_eq!(lines.next_line().unwrap(), None);
    }

    #[test]
    fn invalid_utf8_is_reported_with_its_column() {
        let mut lines = LineReader::new(&b"go\xffx\n\n"[..]);
        assert_eq!(lines.next_line().unwrap(), Some(InputLine::NotText { column: 3 }));
        assert_eq!(lines.next_line().unwrap(), Some(InputLine::Text(String::new())));
        assert_eq!(lines.next_line().unwrap(), None);
    }
}

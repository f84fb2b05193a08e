//! One line at a time from any input, in bounded memory. Here: line ends, the byte order mark, UTF-8 or else
//! Latin-1. Not here: the meaning of a line.

use std::io::{self, BufRead, ErrorKind};

use super::MAX_LINE;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// An input cut into lines; it holds the last one read.
pub(super) struct Lines<R> {
    input: R,
    raw: Vec<u8>,
    text: String,
    number: u64,
    start: u64,
    next: u64,
    after_cr: bool,
    latin1: Option<usize>,
    overlong: bool,
}

impl<R: BufRead> Lines<R> {
    /// Before the first line.
    pub(super) fn new(input: R) -> Self {
        Lines {
            input,
            raw: Vec::new(),
            text: String::new(),
            number: 0,
            start: 0,
            next: 0,
            after_cr: false,
            latin1: None,
            overlong: false,
        }
    }

    /// The line, without its end. Of an overlong line only the beginning.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The line's number from 1; 0 before the first.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Bytes before the line's first character.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    /// Bytes up to and with the line's end.
    pub(super) fn end(&self) -> u64 {
        self.next
    }

    /// Where the first byte stands, counted from the line's start, that made the line Latin-1.
    pub(super) fn latin1(&self) -> Option<usize> {
        self.latin1
    }

    /// Whether the line is longer than [`MAX_LINE`].
    pub(super) fn overlong(&self) -> bool {
        self.overlong
    }

    /// Bytes that the buffers hold room for.
    pub(super) fn capacity(&self) -> usize {
        self.raw.capacity() + self.text.capacity()
    }

    /// Reads the next line; false at the end of the text.
    pub(super) fn advance(&mut self) -> io::Result<bool> {
        self.raw.clear();
        self.overlong = false;
        self.start = self.next;
        let mut any = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let Some(&first) = buffer.first() else { break };
            if std::mem::take(&mut self.after_cr) && first == b'\n' {
                self.input.consume(1);
                self.next += 1;
                self.start = self.next;
                continue;
            }
            any = true;
            let end = buffer.iter().position(|b| matches!(b, b'\n' | b'\r'));
            let content = &buffer[..end.unwrap_or(buffer.len())];
            let room = MAX_LINE - self.raw.len();
            self.overlong |= content.len() > room;
            self.raw.extend_from_slice(&content[..content.len().min(room)]);
            self.after_cr = end.is_some_and(|at| buffer[at] == b'\r');
            let used = content.len() + usize::from(end.is_some());
            self.input.consume(used);
            self.next += used as u64;
            if end.is_some() {
                break;
            }
        }
        if any {
            self.number += 1;
            self.decode();
        }
        Ok(any)
    }

    /// Raw bytes to text: UTF-8, or the whole line as Latin-1, the set that PGN was defined on.
    fn decode(&mut self) {
        let mut bytes = self.raw.as_slice();
        if self.number == 1
            && let Some(rest) = bytes.strip_prefix(BYTE_ORDER_MARK)
        {
            bytes = rest;
            self.start += BYTE_ORDER_MARK.len() as u64;
        }
        self.text.clear();
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                self.latin1 = None;
                self.text.push_str(text);
            }
            Err(error) => {
                self.latin1 = Some(error.valid_up_to());
                self.text.extend(bytes.iter().map(|&b| char::from(b)));
                self.overlong |= self.text.len() > MAX_LINE;
            }
        }
    }
}

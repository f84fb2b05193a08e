//! Where typed lines come from: an editor with history on a terminal, plain lines elsewhere.

use std::io::{self, BufRead};

/// Longest line that is read; what is beyond is dropped.
const MAX_LINE: usize = 4096;

/// What came of asking for a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Typed {
    /// A line, without its end.
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Nothing will come any more.
    End,
}

/// A source of lines.
pub(crate) trait Input {
    /// Asks for the next line.
    fn ask(&mut self, prompt: &str) -> Typed;
}

/// The line editor.
pub(crate) struct Editor {
    editor: rustyline::DefaultEditor,
    troubles: u32,
}

impl Editor {
    /// An editor, if the terminal can have one.
    pub(crate) fn new() -> Option<Self> {
        rustyline::DefaultEditor::new().ok().map(|editor| Self { editor, troubles: 0 })
    }
}

impl Input for Editor {
    fn ask(&mut self, prompt: &str) -> Typed {
        use rustyline::error::ReadlineError;
        match self.editor.readline(prompt) {
            Ok(line) => {
                self.troubles = 0;
                let line: String = line.chars().take(MAX_LINE).collect();
                // A history that cannot take the line is no reason to stop.
                let _ = self.editor.add_history_entry(&line);
                Typed::Line(line)
            }
            Err(ReadlineError::Interrupted) => Typed::Interrupt,
            Err(ReadlineError::Eof) => Typed::End,
            Err(_) => {
                self.troubles += 1;
                if self.troubles > 10 { Typed::End } else { Typed::Line(String::new()) }
            }
        }
    }
}

/// Lines of a file, a pipe or a test.
pub(crate) struct Lines<R> {
    reader: R,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader }
    }
}

impl<R: BufRead> Input for Lines<R> {
    fn ask(&mut self, _prompt: &str) -> Typed {
        match read_line(&mut self.reader) {
            Ok(Some(line)) => Typed::Line(String::from_utf8_lossy(&line).into_owned()),
            Ok(None) | Err(_) => Typed::End,
        }
    }
}

/// The next line as bytes, at most [`MAX_LINE`] of them; `None` at the end.
fn read_line(reader: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let buffer = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        if buffer.is_empty() {
            return Ok(any.then_some(line));
        }
        any = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        line.extend(part.iter().take(MAX_LINE - line.len()));
        let used = part.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_any_kind() {
        let mut text = vec![b'a', b'\n', 0xff, 0, b'\n'];
        text.extend(vec![b'x'; 100_000]);
        text.extend(b"\nlast");
        let mut lines = Lines::new(&text[..]);
        assert_eq!(lines.ask(""), Typed::Line("a".into()));
        assert_eq!(lines.ask(""), Typed::Line("\u{fffd}\0".into()));
        assert!(matches!(lines.ask(""), Typed::Line(line) if line.len() == MAX_LINE));
        assert_eq!(lines.ask(""), Typed::Line("last".into()));
        assert_eq!(lines.ask(""), Typed::End);
    }
}

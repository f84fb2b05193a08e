//! Input: lines from an editor with history on a terminal, otherwise plain lines; and Ctrl-C, which makes a thinking
//! engine play at once and otherwise ends the program. (The line editor handles Ctrl-C itself.)

use lozenge_engine::Signals;
use std::io::{self, BufRead};
use std::sync::{Mutex, Once, PoisonError};

/// Longest line; the rest is discarded.
const MAX_LINE: usize = 4096;

/// The result of a prompt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Typed {
    /// A line, without its end.
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// The end of the input.
    End,
}

/// A source of lines.
pub(crate) trait Input {
    /// Prompts for the next line.
    fn prompt(&mut self, prompt: &str) -> Typed;
}

/// Whether a session continues after a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    Go,
    Quit,
}

/// A session that reads commands line by line.
pub(crate) trait Dialog {
    /// Everything that comes before the player's next line, and the prompt for it.
    fn prompt(&mut self) -> io::Result<String>;
    /// Carries out a line.
    fn execute(&mut self, line: &str) -> io::Result<Next>;
    /// Answers the first of two interrupts; the second one ends the session.
    fn interrupted(&mut self) -> io::Result<()>;
}

/// Runs a session until the player quits.
pub(crate) fn converse(input: &mut dyn Input, dialog: &mut dyn Dialog) -> io::Result<()> {
    let mut interrupts = 0;
    loop {
        let prompt = dialog.prompt()?;
        match input.prompt(&prompt) {
            Typed::Line(line) => {
                interrupts = 0;
                if dialog.execute(&line)? == Next::Quit {
                    return Ok(());
                }
            }
            Typed::Interrupt => {
                interrupts += 1;
                if interrupts > 1 {
                    return Ok(());
                }
                dialog.interrupted()?;
            }
            Typed::End => return Ok(()),
        }
    }
}

/// The line editor.
pub(crate) struct Editor {
    editor: rustyline::DefaultEditor,
    errors: u32,
}

impl Editor {
    /// An editor, if the terminal can have one.
    pub(crate) fn new() -> Option<Self> {
        rustyline::DefaultEditor::new().ok().map(|editor| Self { editor, errors: 0 })
    }
}

impl Input for Editor {
    fn prompt(&mut self, prompt: &str) -> Typed {
        use rustyline::error::ReadlineError;
        match self.editor.readline(prompt) {
            Ok(line) => {
                self.errors = 0;
                let line: String = line.chars().take(MAX_LINE).collect();
                // The editor works without history, too.
                let _ = self.editor.add_history_entry(&line);
                Typed::Line(line)
            }
            Err(ReadlineError::Interrupted) => Typed::Interrupt,
            Err(ReadlineError::Eof) => Typed::End,
            Err(_) => {
                self.errors += 1;
                if self.errors > 10 { Typed::End } else { Typed::Line(String::new()) }
            }
        }
    }
}

/// Lines of a file, a pipe or a test.
pub(crate) struct LineInput<R> {
    reader: R,
}

impl<R: BufRead> LineInput<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader }
    }
}

impl<R: BufRead> Input for LineInput<R> {
    fn prompt(&mut self, _prompt: &str) -> Typed {
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

/// The search that Ctrl-C stops.
static SEARCH: Mutex<Option<Signals>> = Mutex::new(None);

/// Exit status after Ctrl-C, as in shells.
const INTERRUPTED: i32 = 130;

/// Installs the handler: Ctrl-C stops a running search, otherwise it ends the program.
pub(super) fn handle_interrupts() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without a handler Ctrl-C always ends the program.
        let _ = ctrlc::set_handler(|| {
            let search = SEARCH.lock().unwrap_or_else(PoisonError::into_inner);
            match &*search {
                Some(signals) => signals.stop(),
                None => std::process::exit(INTERRUPTED),
            }
        });
    });
}

/// Runs a search that Ctrl-C stops through these signals.
pub(super) fn stop_on_interrupt<T>(signals: &Signals, work: impl FnOnce() -> T) -> T {
    let set = |value| *SEARCH.lock().unwrap_or_else(PoisonError::into_inner) = value;
    set(Some(signals.clone()));
    let done = work();
    set(None);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_and_overlong_lines_are_read() {
        let mut text = vec![b'a', b'\n', 0xff, 0, b'\n'];
        text.extend(vec![b'x'; 100_000]);
        text.extend(b"\nlast");
        let mut lines = LineInput::new(&text[..]);
        assert_eq!(lines.prompt(""), Typed::Line("a".into()));
        assert_eq!(lines.prompt(""), Typed::Line("\u{fffd}\0".into()));
        assert!(matches!(lines.prompt(""), Typed::Line(line) if line.len() == MAX_LINE));
        assert_eq!(lines.prompt(""), Typed::Line("last".into()));
        assert_eq!(lines.prompt(""), Typed::End);
    }
}

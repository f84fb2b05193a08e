//! Text from outside as one line, for messages that quote it.

use core::fmt::{self, Display, Write};

/// Shows a text on one line: escapes line ends and control characters, and shows everything else as it is.
///
/// ```
/// use lozenge_rules::notation::one_line::OneLine;
/// assert_eq!(OneLine("a\nb\u{7}é").to_string(), r"a\nb\u{7}é");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OneLine<T>(
    /// The text to show.
    pub T,
);

impl<T: Display> Display for OneLine<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f), "{}", self.0)
    }
}

struct Escaping<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') {
                write!(self.0, "{}", letter.escape_default())?;
            } else {
                self.0.write_char(letter)?;
            }
        }
        Ok(())
    }
}

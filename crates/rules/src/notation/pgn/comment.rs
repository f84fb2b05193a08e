//! A comment: prose with commands in it. Not here: the meaning of the commands (`command`), and the braces around.

use super::PgnCommand;
use super::syntax::begins_tag;

/// A comment of a game. It keeps its text as it stood, so that writing it gives that text again; the commands
/// in it (`[%clk 0:10:00]`) are read from the text on demand.
///
/// A single line break between two words is a space: programs wrap their comments. Other line breaks stay.
/// So that every comment can be written and read again, [`Comment::new`] mends two things. A text with `}`
/// loses its line breaks, because it is written after `;`, the only other form. A line inside that resembles
/// a tag gets a space before it.
///
/// ```
/// # use lozenge_rules::notation::pgn::{PgnCommand, Comment, Eval};
/// let comment = Comment::new("better was\nRh4 [%eval -0.31,18] [%xyz 7]");
/// assert_eq!(comment.text(), "better was Rh4 [%eval -0.31,18] [%xyz 7]");
/// assert_eq!(comment.prose(), "better was Rh4");
/// let commands: Vec<PgnCommand> = comment.commands().collect();
/// assert_eq!(commands[0], PgnCommand::Eval { score: Eval::Centipawns(-31), depth: Some(18) });
/// assert_eq!(commands[1], PgnCommand::Other("xyz 7".to_owned()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Comment {
    text: String,
}

/// A piece of a comment.
enum Piece<'a> {
    Prose(&'a str),
    /// The text between `[%` and `]`.
    PgnCommand(&'a str),
}

impl Comment {
    /// A comment with this text, mended as the type's description explains.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let text = if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text };
        if !text.contains('\n') {
            return Comment { text };
        }
        let text = if text.contains('}') { text.replace('\n', " ") } else { unwrapped(&text) };
        Comment { text }
    }

    /// The whole text, commands and spaces as they stood.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The commands, in their order.
    ///
    /// ```
    /// use lozenge_rules::notation::pgn::Comment;
    /// let comment = Comment::new("[%clk 0:01:00] in a hurry [%csl Gd4,Re5]");
    /// let commands: Vec<String> = comment.commands().map(|command| command.to_string()).collect();
    /// assert_eq!(commands, ["[%clk 0:01:00]", "[%csl Gd4,Re5]"]);
    /// ```
    pub fn commands(&self) -> impl Iterator<Item = PgnCommand> {
        pieces(&self.text).filter_map(|piece| match piece {
            Piece::PgnCommand(inner) => Some(PgnCommand::parse(inner)),
            Piece::Prose(_) => None,
        })
    }

    /// The text without the commands, with single spaces where they stood and none around.
    ///
    /// ```
    /// use lozenge_rules::notation::pgn::Comment;
    /// let comment = Comment::new("Better was [%csl Gd4] the exchange.");
    /// assert_eq!(comment.prose(), "Better was the exchange.");
    /// ```
    pub fn prose(&self) -> String {
        let mut prose = String::new();
        for piece in pieces(&self.text) {
            let Piece::Prose(text) = piece else { continue };
            let text = text.trim();
            if !prose.is_empty() && !text.is_empty() {
                prose.push(' ');
            }
            prose.push_str(text);
        }
        prose
    }

    /// Adds a command at the end.
    ///
    /// ```
    /// use lozenge_rules::notation::pgn::{PgnCommand, Comment, Eval};
    /// let mut comment = Comment::new("calm");
    /// comment.push(&PgnCommand::Eval { score: Eval::Centipawns(25), depth: Some(12) });
    /// assert_eq!(comment.text(), "calm [%eval 0.25,12]");
    /// ```
    pub fn push(&mut self, command: &PgnCommand) {
        let space = if self.text.is_empty() { "" } else { " " };
        *self = Comment::new(format!("{}{space}{command}", self.text));
    }
}

/// Cuts a text into prose and commands. A `[%` that no `]` follows is prose.
fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let command = rest.find("[%").and_then(|open| {
            let end = rest.get(open..)?.find(']')? + open;
            Some((rest.get(..open)?, rest.get(open + 2..end)?, rest.get(end + 1..)?))
        });
        match command {
            None => Some(Piece::Prose(std::mem::take(&mut rest))),
            Some(("", inner, after)) => {
                rest = after;
                Some(Piece::PgnCommand(inner))
            }
            Some((before, ..)) => {
                rest = rest.get(before.len()..).unwrap_or_default();
                Some(Piece::Prose(before))
            }
        }
    })
}

/// A text whose single line breaks between words are spaces, and in which no line begins with a tag. Lines
/// are joined first: two halves of a tag may meet.
fn unwrapped(text: &str) -> String {
    set_off(&joined(text))
}

fn joined(text: &str) -> String {
    let space = |c: char| matches!(c, ' ' | '\t' | '\n');
    let mut result = String::with_capacity(text.len());
    let mut before = None;
    for (at, c) in text.char_indices() {
        let after = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next());
        let between_words = [before, after].iter().all(|side| side.is_some_and(|c| !space(c)));
        result.push(if c == '\n' && between_words { ' ' } else { c });
        before = Some(c);
    }
    result
}

fn set_off(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        result.push(c);
        if c == '\n' && begins_tag(text.get(at + 1..).unwrap_or_default()) {
            result.push(' ');
        }
    }
    result
}

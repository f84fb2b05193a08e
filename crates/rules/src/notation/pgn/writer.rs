//! A game as text, in the form that PGN calls export format. Not here: which tags a game ought to have
//! ([`Tags::fill_roster`]).

use std::fmt::{self, Write};

use super::syntax::begins_tag;
use super::{Comment, LINE_WIDTH, MAX_NESTING, PgnGame, PgnLine, PgnNode, Tags, is_move_text};

/// The number of a move and the side to move.
///
/// ```
/// # use lozenge_rules::notation::pgn::MoveNumber;
/// let number = MoveNumber::of_fen("****k****/9/9/9/9/9/9/9/****K**** b - - 3 17");
/// assert_eq!(number, MoveNumber { number: 17, black: true });
/// assert_eq!(number.to_string(), "17...");
/// assert_eq!(MoveNumber::default().to_string(), "1.");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveNumber {
    /// The full move, counted from 1.
    pub number: u32,
    /// Whether Black is to move.
    pub black: bool,
}

impl Default for MoveNumber {
    /// White's first move.
    fn default() -> Self {
        MoveNumber { number: 1, black: false }
    }
}

impl MoveNumber {
    /// The move number of a FEN, read as words only: `b` as the second word means Black's move, the sixth is the number.
    ///
    /// ```
    /// use lozenge_rules::notation::pgn::MoveNumber;
    /// let number = MoveNumber::of_fen("7k/8/8/8/8/8/8/K7 b - - 0 12");
    /// assert_eq!(number.to_string(), "12...");
    /// assert_eq!(number.next().to_string(), "13.");
    /// ```
    pub fn of_fen(fen: &str) -> Self {
        let mut words = fen.split_whitespace().skip(1);
        let black = words.next() == Some("b");
        let number = words.nth(3).and_then(|word| word.parse().ok()).unwrap_or(1);
        MoveNumber { number, black }
    }

    /// The move number of the FEN tag; White's first move without one.
    pub fn of_tags(tags: &Tags) -> Self {
        tags.fen().map(MoveNumber::of_fen).unwrap_or_default()
    }

    /// The move after this one.
    #[must_use]
    pub fn next(self) -> Self {
        MoveNumber { number: self.number.saturating_add(u32::from(self.black)), black: !self.black }
    }
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, if self.black { "..." } else { "." })
    }
}

/// Why a game cannot be written: it could not be read again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A move is not one word that [`is_move_text`] holds for.
    #[error("{0:?} cannot be written as a move")]
    Move(String),
    /// Variations lie deeper than [`MAX_NESTING`].
    #[error("variations lie more than {MAX_NESTING} deep")]
    NestingTooDeep,
    /// The output refused.
    #[error("the output refused the text")]
    Output(#[from] fmt::Error),
}

/// Writes a game: tags, blank line, movetext, result, blank line. `first` numbers the first move
/// ([`MoveNumber::of_tags`] where the position is not known better).
///
/// Reading the text gives an equal game, as long as it keeps within the reader's limits. Lines have at most
/// [`LINE_WIDTH`] characters where words and commands allow.
///
/// ```
/// use lozenge_rules::notation::pgn::{MoveNumber, PgnNode, PgnGame, ResultTag, write_game};
/// let mut game = PgnGame::default();
/// game.line.nodes = ["e4", "e5", "Nf3"].map(PgnNode::new).to_vec();
/// game.result = ResultTag::Draw;
/// let mut text = String::new();
/// write_game(&mut text, &game, MoveNumber::default()).unwrap();
/// assert_eq!(text, "1. e4 e5 2. Nf3 1/2-1/2\n\n");
/// ```
pub fn write_game(out: &mut impl Write, game: &PgnGame, first: MoveNumber) -> Result<(), WriteError> {
    write_tags(out, &game.tags)?;
    let mut words = Words { out, width: 0, glue: "" };
    write_moves(&mut words, &game.line, first)?;
    words.word(&game.result.to_string())?;
    out.write_str("\n\n")?;
    Ok(())
}

fn write_tags(out: &mut impl Write, tags: &Tags) -> fmt::Result {
    for (name, value) in tags.iter() {
        writeln!(out, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))?;
    }
    if tags.is_empty() { Ok(()) } else { out.write_char('\n') }
}

/// A line being written.
struct OpenLine<'a> {
    line: &'a PgnLine,
    /// How many of its moves are written, and the next one's number.
    written: usize,
    next: MoveNumber,
    /// The last move's number, that of its variations' first moves.
    last: MoveNumber,
    /// How many variations of the last move are written.
    variations: usize,
    /// Whether Black's move needs its number.
    number_needed: bool,
}

impl<'a> OpenLine<'a> {
    fn new(line: &'a PgnLine, first: MoveNumber) -> Self {
        OpenLine { line, written: 0, next: first, last: first, variations: 0, number_needed: true }
    }

    fn last_node(&self) -> Option<&'a PgnNode> {
        self.line.nodes.get(self.written.checked_sub(1)?)
    }
}

/// The moves with their variations, on a stack of its own: no text is too deep.
fn write_moves(
    words: &mut Words<'_, impl Write>,
    line: &PgnLine,
    first: MoveNumber,
) -> Result<(), WriteError> {
    words.comments(&line.start_comments)?;
    let mut stack = vec![OpenLine::new(line, first)];
    while let Some(open) = stack.last_mut() {
        if let Some(variation) = open.last_node().and_then(|node| node.variations.get(open.variations)) {
            words.glue = "(";
            words.comments(&variation.line.start_comments)?;
            let inner = OpenLine::new(&variation.line, open.last);
            stack.push(inner);
            if stack.len() > MAX_NESTING + 1 {
                return Err(WriteError::NestingTooDeep);
            }
        } else if let Some(node) = open.line.nodes.get(open.written) {
            write_node(words, open, node)?;
        } else {
            stack.pop();
            if let Some(outer) = stack.last_mut() {
                close_variation(words, outer)?;
            }
        }
    }
    Ok(())
}

fn write_node(
    words: &mut Words<'_, impl Write>,
    open: &mut OpenLine<'_>,
    node: &PgnNode,
) -> Result<(), WriteError> {
    if !is_move_text(&node.san) {
        return Err(WriteError::Move(node.san.clone()));
    }
    let number = node.number.unwrap_or(open.next);
    if open.number_needed || !number.black || !node.comments_before.is_empty() {
        words.word(&number.to_string())?;
    }
    words.comments(&node.comments_before)?;
    words.word(&node.san)?;
    for nag in &node.nags {
        words.word(&format!("${nag}"))?;
    }
    words.comments(&node.comments_after)?;
    open.number_needed = !node.comments_after.is_empty();
    open.last = number;
    open.next = number.next();
    open.written += 1;
    open.variations = 0;
    Ok(())
}

fn close_variation(words: &mut Words<'_, impl Write>, outer: &mut OpenLine<'_>) -> fmt::Result {
    words.close()?;
    let node = outer.last_node();
    if let Some(variation) = node.and_then(|node| node.variations.get(outer.variations)) {
        words.comments(&variation.comments_after)?;
    }
    outer.variations += 1;
    outer.number_needed = true;
    Ok(())
}

/// Words on lines of limited width.
struct Words<'a, W> {
    out: &'a mut W,
    /// Characters on the line so far.
    width: usize,
    /// The prefix of the next word: the `(` of a variation.
    glue: &'static str,
}

impl<W: Write> Words<'_, W> {
    /// Writes a word, on a new line where the old one has no room. The word may have line breaks inside.
    fn word(&mut self, word: &str) -> fmt::Result {
        let glue = std::mem::take(&mut self.glue);
        let first = word.split('\n').next().unwrap_or_default().chars().count() + glue.len();
        if self.width > 0 && self.width + 1 + first > LINE_WIDTH {
            self.line_end()?;
        }
        let space = if self.width > 0 { " " } else { "" };
        write!(self.out, "{space}{glue}{word}")?;
        self.width = match word.rsplit_once('\n') {
            None => self.width + space.len() + first,
            Some((_, last)) => last.chars().count(),
        };
        Ok(())
    }

    /// Writes the `)` of a variation close to its last word.
    fn close(&mut self) -> fmt::Result {
        if !self.glue.is_empty() {
            return self.word(")");
        }
        if self.width + 1 > LINE_WIDTH {
            self.line_end()?;
        }
        self.width += 1;
        self.out.write_char(')')
    }

    fn line_end(&mut self) -> fmt::Result {
        self.width = 0;
        self.out.write_char('\n')
    }

    fn comments(&mut self, comments: &[Comment]) -> fmt::Result {
        comments.iter().try_for_each(|comment| self.comment(comment.text()))
    }

    /// Writes a comment in braces, or after `;` where it has a brace itself.
    fn comment(&mut self, text: &str) -> fmt::Result {
        if text.contains('}') {
            self.word(&format!(";{text}"))?;
            return self.line_end();
        }
        let braced = format!("{{{text}}}");
        let mut from = 0;
        for at in breaks(&braced) {
            self.word(braced.get(from..at).unwrap_or_default())?;
            from = at + 1;
        }
        self.word(braced.get(from..).unwrap_or_default())
    }
}

/// The spaces at which a comment may be broken so that reading joins it again. They are single ones between
/// words, not inside a command, and not before `[` or `%`, which mean something at the start of a line. Where
/// that leaves no choice for long, commands are broken too: a line must stay short enough to be read.
fn breaks(braced: &str) -> impl Iterator<Item = usize> {
    const MAX_UNBROKEN: usize = 4096;
    let bytes = braced.as_bytes();
    let space = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\t' | b'\n'));
    let between_words = move |at: usize| at > 1 && at + 2 < bytes.len() && !space(at - 1) && !space(at + 1);
    let mut in_command = false;
    let mut last = 0;
    bytes.iter().enumerate().filter_map(move |(at, byte)| {
        let next = bytes.get(at + 1).copied().unwrap_or_default();
        match byte {
            b'[' => in_command |= next == b'%',
            b']' => in_command = false,
            b' ' if between_words(at) => {
                let good = !in_command && !matches!(next, b'[' | b'%');
                let needed =
                    at - last > MAX_UNBROKEN && !begins_tag(braced.get(at + 1..).unwrap_or_default());
                if good || needed {
                    last = at;
                    return Some(at);
                }
            }
            _ => {}
        }
        None
    })
}

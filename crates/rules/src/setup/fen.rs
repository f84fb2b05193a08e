//! FEN: from text to [`Setup`] and back. Whether the setup is a position is for validation.
//!
//! Grammar (`docs/variants/reference.md`): ranks from the top with `/` between; capitals White; a run of digits that
//! many empty squares; `*` a hole; then side, castling rights, en passant target, and optionally the
//! halfmove clock and fullmove number, and after them the starting squares whose pieces have moved.

use super::{Cell, MAX_FULLMOVE, Setup};
use crate::geometry::{Coord, Shape};
use crate::one_line::OneLine;
use crate::piece::{Color, Letters, Piece};
use core::fmt::Write as _;
use core::iter::Peekable;
use core::ops::RangeInclusive;
use core::str::CharIndices;

/// The properties of a game that FEN depends on.
#[derive(Clone, Copy, Debug)]
pub struct Context<'v> {
    /// The board.
    pub shape: &'v Shape,
    /// The letters of the pieces.
    pub letters: &'v Letters,
    /// The letters of the castling rights, in the order of the bits of [`Setup::rights`].
    pub rights: &'v [char],
    /// The castlings that need a right.
    pub castlings: &'v [CastlingRight],
    /// Whether rights are named by the rook's file where `K` and `Q` could be another rook (X-FEN).
    pub by_file: bool,
}

/// A castling that needs a right, and where its pieces stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CastlingRight {
    /// The number of the right.
    pub bit: usize,
    /// Whether it is written `O-O`.
    pub short: bool,
    /// The King.
    pub king: (Coord, Piece),
    /// The piece that it castles with.
    pub rook: (Coord, Piece),
}

impl CastlingRight {
    pub(crate) fn stands(&self, width: usize, cells: &[Cell]) -> bool {
        [self.king, self.rook].iter().all(|&(at, piece)| {
            let cell = cells.get(usize::from(at.rank) * width + usize::from(at.file));
            cell == Some(&Cell::Piece(piece))
        })
    }

    /// Whether no equal piece stands beyond the rook, as seen from the King.
    fn is_outermost(&self, width: usize, cells: &[Cell]) -> bool {
        let ((king, _), (rook, piece)) = (self.king, self.rook);
        let row = cells.chunks(width).nth(usize::from(rook.rank)).unwrap_or_default();
        let is_beyond = |file: usize| {
            if rook.file > king.file { file > usize::from(rook.file) } else { file < usize::from(rook.file) }
        };
        !row.iter().enumerate().any(|(file, cell)| is_beyond(file) && *cell == Cell::Piece(piece))
    }
}

impl Context<'_> {
    /// The number of a right by a letter other than its own: `K` and `Q` are the outermost rooks (X-FEN), other letters
    /// are the rook's file (Shredder-FEN).
    fn right(self, letter: char, cells: &[Cell]) -> Option<usize> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let width = usize::from(self.shape.width());
        let capital = letter.to_ascii_uppercase();
        let fits = |castling: &&CastlingRight| {
            castling.king.1.color() == color
                && castling.stands(width, cells)
                && match capital {
                    'K' | 'Q' if self.by_file => {
                        castling.short == (capital == 'K') && castling.is_outermost(width, cells)
                    }
                    _ => capital as usize == usize::from(b'A' + castling.rook.0.file),
                }
        };
        let mut found = self.castlings.iter().filter(fits).map(|castling| castling.bit);
        let bit = found.next()?;
        found.all(|other| other == bit).then_some(bit)
    }

    /// The letter of a right.
    fn right_letter(self, bit: usize, letter: char, cells: &[Cell]) -> char {
        let width = usize::from(self.shape.width());
        let castling =
            self.castlings.iter().find(|castling| castling.bit == bit && castling.stands(width, cells));
        match castling.filter(|castling| self.by_file && castling.is_outermost(width, cells)) {
            None => letter,
            Some(castling) => {
                let capital = if castling.short { 'K' } else { 'Q' };
                if letter.is_ascii_uppercase() { capital } else { capital.to_ascii_lowercase() }
            }
        }
    }
}

/// One fault in a text as FEN, and its location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenFault {
    /// Which part of FEN it is about.
    pub part: FenPart,
    /// Column in characters, from 1.
    pub column: usize,
    /// A description of the text allowed there.
    pub expected: String,
    /// The text found, or a description of it.
    pub found: String,
}

/// The parts of FEN that can be wrong, each for itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenPart {
    /// The length of the text.
    Length,
    /// The number of fields.
    Fields,
    /// The number of ranks in the first field.
    Ranks,
    /// The number of cells in a rank.
    Cells,
    /// This character, which is no piece's letter.
    Piece(char),
    /// The side to move.
    Turn,
    /// The castling rights.
    Rights,
    /// The en passant target.
    EnPassant,
    /// The halfmove clock.
    HalfmoveClock,
    /// The fullmove number.
    FullmoveNumber,
    /// The squares whose pieces have moved.
    Moved,
    /// The living players and those who are out, in a game of four.
    Players,
}

impl core::fmt::Display for FenFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { column, expected, found, .. } = self;
        write!(f, "column {column}: expected {expected}, found {}", OneLine(found))
    }
}

/// Everything that is wrong with a text as FEN, in the order of the text: one fault of each rank and of each
/// further field; never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenError {
    /// The faults.
    pub faults: Vec<FenFault>,
}

impl core::fmt::Display for FenError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("FEN, ")?;
        for (number, fault) in self.faults.iter().enumerate() {
            write!(f, "{}{fault}", if number > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

impl core::error::Error for FenError {}

/// Longest FEN, in bytes: far more than a full board of 256 squares needs.
pub const MAX_FEN: usize = 2048;

/// Reads a FEN.
///
/// ```
/// use lozenge_rules::{notation::fen, library};
/// let game = library::game("gardner").unwrap();
/// let error = fen::parse(game.fen_context(), "rnbqk/ppxpp/5/PPPPP/RNBQ x - - 0 1").unwrap_err();
/// let columns: Vec<usize> = error.faults.iter().map(|fault| fault.column).collect();
/// assert_eq!(columns, [9, 25, 26]);
/// ```
///
/// # Errors
/// Everything that keeps the text from being FEN for a board of this game's size and letters.
pub fn parse(context: Context<'_>, text: &str) -> Result<Setup, FenError> {
    let mut parser = Parser { context, reader: FenReader::new(text) };
    let setup = parser.setup();
    parser.reader.finish(setup)
}

/// A field and the byte where it begins.
pub(super) type Field<'t> = (usize, &'t str);

/// Reads the fields of a FEN of any game. A fault in one field does not stop it from reading the next.
pub(super) struct FenReader<'t> {
    text: &'t str,
    faults: Vec<FenFault>,
}

impl<'t> FenReader<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, faults: Vec::new() }
    }

    /// The position read, unless there are faults.
    pub(super) fn finish<T>(self, read: Option<T>) -> Result<T, FenError> {
        read.filter(|_| self.faults.is_empty()).ok_or(FenError { faults: self.faults })
    }

    /// How many faults there are so far.
    pub(super) const fn count(&self) -> usize {
        self.faults.len()
    }

    pub(super) fn fault(
        &mut self,
        part: FenPart,
        byte: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) {
        let before = self.text.get(..byte.min(self.text.len())).unwrap_or(self.text);
        let column = before.chars().count() + 1;
        self.faults.push(FenFault { part, column, expected: expected.into(), found: found.into() });
    }

    /// The fields, unless the text is too long.
    pub(super) fn fields(&mut self) -> Option<Vec<Field<'t>>> {
        let text = self.text;
        if text.len() > MAX_FEN {
            let expected = format!("at most {MAX_FEN} bytes");
            self.fault(FenPart::Length, MAX_FEN, expected, text.len().to_string());
            return None;
        }
        let field = |field: &'t str| (field.as_ptr() as usize - text.as_ptr() as usize, field);
        Some(text.split_ascii_whitespace().map(field).collect())
    }

    /// Another number of fields than `expected`: which one is missing or superfluous cannot be known.
    pub(super) fn wrong_count(&mut self, expected: &str, count: usize) {
        let found = format!("{count} field{}", if count == 1 { "" } else { "s" });
        self.fault(FenPart::Fields, self.text.len(), expected, found);
    }

    /// A counter; the least where the field is missing.
    pub(super) fn number(
        &mut self,
        field: Option<&Field<'_>>,
        (part, name, range): (FenPart, &str, RangeInclusive<u32>),
    ) -> u32 {
        let Some(&(at, field)) = field else { return *range.start() };
        let digits = field.bytes().all(|byte| byte.is_ascii_digit());
        field.parse().ok().filter(|number| digits && range.contains(number)).unwrap_or_else(|| {
            let expected = format!("the {name}, a number from {} to {}", range.start(), range.end());
            self.fault(part, at, expected, format!("`{field}`"));
            *range.start()
        })
    }

    /// The cells, rank 1 first, from text that begins with the top rank. `piece` reads a piece from its first letter, at this
    /// byte of its rank, and the letters after it.
    pub(super) fn placement<P: Copy>(
        &mut self,
        shape: &Shape,
        (start, field): Field<'_>,
        piece: impl Fn(usize, char, &mut RankLetters<'_>) -> Result<P, PieceFault>,
    ) -> Option<Vec<Cell<P>>> {
        let (width, height) = (usize::from(shape.width()), usize::from(shape.height()));
        let ranks: Vec<&str> = field.split('/').collect();
        if ranks.len() != height {
            let count = |ranks: usize| format!("{ranks} rank{}", if ranks == 1 { "" } else { "s" });
            self.fault(FenPart::Ranks, start, count(height), count(ranks.len()));
            return None;
        }
        let mut cells = vec![Cell::Empty; width * height];
        let mut at = start;
        for (rank, row) in ranks.iter().zip(cells.chunks_mut(width).rev()) {
            self.rank((at, rank), row, &piece);
            at += rank.len() + 1;
        }
        // A run of digits may lie across holes of the board: such cells are squares in this text, and
        // validation reports them.
        Some(cells)
    }

    /// The cells of one rank. After its first fault nothing is sure of the rest of it.
    fn rank<P>(
        &mut self,
        (at, rank): Field<'_>,
        row: &mut [Cell<P>],
        piece: impl Fn(usize, char, &mut RankLetters<'_>) -> Result<P, PieceFault>,
    ) {
        let width = row.len();
        let mut file = 0;
        let mut letters = rank.char_indices().peekable();
        while let Some((offset, letter)) = letters.next() {
            let cell = match letter {
                '*' => Some(Cell::Hole),
                '1'..='9' => {
                    let mut run = letter as usize - '0' as usize;
                    while let Some((_, digit)) = letters.next_if(|(_, next)| next.is_ascii_digit()) {
                        run = (run * 10 + (digit as usize - '0' as usize)).min(1000);
                    }
                    file += run;
                    None
                }
                _ => match piece(offset, letter, &mut letters) {
                    Ok(piece) => Some(Cell::Piece(piece)),
                    Err(PieceFault { letter, byte, expected, found }) => {
                        let byte = at + byte.unwrap_or(rank.len());
                        return self.fault(FenPart::Piece(letter), byte, expected, found);
                    }
                },
            };
            if let Some(cell) = cell {
                if let Some(place) = row.get_mut(file) {
                    *place = cell;
                }
                file += 1;
            }
            if file > width {
                return self.fault(FenPart::Cells, at + offset, format!("{width} cells in a rank"), "more");
            }
        }
        if file < width {
            let expected = format!("{width} cells in a rank");
            self.fault(FenPart::Cells, at + rank.len(), expected, file.to_string());
        }
    }
}

/// The letters of a rank that are still to be read, with their bytes.
pub(super) type RankLetters<'t> = Peekable<CharIndices<'t>>;

/// Why a letter begins no piece.
pub(super) struct PieceFault {
    pub(super) letter: char,
    /// Where in the rank, or at its end.
    pub(super) byte: Option<usize>,
    pub(super) expected: String,
    pub(super) found: String,
}

/// Reads field by field.
struct Parser<'t> {
    context: Context<'t>,
    reader: FenReader<'t>,
}

impl<'t> Parser<'t> {
    /// `None` where a field is no value at all; the faults have the reason.
    fn setup(&mut self) -> Option<Setup> {
        let fields = self.reader.fields()?;
        let cells = fields.first().and_then(|&board| self.placement(board));
        if !matches!(fields.len(), 4 | 6 | 7) {
            self.reader.wrong_count("4, 6 or 7 fields", fields.len());
            return None;
        }
        let turn = self.turn(fields[1]);
        let rights = self.rights(fields[2], cells.as_deref().unwrap_or_default());
        let (en_passant, en_passant_pawn) = self.en_passant(fields[3]);
        let clock = (FenPart::HalfmoveClock, "halfmove clock", 0..=u32::from(u16::MAX));
        let number = (FenPart::FullmoveNumber, "fullmove number", 1..=MAX_FULLMOVE);
        let halfmove_clock = self.reader.number(fields.get(4), clock) as u16;
        let fullmove_number = self.reader.number(fields.get(5), number);
        let moved = fields.get(6).map_or_else(Vec::new, |&field| self.moved(field));
        let width = self.context.shape.width();
        let cells = cells?;
        Some(Setup {
            cells,
            width,
            turn: turn?,
            rights,
            en_passant,
            en_passant_pawn,
            moved,
            halfmove_clock,
            fullmove_number,
        })
    }

    fn turn(&mut self, (at, field): Field<'_>) -> Option<Color> {
        match field {
            "w" => Some(Color::White),
            "b" => Some(Color::Black),
            other => {
                self.reader.fault(FenPart::Turn, at, "the side to move, `w` or `b`", format!("`{other}`"));
                None
            }
        }
    }

    fn placement(&mut self, field: Field<'_>) -> Option<Vec<Cell>> {
        let letters = self.context.letters;
        self.reader.placement(self.context.shape, field, |byte, letter, _| {
            letters.piece(letter).ok_or_else(|| {
                let known: String = letters.iter().filter(char::is_ascii_uppercase).collect();
                let expected = format!("a piece ({known}), a number of empty squares, `*` or `/`");
                PieceFault { letter, byte: Some(byte), expected, found: format!("`{letter}`") }
            })
        })
    }

    fn rights(&mut self, (start, field): Field<'_>, cells: &[Cell]) -> u16 {
        if field == "-" {
            return 0;
        }
        let mut rights = 0;
        for (offset, letter) in field.char_indices() {
            let known = self.context.rights;
            let own = known.iter().position(|&right| right == letter);
            let bit = own.or_else(|| self.context.right(letter, cells));
            let Some(bit) = bit.filter(|bit| rights >> bit & 1 == 0) else {
                let expected = match known {
                    [] => "no castling rights, `-`".into(),
                    letters => {
                        let letters: String = letters.iter().collect();
                        format!("castling rights from {letters}, each once, or `-`")
                    }
                };
                self.reader.fault(FenPart::Rights, start + offset, expected, format!("`{letter}`"));
                break;
            };
            rights |= 1 << bit;
        }
        rights
    }

    fn coord(&mut self, part: FenPart, (start, field): Field<'_>, expected: &str) -> Option<Coord> {
        match Coord::read(field) {
            Some((coord, "")) => Some(coord),
            _ => {
                self.reader.fault(part, start, expected, format!("`{field}`"));
                None
            }
        }
    }

    /// The crossed square, and behind it perhaps that of the piece that has crossed it.
    fn en_passant(&mut self, field: Field<'_>) -> (Option<Coord>, Option<Coord>) {
        if field.1 == "-" {
            return (None, None);
        }
        if let Some((target, rest)) = Coord::read(field.1)
            && let Some((pawn, "")) = Coord::read(rest)
        {
            return (Some(target), Some(pawn));
        }
        (self.coord(FenPart::EnPassant, field, "the en passant target, a square or `-`"), None)
    }

    fn moved(&mut self, (start, field): Field<'_>) -> Vec<Coord> {
        let mut at = start;
        let mut moved = Vec::new();
        for name in field.split(',') {
            let Some(square) = self.coord(FenPart::Moved, (at, name), "squares with `,` between") else {
                break;
            };
            if moved.contains(&square) {
                self.reader.fault(FenPart::Moved, at, "each square once", format!("`{name}` again"));
                break;
            }
            moved.push(square);
            at += name.len() + 1;
        }
        moved
    }
}

/// Writes a FEN with all six fields, and the seventh if it is not empty.
#[must_use]
pub fn write(context: Context<'_>, setup: &Setup) -> String {
    let width = usize::from(setup.width.max(1));
    let mut text = String::with_capacity(setup.cells.len() + 32);
    for (number, row) in setup.cells.chunks(width).rev().enumerate() {
        if number > 0 {
            text.push('/');
        }
        let mut run = 0;
        for cell in row {
            if *cell == Cell::Empty {
                run += 1;
                continue;
            }
            flush(&mut text, &mut run);
            text.push(match cell {
                Cell::Piece(piece) => context.letters.letter(*piece),
                _ => '*',
            });
        }
        flush(&mut text, &mut run);
    }
    text.push(' ');
    text.push(setup.turn.letter());
    text.push(' ');
    let before = text.len();
    let rights = context.rights.iter().enumerate().filter(|(bit, _)| setup.rights >> bit & 1 != 0);
    text.extend(rights.map(|(bit, &letter)| context.right_letter(bit, letter, &setup.cells)));
    if text.len() == before {
        text.push('-');
    }
    text.push(' ');
    match setup.en_passant {
        None => text.push('-'),
        Some(target) => {
            text.push_str(&target.name());
            if let Some(pawn) = setup.en_passant_pawn {
                text.push_str(&pawn.name());
            }
        }
    }
    // Writing to a text cannot fail.
    let _ = write!(text, " {} {}", setup.halfmove_clock, setup.fullmove_number);
    let mut moved = setup.moved.clone();
    moved.sort_unstable();
    for (number, square) in moved.iter().enumerate() {
        text.push(if number == 0 { ' ' } else { ',' });
        text.push_str(&square.name());
    }
    text
}

fn flush(text: &mut String, run: &mut usize) {
    if *run > 0 {
        match u8::try_from(*run) {
            Ok(digit @ 1..=9) => text.push(char::from(b'0' + digit)),
            _ => text.push_str(&run.to_string()),
        }
        *run = 0;
    }
}

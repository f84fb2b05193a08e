//! Setups of games of four and FEN, their text: two letters a piece (owner, role), the mover, two fields that are always `-`,
//! both counters, and the living players, followed by those who are out.

use super::fen::{FenError, FenPart, Field, PieceFault, Reader};
use super::{Cell, MAX_FULLMOVE};
use crate::geometry::{Coord, Shape};
use crate::piece::Letters;
use crate::seat::{DEAD_LETTER, OwnedPiece, Seat, SeatSet};
use core::fmt::Write as _;

/// The content of a cell of the bounding box.
pub type MultiCell = Cell<OwnedPiece>;

/// A position of a game of four as written: any pieces anywhere, of the size of the game's box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MultiSetup {
    /// The cells of the box, rank 1 first, file a first.
    pub cells: Vec<MultiCell>,
    /// The player to move.
    pub turn: Seat,
    /// Plies since the last capture, pawn move or exit of a player.
    pub halfmove_clock: u16,
    /// Number of the move, from 1 to [`MAX_FULLMOVE`]. It grows when the turn reaches or crosses the first seat.
    pub fullmove_number: u32,
    /// The players who are out, in the order in which they went out.
    pub out: Vec<Seat>,
}

impl MultiSetup {
    /// The players who are living.
    #[must_use]
    pub fn living(&self) -> SeatSet {
        Seat::ALL.into_iter().filter(|seat| !self.out.contains(seat)).collect()
    }
}

/// One reason why a setup is not a position of its game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MultiSetupFault {
    /// A square is drawn as a hole.
    #[error("expected a square at {0}, found a hole `*`")]
    HoleOnSquare(Coord),
    /// A hole is drawn as a square, perhaps with a piece.
    #[error("expected a hole `*` at {0}, found a square")]
    SquareOnHole(Coord),
    /// The player to move is out.
    #[error("expected a living player to move, found {0}, who is out")]
    MoverOut(Seat),
    /// A living player has not exactly one King.
    #[error("expected exactly one king of {seat}, found {found}")]
    Kings {
        /// The player.
        seat: Seat,
        /// How many.
        found: usize,
    },
    /// A piece belongs to a player who is out.
    #[error("expected no piece of {seat}, who is out, found one on {at}")]
    PieceOfOut {
        /// The player.
        seat: Seat,
        /// Where.
        at: Coord,
    },
    /// A King without an owner.
    #[error("expected no dead king, found one on {0}")]
    DeadKing(Coord),
    /// A piece stands where it would have been promoted.
    #[error("expected no {letter} of {seat} on {at}, where it is promoted, found one")]
    Unpromoted {
        /// The player.
        seat: Seat,
        /// The letter of the piece.
        letter: char,
        /// Where.
        at: Coord,
    },
    /// Each of two Kings stands where the other one could capture it.
    #[error("expected no hostile kings side by side, found those of {0} and {1}")]
    KingsTouch(Seat, Seat),
    /// In teams: the player who has just moved left the own King attacked.
    #[error("expected {0}, who has just moved, not to be in check, found it in check")]
    PreviousInCheck(Seat),
    /// In teams: the first player who goes out ends the game.
    #[error("expected at most one player out in a game of teams, found {0}")]
    TooManyOut(usize),
}

/// Every reason why a setup is not a position; never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MultiSetupError {
    /// The reasons.
    pub faults: Vec<MultiSetupFault>,
}

impl core::fmt::Display for MultiSetupError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (number, fault) in self.faults.iter().enumerate() {
            write!(f, "{}{fault}", if number > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

impl core::error::Error for MultiSetupError {}

/// Reads a FEN of a game of four.
///
/// # Errors
/// Everything that keeps the text from being FEN for a board of this size and these letters.
pub fn parse(shape: &Shape, letters: &Letters, text: &str) -> Result<MultiSetup, FenError> {
    let mut parser = Parser { shape, letters, reader: Reader::new(text) };
    let setup = parser.setup();
    parser.reader.finish(setup)
}

/// Reads field by field.
struct Parser<'t> {
    shape: &'t Shape,
    letters: &'t Letters,
    reader: Reader<'t>,
}

impl Parser<'_> {
    fn setup(&mut self) -> Option<MultiSetup> {
        let fields = self.reader.fields()?;
        let [placement, mover, rights, en_passant, clock, number, players] = fields[..] else {
            self.reader.wrong_count("7 fields", fields.len());
            return None;
        };
        let cells = self.placement(placement);
        let turn = self.mover(mover);
        self.empty_field(FenPart::Rights, rights, "no castling rights, `-`");
        self.empty_field(FenPart::EnPassant, en_passant, "no en passant target, `-`");
        let clock_terms = (FenPart::HalfmoveClock, "halfmove clock", 0..=u32::from(u16::MAX));
        let halfmove_clock = self.reader.number(Some(&clock), clock_terms) as u16;
        let number_terms = (FenPart::FullmoveNumber, "fullmove number", 1..=MAX_FULLMOVE);
        let fullmove_number = self.reader.number(Some(&number), number_terms);
        let out = self.players(players);
        Some(MultiSetup { cells: cells?, turn: turn?, halfmove_clock, fullmove_number, out: out? })
    }

    fn mover(&mut self, (at, field): Field<'_>) -> Option<Seat> {
        let mut letters = field.chars();
        let seat = letters.next().and_then(Seat::of_letter).filter(|_| letters.next().is_none());
        if seat.is_none() {
            self.reader.fault(
                FenPart::Turn,
                at,
                "the player to move, `r`, `b`, `y` or `g`",
                format!("`{field}`"),
            );
        }
        seat
    }

    fn empty_field(&mut self, part: FenPart, (at, field): Field<'_>, expected: &str) {
        if field != "-" {
            self.reader.fault(part, at, expected, format!("`{field}`"));
        }
    }

    /// The living players in the order of the seats, then `/` and the players who are out, in that order.
    fn players(&mut self, (start, field): Field<'_>) -> Option<Vec<Seat>> {
        let before = self.reader.count();
        let mut living: Vec<Seat> = Vec::new();
        let mut out: Option<Vec<Seat>> = None;
        for (offset, letter) in field.char_indices() {
            let at = start + offset;
            let found = format!("`{letter}`");
            match (letter, Seat::of_letter(letter), &mut out) {
                ('/', _, None) => out = Some(Vec::new()),
                (_, Some(seat), gone) => {
                    if living.contains(&seat) || gone.as_ref().is_some_and(|gone| gone.contains(&seat)) {
                        self.reader.fault(FenPart::Players, at, "each player once", format!("{found} again"));
                    } else if let Some(gone) = gone {
                        gone.push(seat);
                    } else if living.last().is_some_and(|last| *last > seat) {
                        self.reader.fault(
                            FenPart::Players,
                            at,
                            "the living players in the order `rbyg`",
                            found,
                        );
                    } else {
                        living.push(seat);
                    }
                }
                _ => {
                    let expected = "the living players from `rbyg`, then `/` and those who are out";
                    self.reader.fault(FenPart::Players, at, expected, found);
                }
            }
        }
        let end = start + field.len();
        if out.as_ref().is_some_and(Vec::is_empty) {
            self.reader.fault(FenPart::Players, end, "no `/` while no player is out", "one");
        }
        let out = out.unwrap_or_default();
        if self.reader.count() == before {
            for seat in Seat::ALL.into_iter().filter(|seat| !living.contains(seat) && !out.contains(seat)) {
                let expected = format!("`{}`, living or out", seat.letter());
                self.reader.fault(FenPart::Players, end, expected, "neither");
            }
        }
        (self.reader.count() == before).then_some(out)
    }

    fn placement(&mut self, field: Field<'_>) -> Option<Vec<MultiCell>> {
        let known = self.letters;
        self.reader.placement(self.shape, field, |byte, letter, letters| {
            let owner = Seat::of_letter(letter);
            if owner.is_none() && letter != DEAD_LETTER {
                let expected =
                    "an owner (rbyg, or d for a dead piece), a number of empty squares, `*` or `/`";
                let found = format!("`{letter}`");
                return Err(PieceFault { letter, byte: Some(byte), expected: expected.into(), found });
            }
            let next = letters.next();
            let role = next.and_then(|(_, letter)| known.role(letter));
            role.map(|role| OwnedPiece { owner, role }).ok_or_else(|| {
                let known: String = known.iter().filter(char::is_ascii_uppercase).collect();
                PieceFault {
                    letter: next.map_or(letter, |(_, letter)| letter),
                    byte: next.map(|(byte, _)| byte),
                    expected: format!("a piece ({known}) after its owner"),
                    found: next.map_or_else(|| "the end of the rank".into(), |(_, c)| format!("`{c}`")),
                }
            })
        })
    }
}

/// Writes a FEN of a game of four.
#[must_use]
pub fn write(shape: &Shape, letters: &Letters, setup: &MultiSetup) -> String {
    let letters: Vec<char> = letters.iter().collect();
    let mut text = String::with_capacity(2 * setup.cells.len() + 32);
    for (number, row) in setup.cells.chunks(usize::from(shape.width().max(1))).rev().enumerate() {
        if number > 0 {
            text.push('/');
        }
        for run in row.chunk_by(|a, b| (*a, *b) == (MultiCell::Empty, MultiCell::Empty)) {
            match run {
                // Writing to a text cannot fail.
                [MultiCell::Empty, ..] => drop(write!(text, "{}", run.len())),
                [MultiCell::Piece(piece), ..] => {
                    text.push(piece.owner_letter());
                    text.extend(letters.get(piece.role.index()));
                }
                [MultiCell::Hole, ..] | [] => text.push('*'),
            }
        }
    }
    let (turn, clock, number) = (setup.turn.letter(), setup.halfmove_clock, setup.fullmove_number);
    let _ = write!(text, " {turn} - - {clock} {number} ");
    text.extend(setup.living().iter().map(Seat::letter));
    if !setup.out.is_empty() {
        text.push('/');
        text.extend(setup.out.iter().map(|seat| seat.letter()));
    }
    text
}

//! Setups of games of three and four and FEN, their text: two letters a piece (owner, role), the mover, castling rights, double steps,
//! both counters, and the living players, followed by those who are out.

use super::fen::{FenError, FenPart, FenReader, Field, PieceFault};
use super::{Cell, MAX_FULLMOVE};
use crate::geometry::{Coord, Shape};
use crate::piece::Letters;
use crate::seat::{DEAD_LETTER, OwnedPiece, Seat, SeatSet};
use core::fmt::Write as _;

/// The properties of a game of three or four that FEN depends on.
#[derive(Clone, Copy, Debug)]
pub struct MultiContext<'v> {
    /// The board.
    pub shape: &'v Shape,
    /// The letters of the pieces.
    pub letters: &'v Letters,
    /// The players.
    pub seats: SeatSet,
    /// The castling rights: player and letter, in the order of the bits of [`MultiSetup::rights`].
    pub rights: &'v [(Seat, char)],
}

impl MultiContext<'_> {
    /// The letters of the players: `rbyg`.
    fn seat_letters(self) -> String {
        self.seats.iter().map(Seat::letter).collect()
    }

    /// The player of a letter.
    fn seat(self, letter: char) -> Option<Seat> {
        Seat::of_letter(letter).filter(|&seat| self.seats.contains(seat))
    }
}

/// A double step that can still be answered by a capture en passant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OfferSetup {
    /// Whose piece has made it.
    pub seat: Seat,
    /// The square that it crossed.
    pub crossed: Coord,
    /// Where it stands.
    pub pawn: Coord,
}

/// The content of a cell of the bounding box.
pub type MultiCell = Cell<OwnedPiece>;

/// A position of a game of three or four as written: any pieces anywhere, of the size of the game's box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MultiSetup {
    /// The cells of the box, rank 1 first, file a first.
    pub cells: Vec<MultiCell>,
    /// The players of the game.
    pub seats: SeatSet,
    /// The player to move.
    pub turn: Seat,
    /// The castling rights, a bit for each right of the game.
    pub rights: u16,
    /// The double steps that can still be answered, at most one of each player.
    pub offers: Vec<OfferSetup>,
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
        self.seats.iter().filter(|seat| !self.out.contains(seat)).collect()
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
    /// A castling right of a player whose King or rook does not stand where the castling begins.
    #[error(
        "expected king and rook of {seat} in place for the castling right {letter}, found that they are not"
    )]
    Right {
        /// The player.
        seat: Seat,
        /// The letter of the right.
        letter: char,
    },
    /// A square that no double step has crossed since the player's last turn.
    #[error(
        "expected {seat} to have crossed {at} with a double step since the last turn, found that it cannot have"
    )]
    EnPassant {
        /// The player.
        seat: Seat,
        /// The square.
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
    /// At the start of a game: a player is in check from two others.
    #[error("expected {seat} to be in check from at most one player, found {} and {}", by[0], by[1])]
    TwoChecks {
        /// The player in check.
        seat: Seat,
        /// Two players who give check.
        by: [Seat; 2],
    },
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

/// Reads a FEN of a game of three or four.
///
/// # Errors
/// Everything that keeps the text from being FEN for a board of this size, these letters and players.
pub fn parse(context: MultiContext<'_>, text: &str) -> Result<MultiSetup, FenError> {
    let mut parser = Parser { context, reader: FenReader::new(text) };
    let setup = parser.setup();
    parser.reader.finish(setup)
}

/// Reads field by field.
struct Parser<'t> {
    context: MultiContext<'t>,
    reader: FenReader<'t>,
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
        let rights = self.rights(rights);
        let offers = self.offers(en_passant);
        let clock_terms = (FenPart::HalfmoveClock, "halfmove clock", 0..=u32::from(u16::MAX));
        let halfmove_clock = self.reader.number(Some(&clock), clock_terms) as u16;
        let number_terms = (FenPart::FullmoveNumber, "fullmove number", 1..=MAX_FULLMOVE);
        let fullmove_number = self.reader.number(Some(&number), number_terms);
        let out = self.players(players);
        Some(MultiSetup {
            cells: cells?,
            seats: self.context.seats,
            turn: turn?,
            rights,
            offers,
            halfmove_clock,
            fullmove_number,
            out: out?,
        })
    }

    fn mover(&mut self, (at, field): Field<'_>) -> Option<Seat> {
        let mut letters = field.chars();
        let seat =
            letters.next().and_then(|letter| self.context.seat(letter)).filter(|_| letters.next().is_none());
        if seat.is_none() {
            let expected = format!("the player to move, one of `{}`", self.context.seat_letters());
            self.reader.fault(FenPart::Turn, at, expected, format!("`{field}`"));
        }
        seat
    }

    /// Castling rights, two letters each: the player's and that of the right.
    fn rights(&mut self, (start, field): Field<'_>) -> u16 {
        let mut rights = 0;
        if field == "-" {
            return rights;
        }
        let mut letters = field.char_indices();
        while let Some((offset, owner)) = letters.next() {
            let letter = letters.next().map(|(_, letter)| letter);
            let known = |&(seat, right): &(Seat, char)| seat.letter() == owner && Some(right) == letter;
            let bit = self.context.rights.iter().position(known).filter(|bit| rights >> bit & 1 == 0);
            let Some(bit) = bit else {
                let expected = match self.context.rights {
                    [] => "no castling rights, `-`".into(),
                    all => format!("castling rights from {}, each once, or `-`", right_letters(all)),
                };
                let found: String = core::iter::once(owner).chain(letter).collect();
                self.reader.fault(FenPart::Rights, start + offset, expected, format!("`{found}`"));
                break;
            };
            rights |= 1 << bit;
        }
        rights
    }

    /// For each player whose piece has made a double step since the last turn: the player's letter, the square that it crossed and the
    /// square where it stands, `rd3d4,bc6d6`.
    fn offers(&mut self, (start, field): Field<'_>) -> Vec<OfferSetup> {
        let mut offers: Vec<OfferSetup> = Vec::new();
        let mut at = start;
        for text in field.split(',').filter(|_| field != "-") {
            match self.offer(text) {
                Some(offer) if offers.iter().all(|other| other.seat != offer.seat) => offers.push(offer),
                _ => {
                    let expected = "a player, the square that its pawn crossed and that of the pawn, such as `rd3d4`, each \
                                    player once, or `-`";
                    self.reader.fault(FenPart::EnPassant, at, expected, format!("`{text}`"));
                    break;
                }
            }
            at += text.len() + 1;
        }
        offers
    }

    fn offer(&self, text: &str) -> Option<OfferSetup> {
        let seat = self.context.seat(text.chars().next()?)?;
        let (crossed, rest) = Coord::read(text.get(1..)?)?;
        let (pawn, rest) = Coord::read(rest)?;
        rest.is_empty().then_some(OfferSetup { seat, crossed, pawn })
    }

    /// The living players in the order of the seats, then `/` and the players who are out, in that order.
    fn players(&mut self, (start, field): Field<'_>) -> Option<Vec<Seat>> {
        let before = self.reader.count();
        let mut living: Vec<Seat> = Vec::new();
        let mut out: Option<Vec<Seat>> = None;
        for (offset, letter) in field.char_indices() {
            let at = start + offset;
            let found = format!("`{letter}`");
            match (letter, self.context.seat(letter), &mut out) {
                ('/', _, None) => out = Some(Vec::new()),
                (_, Some(seat), gone) => {
                    if living.contains(&seat) || gone.as_ref().is_some_and(|gone| gone.contains(&seat)) {
                        self.reader.fault(FenPart::Players, at, "each player once", format!("{found} again"));
                    } else if let Some(gone) = gone {
                        gone.push(seat);
                    } else if living.last().is_some_and(|last| *last > seat) {
                        let expected =
                            format!("the living players in the order `{}`", self.context.seat_letters());
                        self.reader.fault(FenPart::Players, at, expected, found);
                    } else {
                        living.push(seat);
                    }
                }
                _ => {
                    let expected = format!(
                        "the living players from `{}`, then `/` and those who are out",
                        self.context.seat_letters()
                    );
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
            let named = |seat: &Seat| living.contains(seat) || out.contains(seat);
            for seat in self.context.seats.iter().filter(|seat| !named(seat)) {
                let expected = format!("`{}`, living or out", seat.letter());
                self.reader.fault(FenPart::Players, end, expected, "neither");
            }
        }
        (self.reader.count() == before).then_some(out)
    }

    fn placement(&mut self, field: Field<'_>) -> Option<Vec<MultiCell>> {
        let context = self.context;
        let known = context.letters;
        self.reader.placement(context.shape, field, |byte, letter, letters| {
            let owner = context.seat(letter);
            if owner.is_none() && letter != DEAD_LETTER {
                let expected = format!(
                    "an owner ({}, or d for a dead piece), a number of empty squares, `*` or `/`",
                    context.seat_letters()
                );
                let found = format!("`{letter}`");
                return Err(PieceFault { letter, byte: Some(byte), expected, found });
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

/// Rights as FEN writes them: `rKrQ`.
fn right_letters(rights: &[(Seat, char)]) -> String {
    rights.iter().flat_map(|(seat, letter)| [seat.letter(), *letter]).collect()
}

/// Writes a FEN of a game of three or four.
#[must_use]
pub fn write(context: MultiContext<'_>, setup: &MultiSetup) -> String {
    let letters: Vec<char> = context.letters.iter().collect();
    let mut text = String::with_capacity(2 * setup.cells.len() + 32);
    for (number, row) in setup.cells.chunks(usize::from(context.shape.width().max(1))).rev().enumerate() {
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
    let held = context.rights.iter().enumerate().filter(|(bit, _)| setup.rights >> bit & 1 != 0);
    let mut rights = right_letters(&held.map(|(_, right)| *right).collect::<Vec<_>>());
    let offer =
        |offer: &OfferSetup| format!("{}{}{}", offer.seat.letter(), offer.crossed.name(), offer.pawn.name());
    let mut offers = setup.offers.iter().map(offer).collect::<Vec<_>>().join(",");
    for field in [&mut rights, &mut offers] {
        if field.is_empty() {
            field.push('-');
        }
    }
    let _ = write!(text, " {turn} {rights} {offers} {clock} {number} ");
    text.extend(setup.living().iter().map(Seat::letter));
    if !setup.out.is_empty() {
        text.push('/');
        text.extend(setup.out.iter().map(|seat| seat.letter()));
    }
    text
}

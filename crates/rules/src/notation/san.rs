//! Standard algebraic notation with each game's own letters: `Nf3`, `bxc4`, `Rh4=Q`, `O-O:d1`.
//!
//! Pawns have no letter (in a game with one kind of pawn), and a capturing pawn names its file. Where other
//! legal moves of the kind would have the same text, the file is added, else the rank, else the square. Pawns
//! never have the rank, because a move does not begin with a digit. Castling is `O-O` or `O-O-O`, as every
//! program reads it, with `:` and the rook's square where more than one of that length is legal. `+` is
//! check; `#` is a move that wins: mate or goal.
//!
//! A fusion is the move of one piece onto the other, without the sign of a capture: `Re6` where an own
//! Bishop stands on e6. Where a part leaves a compound, its letter follows: `Qe6R` is the Rook that
//! leaves the Queen for e6.

use super::uci;
use crate::geometry::{Coord, Shape, Square};
use crate::one_line::OneLine;
use crate::piece::{Piece, Role};
use crate::position::{AnyMultiPosition, AnyPosition, Move, MoveKind, Status};
use crate::variant::{CastlingInfo, Roles, Variant};

/// Why a text is not a legal move of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SanError {
    /// It is not a move.
    #[error("expected a move such as `{example}`, found `{}`", OneLine(found))]
    Syntax {
        /// A legal move of the position, or `Ka1` if it has no legal move.
        example: String,
        /// The text.
        found: String,
    },
    /// It is a move, but not a legal one here.
    #[error("expected a legal move, found `{}`", OneLine(.0))]
    Illegal(String),
    /// The game of four is over.
    #[error("expected no move after the end of the game, found `{}`", OneLine(.0))]
    Over(String),
    /// Several legal moves fit.
    #[error("expected one move, found that `{}` can be {}", OneLine(found), candidates.join(" or "))]
    Ambiguous {
        /// The text.
        found: String,
        /// The moves it could be, in full.
        candidates: Vec<String>,
    },
}

/// Writes a legal move of the position.
///
/// ```
/// use lozenge_rules::{library, notation::{san, uci}, position::AnyPosition};
/// let position = AnyPosition::start(&library::game("chess").unwrap());
/// let knight = uci::parse(&position, "g1f3").unwrap();
/// assert_eq!(san::write(&position, knight), "Nf3");
/// ```
#[must_use]
pub fn write(position: &AnyPosition, written: Move) -> String {
    write_among(position, written, &position.legal_moves(), position.play_unchecked(written).status())
}

/// As [`write()`], where all legal moves of the position are known, and how the position after this one stands.
///
/// ```
/// use lozenge_rules::{library, notation::{san, uci}, position::AnyPosition};
/// let chess = library::game("chess").unwrap();
/// let position = AnyPosition::from_fen(&chess, "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1").unwrap();
/// let legal = position.legal_moves();
/// let mate = uci::parse_among(&chess, &legal, "e1e8").unwrap();
/// let after = position.play_unchecked(mate);
/// assert_eq!(san::write_among(&position, mate, &legal, after.status()), "Re8#");
/// ```
#[must_use]
pub fn write_among(position: &AnyPosition, written: Move, legal: &[Move], after: Status) -> String {
    let mut text = write_bare(position, written, legal);
    match after {
        Status::Checkmate | Status::Goal => text.push('#'),
        Status::Check => text.push('+'),
        Status::Ongoing | Status::Stalemate | Status::Dead => {}
    }
    text
}

/// Writes a legal move of a position of four; `legal` are all its legal moves. `check` is whether the player who moves next is in check
/// then, which `+` says.
///
/// ```
/// use lozenge_rules::{library, notation::{san, uci}, position::AnyMultiPosition};
/// let start = AnyMultiPosition::start(&library::multi_game("diamondring-four").unwrap());
/// let pawn = uci::parse_multi(&start, "c1b1").unwrap();
/// assert_eq!(san::write_multi(&start, pawn, &start.legal_moves(), false), "b1");
/// ```
#[must_use]
pub fn write_multi(position: &AnyMultiPosition, written: Move, legal: &[Move], check: bool) -> String {
    let (variant, at) = (&position.variant().pairs[0], |square| position.piece_at(square));
    let Some(piece) = at(written.from) else { return uci::write_multi(position.variant(), written) };
    let is_piece_move = |other: &&Move| !matches!(other.kind, MoveKind::Castling(_));
    let rivals = legal.iter().filter(is_piece_move).filter(|other| at(other.from) == Some(piece));
    let is_capture = written.kind == MoveKind::EnPassant || at(written.to).is_some();
    let mut text = match written.kind {
        MoveKind::Castling(number) => {
            castling_text(variant.shape(), &position.variant().castlings, number, legal)
        }
        _ => write_piece(variant, piece.role, written, is_capture, rivals),
    };
    if check {
        text.push('+');
    }
    text
}

/// The move without the sign for check or mate; `legal` are all legal moves of the position.
fn write_bare(position: &AnyPosition, written: Move, legal: &[Move]) -> String {
    let variant = position.variant();
    if let MoveKind::Castling(number) = written.kind {
        return castling_text(variant.shape(), variant.castlings(), number, legal);
    }
    let Some(piece) = position.piece_at(written.from) else { return uci::write(variant, written) };
    let capture = written.kind == MoveKind::EnPassant
        || (written.kind != MoveKind::Fuse && position.piece_at(written.to).is_some());
    let rivals = legal
        .iter()
        .filter(|other| !matches!(other.kind, MoveKind::Castling(_)))
        .filter(|other| position.piece_at(other.from) == Some(piece) && other.leaver() == written.leaver());
    write_piece(variant, piece.role(), written, capture, rivals)
}

/// The move of a piece; `rivals` are the legal moves of all pieces of the kind.
fn write_piece<'m>(
    variant: &Variant,
    role: Role,
    written: Move,
    capture: bool,
    rivals: impl Iterator<Item = &'m Move>,
) -> String {
    let shape = variant.shape();
    let letter = written_letter(variant, role);
    let pawn = letter.is_none();
    let others: Vec<Square> = rivals
        .filter(|other| other.to == written.to && other.from != written.from)
        .map(|other| other.from)
        .collect();
    let from = shape.coord(written.from);
    let file = char::from(b'a' + from.file).to_string();
    let unique = |same: fn(Coord, Coord) -> bool| !others.iter().any(|&other| same(shape.coord(other), from));
    let origin = if others.is_empty() && !(pawn && capture) {
        String::new()
    } else if unique(|a, b| a.file == b.file) {
        file
    } else if unique(|a, b| a.rank == b.rank) && !pawn {
        (from.rank + 1).to_string()
    } else {
        from.to_string()
    };
    let promotion = written
        .promotion()
        .map_or_else(String::new, |role| format!("={}", variant.roles().info(role).letter));
    let leaver = written.leaver().map_or_else(String::new, |role| variant.roles().info(role).letter.into());
    let letter = letter.map_or_else(String::new, String::from);
    let capture = if capture { "x" } else { "" };
    format!("{letter}{origin}{capture}{}{promotion}{leaver}", shape.name(written.to))
}

/// The letter of a role in SAN; none for the pawns of a game with one kind of pawn.
fn written_letter(variant: &Variant, role: Role) -> Option<char> {
    let info = variant.roles().info(role);
    let only_pawn = info.pawn && variant.roles().iter().filter(|(_, other)| other.pawn).count() == 1;
    (!only_pawn).then_some(info.letter)
}

fn castling_text(shape: &Shape, castlings: &[CastlingInfo], number: u8, legal: &[Move]) -> String {
    let castling = castlings[usize::from(number)];
    let as_long = |other: &&Move| match other.kind {
        MoveKind::Castling(number) => castlings[usize::from(number)].short == castling.short,
        _ => false,
    };
    let length = if castling.short { "O-O" } else { "O-O-O" };
    if legal.iter().filter(as_long).count() > 1 {
        format!("{length}:{}", shape.name(castling.rook.0))
    } else {
        length.into()
    }
}

/// Reads a legal move of the position, in SAN (signs for check, mate and comment do not matter) or
/// in long algebraic form.
///
/// # Errors
/// When the text is not a move, fits no legal move, or fits several.
///
/// ```
/// use lozenge_rules::{library, notation::{san, uci}, position::AnyPosition};
/// let position = AnyPosition::start(&library::game("chess").unwrap());
/// assert_eq!(san::parse(&position, "e4").unwrap(), uci::parse(&position, "e2e4").unwrap());
/// assert!(san::parse(&position, "e5").is_err());
/// ```
pub fn parse(position: &AnyPosition, text: &str) -> Result<Move, SanError> {
    let legal = position.legal_moves();
    let role_at = |square| position.piece_at(square).map(Piece::role);
    let write = |candidate| write_bare(position, candidate, &legal);
    let game = uci::Game::from(&**position.variant());
    MoveReader { game, legal: &legal, role_at: &role_at, write: &write }.read(text)
}

/// Reads a legal move of a position of four, as [`parse`].
///
/// # Errors
/// When the text is not a move, fits no legal move, or fits several.
///
/// ```
/// use lozenge_rules::{library, notation::{san, uci}, position::AnyMultiPosition};
/// let start = AnyMultiPosition::start(&library::multi_game("diamondring-four").unwrap());
/// assert_eq!(san::parse_multi(&start, "b1"), Ok(uci::parse_multi(&start, "c1b1").unwrap()));
/// assert!(san::parse_multi(&start, "Kxa1").is_err());
/// ```
pub fn parse_multi(position: &AnyMultiPosition, text: &str) -> Result<Move, SanError> {
    let legal = position.legal_moves();
    let role_at = |square| position.piece_at(square).map(|piece| piece.role);
    let write = |candidate| write_multi(position, candidate, &legal, false);
    let game = uci::Game::from(&**position.variant());
    MoveReader { game, legal: &legal, role_at: &role_at, write: &write }.read(text)
}

/// The legal moves of a position among which a text is looked for.
struct MoveReader<'a> {
    game: uci::Game<'a>,
    legal: &'a [Move],
    role_at: &'a dyn Fn(Square) -> Option<Role>,
    /// Writes a move without the sign for check or mate.
    write: &'a dyn Fn(Move) -> String,
}

impl MoveReader<'_> {
    fn read(&self, text: &str) -> Result<Move, SanError> {
        let found = || text.chars().take(40).collect::<String>();
        let bare = text.trim().trim_end_matches(['+', '#', '!', '?']);
        let bare = bare.strip_suffix("e.p.").unwrap_or(bare).trim_end();
        if let Some(exact) = uci::find(self.game, self.legal, bare) {
            return Ok(exact);
        }
        let candidates = match self.castling_candidates(bare) {
            Some(candidates) => candidates,
            None => self.piece_candidates(bare).ok_or_else(|| SanError::Syntax {
                example: self.legal.first().map_or_else(|| "Ka1".into(), |&first| (self.write)(first)),
                found: found(),
            })?,
        };
        match candidates[..] {
            [only] => Ok(only),
            [] => Err(SanError::Illegal(found())),
            _ => Err(SanError::Ambiguous {
                found: found(),
                candidates: candidates.iter().map(|&candidate| (self.write)(candidate)).collect(),
            }),
        }
    }

    /// The castlings that a text such as `O-O` or `O-O-O:a4` means; `None` when it is no castling.
    fn castling_candidates(&self, text: &str) -> Option<Vec<Move>> {
        let text = text.replace('0', "O");
        let (length, rook) = match text.split_once(':') {
            // The zero of a rank is not the letter of castling.
            Some((length, rook)) => (length, Some(rook.replace('O', "0"))),
            None => (text.as_str(), None),
        };
        let short = match length {
            "O-O" => true,
            "O-O-O" => false,
            _ => return None,
        };
        let fits = |candidate: &&Move| match candidate.kind {
            MoveKind::Castling(number) => {
                let castling = self.game.castlings[usize::from(number)];
                castling.short == short
                    && rook.as_ref().is_none_or(|rook| self.game.shape.name(castling.rook.0) == *rook)
            }
            _ => false,
        };
        Some(self.legal.iter().filter(fits).copied().collect())
    }

    /// The moves of a piece that a text may mean; `None` when it cannot be read as a move at all.
    fn piece_candidates(&self, text: &str) -> Option<Vec<Move>> {
        let first = text.chars().next()?;
        let (role, rest) = match self.game.roles.role(first) {
            Some(role) if first.is_ascii_uppercase() => (Some(role), &text[1..]),
            _ => (None, text),
        };
        let mut readable = false;
        let mut candidates = Vec::new();
        for (start, _) in rest.char_indices() {
            let Some((to, tail)) = Coord::read(&rest[start..]) else { continue };
            let Some(promotion) = read_promotion(self.game.roles, tail) else { continue };
            let Some(origin) = Origin::read(&rest[..start]) else { continue };
            readable = true;
            let fits = |candidate: &&Move| {
                let Some(found) = (self.role_at)(candidate.from) else { return false };
                let role_fits = match role {
                    Some(role) => found == role,
                    None => self.game.roles.info(found).pawn,
                };
                role_fits
                    && !matches!(candidate.kind, MoveKind::Castling(_))
                    && self.game.shape.coord(candidate.to) == to
                    && origin.fits(self.game.shape.coord(candidate.from))
                    && match candidate.leaver() {
                        // Without its letter the move is the compound's own.
                        Some(leaver) => promotion == Some(leaver),
                        None => promotion.is_none() || candidate.promotion() == promotion,
                    }
            };
            let mut fitting: Vec<Move> = self.legal.iter().filter(fits).copied().collect();
            if promotion.is_none() {
                // Where a promotion may be declined, the move without a letter declines it.
                let declines: Vec<Move> =
                    fitting.iter().filter(|fit| fit.promotion().is_none()).copied().collect();
                fitting.retain(|fit| {
                    fit.promotion().is_none()
                        || !declines.iter().any(|other| (other.from, other.to) == (fit.from, fit.to))
                });
            }
            candidates.extend(fitting);
        }
        readable.then_some(candidates)
    }
}

/// Reads the text after the square: nothing, `=Q`, `Q` or `(Q)`. `None` for any other text.
fn read_promotion(roles: &Roles, tail: &str) -> Option<Option<Role>> {
    if tail.is_empty() {
        return Some(None);
    }
    let letter = tail.strip_prefix('=').unwrap_or(tail);
    let letter = letter.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(letter);
    let mut letters = letter.chars();
    let role = roles.role(letters.next()?.to_ascii_uppercase())?;
    letters.next().is_none().then_some(Some(role))
}

/// The file and rank of the square of origin, as far as the move gives them.
struct Origin {
    file: Option<u8>,
    rank: Option<u8>,
}

impl Origin {
    /// Reads `b`, `3`, `b3` or nothing, with a sign of moving or capture behind it.
    fn read(text: &str) -> Option<Self> {
        let text = text.strip_suffix(['x', '-', ':']).unwrap_or(text);
        let (file, digits) = match text.chars().next() {
            Some(letter @ 'a'..='p') => (Some(letter as u8 - b'a'), &text[1..]),
            _ => (None, text),
        };
        if digits.is_empty() {
            return Some(Self { file, rank: None });
        }
        let (coord, rest) = Coord::read(&format!("a{digits}")).map(|(at, rest)| (at, rest.len()))?;
        (rest == 0).then_some(Self { file, rank: Some(coord.rank) })
    }

    fn fits(&self, from: Coord) -> bool {
        self.file.is_none_or(|file| file == from.file) && self.rank.is_none_or(|rank| rank == from.rank)
    }
}

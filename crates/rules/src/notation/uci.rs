//! Long algebraic moves as UCI engines write them: from, to, promotion letter in lower case (`g7g8q`,
//! `l12a1`). Castling is written as the King's move, or as the King taking its own rook where the King's move
//! could be another one ([`CastlingInfo::by_rook`](crate::variant::CastlingInfo)). A fusion is the move onto
//! the own piece (`e4e6`); where a part leaves a compound, the letter is that of the leaving part (`e4e6r`).

use crate::geometry::{Coord, Shape, Square};
use crate::one_line::OneLine;
use crate::position::{AnyMultiPosition, AnyPosition, Move, MoveKind};
use crate::variant::{CastlingInfo, MultiVariant, Roles, Variant};
use arrayvec::ArrayString;

/// Why a text is not a legal move of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UciError {
    /// It is not a move in long algebraic form.
    #[error("expected a move such as `{example}`, found `{}`", OneLine(found))]
    Syntax {
        /// A legal move of the position, or `a1a2` if it has no legal move.
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
}

/// Most bytes of a move's text: two squares such as `p16`, and a letter in UTF-8.
pub const MAX_LENGTH: usize = 3 + 3 + 4;

/// The move in long algebraic form.
///
/// ```
/// use lozenge_rules::{library, notation::uci, position::AnyPosition};
/// let position = AnyPosition::start(&library::game("diamond").unwrap());
/// let first = position.legal_moves()[0];
/// assert_eq!(uci::parse(&position, &uci::write(position.variant(), first)), Ok(first));
/// ```
#[must_use]
pub fn write(variant: &Variant, written: Move) -> String {
    text(variant, written).as_str().to_owned()
}

/// The move of a game of four in long algebraic form.
#[must_use]
pub fn write_multi(variant: &MultiVariant, written: Move) -> String {
    text_multi(variant, written).as_str().to_owned()
}

/// As [`write_multi`], without memory of its own on the heap.
#[must_use]
pub fn text_multi(variant: &MultiVariant, written: Move) -> ArrayString<MAX_LENGTH> {
    text_of(Game::from(variant), written)
}

/// Reads a legal move of a position of four.
///
/// # Errors
/// When the text is not a move, or not a legal one.
///
/// ```
/// use lozenge_rules::{library, notation::uci, position::AnyMultiPosition};
/// let start = AnyMultiPosition::start(&library::multi_game("diamondring-four").unwrap());
/// let first = start.legal_moves()[0];
/// assert_eq!(uci::parse_multi(&start, &uci::write_multi(start.variant(), first)), Ok(first));
/// ```
pub fn parse_multi(position: &AnyMultiPosition, text: &str) -> Result<Move, UciError> {
    read_among(Game::from(&**position.variant()), &position.legal_moves(), text)
}

/// As [`parse_multi`], where the legal moves are known.
///
/// # Errors
/// When the text is not a move, or not one of these.
pub fn parse_multi_among(variant: &MultiVariant, legal: &[Move], text: &str) -> Result<Move, UciError> {
    read_among(Game::from(variant), legal, text)
}

/// As [`write()`], without memory of its own on the heap: for lists of all moves.
///
/// ```
/// use lozenge_rules::{library, notation::uci, position::AnyPosition};
/// let game = library::game("chess").unwrap();
/// let mut texts = AnyPosition::start(&game).legal_moves().into_iter().map(|legal| uci::text(&game, legal));
/// assert!(texts.any(|text| text.as_str() == "g1f3"));
/// ```
#[must_use]
pub fn text(variant: &Variant, written: Move) -> ArrayString<MAX_LENGTH> {
    text_of(Game::from(variant), written)
}

/// The properties of a game that the text of a move depends on.
#[derive(Clone, Copy)]
pub(super) struct Game<'v> {
    pub(super) shape: &'v Shape,
    pub(super) roles: &'v Roles,
    pub(super) castlings: &'v [CastlingInfo],
}

impl<'v> From<&'v Variant> for Game<'v> {
    fn from(variant: &'v Variant) -> Self {
        Self { shape: variant.shape(), roles: variant.roles(), castlings: variant.castlings() }
    }
}

impl<'v> From<&'v MultiVariant> for Game<'v> {
    fn from(variant: &'v MultiVariant) -> Self {
        Self { shape: variant.shape(), roles: variant.roles(), castlings: &variant.castlings }
    }
}

fn text_of(game: Game<'_>, written: Move) -> ArrayString<MAX_LENGTH> {
    let (from, to) = squares(game, written);
    let mut text = ArrayString::new();
    text.push_str(&game.shape.coord(from).name());
    text.push_str(&game.shape.coord(to).name());
    if let Some(letter) = letter(game, written) {
        text.push(letter);
    }
    text
}

/// The squares of a move as it is written.
fn squares(game: Game<'_>, written: Move) -> (Square, Square) {
    match written.kind {
        MoveKind::Castling(number) => game.castlings[usize::from(number)].written(),
        _ => (written.from, written.to),
    }
}

/// The letter after the squares: the role that a promotion makes, or that leaves a compound.
fn letter(game: Game<'_>, written: Move) -> Option<char> {
    let role = written.promotion().or(written.leaver())?;
    Some(game.roles.info(role).letter.to_ascii_lowercase())
}

/// Reads a legal move of the position.
///
/// # Errors
/// When the text is not a move, or not a legal one.
///
/// ```
/// use lozenge_rules::{library, notation::uci, position::AnyPosition};
/// let position = AnyPosition::start(&library::game("chess").unwrap());
/// assert!(uci::parse(&position, "e2e4").is_ok());
/// assert!(uci::parse(&position, "e2e5").is_err());
/// ```
pub fn parse(position: &AnyPosition, text: &str) -> Result<Move, UciError> {
    parse_among(position.variant(), &position.legal_moves(), text)
}

/// As [`parse`], where the legal moves are known.
///
/// # Errors
/// When the text is not a move, or not one of these.
///
/// ```
/// use lozenge_rules::{library, notation::uci, position::AnyPosition};
/// let position = AnyPosition::start(&library::game("chess").unwrap());
/// let legal = position.legal_moves();
/// assert!(uci::parse_among(position.variant(), &legal, "e2e4").is_ok());
/// let error = uci::parse_among(position.variant(), &legal, "e2e5").unwrap_err();
/// assert_eq!(error.to_string(), "expected a legal move, found `e2e5`");
/// ```
pub fn parse_among(variant: &Variant, legal: &[Move], text: &str) -> Result<Move, UciError> {
    read_among(Game::from(variant), legal, text)
}

fn read_among(game: Game<'_>, legal: &[Move], text: &str) -> Result<Move, UciError> {
    if let Some(found) = find(game, legal, text) {
        return Ok(found);
    }
    let found: String = text.chars().take(40).collect();
    if looks_like_a_move(text) {
        return Err(UciError::Illegal(found));
    }
    let example =
        legal.first().map_or_else(|| "a1a2".into(), |&legal| text_of(game, legal).as_str().to_owned());
    Err(UciError::Syntax { example, found })
}

/// The move with this text. A castling may be written as the King's move or as the King taking the rook, whichever we
/// write, as long as only one move fits.
pub(super) fn find(game: Game<'_>, legal: &[Move], text: &str) -> Option<Move> {
    let (from, rest) = Coord::read(text)?;
    let (to, rest) = Coord::read(rest)?;
    let mut letters = rest.chars();
    let (promotion, None) = (letters.next(), letters.next()) else { return None };
    let shape = game.shape;
    let fits = |candidate: &&Move| {
        let (candidate_from, candidate_to) = squares(game, **candidate);
        shape.coord(candidate_from) == from
            && shape.coord(candidate_to) == to
            && letter(game, **candidate) == promotion
    };
    let by_king_or_rook = || {
        let is_meant = |candidate: &&Move| match candidate.kind {
            MoveKind::Castling(number) => {
                let castling = game.castlings[usize::from(number)];
                let squares = [castling.king.1, castling.rook.0].map(|square| shape.coord(square));
                shape.coord(castling.king.0) == from && squares.contains(&to) && promotion.is_none()
            }
            _ => false,
        };
        let mut meant = legal.iter().filter(is_meant);
        meant.next().filter(|_| meant.next().is_none())
    };
    legal.iter().find(fits).or_else(by_king_or_rook).copied()
}

fn looks_like_a_move(text: &str) -> bool {
    let rest = Coord::read(text).and_then(|(_, rest)| Coord::read(rest)).map(|(_, rest)| rest);
    rest.is_some_and(|rest| rest.is_empty() || (rest.len() == 1 && rest.as_bytes()[0].is_ascii_lowercase()))
}

//! Games of three and four: the tables of each seat, who is hostile to whom, and what describes the game.

use super::rules::{Castling, CastlingInfo, Draws, Rules};
use super::tables::{AnyRules, by_width};
use super::{Roles, Variant};
use crate::geometry::{Shape, SquareSet};
use crate::piece::{Color, Piece, Role};
use crate::seat::{BySeat, Seat, SeatSet};
use crate::setup::multi::MultiContext;
use std::sync::Arc;

/// The tables of a game of three or four on boards of at most `64 * N` squares. Opaque outside this crate.
#[derive(Debug)]
pub struct MultiRules<const N: usize> {
    /// Red as White with each other seat as Black; with Blue for an empty seat.
    pairs: [Arc<Rules<N>>; 3],
    /// The players.
    pub(crate) seats: SeatSet,
    /// By seat, those whose pieces it captures and whose pieces give it check.
    pub(crate) hostile: BySeat<SeatSet>,
    /// Whether two teams play. The first player who goes out then ends the game.
    pub(crate) is_teams: bool,
    pub(crate) royal: Role,
    /// The castlings of all players, with the bits of their rights among all.
    pub(crate) castlings: Vec<(Seat, Castling<N>)>,
}

impl<const N: usize> MultiRules<N> {
    /// A seat's tables, and its color in them. An empty seat has those of Blue.
    #[inline]
    #[must_use]
    pub fn of(&self, seat: Seat) -> (&Rules<N>, Color) {
        let (pair, color) = pair(seat);
        (&self.pairs[pair], color)
    }

    /// The players.
    #[inline]
    #[must_use]
    pub const fn seats(&self) -> SeatSet {
        self.seats
    }

    /// Whether two teams play.
    #[must_use]
    pub const fn is_teams(&self) -> bool {
        self.is_teams
    }

    fn may_return(&self, seat: Seat, role: Role) -> bool {
        let (tables, piece) = self.piece(seat, role);
        let first = tables.info(piece).initial;
        let (mut reached, mut open) = (SquareSet::EMPTY, first);
        while let Some(from) = open.into_iter().next() {
            open.remove(from);
            let found = tables.ever_reached(piece, from);
            open |= found & !reached;
            reached |= found;
        }
        reached.meets(first)
    }

    /// A seat's tables, and in them its piece of this kind.
    #[inline]
    #[must_use]
    pub fn piece(&self, seat: Seat, role: Role) -> (&Rules<N>, Piece) {
        let (rules, color) = self.of(seat);
        (rules, Piece::new(color, role))
    }
}

/// The number of the game of two in which a seat has its place, and its color there.
const fn pair(seat: Seat) -> (usize, Color) {
    match seat {
        Seat::Red => (0, Color::White),
        Seat::Blue => (0, Color::Black),
        Seat::Yellow => (1, Color::Black),
        Seat::Green => (2, Color::Black),
    }
}

/// The castlings of each player once: whose, the game of two that has it, and its number there.
fn own_castlings(pairs: &[Variant]) -> Vec<(Seat, &Variant, usize)> {
    let mut own = Vec::new();
    for (number, pair) in pairs.iter().enumerate() {
        for (castling, info) in pair.castlings.iter().enumerate() {
            match info.color {
                Color::White if number == 0 => own.push((Seat::Red, pair, castling)),
                Color::White => {}
                Color::Black => own.extend(Seat::ALL.get(number + 1).map(|&seat| (seat, pair, castling))),
            }
        }
    }
    own
}

/// The tables of a game of three or four, by the number of words that its board needs.
#[derive(Debug)]
pub(crate) enum AnyMultiRules {
    /// At most 64 squares.
    N1(MultiRules<1>),
    /// At most 128.
    N2(MultiRules<2>),
    /// At most 192.
    N3(MultiRules<3>),
    /// At most 256.
    N4(MultiRules<4>),
}

impl AnyMultiRules {
    /// From the tables of the games of Red and each other player on the same board; `None` without such games, or where
    /// their boards differ.
    pub(super) fn new(pairs: &[Variant], hostile: BySeat<SeatSet>, is_teams: bool) -> Option<Self> {
        let seats = SeatSet::of_players(pairs.len() + 1);
        macro_rules! joined {
            ($($width:ident),*) => {
                match &*pairs.first()?.tables {
                    $(AnyRules::$width(first) => {
                        let tables = |pair: &Variant| match &*pair.tables {
                            AnyRules::$width(rules) => Some(Arc::clone(rules)),
                            _ => None,
                        };
                        let of = |number| pairs.get(number).or(pairs.first()).and_then(tables);
                        let tables = [of(0)?, of(1)?, of(2)?];
                        let mut castlings = Vec::new();
                        let mut bits = 0;
                        for (seat, pair, number) in own_castlings(pairs) {
                            let AnyRules::$width(rules) = &*pair.tables else { return None };
                            let mut castling = rules.castlings.get(number)?.clone();
                            if let Some(right) = &mut castling.right {
                                *right = 1 << bits;
                                bits += 1;
                            }
                            castlings.push((seat, castling));
                        }
                        let royal = first.royal;
                        Self::$width(MultiRules { pairs: tables, seats, hostile, is_teams, royal, castlings })
                    })*
                }
            };
        }
        Some(joined!(N1, N2, N3, N4))
    }
}

/// A game of three or four players: everything that is the same in all its positions. Immutable; shared by reference. What takes a
/// [`Variant`] plays with two players and never gets such a game.
#[derive(Debug)]
pub struct MultiVariant {
    /// The games with Red as White and each other player as Black, at least one. They have no starting position.
    pub(crate) pairs: Vec<Variant>,
    pub(crate) rules: AnyMultiRules,
    pub(crate) start: String,
    /// By number of a castling in moves.
    pub(crate) castlings: Vec<CastlingInfo>,
    /// The castling rights, in the order of their bits.
    pub(crate) rights: Vec<(Seat, char)>,
}

impl MultiVariant {
    pub(super) fn new(pairs: Vec<Variant>, rules: AnyMultiRules) -> Self {
        let mut castlings = Vec::new();
        let mut rights = Vec::new();
        for (seat, pair, number) in own_castlings(&pairs) {
            castlings.extend(pair.castlings.get(number));
            let right =
                by_width!(&*pair.tables, |rules| rules.castlings.get(number).and_then(|own| own.right));
            let letter = right.and_then(|right| pair.rights.get(right.trailing_zeros() as usize));
            rights.extend(letter.map(|letter| (seat, letter.to_ascii_uppercase())));
        }
        Self { pairs, rules, start: String::new(), castlings, rights }
    }

    /// The game of two in which Red is White and this seat Black, or Red's with Blue, also for an empty seat; and the seat's color in
    /// it. It has the board and the pieces of this game, and no starting position.
    ///
    /// ```
    /// use lozenge_rules::{library, position::Color, seat::Seat};
    /// let game = library::multi_game("diamondring-four").unwrap();
    /// let (yellow, color) = game.pair(Seat::Yellow);
    /// assert_eq!((yellow.shape().len(), color), (144, Color::Black));
    /// ```
    #[must_use]
    pub fn pair(&self, seat: Seat) -> (&Variant, Color) {
        let (pair, color) = pair(seat);
        (self.pairs.get(pair).unwrap_or(&self.pairs[0]), color)
    }

    /// The players, in the order of their turns: three or four.
    ///
    /// ```
    /// use lozenge_rules::{library, seat::Seat};
    /// let game = library::multi_game("diamondring-four").unwrap();
    /// assert!(game.seats().iter().eq(Seat::ALL));
    /// ```
    #[must_use]
    pub fn seats(&self) -> SeatSet {
        SeatSet::of_players(self.pairs.len() + 1)
    }

    /// Whether a piece with a first move could come back to a square where it has one.
    pub(super) fn may_return(&self, seat: Seat, role: Role) -> bool {
        match &self.rules {
            AnyMultiRules::N1(rules) => rules.may_return(seat, role),
            AnyMultiRules::N2(rules) => rules.may_return(seat, role),
            AnyMultiRules::N3(rules) => rules.may_return(seat, role),
            AnyMultiRules::N4(rules) => rules.may_return(seat, role),
        }
    }

    /// The properties of the game that FEN depends on.
    #[must_use]
    pub fn fen_context(&self) -> MultiContext<'_> {
        MultiContext {
            shape: self.shape(),
            letters: self.roles().letters(),
            seats: self.seats(),
            rights: &self.rights,
        }
    }

    /// Short name, for example `diamondring-four`.
    #[must_use]
    pub fn id(&self) -> &str {
        self.pairs[0].id()
    }

    /// Full name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.pairs[0].name()
    }

    /// Its inventor; may be empty.
    #[must_use]
    pub fn author(&self) -> &str {
        self.pairs[0].author()
    }

    /// When it was published.
    #[must_use]
    pub fn year(&self) -> Option<i64> {
        self.pairs[0].year()
    }

    /// Where it was published; may be empty.
    #[must_use]
    pub fn source(&self) -> &str {
        self.pairs[0].source()
    }

    /// A description in prose; may be empty.
    #[must_use]
    pub fn about(&self) -> &str {
        self.pairs[0].about()
    }

    /// How ambiguities of the published rules are read here.
    #[must_use]
    pub fn readings(&self) -> &[String] {
        self.pairs[0].readings()
    }

    /// The text of the game's file, followed by the texts of the files it extends.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        self.pairs[0].texts()
    }

    /// The board.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        self.pairs[0].shape()
    }

    /// The kinds of pieces.
    #[must_use]
    pub fn roles(&self) -> &Roles {
        self.pairs[0].roles()
    }

    /// The castlings of all players, by their numbers in moves.
    #[must_use]
    pub fn castlings(&self) -> &[CastlingInfo] {
        &self.castlings
    }

    /// Draws by repetition and count.
    #[must_use]
    pub fn draws(&self) -> Draws {
        self.pairs[0].draws()
    }

    /// The FEN of the starting position.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::multi_game("diamondring-four").unwrap();
    /// assert!(game.start().ends_with(" r - - 0 1 rbyg"));
    /// ```
    #[must_use]
    pub fn start(&self) -> &str {
        &self.start
    }

    /// Whether two teams play, Red and Yellow against Blue and Green.
    #[must_use]
    pub fn is_teams(&self) -> bool {
        match &self.rules {
            AnyMultiRules::N1(rules) => rules.is_teams,
            AnyMultiRules::N2(rules) => rules.is_teams,
            AnyMultiRules::N3(rules) => rules.is_teams,
            AnyMultiRules::N4(rules) => rules.is_teams,
        }
    }
}

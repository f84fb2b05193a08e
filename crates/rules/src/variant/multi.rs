//! Games of four: the tables of each seat, who is hostile to whom, and what describes the game.

use super::rules::{Draws, Rules};
use super::tables::AnyRules;
use super::{Roles, Variant};
use crate::geometry::Shape;
use crate::piece::{Color, Piece, Role};
use crate::seat::{BySeat, Seat, SeatSet};
use std::sync::Arc;

/// The tables of a game of four on boards of at most `64 * N` squares. Opaque outside this crate.
#[derive(Debug)]
pub struct MultiRules<const N: usize> {
    /// Red as White with each other seat as Black.
    pairs: [Arc<Rules<N>>; 3],
    /// By seat, those whose pieces it captures and whose pieces give it check.
    pub(crate) hostile: BySeat<SeatSet>,
    /// Whether two teams play. The first player who goes out then ends the game.
    pub(crate) is_teams: bool,
    pub(crate) royal: Role,
}

impl<const N: usize> MultiRules<N> {
    /// A seat's tables, and its color in them.
    #[inline]
    #[must_use]
    pub fn of(&self, seat: Seat) -> (&Rules<N>, Color) {
        let (pair, color) = pair(seat);
        (&self.pairs[pair], color)
    }

    /// Whether two teams play.
    #[must_use]
    pub const fn is_teams(&self) -> bool {
        self.is_teams
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

/// The tables of a game of four, by the number of words that its board needs.
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
    /// From the tables of three games of two on the same board; `None` if they are of several boards.
    pub(super) fn new(pairs: &[Variant; 3], hostile: BySeat<SeatSet>, is_teams: bool) -> Option<Self> {
        macro_rules! joined {
            ($($width:ident),*) => {
                match pairs.each_ref().map(|pair| AnyRules::clone(&pair.tables)) {
                    $([AnyRules::$width(blue), AnyRules::$width(yellow), AnyRules::$width(green)] => {
                        let royal = blue.royal;
                        Self::$width(MultiRules { pairs: [blue, yellow, green], hostile, is_teams, royal })
                    })*
                    _ => return None,
                }
            };
        }
        Some(joined!(N1, N2, N3, N4))
    }
}

/// A game of four players: everything that is the same in all its positions. Immutable; shared by reference. What takes a
/// [`Variant`] plays with two players and never gets such a game.
#[derive(Debug)]
pub struct MultiVariant {
    /// The games with Red as White and Blue, Yellow, Green as Black. They have no starting position.
    pub(crate) pairs: [Variant; 3],
    pub(crate) rules: AnyMultiRules,
    pub(crate) start: String,
}

impl MultiVariant {
    pub(super) const fn new(pairs: [Variant; 3], rules: AnyMultiRules) -> Self {
        Self { pairs, rules, start: String::new() }
    }

    /// The game of two in which Red is White and this seat Black, or Red's with Blue; and the seat's color in it. It has the board
    /// and the pieces of this game, and no starting position.
    ///
    /// ```
    /// use lozenge_rules::{library, position::Color, seat::Seat};
    /// let game = library::multi_game("diamondring-four").unwrap();
    /// let (yellow, color) = game.pair(Seat::Yellow);
    /// assert_eq!((yellow.shape().len(), color), (144, Color::Black));
    /// ```
    #[must_use]
    pub const fn pair(&self, seat: Seat) -> (&Variant, Color) {
        let (pair, color) = pair(seat);
        (&self.pairs[pair], color)
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

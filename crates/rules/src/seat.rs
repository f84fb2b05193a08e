//! Seats: the players of a game of three or four, tables and sets by seat, and pieces that belong to a seat or are dead. Games
//! of two players have a [`Color`](crate::piece::Color) instead.

use crate::piece::Role;

/// A player of a game of three or four, by the color of the pieces. Turns go in the order of the seats; Red begins. In a game
/// of three the last seat is empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// Moves first.
    Red,
    /// Moves second.
    Blue,
    /// Moves third.
    Yellow,
    /// Moves last.
    Green,
}

/// Most players of a game whose players have seats.
pub const SEATS: usize = 4;

impl Seat {
    /// All seats, in the order of the turns.
    pub const ALL: [Self; SEATS] = [Self::Red, Self::Blue, Self::Yellow, Self::Green];

    /// 0 for Red to 3 for Green: an index into tables by seat.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The seat whose turn comes next if all are living.
    ///
    /// ```
    /// use lozenge_rules::seat::Seat;
    /// assert_eq!(Seat::Green.next(), Seat::Red);
    /// ```
    #[inline]
    #[must_use]
    pub const fn next(self) -> Self {
        Self::ALL[(self.index() + 1) % SEATS]
    }

    /// The seat whose turn was before if all are living.
    ///
    /// ```
    /// use lozenge_rules::seat::Seat;
    /// assert_eq!(Seat::Red.previous(), Seat::Green);
    /// ```
    #[inline]
    #[must_use]
    pub const fn previous(self) -> Self {
        Self::ALL[(self.index() + SEATS - 1) % SEATS]
    }

    /// The letter in FEN: `r`, `b`, `y` or `g`.
    ///
    /// ```
    /// use lozenge_rules::seat::Seat;
    /// assert_eq!(Seat::ALL.map(Seat::letter), ['r', 'b', 'y', 'g']);
    /// ```
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Red => 'r',
            Self::Blue => 'b',
            Self::Yellow => 'y',
            Self::Green => 'g',
        }
    }

    /// The seat with this letter in FEN.
    ///
    /// ```
    /// use lozenge_rules::seat::Seat;
    /// assert_eq!(Seat::of_letter('y'), Some(Seat::Yellow));
    /// assert_eq!(Seat::of_letter('w'), None);
    /// ```
    #[must_use]
    pub fn of_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|seat| seat.letter() == letter)
    }

    /// The name in a variant file: `red`, `blue`, `yellow` or `green`.
    ///
    /// ```
    /// use lozenge_rules::seat::Seat;
    /// assert_eq!(Seat::Yellow.id(), "yellow");
    /// ```
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Blue => "blue",
            Self::Yellow => "yellow",
            Self::Green => "green",
        }
    }
}

impl core::fmt::Display for Seat {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Red => "Red",
            Self::Blue => "Blue",
            Self::Yellow => "Yellow",
            Self::Green => "Green",
        })
    }
}

/// A value for each seat, found by [`Seat`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct BySeat<T>([T; SEATS]);

impl<T> BySeat<T> {
    /// The values by seat, Red's first.
    #[inline]
    pub const fn new(values: [T; SEATS]) -> Self {
        Self(values)
    }

    /// The value that a function has for each seat.
    ///
    /// ```
    /// use lozenge_rules::seat::{BySeat, Seat};
    /// assert_eq!(BySeat::from_fn(Seat::index).iter().sum::<usize>(), 6);
    /// ```
    #[inline]
    pub fn from_fn(value: impl FnMut(Seat) -> T) -> Self {
        Self(Seat::ALL.map(value))
    }

    /// The values, Red's first.
    #[inline]
    pub fn iter(&self) -> core::slice::Iter<'_, T> {
        self.0.iter()
    }
}

impl<T> core::ops::Index<Seat> for BySeat<T> {
    type Output = T;
    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> core::ops::IndexMut<Seat> for BySeat<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

/// A set of seats, for example those of the players who are living.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SeatSet(u8);

impl SeatSet {
    /// No seat.
    pub const EMPTY: Self = Self(0);

    /// The first `count` seats: those of a game of that number of players.
    ///
    /// ```
    /// use lozenge_rules::seat::{Seat, SeatSet};
    /// assert!(SeatSet::of_players(3).iter().eq([Seat::Red, Seat::Blue, Seat::Yellow]));
    /// ```
    #[must_use]
    pub fn of_players(count: usize) -> Self {
        Seat::ALL.into_iter().take(count).collect()
    }

    /// Whether the seat is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.index() & 1 != 0
    }

    /// Adds a seat.
    #[inline]
    pub const fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.index();
    }

    /// Takes a seat away.
    #[inline]
    pub const fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat.index());
    }

    /// How many seats.
    ///
    /// ```
    /// use lozenge_rules::seat::{Seat, SeatSet};
    /// assert_eq!(SeatSet::from_iter([Seat::Red, Seat::Green]).len(), 2);
    /// ```
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats that are in both sets.
    ///
    /// ```
    /// use lozenge_rules::seat::{Seat, SeatSet};
    /// let team = SeatSet::from_iter([Seat::Red, Seat::Yellow]);
    /// let living = SeatSet::from_iter([Seat::Blue, Seat::Yellow, Seat::Green]);
    /// assert!(team.intersection(living).iter().eq([Seat::Yellow]));
    /// ```
    #[inline]
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The seats that are in this set and not in the other.
    ///
    /// ```
    /// use lozenge_rules::seat::{Seat, SeatSet};
    /// let all = SeatSet::of_players(4);
    /// assert!(all.without(SeatSet::of_players(3)).iter().eq([Seat::Green]));
    /// ```
    #[inline]
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The seats, in the order of the turns.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::ALL.into_iter().filter(move |&seat| self.contains(seat))
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut set = Self::EMPTY;
        seats.into_iter().for_each(|seat| set.insert(seat));
        set
    }
}

/// A piece in a game of three or four.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OwnedPiece {
    /// Whose it is. A piece without an owner is dead: its player has gone out. It blocks and can be captured.
    pub owner: Option<Seat>,
    /// Its kind.
    pub role: Role,
}

/// The letter that stands for the owner of a dead piece in FEN.
pub const DEAD_LETTER: char = 'd';

impl OwnedPiece {
    /// The letter of the owner in FEN: `r`, `b`, `y`, `g`, or `d` for a dead piece.
    #[must_use]
    pub const fn owner_letter(self) -> char {
        match self.owner {
            Some(seat) => seat.letter(),
            None => DEAD_LETTER,
        }
    }
}

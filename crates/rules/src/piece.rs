//! Pieces: the two sides and tables by side, the kinds of pieces of one game by number, and both together in one byte.

use arrayvec::ArrayVec;
use core::num::NonZeroU8;

/// A side. White moves first in every game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// Moves first; at the bottom or lower left.
    White,
    /// Moves second.
    Black,
}

impl Color {
    /// White, then Black.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black: an index into tables by color.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    ///
    /// ```
    /// use lozenge_rules::piece::Color;
    /// assert_eq!(Color::White.opponent(), Color::Black);
    /// ```
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// The letter in FEN: `w` or `b`.
    ///
    /// ```
    /// use lozenge_rules::piece::Color;
    /// assert_eq!(Color::White.letter(), 'w');
    /// ```
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }
}

impl core::fmt::Display for Color {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

/// A value for each side, found by [`Color`].
///
/// ```
/// use lozenge_rules::piece::{ByColor, Color};
/// let mut pieces = ByColor::new(16, 16);
/// pieces[Color::Black] -= 1;
/// assert_eq!(pieces, ByColor::new(16, 15));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ByColor<T>([T; 2]);

impl<T> ByColor<T> {
    /// White's value and Black's.
    #[inline]
    #[must_use]
    pub const fn new(white: T, black: T) -> Self {
        Self([white, black])
    }

    /// The value that a function has for each side; it is called for White first.
    ///
    /// ```
    /// use lozenge_rules::piece::{ByColor, Color};
    /// assert_eq!(ByColor::from_fn(Color::letter), ByColor::new('w', 'b'));
    /// ```
    #[inline]
    pub fn from_fn(value: impl FnMut(Color) -> T) -> Self {
        Self(Color::BOTH.map(value))
    }

    /// The same value for each side.
    ///
    /// ```
    /// use lozenge_rules::piece::ByColor;
    /// assert_eq!(ByColor::filled(0), ByColor::new(0, 0));
    /// ```
    #[inline]
    #[must_use]
    pub const fn filled(value: T) -> Self
    where
        T: Copy,
    {
        Self([value; 2])
    }

    /// The table of a function's results for each side's value. The function is called for White first.
    ///
    /// ```
    /// use lozenge_rules::piece::ByColor;
    /// assert_eq!(ByColor::new(1, 2).map(|count| count * 10), ByColor::new(10, 20));
    /// ```
    #[inline]
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> ByColor<U> {
        ByColor(self.0.map(change))
    }

    /// Each side's value by reference.
    ///
    /// ```
    /// use lozenge_rules::piece::ByColor;
    /// let names = ByColor::new("Ann".to_owned(), "Bo".to_owned());
    /// assert_eq!(names.each_ref().map(|name| name.len()), ByColor::new(3, 2));
    /// ```
    #[inline]
    #[must_use]
    pub const fn each_ref(&self) -> ByColor<&T> {
        let [white, black] = &self.0;
        ByColor([white, black])
    }

    /// Each side's value beside that of another table.
    ///
    /// ```
    /// use lozenge_rules::piece::ByColor;
    /// let both = ByColor::new('R', 'B').zip(ByColor::new(1, 2));
    /// assert_eq!(both, ByColor::new(('R', 1), ('B', 2)));
    /// ```
    #[inline]
    pub fn zip<U>(self, other: ByColor<U>) -> ByColor<(T, U)> {
        let ([white, black], [with_white, with_black]) = (self.0, other.0);
        ByColor([(white, with_white), (black, with_black)])
    }

    /// White's value and Black's, to take both apart.
    ///
    /// ```
    /// use lozenge_rules::piece::ByColor;
    /// let [white, black] = ByColor::new(16, 15).into_array();
    /// assert_eq!(white - black, 1);
    /// ```
    #[inline]
    pub fn into_array(self) -> [T; 2] {
        self.0
    }

    /// The values, White's first.
    ///
    /// ```
    /// use lozenge_rules::piece::ByColor;
    /// assert_eq!(ByColor::new(16, 15).iter().sum::<i32>(), 31);
    /// ```
    #[inline]
    pub fn iter(&self) -> core::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// The values, White's first, to change them.
    ///
    /// ```
    /// use lozenge_rules::piece::ByColor;
    /// let mut pieces = ByColor::filled(16);
    /// pieces.iter_mut().for_each(|count| *count -= 1);
    /// assert_eq!(pieces, ByColor::filled(15));
    /// ```
    #[inline]
    pub fn iter_mut(&mut self) -> core::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }
}

impl<T> core::ops::Index<Color> for ByColor<T> {
    type Output = T;
    #[inline]
    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> core::ops::IndexMut<Color> for ByColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}

impl<T> IntoIterator for ByColor<T> {
    type Item = T;
    type IntoIter = core::array::IntoIter<T, 2>;
    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a ByColor<T> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;
    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut ByColor<T> {
    type Item = &'a mut T;
    type IntoIter = core::slice::IterMut<'a, T>;
    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

/// A kind of piece: its number in the game's list of roles, which is in the order of the letters A-Z.
/// Its name is in the [`Variant`](crate::variant::Variant).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Role(u8);

/// Most roles a game may have: one for each letter.
pub const MAX_ROLES: usize = 26;

impl Role {
    /// The role with this number, below [`MAX_ROLES`].
    #[must_use]
    pub const fn new(number: u8) -> Self {
        debug_assert!((number as usize) < MAX_ROLES);
        Self(number)
    }

    /// The number as an index into tables by role.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of roles, for example those a pawn may become.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct RoleSet(u32);

impl RoleSet {
    /// No role.
    pub const EMPTY: Self = Self(0);

    /// Adds a role.
    ///
    /// ```
    /// use lozenge_rules::piece::{Role, RoleSet};
    /// let mut set = RoleSet::EMPTY;
    /// set.insert(Role::new(2));
    /// assert_eq!(set.len(), 1);
    /// ```
    pub const fn insert(&mut self, role: Role) {
        self.0 |= 1 << role.0;
    }

    /// The set less one role.
    ///
    /// ```
    /// use lozenge_rules::piece::{Role, RoleSet};
    /// let [rook, queen] = [0, 1].map(Role::new);
    /// let mut set = RoleSet::EMPTY;
    /// set.insert(rook);
    /// set.insert(queen);
    /// assert!(set.without(rook).iter().eq([queen]));
    /// ```
    #[inline]
    #[must_use]
    pub const fn without(self, role: Role) -> Self {
        Self(self.0 & !(1 << role.0))
    }

    /// Whether the role is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, role: Role) -> bool {
        self.0 >> role.0 & 1 != 0
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many roles.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The roles in rising order.
    ///
    /// ```
    /// use lozenge_rules::piece::{Role, RoleSet};
    /// let mut set = RoleSet::EMPTY;
    /// set.insert(Role::new(2));
    /// assert_eq!(set.iter().collect::<Vec<_>>(), [Role::new(2)]);
    /// ```
    pub fn iter(self) -> impl Iterator<Item = Role> {
        let mut left = self.0;
        core::iter::from_fn(move || {
            let role = (left != 0).then(|| Role(left.trailing_zeros() as u8))?;
            left &= left - 1;
            Some(role)
        })
    }
}

/// The capital letters of a game's pieces, by role.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Letters(ArrayVec<char, MAX_ROLES>);

impl Letters {
    /// All letters, in the order of the roles.
    pub fn iter(&self) -> impl Iterator<Item = char> {
        self.0.iter().copied()
    }

    /// The role with this capital letter.
    ///
    /// ```
    /// use lozenge_rules::piece::{Color, Piece, Role};
    /// let piece = Piece::new(Color::Black, Role::new(4));
    /// assert_eq!(piece.role(), Role::new(4));
    /// ```
    #[must_use]
    pub fn role(&self, letter: char) -> Option<Role> {
        self.0.iter().position(|&other| other == letter).map(|number| Role::new(number as u8))
    }

    /// The piece with this letter in FEN: capitals are White.
    ///
    /// ```
    /// use lozenge_rules::{library, piece::Color};
    /// let game = library::game("chess").unwrap();
    /// let queen = game.roles().letters().piece('q').unwrap();
    /// assert_eq!(queen.color(), Color::Black);
    /// ```
    #[must_use]
    pub fn piece(&self, letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        self.role(letter.to_ascii_uppercase()).map(|role| Piece::new(color, role))
    }

    /// The letter of a piece in FEN.
    ///
    /// # Panics
    /// When the piece is of another game.
    #[must_use]
    pub fn letter(&self, piece: Piece) -> char {
        let letter = self.0[piece.role().index()];
        match piece.color() {
            Color::White => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }
    }
}

impl FromIterator<char> for Letters {
    /// The letters of the first [`MAX_ROLES`] roles: there are no others.
    fn from_iter<I: IntoIterator<Item = char>>(letters: I) -> Self {
        Self(letters.into_iter().take(MAX_ROLES).collect())
    }
}

impl FromIterator<Role> for RoleSet {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Self {
        let mut set = Self::EMPTY;
        roles.into_iter().for_each(|role| set.insert(role));
        set
    }
}

/// A piece of one color and role. `Option<Piece>` is one byte too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// The piece of this color and role.
    #[inline]
    #[must_use]
    pub const fn new(color: Color, role: Role) -> Self {
        Self(NonZeroU8::MIN.saturating_add((role.index() * 2 + color.index()) as u8))
    }

    /// A number below `2 * MAX_ROLES`: an index into tables by color and role.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0.get() - 1) as usize
    }

    /// The color of the piece.
    ///
    /// ```
    /// use lozenge_rules::piece::{Color, Piece, Role};
    /// let piece = Piece::new(Color::Black, Role::new(4));
    /// assert_eq!(piece.color(), Color::Black);
    /// ```
    #[inline]
    #[must_use]
    pub const fn color(self) -> Color {
        if self.index() & 1 == 0 { Color::White } else { Color::Black }
    }

    /// The role of the piece.
    #[inline]
    #[must_use]
    pub const fn role(self) -> Role {
        Role::new((self.index() / 2) as u8)
    }
}

impl core::fmt::Debug for Piece {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} {:?}", self.color(), self.role())
    }
}

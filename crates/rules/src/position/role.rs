//! Roles: the kinds of pieces of one game, by number, and sets of them.

/// A kind of piece: its number in the game's list of roles, which is in the order of the letters A-Z.
/// The letter and the name are in the [`Variant`](crate::variant::Variant).
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
    pub const fn insert(&mut self, role: Role) {
        self.0 |= 1 << role.0;
    }

    /// The set less one role.
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

    /// Whether there is none.
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
    pub fn iter(self) -> impl Iterator<Item = Role> {
        let mut left = self.0;
        core::iter::from_fn(move || {
            let role = (left != 0).then(|| Role(left.trailing_zeros() as u8))?;
            left &= left - 1;
            Some(role)
        })
    }
}

impl FromIterator<Role> for RoleSet {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Self {
        let mut set = Self::EMPTY;
        roles.into_iter().for_each(|role| set.insert(role));
        set
    }
}

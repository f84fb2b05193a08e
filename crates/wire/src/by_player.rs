//! A table by player. Not here: how it is sent, except that it is a list.

use crate::player::{Color, MAX_PLAYERS};
use core::ops::{Index, IndexMut};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value for each player, found by [`Color`], in the order of the turns. In a game of two only the first two count; `N` is 2
/// where there are no others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByPlayer<T, const N: usize = MAX_PLAYERS>([T; N]);

impl<T, const N: usize> ByPlayer<T, N> {
    /// The same value for each player.
    #[must_use]
    pub const fn filled(value: T) -> Self
    where
        T: Copy,
    {
        Self([value; N])
    }

    /// The values in the order of the turns, to change them.
    pub fn iter_mut(&mut self) -> core::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }

    /// The values in the order of the turns.
    #[must_use]
    pub fn into_array(self) -> [T; N] {
        self.0
    }
}

impl<T: Default, const N: usize> Default for ByPlayer<T, N> {
    fn default() -> Self {
        Self(core::array::from_fn(|_| T::default()))
    }
}

impl<T, const N: usize> Index<Color> for ByPlayer<T, N> {
    type Output = T;

    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T, const N: usize> IndexMut<Color> for ByPlayer<T, N> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}

impl<T: Serialize> Serialize for ByPlayer<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ByPlayer<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Deserialize::deserialize(deserializer).map(Self)
    }
}

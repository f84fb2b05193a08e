//! Random numbers of a game, always the same: its file is the seed.

use lozenge_rules::library::AnyGame;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) fn of(game: &AnyGame) -> Self {
        // FNV-1a.
        let bytes = game.texts().iter().flat_map(|text| text.bytes());
        let seed = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        Self(SplitMix64::seed_from_u64(seed))
    }

    /// A number below a bound, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// A random element; `None` if the list is empty.
    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        if list.is_empty() { None } else { Some(list[self.below(list.len())]) }
    }
}

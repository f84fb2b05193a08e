//! The random number generator splitmix64 (Steele, Lea and Flood, 2014): a hash of its state, so that constants can be
//! computed from it, and the same on every machine.

/// The increment of the state: 2^64 divided by the golden ratio, made odd.
const INCREMENT: u64 = 0x9E37_79B9_7F4A_7C15;

/// A generator with this state.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        let number = mix(self.0);
        self.0 = self.0.wrapping_add(INCREMENT);
        number
    }
}

/// The first number from a state: a bijective hash.
pub(crate) const fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(INCREMENT);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_numbers_are_reproduced() {
        // The first numbers from state 0, as the reference implementation gives them.
        let mut random = Random(0);
        assert_eq!(random.next(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(random.next(), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(random.next(), 0x06C4_5D18_8009_454F);
        assert_eq!(mix(0), 0xE220_A839_7B1D_CDAF);
    }
}

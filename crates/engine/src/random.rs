//! Numbers without pattern, the same in every run and on every machine: splitmix64 (Steele, Lea and
//! Flood, 2014).

/// The odd number by which the state grows: 2^64 divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The generator, by its state.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        let drawn = scatter(self.0);
        self.0 = self.0.wrapping_add(STEP);
        drawn
    }
}

/// What the generator gives first from a state: another number for each, none like its neighbors'.
pub(crate) const fn scatter(state: u64) -> u64 {
    let mut z = state.wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_numbers_come_out() {
        // The first numbers from state 0, as the reference implementation gives them.
        let mut random = Random(0);
        assert_eq!(random.next(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(random.next(), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(random.next(), 0x06C4_5D18_8009_454F);
        assert_eq!(scatter(0), 0xE220_A839_7B1D_CDAF);
    }
}

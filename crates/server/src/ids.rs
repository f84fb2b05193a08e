//! Ids that cannot be guessed: letters and digits that are not mistaken for one another.

use rand::RngExt as _;

const ALPHABET: &[u8] = b"23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";

fn random(length: usize) -> String {
    let mut rng = rand::rng();
    (0..length).map(|_| char::from(ALPHABET[rng.random_range(0..ALPHABET.len())])).collect()
}

/// Id of a game: short enough to be read aloud, 69 bits.
pub(crate) fn game() -> String {
    random(12)
}

/// Id of a user or of anything else.
pub(crate) fn other() -> String {
    random(16)
}

/// A secret: 232 bits.
pub(crate) fn secret() -> String {
    random(40)
}

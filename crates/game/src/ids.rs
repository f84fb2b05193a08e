//! Ids that cannot be guessed: letters and digits that are not mistaken for one another.

use rand::RngExt as _;

const ALPHABET: &[u8] = b"23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";

fn random(length: usize) -> String {
    let mut rng = rand::rng();
    (0..length).map(|_| char::from(ALPHABET[rng.random_range(0..ALPHABET.len())])).collect()
}

/// Id of a game: short enough to be read aloud, 69 bits.
pub fn game() -> String {
    random(12)
}

/// Id of a chapter, unique in its study: 46 bits.
pub fn chapter() -> String {
    random(8)
}

/// Id of a user or of anything else.
pub fn other() -> String {
    random(16)
}

/// A secret: 232 bits.
pub fn secret() -> String {
    random(40)
}

/// Letters and digits of codes that people write down (Crockford's base 32): either case, no I, L, O, U.
const WRITTEN: &[u8] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

fn written(groups: usize, length: usize) -> String {
    let mut rng = rand::rng();
    let mut group = || -> String {
        (0..length).map(|_| char::from(WRITTEN[rng.random_range(0..WRITTEN.len())])).collect()
    };
    (0..groups).map(|_| group()).collect::<Vec<_>>().join("-")
}

/// A recovery code: 150 bits, in groups that can be written down.
pub fn recovery() -> String {
    written(6, 5)
}

/// A backup code of a second factor: 50 bits.
pub fn backup_code() -> String {
    written(2, 5)
}

/// Normalizes a typed code: capitals, no spaces, 0 for O, 1 for I and L.
pub fn normalized(code: &str) -> String {
    let plain = code.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_uppercase());
    plain
        .map(|c| match c {
            'O' => '0',
            'I' | 'L' => '1',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_code_is_normalized() {
        let code = recovery();
        assert_eq!(code.len(), 35);
        let typed = code.to_lowercase().replace('0', "o").replace('1', "l").replace('-', " ");
        assert_eq!(normalized(&typed), normalized(&code));
        assert_ne!(normalized(&recovery()), normalized(&code));
        assert_eq!(backup_code().len(), 11);
    }
}

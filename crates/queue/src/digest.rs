//! The digest by which jobs name the rules that they are about.

use sha2::{Digest as _, Sha256};

/// The digest of the texts of a game's rules, its own first: 64 hexadecimal digits.
#[must_use]
pub fn digest_of(texts: &[String]) -> String {
    let mut sum = Sha256::new();
    for text in texts {
        sum.update((text.len() as u64).to_le_bytes());
        sum.update(text);
    }
    sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

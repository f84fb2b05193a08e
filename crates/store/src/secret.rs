//! Secrets, of which the database has only the digests.

use sha2::{Digest as _, Sha256};

/// The digest of a secret: SHA-256, in hexadecimal digits.
pub fn secret_digest(secret: &str) -> String {
    Sha256::digest(secret).iter().map(|byte| format!("{byte:02x}")).collect()
}

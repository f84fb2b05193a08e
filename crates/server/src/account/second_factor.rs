//! The second factor: codes of an app that change every 30 seconds (TOTP, RFC 6238), and ten backup codes.

use lozenge_game::time::now_ms;
use rand::RngExt as _;
use totp_rs::{Builder, Secret, Totp};

/// The stored secret is damaged.
#[derive(Debug, thiserror::Error)]
#[error("a second factor: {0}")]
pub(crate) struct SecondFactorError(String);

/// Backup codes that are made at once.
const BACKUP_CODES: usize = 10;

/// A new secret as text: 160 bits, as RFC 4226 recommends.
pub(crate) fn new_secret() -> String {
    let bytes: [u8; 20] = rand::rng().random();
    Secret::new(Box::new(bytes)).to_base32()
}

fn totp(secret: &str, account: &str) -> Result<Totp, SecondFactorError> {
    let secret = Secret::try_from_base32(secret).map_err(broken)?;
    Builder::new()
        .with_secret(secret)
        .with_account_name(account)
        .with_issuer(Some("Lozenge"))
        .build()
        .map_err(broken)
}

fn broken(error: impl core::fmt::Display) -> SecondFactorError {
    SecondFactorError(error.to_string())
}

/// The address that apps read from a QR code.
pub(crate) fn uri(secret: &str, account: &str) -> Result<String, SecondFactorError> {
    totp(secret, account)?.to_url().map_err(broken)
}

/// The time step of a code, if it is one of this secret's: the current one, the one before or the one after.
pub(crate) fn step(secret: &str, code: &str) -> Result<Option<i64>, SecondFactorError> {
    let digits: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let seconds = u64::try_from(now_ms() / 1000).unwrap_or_default();
    Ok(totp(secret, "-")?.check(&digits, seconds).and_then(|step| i64::try_from(step).ok()))
}

/// New backup codes.
pub(crate) fn new_backup_codes() -> Vec<String> {
    (0..BACKUP_CODES).map(|_| lozenge_game::ids::backup_code()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;

    #[test]
    fn codes_match_the_standard() {
        // RFC 6238, appendix B: SHA-1, the last six of eight digits.
        let secret = Secret::new(Box::new(*b"12345678901234567890")).to_base32();
        let totp = totp(&secret, "ann").unwrap();
        for (seconds, code) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")] {
            assert_eq!(totp.check(code, seconds), Some(seconds / 30));
            assert_eq!(totp.check(code, seconds + 60), None);
        }
    }

    #[test]
    fn new_secret_gives_codes_and_an_address() {
        let secret = new_secret();
        assert_ne!(secret, new_secret());
        let now = totp(&secret, "Ann").unwrap().generate_current().to_string();
        assert!(step(&secret, &now).unwrap().is_some());
        assert!(step(&secret, &format!("{} {}", &now[..3], &now[3..])).unwrap().is_some());
        for wrong in ["", "12345", "1234567", "abcdef", "+12345"] {
            assert_eq!(step(&secret, wrong).unwrap(), None, "{wrong}");
        }
        let uri = uri(&secret, "Ann").unwrap();
        assert!(uri.starts_with("otpauth://totp/Lozenge:Ann?secret="), "{uri}");
    }
}

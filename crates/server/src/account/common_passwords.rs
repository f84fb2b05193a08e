//! Rejects common passwords, because they are guessed first.

use crate::denial::Denial;
use std::collections::HashSet;
use std::sync::LazyLock;

/// The common passwords of at least 8 characters, in lower case. They are those of zxcvbn's list of 30,000, by how often
/// they stand in published leaks (https://github.com/shssoichiro/zxcvbn-rs, MIT license, Copyright (c) 2016 Joshua Holmer).
/// The library itself needs a regex engine and lists of names and words ten times as long.
static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("../../assets/common_passwords.txt").lines().collect());

/// Checks a password that is to be chosen: 8 to 200 characters, and neither common nor the account's name, also with digits
/// and signs after it.
pub(crate) fn check_password(password: &str, name: &str) -> Result<(), Denial> {
    if !(8..=200).contains(&password.chars().count()) {
        return Err(Denial::PasswordLength);
    }
    let lower = password.to_lowercase();
    let word = lower.trim_end_matches(|c: char| !c.is_alphabetic());
    let name = name.to_lowercase();
    let is_guessable = [lower.as_str(), word]
        .iter()
        .any(|guess| COMMON.contains(guess) || (*guess == name && !name.is_empty()));
    if is_guessable { Err(Denial::CommonPassword) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::{COMMON, check_password};
    use crate::denial::Denial;

    #[test]
    fn common_passwords_are_refused() {
        assert!(COMMON.len() > 10_000);
        for password in [
            "password",
            "Password",
            "PASSWORD",
            "password1",
            "Password123!",
            "12345678",
            "qwertyuiop",
            "iloveyou",
            "baseball",
            "Annabelle",
            "annabelle99",
        ] {
            assert!(
                matches!(check_password(password, "Annabelle"), Err(Denial::CommonPassword)),
                "{password}"
            );
        }
        for password in ["short", &"x".repeat(201)] {
            assert!(matches!(check_password(password, "Ann"), Err(Denial::PasswordLength)), "{password}");
        }
        for password in ["a long password", "correct horse battery", "passwordless-sign-in", "Ann and Bob"] {
            assert!(check_password(password, "Ann").is_ok(), "{password}");
        }
    }
}

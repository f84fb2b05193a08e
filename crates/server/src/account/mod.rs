//! Accounts: passwords, the second factor, mail, statistics, bans. Not here: who sends a request.

mod mail;
mod password;
mod revocations;
pub(crate) mod second_factor;
mod statistics;

pub(crate) use mail::{CONFIRM, RESET};
pub use mail::{MailError, Mailer};
pub(crate) use password::{Passwords, Purpose};
pub(crate) use revocations::{BannedNetworks, Revocations, Revoked};
pub(crate) use statistics::statistics;

/// Whether a password may be chosen: 8 to 200 characters.
pub(crate) fn is_password(password: &str) -> bool {
    (8..=200).contains(&password.chars().count())
}

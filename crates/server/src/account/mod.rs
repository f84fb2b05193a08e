//! Accounts: passwords, the second factor, mail, statistics, bans. Not here: who sends a request.

mod common_passwords;
mod mail;
mod password;
mod revocations;
pub(crate) mod second_factor;
mod statistics;

pub(crate) use common_passwords::check_password;
pub(crate) use mail::{CONFIRM, RESET};
pub use mail::{MailError, Mailer};
pub(crate) use password::{PasswordError, Passwords, Purpose};
pub(crate) use revocations::{BannedNetworks, Revocations, Revoked};
pub(crate) use second_factor::SecondFactorError;
pub(crate) use statistics::statistics;

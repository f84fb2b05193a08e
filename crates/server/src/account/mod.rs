//! Who asks: guests, people who have signed in, programs with a token. Not here: what they may do in a game.

mod endings;
mod mail;
mod moderation;
mod password;
pub(crate) mod second_factor;
mod statistics;
mod visitor;

pub(crate) use endings::{CredentialGuard, Endings};
pub(crate) use mail::{CONFIRM, RESET};
pub use mail::{MailError, Mailer};
pub(crate) use moderation::{BannedNetworks, carry_out};
pub(crate) use password::{Passwords, Purpose};
pub(crate) use statistics::statistics;
pub(crate) use visitor::Visitor;

/// Whether a password may be chosen: 8 to 200 characters.
pub(crate) fn is_password(password: &str) -> bool {
    (8..=200).contains(&password.chars().count())
}

//! Who asks: guests, people who have signed in, programs with a token. Not here: what they may do in a game.

mod endings;
mod password;
mod statistics;
mod visitor;

pub(crate) use endings::{Endings, Watch};
pub(crate) use password::{hash, verify};
pub(crate) use statistics::statistics;
pub(crate) use visitor::Visitor;

use crate::store::UserRow;
use lozenge_wire::{Player, PlayerKind};

/// A user as a player without rating.
pub(crate) fn player(user: &UserRow) -> Player {
    let kind = match (&user.name, user.bot) {
        (None, _) => PlayerKind::Guest,
        (Some(_), 0) => PlayerKind::User,
        (Some(_), _) => PlayerKind::Bot,
    };
    let name = user.name.clone().unwrap_or_else(|| "Guest".into());
    Player { kind, id: user.id.clone(), name, rating: None, provisional: false, level: None }
}

/// Names that stand for somebody else: `me` for whoever asks.
const RESERVED: [&str; 5] = ["guest", "engine", "lozenge", "admin", "me"];

/// Whether a name may be taken: 2 to 20 letters, digits, `_` or `-`, with a letter or digit first.
pub(crate) fn is_name(name: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    (2..=20).contains(&name.len())
        && name.chars().all(inner)
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && !RESERVED.contains(&name.to_lowercase().as_str())
}

/// Whether a password may be chosen: 8 to 200 characters.
pub(crate) fn is_password(password: &str) -> bool {
    (8..=200).contains(&password.chars().count())
}

//! Names of players: guests have a number, accounts a name of their own; and what names look like. Not here: who they are.

use lozenge_wire::{Player, PlayerKind};
use sha2::{Digest as _, Sha256};
use unicode_normalization::UnicodeNormalization as _;

/// The name of a guest: `Guest 4821`. The number follows from the id, so it stays the same everywhere. No account can
/// take such a name, since names have no spaces.
pub fn guest_name(id: &str) -> String {
    let number = Sha256::digest(id).iter().take(4).fold(0u32, |number, byte| number << 8 | u32::from(*byte));
    format!("Guest {}", 1000 + number % 9000)
}

/// A player as an older version stored it, with today's name: guests had no numbers.
pub fn with_guest_number(mut player: Player) -> Player {
    if player.kind == PlayerKind::Guest && player.name == "Guest" && !player.id.is_empty() {
        player.name = guest_name(&player.id);
    }
    player
}

/// The skeleton of a name: names that a reader may confuse have the same (UTS #39), whatever their case, width and spaces.
pub fn skeleton(name: &str) -> String {
    let compatible: String = name.nfkc().collect();
    let words: Vec<&str> = compatible.split_whitespace().collect();
    let skeleton: String = unicode_security::skeleton(&words.join(" ")).collect();
    skeleton.to_lowercase()
}

/// Names that stand for the site, its engine or the person who asks (`me`).
const RESERVED: [&str; 8] =
    ["guest", "engine", "lozenge", "admin", "administrator", "moderator", "system", "me"];

/// Why a name cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// It is too short or too long, or has other characters.
    #[error("expected a name of 2 to 20 letters, digits, _ or -, beginning with a letter or digit")]
    Form,
    /// It stands for the site, its engine or a guest.
    #[error("expected another name, found one that the site reserves")]
    Reserved,
}

/// Whether an account can have such a name. Requests for any other name need not be recorded.
pub fn is_well_formed(name: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    (2..=20).contains(&name.len())
        && name.chars().all(inner)
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// Checks a name: 2 to 20 letters, digits, `_` or `-`, with a letter or digit first, and not reserved. `guest` followed
/// by a number is reserved too, since it reads like the name of a guest.
pub fn check_name(name: &str) -> Result<(), NameFault> {
    if !is_well_formed(name) {
        return Err(NameFault::Form);
    }
    let lower = name.to_lowercase();
    let after_guest = lower.strip_prefix("guest");
    let like_a_guest = after_guest.is_some_and(|rest| !rest.contains(|c: char| c.is_ascii_alphabetic()));
    let skeleton_of_name = skeleton(name);
    let is_reserved = RESERVED.contains(&lower.as_str())
        || RESERVED.iter().any(|reserved| skeleton(reserved) == skeleton_of_name);
    if like_a_guest || is_reserved { Err(NameFault::Reserved) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::{NameFault, check_name, guest_name, skeleton};

    #[test]
    fn names_that_look_alike_have_the_same_skeleton() {
        for (name, other) in [
            ("Paul", "PauI"),
            ("Paul", "paul"),
            ("Paul", "Pau1"),
            ("Bob0", "BobO"),
            ("Diamond Chess", "Diam\u{43e}nd Chess"),
            ("Diamond Chess", "Diamond\u{a0}Chess"),
            ("Diamond Chess", "diamond  chess "),
            ("Diamond Chess", "\u{ff24}iamond Chess"),
            ("Ring", "R\u{456}ng"),
        ] {
            assert_eq!(skeleton(name), skeleton(other), "{name} {other}");
        }
        for (name, other) in [("Paul", "Paula"), ("Ann", "Anne"), ("Diamond Chess", "Diamond Ring Chess")] {
            assert_ne!(skeleton(name), skeleton(other), "{name} {other}");
        }
    }

    #[test]
    fn reserved_names_differ_from_malformed_ones() {
        for name in
            ["Lozenge", "guest", "ME", "Guest4821", "guest_7", "engine", "Iozenge", "L0zenge", "adrnin"]
        {
            assert_eq!(check_name(name), Err(NameFault::Reserved), "{name}");
        }
        for name in ["a", "-ann", "Ann Lee", "Guest 4821", "a-name-of-21-letters-x", "Änne"] {
            assert_eq!(check_name(name), Err(NameFault::Form), "{name}");
        }
        for name in ["Ann", "guestbook", "lozenge_fan", "7up", "engineer"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn guest_number_has_four_digits_and_is_stable() {
        let name = guest_name("8sKq2LmNpQrSvW3x");
        assert_eq!(name, guest_name("8sKq2LmNpQrSvW3x"));
        let different: std::collections::HashSet<_> =
            (0..200).map(|id| guest_name(&id.to_string())).collect();
        assert!(different.len() > 180);
        for name in different {
            let number: u32 = name.strip_prefix("Guest ").and_then(|number| number.parse().ok()).unwrap_or(0);
            assert!((1000..=9999).contains(&number), "{name}");
        }
    }
}

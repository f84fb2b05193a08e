//! How much may be said in a game: by one person, and by all who watch, so that strangers do not drown the others out.

use super::refusal::Refusal;
use crate::store::UserRow;
use lozenge_wire::Room;

/// Lines that one person may say within [`WINDOW_MS`].
const LINES: usize = 8;
const WINDOW_MS: i64 = 20_000;

/// How long a guest is a new one.
const NEW_MS: i64 = 10 * 60_000;

/// Those who share an allowance in the spectators' room: anybody can come as a new guest, and as another one again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Crowd {
    NewGuests,
    Guests,
    Users,
}

impl Crowd {
    fn of(user: &UserRow, now: i64) -> Self {
        match (&user.name, now - user.created_at) {
            (Some(_), _) => Self::Users,
            (None, ..NEW_MS) => Self::NewGuests,
            (None, _) => Self::Guests,
        }
    }

    /// Lines that they may say in one game, together, within [`WINDOW_MS`].
    fn lines(self) -> usize {
        match self {
            Self::NewGuests => 10,
            Self::Guests => 20,
            Self::Users => 40,
        }
    }
}

/// What was said in a game lately.
#[derive(Debug, Default)]
pub(super) struct Spoken(Vec<Line>);

#[derive(Debug)]
struct Line {
    author: String,
    /// None in the players' room, which nobody else can fill.
    crowd: Option<Crowd>,
    text: String,
    at: i64,
}

impl Spoken {
    /// Whether somebody may say a line now.
    ///
    /// # Errors
    /// If they, or the others who watch, have said enough for now, or they have just said the same.
    pub(super) fn check(&mut self, user: &UserRow, room: Room, text: &str, now: i64) -> Result<(), Refusal> {
        self.0.retain(|line| now - line.at < WINDOW_MS);
        let own = || self.0.iter().filter(|line| line.author == user.id);
        if own().next_back().is_some_and(|line| line.text == text) {
            return Err(Refusal::Chat("expected another line than the one just said"));
        }
        let wait = |oldest: Option<&Line>| {
            let wait_ms = oldest.map_or(WINDOW_MS, |line| line.at + WINDOW_MS - now).max(1) as u64;
            Err(Refusal::ChatTooFast { seconds: wait_ms.div_ceil(1_000) })
        };
        if own().count() >= LINES {
            return wait(own().next());
        }
        if let Some(crowd) = Self::crowd(user, room, now) {
            let of_crowd = || self.0.iter().filter(|line| line.crowd == Some(crowd));
            if of_crowd().count() >= crowd.lines() {
                return wait(of_crowd().next());
            }
        }
        Ok(())
    }

    /// Somebody has said a line.
    pub(super) fn add(&mut self, user: &UserRow, room: Room, text: &str, now: i64) {
        let crowd = Self::crowd(user, room, now);
        self.0.push(Line { author: user.id.clone(), crowd, text: text.to_owned(), at: now });
    }

    fn crowd(user: &UserRow, room: Room, now: i64) -> Option<Crowd> {
        (room == Room::Spectators).then(|| Crowd::of(user, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(id: &str, name: Option<&str>, created_at: i64) -> UserRow {
        UserRow { id: id.into(), name: name.map(Into::into), created_at, ..UserRow::default() }
    }

    #[test]
    fn fresh_guests_do_not_flood_the_spectators() {
        let (mut spoken, now) = (Spoken::default(), NEW_MS);
        let mut say = |user: &UserRow, text: &str, at: i64| {
            let said = spoken.check(user, Room::Spectators, text, at);
            if said.is_ok() {
                spoken.add(user, Room::Spectators, text, at);
            }
            said
        };
        let flood = (0..1_600).filter(|number| {
            let at = now + number * 9_000 / 1_600;
            say(&user(&format!("guest {number}"), None, at), &format!("line {number}"), at).is_ok()
        });
        assert_eq!(flood.count(), 10);
        let later = now + 9_000;
        assert!(say(&user("regular", None, 0), "hello", later).is_ok());
        assert!(say(&user("ann", Some("Ann"), later), "hello", later).is_ok());
        let refused = say(&user("another guest", None, later), "hello", later);
        assert!(matches!(refused, Err(Refusal::ChatTooFast { seconds: 11 })), "{refused:?}");
        assert!(say(&user("another guest", None, later), "hello", now + WINDOW_MS).is_ok());
    }

    #[test]
    fn nobody_says_the_same_twice_in_a_row() {
        let (mut spoken, ann) = (Spoken::default(), user("ann", Some("Ann"), 0));
        assert!(spoken.check(&ann, Room::Players, "gg", 1).is_ok());
        spoken.add(&ann, Room::Players, "gg", 1);
        assert!(matches!(spoken.check(&ann, Room::Players, "gg", 2), Err(Refusal::Chat(_))));
        assert!(spoken.check(&ann, Room::Players, "well played", 2).is_ok());
        assert!(spoken.check(&user("bob", None, 0), Room::Players, "gg", 2).is_ok());
        assert!(spoken.check(&ann, Room::Players, "gg", 1 + WINDOW_MS).is_ok());
    }
}

//! Chat in a live game, and how much of it one person and each group of spectators may write, so that strangers do not
//! drown out the others.

use super::{GameHandle, LiveGameInner, LiveGames};
use lozenge_game::ActionError;
use lozenge_game::text::is_one_line;
use lozenge_store::{ChatRow, UserRow};
use lozenge_wire::{Event, Player, Room, Status};

/// Characters of a line.
const LINE_LENGTH: usize = 300;

/// Lines that one person may write within [`WINDOW_MS`].
const LINES: usize = 8;
const WINDOW_MS: i64 = 20_000;

/// How long a guest counts as new.
const NEW_MS: i64 = 10 * 60_000;

/// Authors who share a limit in the spectators' room: anyone can become a new guest again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AuthorGroup {
    NewGuests,
    Guests,
    Users,
}

impl AuthorGroup {
    fn of(user: &UserRow, now: i64) -> Self {
        match (&user.name, now - user.created_at) {
            (Some(_), _) => Self::Users,
            (None, ..NEW_MS) => Self::NewGuests,
            (None, _) => Self::Guests,
        }
    }

    /// Lines that the group may write in one game within [`WINDOW_MS`].
    fn lines(self) -> usize {
        match self {
            Self::NewGuests => 10,
            Self::Guests => 20,
            Self::Users => 40,
        }
    }
}

/// The recent lines of a game.
#[derive(Debug, Default)]
pub(super) struct ChatHistory(Vec<RecentLine>);

#[derive(Debug)]
struct RecentLine {
    author: String,
    /// `None` in the players' room, which only two people can fill.
    group: Option<AuthorGroup>,
    text: String,
    at: i64,
}

impl ChatHistory {
    /// Checks whether a user may write a line now.
    ///
    /// # Errors
    /// If the user or the group is at its limit, or the user's last line was the same.
    pub(super) fn check(
        &mut self,
        user: &UserRow,
        room: Room,
        text: &str,
        now: i64,
    ) -> Result<(), ActionError> {
        self.0.retain(|line| now - line.at < WINDOW_MS);
        let own = || self.0.iter().filter(|line| line.author == user.id);
        if own().next_back().is_some_and(|line| line.text == text) {
            return Err(ActionError::Chat("expected a line that differs from the previous one".into()));
        }
        let wait = |oldest: Option<&RecentLine>| {
            let wait_ms = oldest.map_or(WINDOW_MS, |line| line.at + WINDOW_MS - now).max(1) as u64;
            Err(ActionError::ChatTooFast { seconds: wait_ms.div_ceil(1_000) })
        };
        if own().count() >= LINES {
            return wait(own().next());
        }
        if let Some(group) = Self::group(user, room, now) {
            let of_group = || self.0.iter().filter(|line| line.group == Some(group));
            if of_group().count() >= group.lines() {
                return wait(of_group().next());
            }
        }
        Ok(())
    }

    /// Counts a line.
    pub(super) fn add(&mut self, user: &UserRow, room: Room, text: &str, now: i64) {
        let group = Self::group(user, room, now);
        self.0.push(RecentLine { author: user.id.clone(), group, text: text.to_owned(), at: now });
    }

    fn group(user: &UserRow, room: Room, now: i64) -> Option<AuthorGroup> {
        (room == Room::Spectators).then(|| AuthorGroup::of(user, now))
    }
}

impl LiveGames {
    pub(super) async fn chat(
        &self,
        live: &GameHandle,
        inner: &mut LiveGameInner,
        player: &Player,
        room: Room,
        text: &str,
        now: i64,
    ) -> Result<(), ActionError> {
        let side = inner.machine.side_of(&player.id);
        match (room, side.is_some(), inner.machine.status()) {
            (Room::Players, false, _) => return Err(ActionError::NotAPlayer),
            (Room::Spectators, true, Status::Started) => {
                let fault = "expected players to read the spectators only after the game";
                return Err(ActionError::Chat(fault.into()));
            }
            _ => {}
        }
        let line = text.trim();
        if line.is_empty() || line.chars().count() > LINE_LENGTH || !is_one_line(line) {
            return Err(ActionError::Chat("expected one line of 1 to 300 visible characters".into()));
        }
        let user = self.current_user(player).await?;
        if user.muted_until.is_some_and(|until| until > now) {
            return Err(ActionError::Muted);
        }
        inner.chat_history.check(&user, room, line, now)?;
        let from = user.player().name;
        let row = ChatRow {
            game: inner.machine.config.id.clone(),
            at: now,
            room,
            author: player.id.clone(),
            author_name: from.clone(),
            line: line.to_owned(),
        };
        let number = self.shared.store.save_chat(&row).await?;
        if let Err(deleted @ ActionError::NotAPlayer) = self.current_user(player).await {
            // The account was deleted while the line was being saved.
            self.shared.store.erase_author(&player.id).await?;
            self.reload_chat(inner).await?;
            return Err(deleted);
        }
        inner.chat_history.add(&user, room, line, now);
        let event = Event::Chat { number, room, from, side, text: line.to_owned(), at: now };
        inner.remember(event.clone());
        live.broadcast_chat(inner, room, &event);
        Ok(())
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
        let (mut chat_history, now) = (ChatHistory::default(), NEW_MS);
        let mut post = |user: &UserRow, text: &str, at: i64| {
            let result = chat_history.check(user, Room::Spectators, text, at);
            if result.is_ok() {
                chat_history.add(user, Room::Spectators, text, at);
            }
            result
        };
        let flood = (0..1_600).filter(|number| {
            let at = now + number * 9_000 / 1_600;
            post(&user(&format!("guest {number}"), None, at), &format!("line {number}"), at).is_ok()
        });
        assert_eq!(flood.count(), 10);
        let later = now + 9_000;
        assert!(post(&user("regular", None, 0), "hello", later).is_ok());
        assert!(post(&user("ann", Some("Ann"), later), "hello", later).is_ok());
        let refused = post(&user("another guest", None, later), "hello", later);
        assert!(matches!(refused, Err(ActionError::ChatTooFast { seconds: 11 })), "{refused:?}");
        assert!(post(&user("another guest", None, later), "hello", now + WINDOW_MS).is_ok());
    }

    #[test]
    fn repeated_chat_line_is_refused() {
        let (mut chat_history, ann) = (ChatHistory::default(), user("ann", Some("Ann"), 0));
        assert!(chat_history.check(&ann, Room::Players, "gg", 1).is_ok());
        chat_history.add(&ann, Room::Players, "gg", 1);
        assert!(matches!(chat_history.check(&ann, Room::Players, "gg", 2), Err(ActionError::Chat(_))));
        assert!(chat_history.check(&ann, Room::Players, "well played", 2).is_ok());
        assert!(chat_history.check(&user("bob", None, 0), Room::Players, "gg", 2).is_ok());
        assert!(chat_history.check(&ann, Room::Players, "gg", 1 + WINDOW_MS).is_ok());
    }
}

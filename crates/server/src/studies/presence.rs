//! Presence in an open study: its members who have it open, at this server and at others. The database stores nothing
//! of it. A server that dies sends no more, so its places expire.

use super::{LiveStudy, Studies, StudyMessage};
use lozenge_store::write_json;
use lozenge_wire::study::{StudyEvent, StudyPlace};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How often a server repeats to the others who is where.
const REPEAT_INTERVAL: Duration = Duration::from_secs(20);
/// After this long without a repetition a socket at another server counts as closed.
const REMOTE_TTL: Duration = Duration::from_secs(70);

/// A socket: the name of its server, which is empty for this one, and its number there.
type SocketId = (String, u64);

/// Where a member is by one of their sockets.
#[derive(Debug)]
struct Placed {
    socket: SocketId,
    name: String,
    place: StudyPlace,
    at: Instant,
}

/// The users who have a study open, and where its members are.
#[derive(Debug, Default)]
pub(super) struct Presence {
    /// By id, with the number of their sockets at this server.
    users: HashMap<String, usize>,
    /// The place that was reported last comes last.
    places: Vec<Placed>,
    next_socket: u64,
    repeated: Option<Instant>,
}

impl Presence {
    fn set(&mut self, socket: SocketId, name: String, place: StudyPlace, at: Instant) {
        let known = self.places.iter_mut().find(|placed| placed.socket == socket && placed.place == place);
        if let Some(placed) = known {
            // A repetition does not make it the latest.
            placed.at = at;
            return;
        }
        self.places.retain(|placed| placed.socket != socket);
        self.places.push(Placed { socket, name, place, at });
    }

    /// Returns whether the socket had a place.
    fn remove(&mut self, socket: &SocketId) -> bool {
        let before = self.places.len();
        self.places.retain(|placed| placed.socket != *socket);
        self.places.len() < before
    }

    /// Where a member was last.
    fn place_of(&self, name: &str) -> Option<&StudyPlace> {
        self.places.iter().rev().find(|placed| placed.name == name).map(|placed| &placed.place)
    }

    /// Forgets sockets of other servers that were reported last before a time; returns the names of their users.
    fn forget_remote(&mut self, before: Instant) -> HashSet<String> {
        let is_old = |placed: &Placed| !placed.socket.0.is_empty() && placed.at < before;
        let names =
            self.places.iter().filter(|placed| is_old(placed)).map(|placed| placed.name.clone()).collect();
        self.places.retain(|placed| !is_old(placed));
        names
    }

    fn event(&self, name: &str) -> Arc<str> {
        let place = self.place_of(name).cloned();
        write_json(&StudyEvent::Where { name: name.to_owned(), place }).into()
    }
}

/// Where a socket of another server is.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RemotePlace {
    study: String,
    server: String,
    socket: u64,
    name: String,
    /// `None` once it is closed.
    place: Option<StudyPlace>,
    /// Whether the others shall report their sockets, too.
    asks: bool,
}

/// A user who has a study open, until it is dropped.
pub(crate) struct PresentUser {
    studies: Studies,
    live: Arc<LiveStudy>,
    user: String,
    socket: u64,
    /// Their name, once they have a place.
    name: Option<String>,
}

impl PresentUser {
    /// They are at another place.
    pub(crate) fn move_to(&mut self, name: &str, place: StudyPlace) {
        let asks = self.name.is_none();
        self.name = Some(name.to_owned());
        let mut presence = self.live.presence();
        let socket = (String::new(), self.socket);
        presence.set(socket, name.to_owned(), place.clone(), Instant::now());
        self.live.send_place(&presence, name);
        self.studies.publish_place(&self.live, self.socket, name, Some(place), asks);
    }

    /// They have no place any more, though they may still have the study open.
    pub(crate) fn leave(&mut self) {
        let Some(name) = self.name.take() else { return };
        let mut presence = self.live.presence();
        presence.remove(&(String::new(), self.socket));
        self.live.send_place(&presence, &name);
        self.studies.publish_place(&self.live, self.socket, &name, None, false);
    }
}

impl Drop for PresentUser {
    fn drop(&mut self) {
        self.leave();
        let mut presence = self.live.presence();
        if let Some(count) = presence.users.get_mut(&self.user) {
            *count -= 1;
            if *count == 0 {
                presence.users.remove(&self.user);
            }
        }
    }
}

impl LiveStudy {
    fn presence(&self) -> MutexGuard<'_, Presence> {
        self.presence.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ids of the users who have it open at this server.
    pub(super) fn users(&self) -> HashSet<String> {
        self.presence().users.keys().cloned().collect()
    }

    /// Where its members are, as the JSON of events.
    pub(crate) fn places_of_members(&self) -> Vec<Arc<str>> {
        let presence = self.presence();
        let names: HashSet<&str> = presence.places.iter().map(|placed| placed.name.as_str()).collect();
        names.into_iter().map(|name| presence.event(name)).collect()
    }

    fn send_place(&self, presence: &Presence, name: &str) {
        // There may be no receiver.
        let _ = self.messages.send(StudyMessage::Where(presence.event(name)));
    }
}

impl Studies {
    /// A user has a study open from now on.
    pub(crate) fn enter(&self, live: &Arc<LiveStudy>, user: &str) -> PresentUser {
        let mut presence = live.presence();
        *presence.users.entry(user.to_owned()).or_default() += 1;
        presence.next_socket += 1;
        let socket = presence.next_socket;
        PresentUser {
            studies: self.clone(),
            live: Arc::clone(live),
            user: user.to_owned(),
            socket,
            name: None,
        }
    }

    fn publish_place(
        &self,
        live: &LiveStudy,
        socket: u64,
        name: &str,
        place: Option<StudyPlace>,
        asks: bool,
    ) {
        let Some(cluster) = &self.cluster else { return };
        let (study, name) = (live.id.clone(), name.to_owned());
        let server = cluster.incarnation().to_string();
        cluster.announce("place", &RemotePlace { study, server, socket, name, place, asks });
    }

    /// Publishes where the members are who have a study open at this server.
    fn publish_places(&self, live: &LiveStudy, presence: &mut Presence) {
        presence.repeated = Some(Instant::now());
        for placed in presence.places.iter().filter(|placed| placed.socket.0.is_empty()) {
            self.publish_place(live, placed.socket.1, &placed.name, Some(placed.place.clone()), false);
        }
    }

    /// Takes the place of a member at another server.
    pub(crate) fn place_remote(&self, remote: RemotePlace) {
        let Some(live) = self.lock().get(&remote.study).and_then(Weak::upgrade) else { return };
        let mut presence = live.presence();
        let before = presence.place_of(&remote.name).cloned();
        let socket = (remote.server, remote.socket);
        match remote.place {
            Some(place) => presence.set(socket, remote.name.clone(), place, Instant::now()),
            None => _ = presence.remove(&socket),
        }
        // A repetition is no news.
        if presence.place_of(&remote.name) != before.as_ref() {
            live.send_place(&presence, &remote.name);
        }
        if remote.asks {
            self.publish_places(&live, &mut presence);
        }
    }

    /// Repeats to the other servers who is where, and forgets those of servers that have stopped doing so.
    pub(super) fn refresh_places(&self, live: &LiveStudy) {
        let now = Instant::now();
        let mut presence = live.presence();
        if let Some(before) = now.checked_sub(REMOTE_TTL) {
            for name in presence.forget_remote(before) {
                live.send_place(&presence, &name);
            }
        }
        if presence.repeated.is_none_or(|repeated| now.duration_since(repeated) > REPEAT_INTERVAL) {
            self.publish_places(live, &mut presence);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn member_is_where_they_were_last() {
        let place = |chapter: &str| StudyPlace { chapter: chapter.into(), path: Vec::new() };
        let (start, here) = (Instant::now(), |socket| (String::new(), socket));
        let mut presence = Presence::default();
        presence.set(here(1), "Ann".into(), place("a"), start);
        presence.set(("other".into(), 1), "Ann".into(), place("b"), start);
        assert_eq!(presence.place_of("Ann"), Some(&place("b")), "two sockets of two servers");
        presence.set(here(1), "Ann".into(), place("c"), start);
        assert_eq!(presence.place_of("Ann"), Some(&place("c")));
        presence.set(("other".into(), 1), "Ann".into(), place("b"), start);
        assert_eq!(presence.place_of("Ann"), Some(&place("c")), "a repetition is no news");
        assert!(presence.remove(&here(1)) && !presence.remove(&here(1)));
        assert_eq!(presence.place_of("Ann"), Some(&place("b")), "the other socket is still open");
        presence.set(here(2), "Bob".into(), place("a"), start);
        let later = start + Duration::from_secs(1);
        assert_eq!(presence.forget_remote(later), HashSet::from(["Ann".into()]), "only those of others");
        assert_eq!((presence.place_of("Ann"), presence.place_of("Bob")), (None, Some(&place("a"))));
    }
}

//! Limits on counts that do harm themselves: tries of passwords and codes, new names, messages to people, open sockets and
//! streams. Not here: prices of requests (`budgets`), limits of connections (`connections`), queues (`fair_queue`).

use crate::keyed_limiter::{KeyedLimiter, TooFast};
use lozenge_game::{ClientAddress, Network};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Something that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    /// Tries of a password: from one network for one name, from one network for all names, and for one name from networks
    /// that have not signed in to it before. The last is more than one network can use up.
    Password,
    NetworkPassword,
    NamePassword,
    /// Tries of a second factor's code for one account. The client knows the password, so this locks no owner out because of
    /// strangers.
    Code,
    /// New accounts and new guests of one network: enough for a school class.
    Registration,
    NewGuest,
    /// Lines of chat of one network, in all games together.
    Chat,
    /// Reports by one user.
    Report,
    /// Mail to one address, and mail requested by one network.
    Mail,
    /// Challenges by one user, and from one network.
    Challenge,
    /// Comments on games by one user, and from one network.
    Comment,
    /// Push messages to one user.
    Push,
}

impl Counted {
    const ALL: [Self; 12] = [
        Self::Password,
        Self::NetworkPassword,
        Self::NamePassword,
        Self::Code,
        Self::Registration,
        Self::NewGuest,
        Self::Chat,
        Self::Report,
        Self::Mail,
        Self::Challenge,
        Self::Comment,
        Self::Push,
    ];

    /// How many at once, and after how many milliseconds one more.
    const fn allowance(self) -> (u32, u64) {
        match self {
            Self::Password => (10, 6_000),
            Self::NetworkPassword => (60, 1_000),
            Self::NamePassword => (120, 500),
            Self::Code => (10, 120_000),
            Self::Registration => (30, 20_000),
            Self::NewGuest => (60, 2_000),
            Self::Chat => (30, 1_000),
            Self::Report => (6, 100_000),
            Self::Mail => (3, 1_200_000),
            Self::Challenge => (20, 60_000),
            Self::Comment => (10, 30_000),
            Self::Push => (30, 20_000),
        }
    }
}

/// When to ask again for one's data while it is being sent.
const EXPORT_RETRY_S: u64 = 10;
/// Open sockets and streams of a network.
const NETWORK_STREAMS: u32 = 500;

/// By whom it is counted: a network, a name or both.
type Key = (Option<Network>, String);

/// The limits of one thing that is counted, by the factor of a network's step: 1, 2 and 4.
#[derive(Debug)]
struct Limit {
    steps: [(u32, KeyedLimiter<Key>); 3],
}

impl Limit {
    fn new(counted: Counted) -> Self {
        let (burst, every_ms) = counted.allowance();
        let every = Duration::from_millis(every_ms);
        Self { steps: [1, 2, 4].map(|factor| (factor, KeyedLimiter::new(burst, every, factor))) }
    }

    fn check(&self, factor: u32, key: &Key) -> Result<(), TooFast> {
        let limiter = self.steps.iter().find(|(step, _)| *step == factor);
        limiter.map_or(Ok(()), |(_, limiter)| limiter.spend(key, 1))
    }

    fn drop_idle(&self) {
        self.steps.iter().for_each(|(_, limiter)| limiter.drop_idle());
    }
}

/// The limits. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Limits(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    counted: [Limit; Counted::ALL.len()],
    streams: Mutex<HashMap<Network, u32>>,
    /// The users whose data is being sent.
    exporting: Mutex<HashSet<String>>,
}

impl Default for Limits {
    fn default() -> Self {
        let counted = Counted::ALL.map(Limit::new);
        Self(Arc::new(Inner { counted, streams: Mutex::default(), exporting: Mutex::default() }))
    }
}

impl Limits {
    /// One more of something, by a name alone.
    fn count(&self, counted: Counted, name: &str) -> Result<(), TooFast> {
        self.0.counted[counted as usize].check(1, &(None, name.to_owned()))
    }

    /// One more of something by a network, with a larger limit for each wider network around it.
    fn count_network(&self, counted: Counted, client: Option<Network>, name: &str) -> Result<(), TooFast> {
        // The narrowest first: a request that it refuses does not count for the wider ones.
        let mut steps = client.into_iter().flat_map(Network::steps);
        let limit = &self.0.counted[counted as usize];
        steps.try_for_each(|(network, factor)| limit.check(factor, &(Some(network), name.to_owned())))
    }

    /// One more by a user from a network.
    fn count_both(&self, counted: Counted, client: ClientAddress, user: &str) -> Result<(), TooFast> {
        self.count_network(counted, client.network_of_one(), "")?;
        self.count(counted, user)
    }

    /// One more try of a password for a name. `known`: whether a sign-in to this account has come from this
    /// network before: strangers cannot use up its tries.
    pub(crate) fn check_sign_in(
        &self,
        name: &str,
        client: ClientAddress,
        known: bool,
    ) -> Result<(), TooFast> {
        let name = name.to_lowercase();
        self.count_network(Counted::Password, Some(client.network()), &name)?;
        self.count_network(Counted::NetworkPassword, client.network_of_one(), "")?;
        if known { Ok(()) } else { self.count(Counted::NamePassword, &name) }
    }

    /// One more account.
    pub(crate) fn check_registration(&self, client: ClientAddress) -> Result<(), TooFast> {
        self.count_network(Counted::Registration, client.network_of_one(), "")
    }

    /// One more guest.
    pub(crate) fn check_new_guest(&self, client: ClientAddress) -> Result<(), TooFast> {
        self.count_network(Counted::NewGuest, client.network_of_one(), "")
    }

    /// One more line of chat.
    pub(crate) fn check_chat(&self, client: ClientAddress) -> Result<(), TooFast> {
        self.count_network(Counted::Chat, client.network_of_one(), "")
    }

    /// One more report by a user.
    pub(crate) fn check_report(&self, user: &str) -> Result<(), TooFast> {
        self.count(Counted::Report, user)
    }

    /// One more try of a second factor's code.
    pub(crate) fn check_code(&self, user: &str) -> Result<(), TooFast> {
        self.count(Counted::Code, user)
    }

    /// One more letter to an e-mail address.
    pub(crate) fn check_mail(&self, email: &str, client: ClientAddress) -> Result<(), TooFast> {
        self.count_both(Counted::Mail, client, &email.to_lowercase())
    }

    /// One more challenge by a user.
    pub(crate) fn check_challenge(&self, user: &str, client: ClientAddress) -> Result<(), TooFast> {
        self.count_both(Counted::Challenge, client, user)
    }

    /// One more push message to a user.
    pub(crate) fn check_push(&self, user: &str) -> Result<(), TooFast> {
        self.count(Counted::Push, user)
    }

    /// One more comment on a game by a user.
    pub(crate) fn check_comment(&self, user: &str, client: ClientAddress) -> Result<(), TooFast> {
        self.count_both(Counted::Comment, client, user)
    }

    /// One more socket or stream, until the answer is dropped.
    pub(crate) fn open_stream(&self, client: ClientAddress) -> Result<OpenStream, TooFast> {
        let networks: Vec<(Network, u32)> =
            client.network_of_one().into_iter().flat_map(Network::steps).collect();
        let mut open = self.0.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |(network, factor): &(Network, u32)| {
            open.get(network).is_some_and(|count| *count >= NETWORK_STREAMS * factor)
        };
        if networks.iter().any(full) {
            return Err(TooFast { seconds: 10 });
        }
        for (network, _) in &networks {
            *open.entry(*network).or_default() += 1;
        }
        let networks = networks.into_iter().map(|(network, _)| network).collect();
        Ok(OpenStream { limits: self.clone(), networks })
    }

    /// Begins to send a user's data: only once at a time.
    pub(crate) fn begin_export(&self, user: &str) -> Result<RunningExport, TooFast> {
        let mut exporting = self.0.exporting.lock().unwrap_or_else(PoisonError::into_inner);
        if !exporting.insert(user.to_owned()) {
            return Err(TooFast { seconds: EXPORT_RETRY_S });
        }
        Ok(RunningExport { limits: self.clone(), user: user.to_owned() })
    }

    /// Deletes the entries of idle clients.
    pub(crate) fn drop_idle(&self) {
        self.0.counted.iter().for_each(Limit::drop_idle);
    }
}

/// A user's data that is being sent; dropped when it is.
#[derive(Debug)]
pub(crate) struct RunningExport {
    limits: Limits,
    user: String,
}

impl Drop for RunningExport {
    fn drop(&mut self) {
        let mut exporting = self.limits.0.exporting.lock().unwrap_or_else(PoisonError::into_inner);
        exporting.remove(&self.user);
    }
}

/// An open socket or stream; dropped when it is closed.
#[derive(Debug)]
pub(crate) struct OpenStream {
    limits: Limits,
    networks: Vec<Network>,
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut open = self.limits.0.streams.lock().unwrap_or_else(PoisonError::into_inner);
        for network in &self.networks {
            if let Some(count) = open.get_mut(network) {
                *count -= 1;
                if *count == 0 {
                    open.remove(network);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    fn at(address: impl Into<IpAddr>) -> ClientAddress {
        ClientAddress { address: address.into(), shared: false }
    }

    /// An address of a /56 of IPv6, by the number of its /64.
    fn inside(network: u8, last: u16) -> ClientAddress {
        at([0x2001, 0xdb8, 0, 0x100 | u16::from(network), 0, 0, 0, last])
    }

    #[test]
    fn name_allows_ten_sign_in_tries_in_any_case() {
        let (limits, here) = (Limits::default(), at([192, 0, 2, 7]));
        for _ in 0..10 {
            limits.check_sign_in("Ann", here, false).expect("within the limit");
        }
        assert!(matches!(limits.check_sign_in("ann", here, false), Err(TooFast { seconds: 1.. })));
        limits.check_sign_in("bob", here, false).expect("another name");
    }

    #[test]
    fn attackers_cannot_lock_out_the_owner_or_add_up_tries() {
        let limits = Limits::default();
        let tries = |client| (0..200).filter(|_| limits.check_sign_in("ann", client, false).is_ok()).count();
        assert_eq!(tries(at([192, 0, 2, 1])), 10);
        limits.check_sign_in("ann", at([192, 0, 2, 2]), false).expect("the owner, from elsewhere");
        // One network of 24 bits is allowed four times as much as one address, not 256 times.
        let all: usize = (3..100).map(|last| tries(at([192, 0, 2, last]))).sum();
        assert!(all < 40, "{all} tries of one network");
        // Many networks use up the name's tries; the owner, from where they have signed in before, is not concerned.
        let all: usize = (0..30).map(|third| tries(at([198, 51, third, 1]))).sum();
        assert!(all < 130, "{all} tries of one name");
        let owner = at([203, 0, 113, 5]);
        assert!(limits.check_sign_in("ann", owner, false).is_err());
        limits.check_sign_in("ann", owner, true).expect("a known network");
        // Nor does one address try the names of all.
        let names = |name: &i32| limits.check_sign_in(&name.to_string(), at([192, 0, 3, 200]), false).is_ok();
        assert!((60..90).contains(&(0..200).filter(names).count()));
    }

    #[test]
    fn one_ipv6_56_does_not_exhaust_the_tries_of_a_name() {
        let limits = Limits::default();
        let tries = (0..16).flat_map(|network| (0..10).map(move |last| inside(network, last)));
        let tried = tries.filter(|client| limits.check_sign_in("bob", *client, false).is_ok()).count();
        assert!((20..30).contains(&tried), "{tried} tries of one /56");
        limits.check_sign_in("bob", at([203, 0, 113, 5]), false).expect("the owner, from their own address");
    }

    #[test]
    fn sockets_and_streams_of_a_network_are_bounded() {
        let limits = Limits::default();
        let mut open: Vec<_> =
            (0..3 * NETWORK_STREAMS).map_while(|_| limits.open_stream(at([192, 0, 2, 7])).ok()).collect();
        assert_eq!(open.len(), NETWORK_STREAMS as usize);
        limits.open_stream(at([192, 0, 2, 8])).expect("another client");
        open.pop();
        limits.open_stream(at([192, 0, 2, 7])).expect("one was closed");
        drop(open);
        assert!(limits.0.streams.lock().expect("whole").is_empty());
    }
}

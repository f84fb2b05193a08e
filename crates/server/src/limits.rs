//! Rate limits (`governor`) by network, session and name. Not here: limits of connections (`cli`), queues
//! (`fair_queue`).

use crate::error::AppError;
use crate::network::{ClientAddress, Network};
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A burst, and the time after which one more is allowed.
#[derive(Clone, Copy)]
struct Allowance {
    burst: u32,
    every: Duration,
}

const fn allow(burst: u32, every_ms: u64) -> Allowance {
    Allowance { burst, every: Duration::from_millis(every_ms) }
}

/// Requests that write, of one user or token.
const WRITES: Allowance = allow(300, 33);
/// The same of one network with any cookies and tokens, which clients can invent: many people may share it.
const NETWORK_WRITES: Allowance = allow(3_000, 3);
/// Requests that read: a page takes up to thirty of them, and a school may have one address.
const NETWORK_READS: Allowance = allow(2_000, 10);
/// Password attempts: from one network for one name, from one network for all names, and for one name from
/// networks that have not signed in to it before. The last is more than one network can use up.
const PASSWORDS: Allowance = allow(10, 6_000);
const NETWORK_PASSWORDS: Allowance = allow(60, 1_000);
const NAME_PASSWORDS: Allowance = allow(120, 500);
/// New accounts and new guests of one network: enough for a school class.
const REGISTRATIONS: Allowance = allow(30, 20_000);
const NEW_GUESTS: Allowance = allow(60, 2_000);
/// Lines of chat of one network, in all games together.
const NETWORK_CHAT: Allowance = allow(30, 1_000);
/// Reports of lines of chat by one user.
const REPORTS: Allowance = allow(6, 100_000);

/// Attempts of a second factor's code for one account. The client knows the password, so this locks no owner out because of
/// strangers.
const CODES: Allowance = allow(10, 120_000);

/// Mail to one address, and mail requested by one network.
const MAILS: Allowance = allow(3, 1_200_000);

/// Exports of games by one user, and by those without an account from one network.
const EXPORTS: Allowance = allow(10, 20_000);
/// Challenges by one user, and from one network.
const CHALLENGES: Allowance = allow(20, 60_000);
/// Searches of positions for one user, and for those without a session from one network; and for one network in all.
/// Stepping through a game starts one with every move.
const ANALYSES: Allowance = allow(120, 500);
const NETWORK_ANALYSES: Allowance = allow(600, 100);
/// Reviews of games for one user, and for one network: each takes a minute of the engine's time.
const REVIEWS: Allowance = allow(20, 600_000);
const NETWORK_REVIEWS: Allowance = allow(100, 120_000);
/// Attempts at puzzles and hints for one user, and for one network: a quick solver makes a move a second.
const PUZZLES: Allowance = allow(120, 500);
const NETWORK_PUZZLES: Allowance = allow(600, 100);
/// Variant files to be checked, from one network: an editor sends one after each pause in typing.
const VARIANT_CHECKS: Allowance = allow(60, 500);
/// Published versions by one user, and from one network.
const PUBLICATIONS: Allowance = allow(20, 30_000);
/// Comments on games by one user, and from one network.
const COMMENTS: Allowance = allow(10, 30_000);
/// New studies, chapters and imports by one user, and from one network; and edits of chapters by one user.
const STUDIES: Allowance = allow(60, 10_000);
const STUDY_EDITS: Allowance = allow(1_000, 100);
/// Push messages to one user.
const PUSHES: Allowance = allow(30, 20_000);

/// Open sockets and streams of a network.
const NETWORK_STREAMS: u32 = 500;

/// A limit for each key.
#[derive(Debug)]
struct Limit<K: Clone + Eq + Hash + Debug> {
    limiter: DefaultKeyedRateLimiter<K>,
    clock: DefaultClock,
}

impl<K: Clone + Eq + Hash + Debug> Limit<K> {
    fn new(allowance: Allowance, factor: u32) -> Self {
        let burst = NonZeroU32::new(allowance.burst * factor).unwrap_or(NonZeroU32::MIN);
        let quota =
            Quota::with_period(allowance.every / factor).unwrap_or(Quota::per_second(NonZeroU32::MIN));
        Self { limiter: RateLimiter::keyed(quota.allow_burst(burst)), clock: DefaultClock::default() }
    }

    fn check(&self, key: &K) -> Result<(), AppError> {
        self.limiter.check_key(key).map_err(|until| {
            let wait = until.wait_time_from(self.clock.now());
            AppError::Slow(wait.as_secs() + 1)
        })
    }

    fn retain_recent(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }
}

/// A limit for each network and key, with larger ones for the wider networks around it.
#[derive(Debug)]
struct NetworkLimit<K: Clone + Eq + Hash + Debug> {
    /// By the factor of the step: 1, 2 and 4.
    steps: [(u32, Limit<(Network, K)>); 3],
}

impl<K: Clone + Eq + Hash + Debug> NetworkLimit<K> {
    fn new(allowance: Allowance) -> Self {
        Self { steps: [1, 2, 4].map(|factor| (factor, Limit::new(allowance, factor))) }
    }

    fn check(&self, network: Network, key: &K) -> Result<(), AppError> {
        // The narrowest first: a request that it refuses does not count for the wider ones.
        for (network, factor) in network.steps() {
            if let Some((_, limit)) = self.steps.iter().find(|(step, _)| *step == factor) {
                limit.check(&(network, key.clone()))?;
            }
        }
        Ok(())
    }

    fn retain_recent(&self) {
        self.steps.iter().for_each(|(_, limit)| limit.retain_recent());
    }
}

/// The limits. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Limits(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    writes: Limit<String>,
    network_writes: NetworkLimit<()>,
    network_reads: NetworkLimit<()>,
    passwords: NetworkLimit<String>,
    network_passwords: NetworkLimit<()>,
    name_passwords: Limit<String>,
    registrations: NetworkLimit<()>,
    new_guests: NetworkLimit<()>,
    network_chat: NetworkLimit<()>,
    reports: Limit<String>,
    codes: Limit<String>,
    mails: Limit<String>,
    network_mails: NetworkLimit<()>,
    exports: Limit<String>,
    challenges: Limit<String>,
    network_challenges: NetworkLimit<()>,
    pushes: Limit<String>,
    analyses: Limit<String>,
    network_analyses: NetworkLimit<()>,
    reviews: Limit<String>,
    network_reviews: NetworkLimit<()>,
    puzzles: Limit<String>,
    network_puzzles: NetworkLimit<()>,
    variant_checks: NetworkLimit<()>,
    publications: Limit<String>,
    network_publications: NetworkLimit<()>,
    comments: Limit<String>,
    network_comments: NetworkLimit<()>,
    studies: Limit<String>,
    network_studies: NetworkLimit<()>,
    study_edits: Limit<String>,
    streams: Mutex<HashMap<Network, u32>>,
}

impl Default for Limits {
    fn default() -> Self {
        Self(Arc::new(Inner {
            writes: Limit::new(WRITES, 1),
            network_writes: NetworkLimit::new(NETWORK_WRITES),
            network_reads: NetworkLimit::new(NETWORK_READS),
            passwords: NetworkLimit::new(PASSWORDS),
            network_passwords: NetworkLimit::new(NETWORK_PASSWORDS),
            name_passwords: Limit::new(NAME_PASSWORDS, 1),
            registrations: NetworkLimit::new(REGISTRATIONS),
            new_guests: NetworkLimit::new(NEW_GUESTS),
            network_chat: NetworkLimit::new(NETWORK_CHAT),
            reports: Limit::new(REPORTS, 1),
            codes: Limit::new(CODES, 1),
            mails: Limit::new(MAILS, 1),
            network_mails: NetworkLimit::new(MAILS),
            exports: Limit::new(EXPORTS, 1),
            challenges: Limit::new(CHALLENGES, 1),
            network_challenges: NetworkLimit::new(CHALLENGES),
            pushes: Limit::new(PUSHES, 1),
            analyses: Limit::new(ANALYSES, 1),
            network_analyses: NetworkLimit::new(NETWORK_ANALYSES),
            reviews: Limit::new(REVIEWS, 1),
            network_reviews: NetworkLimit::new(NETWORK_REVIEWS),
            puzzles: Limit::new(PUZZLES, 1),
            network_puzzles: NetworkLimit::new(NETWORK_PUZZLES),
            variant_checks: NetworkLimit::new(VARIANT_CHECKS),
            publications: Limit::new(PUBLICATIONS, 1),
            network_publications: NetworkLimit::new(PUBLICATIONS),
            comments: Limit::new(COMMENTS, 1),
            network_comments: NetworkLimit::new(COMMENTS),
            studies: Limit::new(STUDIES, 1),
            network_studies: NetworkLimit::new(STUDIES),
            study_edits: Limit::new(STUDY_EDITS, 1),
            streams: Mutex::default(),
        }))
    }
}

impl Limits {
    /// One more request that only reads.
    pub(crate) fn check_read(&self, client: ClientAddress) -> Result<(), AppError> {
        by_network(&self.0.network_reads, client)
    }

    /// One more request that changes something, by the owner of its session or token. These can be made
    /// up, so its network is counted as well.
    pub(crate) fn check_write(
        &self,
        credentials: &[Option<&str>],
        client: ClientAddress,
    ) -> Result<(), AppError> {
        by_network(&self.0.network_writes, client)?;
        if credentials.iter().all(Option::is_none) {
            return self.0.writes.check(&client.network().to_string());
        }
        // Sessions and tokens are shorter than this, and only what is made up is longer.
        let key = |credential: &str| credential.chars().take(100).collect::<String>();
        credentials.iter().flatten().try_for_each(|credential| self.0.writes.check(&key(credential)))
    }

    /// One more try of a password for a name. `known`: whether a sign-in to this account has come from this
    /// network before: strangers cannot use up its tries.
    pub(crate) fn check_sign_in(
        &self,
        name: &str,
        client: ClientAddress,
        known: bool,
    ) -> Result<(), AppError> {
        let name = name.to_lowercase();
        self.0.passwords.check(client.network(), &name)?;
        by_network(&self.0.network_passwords, client)?;
        if known { Ok(()) } else { self.0.name_passwords.check(&name) }
    }

    /// One more account.
    pub(crate) fn check_registration(&self, client: ClientAddress) -> Result<(), AppError> {
        by_network(&self.0.registrations, client)
    }

    /// One more guest.
    pub(crate) fn check_new_guest(&self, client: ClientAddress) -> Result<(), AppError> {
        by_network(&self.0.new_guests, client)
    }

    /// One more line of chat.
    pub(crate) fn check_chat(&self, client: ClientAddress) -> Result<(), AppError> {
        by_network(&self.0.network_chat, client)
    }

    /// One more report by a user.
    pub(crate) fn check_report(&self, user: &str) -> Result<(), AppError> {
        self.0.reports.check(&user.to_owned())
    }

    /// One more try of a second factor's code.
    pub(crate) fn check_code(&self, user: &str) -> Result<(), AppError> {
        self.0.codes.check(&user.to_owned())
    }

    /// One more letter to an e-mail address.
    pub(crate) fn check_mail(&self, email: &str, client: ClientAddress) -> Result<(), AppError> {
        by_network(&self.0.network_mails, client)?;
        self.0.mails.check(&email.to_lowercase())
    }

    /// One more export of games by a user, or from a network.
    pub(crate) fn check_export(&self, user: Option<&str>, client: ClientAddress) -> Result<(), AppError> {
        self.0.exports.check(&user.map_or_else(|| client.network().to_string(), str::to_owned))
    }

    /// One more challenge by a user.
    pub(crate) fn check_challenge(&self, user: &str, client: ClientAddress) -> Result<(), AppError> {
        by_network(&self.0.network_challenges, client)?;
        self.0.challenges.check(&user.to_owned())
    }

    /// One more push message to a user.
    pub(crate) fn check_push(&self, user: &str) -> Result<(), AppError> {
        self.0.pushes.check(&user.to_owned())
    }

    /// One more search of a position for a user, or from a network.
    pub(crate) fn check_analysis(&self, user: Option<&str>, client: ClientAddress) -> Result<(), AppError> {
        by_network(&self.0.network_analyses, client)?;
        self.0.analyses.check(&user.map_or_else(|| client.network().to_string(), str::to_owned))
    }

    /// One more review of a game for a user.
    pub(crate) fn check_review(&self, user: &str, client: ClientAddress) -> Result<(), AppError> {
        by_network(&self.0.network_reviews, client)?;
        self.0.reviews.check(&user.to_owned())
    }

    /// One more attempt at a puzzle, or hint, of a user or from a network.
    pub(crate) fn check_puzzle(&self, user: Option<&str>, client: ClientAddress) -> Result<(), AppError> {
        by_network(&self.0.network_puzzles, client)?;
        self.0.puzzles.check(&user.map_or_else(|| client.network().to_string(), str::to_owned))
    }

    /// One more variant file to be checked.
    pub(crate) fn check_variant_check(&self, client: ClientAddress) -> Result<(), AppError> {
        by_network(&self.0.variant_checks, client)
    }

    /// One more published version by a user.
    pub(crate) fn check_publication(&self, user: &str, client: ClientAddress) -> Result<(), AppError> {
        by_network(&self.0.network_publications, client)?;
        self.0.publications.check(&user.to_owned())
    }

    /// One more comment on a game by a user.
    pub(crate) fn check_comment(&self, user: &str, client: ClientAddress) -> Result<(), AppError> {
        by_network(&self.0.network_comments, client)?;
        self.0.comments.check(&user.to_owned())
    }

    /// One more study, chapter or import by a user.
    pub(crate) fn check_study(&self, user: &str, client: ClientAddress) -> Result<(), AppError> {
        by_network(&self.0.network_studies, client)?;
        self.0.studies.check(&user.to_owned())
    }

    /// More edits of chapters by a user.
    pub(crate) fn check_study_edits(&self, user: &str, count: u32) -> Result<(), AppError> {
        (0..count).try_for_each(|_| self.0.study_edits.check(&user.to_owned()))
    }

    /// One more socket or stream, until the answer is dropped.
    pub(crate) fn open_stream(&self, client: ClientAddress) -> Result<OpenStream, AppError> {
        let networks: Vec<(Network, u32)> =
            client.network_of_one().into_iter().flat_map(Network::steps).collect();
        let mut open = self.0.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |(network, factor): &(Network, u32)| {
            open.get(network).is_some_and(|count| *count >= NETWORK_STREAMS * factor)
        };
        if networks.iter().any(full) {
            return Err(AppError::Slow(10));
        }
        for (network, _) in &networks {
            *open.entry(*network).or_default() += 1;
        }
        let networks = networks.into_iter().map(|(network, _)| network).collect();
        Ok(OpenStream { limits: self.clone(), networks })
    }

    /// Forgets those who have been quiet.
    pub(crate) fn drop_idle(&self) {
        let Inner {
            writes,
            network_writes,
            network_reads,
            passwords,
            network_passwords,
            name_passwords,
            registrations,
            new_guests,
            network_chat,
            reports,
            codes,
            mails,
            network_mails,
            exports,
            challenges,
            network_challenges,
            pushes,
            analyses,
            network_analyses,
            reviews,
            network_reviews,
            puzzles,
            network_puzzles,
            variant_checks,
            publications,
            network_publications,
            comments,
            network_comments,
            studies,
            network_studies,
            study_edits,
            streams: _,
        } = &*self.0;
        [
            writes,
            name_passwords,
            reports,
            codes,
            mails,
            exports,
            challenges,
            pushes,
            analyses,
            reviews,
            puzzles,
            publications,
            comments,
            studies,
            study_edits,
        ]
        .iter()
        .for_each(|limit| limit.retain_recent());
        passwords.retain_recent();
        [
            network_writes,
            network_reads,
            network_passwords,
            registrations,
            new_guests,
            network_chat,
            network_mails,
            network_challenges,
            network_analyses,
            network_reviews,
            network_puzzles,
            variant_checks,
            network_publications,
            network_comments,
            network_studies,
        ]
        .iter()
        .for_each(|limit| limit.retain_recent());
    }
}

fn by_network(limit: &NetworkLimit<()>, client: ClientAddress) -> Result<(), AppError> {
    client.network_of_one().map_or(Ok(()), |network| limit.check(network, &()))
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
    fn forged_cookies_do_not_evade_the_write_limit() {
        let limits = Limits::default();
        let write = |number: u32, client| limits.check_write(&[Some(&format!("session {number}"))], client);
        let other_client = at([192, 0, 2, 7]);
        assert!((0..4_000).filter(|number| write(*number, other_client).is_err()).count() > 100);
        for number in 0..4_000 {
            let client = ClientAddress { shared: true, ..other_client };
            write(number, client).expect("another client");
        }
    }

    #[test]
    fn name_allows_ten_sign_in_tries_in_any_case() {
        let (limits, here) = (Limits::default(), at([192, 0, 2, 7]));
        for _ in 0..10 {
            limits.check_sign_in("Ann", here, false).expect("within the limit");
        }
        assert!(matches!(limits.check_sign_in("ann", here, false), Err(AppError::Slow(1..))));
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

//! How much one may ask for in how little time (`governor`): requests by address or user, passwords by name and address.

use crate::error::AppError;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

const fn number(number: u32) -> NonZeroU32 {
    match NonZeroU32::new(number) {
        Some(number) => number,
        None => NonZeroU32::MIN,
    }
}

/// Requests of one user, token or address in a second on average, and at once.
const REQUESTS_PER_SECOND: NonZeroU32 = number(30);
const REQUESTS_AT_ONCE: NonZeroU32 = number(300);
/// Requests of one address with whatever cookies and tokens: many people may share one.
const ADDRESS_PER_SECOND: NonZeroU32 = number(300);
const ADDRESS_AT_ONCE: NonZeroU32 = number(3_000);
/// Tries of a password in a minute: from one address for one name, from one address for whatever names, and for one name
/// from whatever addresses. No single stranger can use up the last, which would keep the name's owner out.
const PASSWORDS_PER_MINUTE: NonZeroU32 = number(10);
const PASSWORDS_OF_ADDRESS: NonZeroU32 = number(60);
const PASSWORDS_OF_NAME: NonZeroU32 = number(120);

/// Reports of lines of chat by one user: so many at once, and one more after each such time.
const REPORTS_AT_ONCE: NonZeroU32 = number(6);
const REPORT_EVERY: Duration = Duration::from_secs(100);

/// Tries of a second factor's code for one account: so many at once, and one more after each such time. Whoever tries
/// knows the password, so this keeps no owner out because of strangers.
const CODES_AT_ONCE: NonZeroU32 = number(10);
const CODE_EVERY: Duration = Duration::from_secs(120);

/// Letters to one e-mail address, and those that one network may have sent: so many at once, and one more after each
/// such time.
const MAILS_AT_ONCE: NonZeroU32 = number(3);
const MAIL_EVERY: Duration = Duration::from_secs(1_200);

/// The limits. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    requests: Arc<DefaultKeyedRateLimiter<String>>,
    addresses: Arc<DefaultKeyedRateLimiter<String>>,
    passwords: Arc<DefaultKeyedRateLimiter<String>>,
    passwords_of_addresses: Arc<DefaultKeyedRateLimiter<String>>,
    passwords_of_names: Arc<DefaultKeyedRateLimiter<String>>,
    reports: Arc<DefaultKeyedRateLimiter<String>>,
    codes: Arc<DefaultKeyedRateLimiter<String>>,
    mails: Arc<DefaultKeyedRateLimiter<String>>,
    clock: DefaultClock,
}

impl Default for Limits {
    fn default() -> Self {
        let requests = Quota::per_second(REQUESTS_PER_SECOND).allow_burst(REQUESTS_AT_ONCE);
        let addresses = Quota::per_second(ADDRESS_PER_SECOND).allow_burst(ADDRESS_AT_ONCE);
        let reports = Quota::with_period(REPORT_EVERY).unwrap_or(Quota::per_minute(number(1)));
        let codes = Quota::with_period(CODE_EVERY).unwrap_or(Quota::per_minute(number(1)));
        let mails = Quota::with_period(MAIL_EVERY).unwrap_or(Quota::per_minute(number(1)));
        Self {
            mails: Arc::new(RateLimiter::keyed(mails.allow_burst(MAILS_AT_ONCE))),
            codes: Arc::new(RateLimiter::keyed(codes.allow_burst(CODES_AT_ONCE))),
            reports: Arc::new(RateLimiter::keyed(reports.allow_burst(REPORTS_AT_ONCE))),
            requests: Arc::new(RateLimiter::keyed(requests)),
            addresses: Arc::new(RateLimiter::keyed(addresses)),
            passwords: Arc::new(RateLimiter::keyed(Quota::per_minute(PASSWORDS_PER_MINUTE))),
            passwords_of_addresses: Arc::new(RateLimiter::keyed(Quota::per_minute(PASSWORDS_OF_ADDRESS))),
            passwords_of_names: Arc::new(RateLimiter::keyed(Quota::per_minute(PASSWORDS_OF_NAME))),
            clock: DefaultClock::default(),
        }
    }
}

impl Limits {
    /// One more request that changes something, by whoever its session and its token say it is by. These can be made
    /// up, so its address is counted as well, where there is one that does not stand for everybody.
    pub(crate) fn check_request(
        &self,
        who: &[Option<&str>],
        address: Option<IpAddr>,
    ) -> Result<(), AppError> {
        let text = network(address);
        if address.is_some() {
            self.check(&self.addresses, &text)?;
        }
        if who.iter().all(Option::is_none) {
            return self.check(&self.requests, &text);
        }
        who.iter().flatten().try_for_each(|who| self.check(&self.requests, who))
    }

    /// One more try of a password for a name, from an address; none where one stands for everybody.
    pub(crate) fn check_sign_in(&self, name: &str, address: Option<IpAddr>) -> Result<(), AppError> {
        let name = name.to_lowercase();
        let text = network(address);
        // The narrowest first: what it refuses does not count for the others.
        self.check(&self.passwords, &format!("{text} {name}"))?;
        if address.is_some() {
            self.check(&self.passwords_of_addresses, &text)?;
        }
        self.check(&self.passwords_of_names, &name)
    }

    /// One more report by a user.
    pub(crate) fn check_report(&self, user: &str) -> Result<(), AppError> {
        self.check(&self.reports, user)
    }

    /// One more try of a second factor's code.
    pub(crate) fn check_code(&self, user: &str) -> Result<(), AppError> {
        self.check(&self.codes, user)
    }

    /// One more letter to an e-mail address, asked for from an address.
    pub(crate) fn check_mail(&self, email: &str, address: Option<IpAddr>) -> Result<(), AppError> {
        if address.is_some() {
            self.check(&self.mails, &network(address))?;
        }
        self.check(&self.mails, &email.to_lowercase())
    }

    fn check(&self, limiter: &DefaultKeyedRateLimiter<String>, key: &str) -> Result<(), AppError> {
        limiter.check_key(&key.to_owned()).map_err(|until| {
            let wait = until.wait_time_from(self.clock.now());
            AppError::Slow(wait.as_secs() + 1)
        })
    }

    /// Forgets those who have been quiet.
    pub(crate) fn tidy(&self) {
        self.requests.retain_recent();
        self.addresses.retain_recent();
        self.passwords.retain_recent();
        self.passwords_of_addresses.retain_recent();
        self.passwords_of_names.retain_recent();
        self.reports.retain_recent();
        self.codes.retain_recent();
        self.mails.retain_recent();
    }
}

/// What counts as one address: of IPv6 the network of 64 bits, since whoever has one has all addresses in it.
fn network(address: Option<IpAddr>) -> String {
    match address {
        None => String::new(),
        Some(IpAddr::V4(address)) => address.to_string(),
        Some(IpAddr::V6(address)) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_up_cookies_do_not_help_for_ever() {
        let (limits, elsewhere) = (Limits::default(), IpAddr::from([192, 0, 2, 7]));
        let refused = (0..4_000).filter(|number| {
            limits.check_request(&[Some(&format!("session {number}"))], Some(elsewhere)).is_err()
        });
        assert!(refused.count() > 100);
        for number in 0..4_000 {
            limits.check_request(&[Some(&format!("session {number}"))], None).expect("somebody else");
        }
    }

    #[test]
    fn a_name_can_be_tried_ten_times_whatever_its_letters() {
        let (limits, here) = (Limits::default(), Some(IpAddr::from([192, 0, 2, 7])));
        for _ in 0..10 {
            limits.check_sign_in("Ann", here).expect("within the bound");
        }
        assert!(matches!(limits.check_sign_in("ann", here), Err(AppError::Slow(1..))));
        limits.check_sign_in("bob", here).expect("another name");
    }

    #[test]
    fn a_stranger_does_not_keep_an_owner_out_and_many_strangers_get_no_further() {
        let (limits, at) = (Limits::default(), |last| Some(IpAddr::from([192, 0, 2, last])));
        let tries = |last| (0..200).filter(|_| limits.check_sign_in("ann", at(last)).is_ok()).count();
        assert_eq!(tries(1), 10);
        limits.check_sign_in("ann", at(2)).expect("the owner, from elsewhere");
        let all: usize = (3..100).map(tries).sum();
        assert!(all < 130, "{all} tries of one name");
        // Nor does one address try the names of all.
        let names = (0..200).filter(|name| limits.check_sign_in(&name.to_string(), at(200)).is_ok());
        assert!((60..90).contains(&names.count()));
        // One network of IPv6 is one stranger.
        let inside = |last| Some(IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, last]));
        let tries = (0..200).filter(|last| limits.check_sign_in("bob", inside(*last)).is_ok());
        assert!((10..20).contains(&tries.count()));
    }
}

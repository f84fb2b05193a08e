//! Sending of push messages: HTTPS to public addresses only. The subscriber chooses the address, so it must
//! not lead into the server's own network.

use axum::http::{Request, StatusCode};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Error};

/// Sends a request to a push service.
#[async_trait::async_trait]
pub trait PushTransport: std::fmt::Debug + Send + Sync {
    /// Sends it and returns the status of the answer, or why there is none.
    async fn send(&self, request: Request<Vec<u8>>) -> Result<StatusCode, String>;
}

/// How long a push service may take.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// HTTPS to public addresses, without redirects.
#[derive(Clone, Debug)]
pub(crate) struct Https(Agent);

impl Default for Https {
    fn default() -> Self {
        let config = Config::builder()
            .https_only(true)
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .timeout_global(Some(SEND_TIMEOUT))
            .build();
        Self(Agent::with_parts(config, DefaultConnector::default(), PublicAddresses::default()))
    }
}

#[async_trait::async_trait]
impl PushTransport for Https {
    async fn send(&self, request: Request<Vec<u8>>) -> Result<StatusCode, String> {
        let agent = self.0.clone();
        let answer = tokio::task::spawn_blocking(move || agent.run(request)).await;
        answer
            .map_err(|error| error.to_string())?
            .map(|answer| answer.status())
            .map_err(|error| error.to_string())
    }
}

/// Finds only public addresses: the ones that the connection is then made to.
#[derive(Debug, Default)]
struct PublicAddresses(DefaultResolver);

impl Resolver for PublicAddresses {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let found = self.0.resolve(uri, config, timeout)?;
        let mut public = self.empty();
        found
            .iter()
            .filter(|address: &&SocketAddr| is_public(address.ip()))
            .for_each(|address| public.push(*address));
        if public.is_empty() { Err(Error::HostNotFound) } else { Ok(public) }
    }
}

/// Whether an address is one of the open network (IANA's special-purpose registries).
fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || a == 0
        || a >= 240
        // Shared by a provider's customers, protocol assignments, 6to4 relays, benchmarks.
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (18..20).contains(&b));
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    // Global unicast, without documentation, Teredo and the like, and 6to4, which may stand for any address of IPv4.
    first & 0xe000 == 0x2000
        && !(first == 0x2001 && (second < 0x200 || second == 0xdb8))
        && first != 0x2002
        && first != 0x3fff
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;

    #[test]
    fn only_public_addresses_are_connected_to() {
        for (address, public) in [
            ("8.8.8.8", true),
            ("142.250.74.206", true),
            ("127.0.0.1", false),
            ("10.1.2.3", false),
            ("172.16.0.1", false),
            ("192.168.1.1", false),
            ("169.254.169.254", false),
            ("100.64.0.1", false),
            ("0.0.0.0", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("2a00:1450:4001:80b::200e", true),
            ("::1", false),
            ("::", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:10.0.0.1", false),
            ("64:ff9b::7f00:1", false),
            ("2002:7f00:1::", false),
            ("2001:db8::1", false),
            ("fe80::1", false),
            ("fc00::1", false),
            ("ff02::1", false),
        ] {
            assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
        }
    }

    #[tokio::test]
    async fn localhost_by_name_is_not_connected_to() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let request = Request::post(format!("https://localhost:{port}/")).body(Vec::new()).unwrap();
        let refused = Https::default().send(request).await.unwrap_err();
        assert_eq!(refused, Error::HostNotFound.to_string());
        listener.set_nonblocking(true).unwrap();
        assert!(listener.accept().is_err(), "nothing has connected");
    }
}

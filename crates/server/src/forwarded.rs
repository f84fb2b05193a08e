//! Reads the address of a client from a request: that of the connection, or the one that trusted proxies name in
//! `X-Forwarded-For`. Not here: networks and the list of proxies (`lozenge_game`), and the limits.

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};
use lozenge_game::{ClientAddress, TrustedProxies};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The origin of a request.
pub(crate) fn client_address(
    extensions: &Extensions,
    headers: &HeaderMap,
    proxies: &TrustedProxies,
) -> ClientAddress {
    forwarded_address(extensions.get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip()), headers, proxies)
}

/// By the address of the connection, none in tests without sockets, and by what proxies have added to the headers.
fn forwarded_address(peer: Option<IpAddr>, headers: &HeaderMap, proxies: &TrustedProxies) -> ClientAddress {
    let peer = peer.unwrap_or(Ipv4Addr::UNSPECIFIED.into()).to_canonical();
    let own_machine = [IpAddr::from(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST.into()].contains(&peer);
    if !proxies.contain(peer) {
        return ClientAddress { address: peer, shared: own_machine || peer.is_unspecified() };
    }
    // From the right, each proxy has added the address of its client. Clients can write anything in front of that, so
    // the first address that is no proxy's counts.
    let lines = headers.get_all("x-forwarded-for").iter().rev();
    let entries = lines.flat_map(|line| line.to_str().unwrap_or("").rsplit(','));
    let mut named = None;
    for address in entries.map_while(|entry| parse_forwarded(entry.trim())) {
        named = Some(address);
        if !proxies.contain(address) {
            break;
        }
    }
    ClientAddress { address: named.unwrap_or(peer), shared: named.is_none() }
}

/// An entry of `X-Forwarded-For`; some proxies add a port.
fn parse_forwarded(entry: &str) -> Option<IpAddr> {
    let with_port = || entry.parse::<SocketAddr>().map(|address| address.ip());
    entry.parse::<IpAddr>().or_else(|_| with_port()).ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;

    #[test]
    fn forwarded_addresses_count_only_from_trusted_proxies() {
        let proxies: TrustedProxies = "127.0.0.0/8,10.0.0.0/8".parse().unwrap();
        let check = |peer: &str, forwarded: &[&str], expected: &str, shared: bool| {
            let mut headers = HeaderMap::new();
            for line in forwarded {
                headers.append("x-forwarded-for", line.parse().unwrap());
            }
            let client = forwarded_address(Some(peer.parse().unwrap()), &headers, &proxies);
            assert_eq!((client.network().to_string().as_str(), client.shared), (expected, shared));
        };
        check("203.0.113.9", &["198.51.100.1"], "203.0.113.9/32", false);
        check("10.0.0.1", &["198.51.100.1"], "198.51.100.1/32", false);
        check("10.0.0.1", &["192.0.2.1, 198.51.100.1:4000"], "198.51.100.1/32", false);
        check("10.0.0.1", &["192.0.2.1", "198.51.100.1, 10.0.0.2"], "198.51.100.1/32", false);
        check("10.0.0.1", &["192.0.2.1, unknown"], "10.0.0.1/32", true);
        check("10.0.0.1", &[], "10.0.0.1/32", true);
        check("::ffff:10.0.0.1", &["[2001:db8::1]:443"], "2001:db8::/64", false);
        let none = TrustedProxies::default();
        let client = |peer: [u8; 4]| forwarded_address(Some(peer.into()), &HeaderMap::new(), &none);
        assert!(client([127, 0, 0, 1]).shared && !client([192, 168, 0, 7]).shared);
    }
}

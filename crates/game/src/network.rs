//! The origin of requests: a client's address, the networks by which limits count, and the proxies that are
//! believed when they name an address. Not here: the limits, and reading a request.

use ipnet::IpNet;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr;

/// Prefix lengths by which addresses are given out, narrowest first, and how many times the narrowest one's allowance each
/// has. An IPv6 customer has a whole /64 and often a /56 or a /48, so a limit on the /64 alone is useless.
const IPV4_STEPS: [(u8, u32); 2] = [(32, 1), (24, 4)];
const IPV6_STEPS: [(u8, u32); 3] = [(64, 1), (56, 2), (48, 4)];

/// A network that counts as one client: an IPv4 address or an IPv6 /64, or a wider network around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network(IpNet);

impl From<IpAddr> for Network {
    /// The narrowest network that counts as one client.
    fn from(address: IpAddr) -> Self {
        let address = address.to_canonical();
        Self::around(address, if address.is_ipv4() { IPV4_STEPS[0].0 } else { IPV6_STEPS[0].0 })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Network {
    type Err = ipnet::AddrParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(|network: IpNet| Self(network.trunc()))
    }
}

impl Network {
    fn around(address: IpAddr, bits: u8) -> Self {
        Self(IpNet::new_assert(address, bits).trunc())
    }

    /// This network and the wider ones around it, narrowest first, each with the factor of its allowance.
    pub fn steps(self) -> impl Iterator<Item = (Self, u32)> {
        let steps = if self.0.addr().is_ipv4() { &IPV4_STEPS[..] } else { &IPV6_STEPS[..] };
        steps.iter().map(move |&(bits, factor)| (Self::around(self.0.addr(), bits), factor))
    }

    /// The widest network around it.
    #[must_use]
    pub fn widest(self) -> Self {
        self.steps().last().map_or(self, |(network, _)| network)
    }
}

/// The origin of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress {
    /// The client's address, or that of the proxy if it named no client.
    pub address: IpAddr,
    /// Whether this address stands for many clients: it is this machine's, where an undeclared proxy may run, or that of
    /// a proxy that named no client. Limits by address do not apply to it.
    pub shared: bool,
}

impl ClientAddress {
    /// The site itself.
    pub const OWN: Self = Self { address: IpAddr::V4(Ipv4Addr::LOCALHOST), shared: true };

    /// The address, if it does not stand for many clients.
    pub fn individual(self) -> Option<IpAddr> {
        (!self.shared).then_some(self.address)
    }

    /// The network that counts as this client.
    pub fn network(self) -> Network {
        self.address.into()
    }

    /// The same, if it does not stand for many clients.
    pub fn network_of_one(self) -> Option<Network> {
        self.individual().map(Network::from)
    }
}

/// The proxies whose `X-Forwarded-For` is trusted.
///
/// ```
/// use lozenge_game::TrustedProxies;
/// let proxies: TrustedProxies = "10.0.0.0/8, 2001:db8::7".parse().unwrap();
/// assert_eq!(proxies.to_string(), "10.0.0.0/8, 2001:db8::7/128");
/// assert!("chess.example".parse::<TrustedProxies>().is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// This machine and the private networks: IPv4's 10/8, 172.16/12, 192.168/16 and link-local addresses, and IPv6's
    /// unique-local and link-local ones.
    #[must_use]
    pub fn private_ranges() -> Self {
        const RANGES: [&str; 8] = [
            "127.0.0.0/8",
            "10.0.0.0/8",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "169.254.0.0/16",
            "::1/128",
            "fc00::/7",
            "fe80::/10",
        ];
        Self(RANGES.iter().filter_map(|range| range.parse().ok()).collect())
    }

    /// Whether an address is a trusted proxy's.
    #[must_use]
    pub fn contain(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address.to_canonical()))
    }

    /// Whether no proxy is trusted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for TrustedProxies {
    type Err = String;

    /// Networks and addresses with commas between them; `private_ranges` stands for
    /// [`private_ranges`](Self::private_ranges).
    fn from_str(text: &str) -> Result<Self, String> {
        let mut networks = Vec::new();
        for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            if entry == "private_ranges" {
                networks.extend(Self::private_ranges().0);
                continue;
            }
            let address = || entry.parse::<IpAddr>().map(IpNet::from);
            networks.push(entry.parse().or_else(|_| address()).map_err(|_| {
                format!(
                    "expected networks such as 10.0.0.0/8, addresses or `private_ranges`, found `{entry}`"
                )
            })?);
        }
        Ok(Self(networks))
    }
}

impl fmt::Display for TrustedProxies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&texts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;

    #[test]
    fn networks_widen_in_steps() {
        let steps = |address: &str| {
            let network = Network::from(address.parse::<IpAddr>().unwrap());
            network.steps().map(|(network, factor)| format!("{network} {factor}")).collect::<Vec<_>>()
        };
        assert_eq!(steps("192.0.2.7"), ["192.0.2.7/32 1", "192.0.2.0/24 4"]);
        assert_eq!(steps("::ffff:192.0.2.7"), steps("192.0.2.7"));
        assert_eq!(
            steps("2001:db8:1:2f7:3::4"),
            ["2001:db8:1:2f7::/64 1", "2001:db8:1:200::/56 2", "2001:db8:1::/48 4"]
        );
    }
}

//! The address of the client behind a request, which proxies in between may hide.
//!
//! A request that comes from a trusted proxy (`[http] trusted_proxies`) says in `X-Forwarded-For` or `Forwarded` for whom it
//! was made. Each proxy appends whom it heard from, so that the headers are read from the right: the first address that is no
//! trusted proxy is the client. What stands to the left of it is the client's own word and counts for nothing. What cannot be
//! read ends the reading at the proxy that sent it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use http::HeaderMap;
use http::header::FORWARDED;
use ipnet::IpNet;

const X_FORWARDED_FOR: &str = "x-forwarded-for";

/// Hops that are read at most, so that a long list costs nothing.
const MOST_HOPS: usize = 32;

/// Address at the other end of the connection, put into the extensions of its requests.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// Address of the client, put into the extensions of requests that are no endpoint's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClientAddress(pub(super) IpAddr);

impl ClientAddress {
    /// The unit that belongs to one client: an IPv4 address, or the /64 of an IPv6 address, within which a client may
    /// change its address freely.
    pub(super) fn group(self) -> IpAddr {
        match self.0 {
            IpAddr::V4(_) => self.0,
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        }
    }
}

/// The unit that the client of a request belongs to. Requests that came over no connection are of one.
pub(super) fn group(client: Option<ClientAddress>) -> IpAddr {
    client.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), ClientAddress::group)
}

impl Peer {
    /// The client that a request of this connection was made for.
    pub(super) fn client(self, headers: &HeaderMap, trusted_proxies: &[IpNet]) -> ClientAddress {
        ClientAddress(client(self.0, headers, trusted_proxies))
    }
}

/// The client of a request that came from `peer`.
///
/// Most proxies write one of the two headers and let the other pass. Where both are there and differ, one of them may be the
/// client's own word: then the client is taken to be the proxy, so that nobody can choose the address that he appears under.
fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    if !is_in(trusted, peer) {
        return peer;
    }
    let told = |name: &str, read: fn(&str) -> Option<IpAddr>| {
        headers.contains_key(name).then(|| last_untrusted(peer, from_the_right(headers, name).map(read), trusted))
    };
    match (told(X_FORWARDED_FOR, hop), told(FORWARDED.as_str(), forwarded_for)) {
        (Some(one), Some(other)) if one != other => peer,
        (Some(address), _) | (None, Some(address)) => address,
        (None, None) => peer,
    }
}

fn is_in(networks: &[IpNet], address: IpAddr) -> bool {
    networks.iter().any(|network| network.contains(&address))
}

/// Elements of a list that may stand in several headers, the last one first. A comma within quotes separates as well: no
/// address holds one, and who sends one on the left must not reach what a proxy wrote on the right.
fn from_the_right<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    let lines: Vec<_> = headers.get_all(name).iter().collect();
    // A line that is no text is one element that cannot be read.
    lines.into_iter().rev().flat_map(|line| line.to_str().unwrap_or("?").rsplit(',')).take(MOST_HOPS)
}

fn last_untrusted(peer: IpAddr, hops: impl Iterator<Item = Option<IpAddr>>, trusted: &[IpNet]) -> IpAddr {
    let mut client = peer;
    for hop in hops {
        let Some(hop) = hop else { break };
        client = hop;
        if !is_in(trusted, client) {
            break;
        }
    }
    client
}

/// An element of `X-Forwarded-For`: an address, which some proxies write with its port.
fn hop(element: &str) -> Option<IpAddr> {
    let text = element.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}

/// The `for` of an element of `Forwarded` (RFC 7239). `unknown` and made-up names are no addresses.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut nodes = element.split(';').filter_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case("for").then_some(value.trim())
    });
    let (Some(node), None) = (nodes.next(), nodes.next()) else { return None };
    hop(node.strip_prefix('"').and_then(|node| node.strip_suffix('"')).unwrap_or(node))
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};
    use proptest::prelude::*;

    use super::*;

    fn told(peer: &str, lines: &[(&str, &str)]) -> String {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(HeaderName::try_from(*name).unwrap(), HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        let trusted = ["10.0.0.0/8", "fd00::/8", "127.0.0.1/32"].map(|network| network.parse().unwrap());
        client(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed_and_only_what_they_wrote() {
        for (peer, lines, client) in [
            ("192.0.2.1", vec![("x-forwarded-for", "198.51.100.7")], "192.0.2.1"),
            ("10.0.0.1", vec![], "10.0.0.1"),
            ("10.0.0.1", vec![("x-forwarded-for", "198.51.100.7")], "198.51.100.7"),
            ("10.0.0.1", vec![("x-forwarded-for", "1.1.1.1, 198.51.100.7")], "198.51.100.7"),
            ("10.0.0.1", vec![("x-forwarded-for", "1.1.1.1, 198.51.100.7, 10.3.3.3")], "198.51.100.7"),
            ("10.0.0.1", vec![("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "198.51.100.7")], "198.51.100.7"),
            ("10.0.0.1", vec![("x-forwarded-for", "10.2.2.2, 10.3.3.3")], "10.2.2.2"),
            ("fd00::1", vec![("x-forwarded-for", "[2001:db8::7]:4711")], "2001:db8::7"),
            ("10.0.0.1", vec![("x-forwarded-for", "198.51.100.7:4711")], "198.51.100.7"),
            ("10.0.0.1", vec![("x-forwarded-for", "::ffff:198.51.100.7")], "198.51.100.7"),
            ("10.0.0.1", vec![("forwarded", "for=1.1.1.1, for=198.51.100.7;proto=https;by=10.0.0.1")], "198.51.100.7"),
            ("10.0.0.1", vec![("forwarded", "proto=http; For=\"[2001:db8::7]:4711\"")], "2001:db8::7"),
            ("10.0.0.1", vec![("forwarded", "for=198.51.100.7"), ("x-forwarded-for", "198.51.100.7")], "198.51.100.7"),
        ] {
            assert_eq!(told(peer, &lines), client, "{peer} {lines:?}");
        }
    }

    #[test]
    fn nobody_can_choose_the_address_that_he_appears_under() {
        for (lines, client) in [
            // The proxy writes X-Forwarded-For and lets the client's Forwarded pass.
            (vec![("forwarded", "for=1.1.1.1"), ("x-forwarded-for", "198.51.100.7")], "10.0.0.1"),
            // An open quote does not swallow what the proxy appended.
            (vec![("forwarded", "for=\"1.1.1.1, for=198.51.100.7")], "198.51.100.7"),
            (vec![("x-forwarded-for", "1.1.1.1, unknown")], "10.0.0.1"),
            (vec![("x-forwarded-for", "1.1.1.1, unknown, 10.3.3.3")], "10.3.3.3"),
            (vec![("x-forwarded-for", "")], "10.0.0.1"),
            (vec![("x-forwarded-for", "é")], "10.0.0.1"),
            (vec![("forwarded", "for=_hidden")], "10.0.0.1"),
            (vec![("forwarded", "for=1.1.1.1;for=2.2.2.2")], "10.0.0.1"),
            (vec![("forwarded", "by=1.1.1.1")], "10.0.0.1"),
        ] {
            assert_eq!(told("10.0.0.1", &lines), client, "{lines:?}");
        }
    }

    #[test]
    fn a_clients_own_network_is_one_client() {
        let group = |text: &str| ClientAddress(text.parse().unwrap()).group().to_string();
        assert_eq!(group("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(group("198.51.100.7"), "198.51.100.7");
    }

    proptest! {
        /// Whatever a client sends, a proxy that appends its address is believed.
        #[test]
        fn whatever_a_client_sends_the_proxys_word_counts(sent in "[ -~]{0,40}", forwarded in any::<bool>()) {
            let (name, own) = if forwarded { ("forwarded", "for=198.51.100.7") } else { ("x-forwarded-for", "198.51.100.7") };
            prop_assert_eq!(told("10.0.0.1", &[(name, &format!("{sent}, {own}"))]), "198.51.100.7");
            prop_assert_eq!(told("10.0.0.1", &[(name, &sent), (name, own)]), "198.51.100.7");
        }
    }
}

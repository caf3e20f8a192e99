//! Addresses that a delivery may be sent to.
//!
//! The table is our own, because the predicates of the standard library and of the crates at hand each call some of
//! these addresses global: metadata services in public space, ranges that carry an IPv4 address within, multicast.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// Returns whether an address is unicast on the public internet, so that its owner means to be reached there.
#[must_use]
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !NOT_PUBLIC_V4.iter().any(|network| network.contains(&address)),
        IpAddr::V6(address) => {
            GLOBAL_UNICAST_V6.contains(&address) && !NOT_PUBLIC_V6.iter().any(|network| network.contains(&address))
        }
    }
}

/// The table as an operator has changed it.
#[derive(Debug, Clone, Default)]
pub(super) struct AddressRules {
    /// Networks that may be reached although they are not public.
    pub(super) allowed: Vec<IpNet>,
    /// Networks that may not be reached although they are public, such as the deployment's own. They win.
    pub(super) denied: Vec<IpNet>,
}

impl AddressRules {
    /// Returns whether a delivery may be sent to the address.
    pub(super) fn permit(&self, address: IpAddr) -> bool {
        // An operator names 127.0.0.1; ::ffff:127.0.0.1 is the same place.
        let canonical = address.to_canonical();
        !within(&self.denied, canonical) && (within(&self.allowed, canonical) || is_public(address))
    }
}

fn within(networks: &[IpNet], address: IpAddr) -> bool {
    networks.iter().any(|network| network.contains(&address))
}

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(first: [u16; 6], length: u8) -> Ipv6Net {
    let [a, b, c, d, e, f] = first;
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, e, f, 0, 0), length)
}

const NOT_PUBLIC_V4: &[Ipv4Net] = &[
    // This network (RFC 1122). 0.0.0.0 reaches the machine itself on Linux.
    v4(0, 0, 0, 0, 8),
    // Private (RFC 1918).
    v4(10, 0, 0, 0, 8),
    v4(172, 16, 0, 0, 12),
    v4(192, 168, 0, 0, 16),
    // Carrier-grade NAT (RFC 6598): private networks of tailnets, metadata of one cloud.
    v4(100, 64, 0, 0, 10),
    // Loopback (RFC 1122).
    v4(127, 0, 0, 0, 8),
    // Link-local (RFC 3927): metadata of most clouds.
    v4(169, 254, 0, 0, 16),
    // Azure's WireServer, which lies in public space.
    v4(168, 63, 129, 16, 32),
    // IETF protocol assignments (RFC 6890) and documentation (RFC 5737).
    v4(192, 0, 0, 0, 24),
    v4(192, 0, 2, 0, 24),
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    // Relays of 6to4 (RFC 7526).
    v4(192, 88, 99, 0, 24),
    // Benchmarks of networks (RFC 2544).
    v4(198, 18, 0, 0, 15),
    // Multicast (RFC 5771), reserved and broadcast (RFC 1112).
    v4(224, 0, 0, 0, 4),
    v4(240, 0, 0, 0, 4),
];

/// The range that IANA has handed out as global unicast. Outside lie loopback, private and link-local addresses,
/// multicast, and ranges that carry an IPv4 address: mapped, compatible, translated, NAT64.
const GLOBAL_UNICAST_V6: Ipv6Net = v6([0x2000, 0, 0, 0, 0, 0], 3);

/// Networks within global unicast that are not public.
const NOT_PUBLIC_V6: &[Ipv6Net] = &[
    // IETF protocol assignments (RFC 2928): Teredo, which carries an IPv4 address, ORCHID, benchmarks.
    v6([0x2001, 0, 0, 0, 0, 0], 23),
    // Documentation (RFC 3849, RFC 9637).
    v6([0x2001, 0xdb8, 0, 0, 0, 0], 32),
    v6([0x3fff, 0, 0, 0, 0, 0], 20),
    // 6to4 (RFC 3056), which carries an IPv4 address.
    v6([0x2002, 0, 0, 0, 0, 0], 16),
];

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;
use proptest::prelude::*;

use crate::egress::address::{AddressRules, is_public};

/// Addresses that are not public, as text. The proof in a network namespace dials them all.
fn not_public() -> impl Iterator<Item = &'static str> {
    include_str!("not_public.txt").lines().filter(|line| !line.starts_with('#'))
}

const PUBLIC: &[&str] = &[
    "1.0.0.0",
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "93.184.216.34",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "168.63.129.15",
    "168.63.129.17",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "191.255.255.255",
    "192.0.1.0",
    "192.0.3.0",
    "192.88.98.255",
    "192.88.100.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "198.51.99.255",
    "198.51.101.0",
    "203.0.112.255",
    "203.0.114.0",
    "223.255.255.255",
    "2000::1",
    "2001:200::",
    "2001:4860:4860::8888",
    "2001:db7:ffff::1",
    "2001:db9::1",
    "2003::1",
    "2606:2800:220:1:248:1893:25c8:1946",
    "2a00:1450:4001:81b::200e",
    "3ffe::1",
    "3fff:1000::1",
];

fn address(text: &str) -> IpAddr {
    text.parse().unwrap_or_else(|_| panic!("{text} is no address"))
}

/// WH-URL-3, WH-URL-4, WH-URL-5, WH-URL-6, WH-URL-8: every range of the registries, at its edges.
#[test]
fn no_address_of_a_special_range_is_public() {
    for text in not_public() {
        assert!(!is_public(address(text)), "{text} is called public");
        assert!(!AddressRules::default().permit(address(text)), "{text} is permitted");
    }
}

/// WH-URL-14: neighbours of those ranges, and well-known addresses.
#[test]
fn addresses_beside_the_special_ranges_are_public() {
    for text in PUBLIC {
        assert!(is_public(address(text)), "{text} is not called public");
    }
}

fn rules(allowed: &[&str], denied: &[&str]) -> AddressRules {
    let networks = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
    AddressRules { allowed: networks(allowed), denied: networks(denied) }
}

#[test]
fn an_operator_exempts_the_named_networks_and_nothing_else() {
    let rules = rules(&["10.1.0.0/16", "fd12:3456::/32"], &[]);
    for (text, permitted) in [
        ("10.1.0.0", true),
        ("10.1.255.255", true),
        ("::ffff:10.1.2.3", true),
        ("fd12:3456::1", true),
        ("8.8.8.8", true),
        ("10.0.255.255", false),
        ("10.2.0.0", false),
        ("127.0.0.1", false),
        ("169.254.169.254", false),
        ("::10.1.2.3", false),
        ("64:ff9b::a01:203", false),
        ("2002:a01:203::1", false),
        ("fd12:3457::1", false),
    ] {
        assert_eq!(rules.permit(address(text)), permitted, "{text}");
    }
}

/// S1, the deployment's own public addresses.
#[test]
fn a_denied_network_is_denied_even_where_it_is_allowed_or_public() {
    let rules = rules(&["10.0.0.0/8"], &["93.184.216.34/32", "10.9.0.0/16", "2606:2800::/32"]);
    for (text, permitted) in [
        ("93.184.216.34", false),
        ("::ffff:93.184.216.34", false),
        ("93.184.216.35", true),
        ("10.9.1.1", false),
        ("10.8.1.1", true),
        ("2606:2800::1", false),
        ("2606:2801::1", true),
    ] {
        assert_eq!(rules.permit(address(text)), permitted, "{text}");
    }
}

proptest! {
    /// The standard library's predicates are too lax, never too strict.
    #[test]
    fn what_the_standard_library_calls_special_in_v4_is_not_public(bits: u32) {
        let address = Ipv4Addr::from_bits(bits);
        let special = address.is_private() || address.is_loopback() || address.is_link_local() || address.is_broadcast()
            || address.is_documentation() || address.is_multicast() || address.is_unspecified();
        prop_assert!(!(special && is_public(address.into())), "{address}");
    }

    #[test]
    fn what_the_standard_library_calls_special_in_v6_is_not_public(bits: u128) {
        let address = Ipv6Addr::from_bits(bits);
        let special = address.is_loopback() || address.is_multicast() || address.is_unspecified()
            || address.is_unique_local() || address.is_unicast_link_local();
        prop_assert!(!(special && is_public(address.into())), "{address}");
    }

    /// No way of carrying an IPv4 address within an IPv6 address is a way around.
    #[test]
    fn an_embedded_v4_address_is_never_public(bits: u32, low: u64) {
        let (v4, low) = (u128::from(bits), u128::from(low));
        for embedded in [
            v4,                                         // compatible
            0xffff << 32 | v4,                          // mapped
            0xffff << 48 | v4,                          // translated
            0x0064_ff9b << 96 | v4,                     // NAT64
            0x0064_ff9b_0001 << 80 | v4,                // local NAT64
            0x2002 << 112 | v4 << 80 | low,             // 6to4
            0x2001_0000 << 96 | low << 32 | (v4 ^ 0xffff_ffff), // Teredo
        ] {
            let address = Ipv6Addr::from_bits(embedded);
            prop_assert!(!is_public(address.into()), "{address}");
        }
    }

    /// Permitted addresses are public or within an allowed network, and never within a denied one.
    #[test]
    fn rules_permit_nothing_but_what_they_say(
        v4 in any::<bool>(), bits: u128, allowed in (any::<u32>(), 0_u8..=32), denied in (any::<u32>(), 0_u8..=32),
    ) {
        let network = |(bits, length)| IpNet::new(Ipv4Addr::from_bits(bits).into(), length).unwrap();
        let (allowed, denied) = (network(allowed), network(denied));
        let address: IpAddr = if v4 {
            Ipv4Addr::from_bits(u32::try_from(bits >> 96).unwrap()).into()
        } else {
            Ipv6Addr::from_bits(bits).into()
        };
        let rules = AddressRules { allowed: vec![allowed], denied: vec![denied] };
        let expected = !denied.contains(&address) && (allowed.contains(&address) || is_public(address));
        prop_assert_eq!(rules.permit(address), expected);
    }
}

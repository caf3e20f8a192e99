//! Addresses that are not public, in every spelling.

use super::{refused, refused_hosts};
use crate::check;
use crate::check::Check;
use crate::cx::Cx;
use crate::outcome::CheckResult;

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! { id: "WH-URL-3", needs: [Webhooks, Receiver], slots: 1, run: private },
    check! { id: "WH-URL-4", needs: [Webhooks, Receiver], slots: 1, run: loopback },
    check! { id: "WH-URL-5", needs: [Webhooks, Receiver], slots: 1, run: metadata },
    check! { id: "WH-URL-6", needs: [Webhooks, Receiver], slots: 1, run: other_ranges },
    check! { id: "WH-URL-7", needs: [Webhooks, Receiver], slots: 1, run: other_spellings },
    check! { id: "WH-URL-8", needs: [Webhooks, Receiver], slots: 1, run: embedded_in_ipv6 },
    check! { id: "WH-URL-9", needs: [Webhooks, Receiver], slots: 1, run: unresolvable },
];

/// RFC 1918, RFC 4193: the ends of each range.
async fn private(cx: Cx) -> CheckResult {
    let hosts = [
        "10.0.0.0",
        "10.0.0.1",
        "10.255.255.255",
        "172.16.0.1",
        "172.31.255.254",
        "192.168.0.1",
        "192.168.255.254",
        "10.0.0.1:8443",
        "[fc00::1]",
        "[fdff:ffff::1]",
    ];
    refused_hosts(cx, &hosts).await
}

async fn loopback(cx: Cx) -> CheckResult {
    let hosts = [
        "127.0.0.1",
        "127.0.0.2",
        "127.255.255.254",
        "127.0.0.1:8443",
        "[::1]",
        "localhost",
        "localhost:8443",
        "LOCALHOST",
        "localhost.",
        "a.localhost",
        "loc%61lhost",
    ];
    refused_hosts(cx, &hosts).await
}

/// AWS, ECS, Azure, Alibaba, Google; link-local.
async fn metadata(cx: Cx) -> CheckResult {
    let hosts = [
        "169.254.169.254",
        "169.254.170.2",
        "169.254.0.1",
        "168.63.129.16",
        "100.100.100.200",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "[febf::1]",
        "metadata.google.internal",
        "metadata.google.internal.",
    ];
    refused_hosts(cx, &hosts).await
}

/// IANA's registries of special addresses.
async fn other_ranges(cx: Cx) -> CheckResult {
    let hosts = [
        "0.0.0.0",
        "0.255.255.255",
        "100.64.0.1",
        "100.127.255.254",
        "192.0.0.1",
        "192.0.2.1",
        "192.88.99.1",
        "198.18.0.1",
        "198.19.255.254",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "[::]",
        "[100::1]",
        "[2001:2::1]",
        "[2001:db8::1]",
        "[3fff::1]",
        "[5f00::1]",
        "[fec0::1]",
        "[ff02::1]",
    ];
    refused_hosts(cx, &hosts).await
}

async fn other_spellings(cx: Cx) -> CheckResult {
    let hosts = [
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "017700000001",
        "127.0.0.0x1",
        "127.0.0.1.",
        "①②⑦.0.0.1",
        "１２７.０.０.１",
        "127。0。0。1",
        "%31%32%37.0.0.1",
        "0",
        "0xa9fea9fe",
        "2852039166",
        "169.254.43518",
        "0xa.1",
        "[0:0:0:0:0:0:0:1]",
        "[::0001]",
    ];
    refused_hosts(cx, &hosts).await
}

/// RFC 4291, RFC 6052, RFC 8215, RFC 3056, RFC 4380.
async fn embedded_in_ipv6(cx: Cx) -> CheckResult {
    let hosts = [
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::ffff:10.0.0.1]",
        "[::ffff:169.254.169.254]",
        "[::127.0.0.1]",
        "[::ffff:0:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[64:ff9b::169.254.169.254]",
        "[64:ff9b:1::7f00:1]",
        "[2002:7f00:1::]",
        "[2002:a9fe:a9fe::1]",
        "[2001::1]",
        "[2001:0:7f00:1::]",
    ];
    refused_hosts(cx, &hosts).await
}

async fn unresolvable(cx: Cx) -> CheckResult {
    // RFC 2606: there are no names below.
    let urls: Vec<_> = ["", "deep.er."].iter().map(|sub| format!("https://{sub}nx-{}.invalid/", cx.unique())).collect();
    refused(&cx, &cx.endpoint()?, &urls).await
}

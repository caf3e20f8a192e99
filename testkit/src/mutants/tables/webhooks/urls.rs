//! URLs that a webhook must not have, and one that it may.

use std::net::{IpAddr, Ipv4Addr};

use url::{Host, Url};

use super::{creates, edit_creation, good_url, note_good_url};
use crate::mutants::delivery::RelayAction;
use crate::mutants::exchange::{ApiAnswer, ApiRequest, ProxyState};
use crate::mutants::mutant::Mutant;

/// Lets URLs through: what the server sees in their place is one that is in order.
fn accept(request: &mut ApiRequest, known: &ProxyState, wrongly: impl Fn(&str) -> bool) {
    note_good_url(request, known);
    edit_creation(request, |body| {
        if body["url"].as_str().is_some_and(wrongly) {
            body["url"] = good_url(known);
        }
    });
}

/// The host as it is written.
fn raw_host(url: &str) -> &str {
    let authority = url.strip_prefix("https://").and_then(|rest| rest.split(['/', '?']).next()).unwrap_or_default();
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => host,
        _ => authority,
    }
}

/// The address that a URL states, however it is written.
fn address(url: &str) -> Option<IpAddr> {
    match Url::parse(url).ok()?.host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

fn v4(url: &str, holds: impl Fn([u8; 4]) -> bool) -> bool {
    matches!(address(url), Some(IpAddr::V4(address)) if holds(address.octets()))
}

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    request "http_accepted" breaks "WH-URL-1": "takes http URLs",
        |request, known| accept(request, known, |url| url.starts_with("http://"));
    request "userinfo_stripped" breaks "WH-URL-2": "takes a URL with credentials and drops them",
        |request, known| accept(request, known, |url| url.starts_with("https://") && raw_authority(url).contains('@'));
    request "private_192_168_only" breaks "WH-URL-3":
        "knows 192.168/16 for the only private range",
        |request, known| {
            accept(request, known, |url| v4(url, |[a, b, ..]| a == 10 || (a == 172 && (16..32).contains(&b))));
        };
    request "unique_local_allowed" breaks "WH-URL-3":
        "takes unique local addresses of IPv6",
        |request, known| {
            accept(
                request,
                known,
                |url| matches!(address(url), Some(IpAddr::V6(address)) if address.segments()[0] & 0xfe00 == 0xfc00),
            );
        };
    request "loopback_by_one_string" breaks "WH-URL-4": "knows loopback by the text 127.0.0.1 alone",
        |request, known| {
            accept(request, known, |url| {
                let host = raw_host(url).to_lowercase();
                host.trim_end_matches('.').ends_with("localhost") || matches!(&*host, "127.0.0.2" | "127.255.255.254")
            });
        };
    request "link_local_allowed" breaks "WH-URL-5": "takes 169.254/16",
        |request, known| accept(request, known, |url| v4(url, |[a, b, ..]| (a, b) == (169, 254)));
    request "metadata_by_name_allowed" breaks "WH-URL-5": "takes names of metadata services",
        |request, known| accept(request, known, |url| raw_host(url).contains(".google.internal"));
    request "cgnat_allowed" breaks "WH-URL-6": "takes 100.64/10",
        |request, known| accept(request, known, |url| v4(url, |[a, b, ..]| a == 100 && (64..128).contains(&b)));
    request "multicast_allowed" breaks "WH-URL-6": "takes multicast and reserved addresses",
        |request, known| accept(request, known, |url| v4(url, |[a, ..]| a >= 224));
    request "addresses_by_string" breaks "WH-URL-7": "looks for addresses in the text of the URL",
        |request, known| {
            accept(request, known, |url| {
                let v4 = matches!(address(url), Some(IpAddr::V4(_)));
                v4 && raw_host(url).parse::<Ipv4Addr>().is_err()
            });
        };
    request "ipv6_by_is_loopback" breaks "WH-URL-8":
        "knows ::1 and what is private of IPv6, and no address within another",
        |request, known| {
            accept(request, known, |url| {
                let Some(IpAddr::V6(address)) = address(url) else { return false };
                let [a, b, ..] = address.segments();
                let embeds = (a, b) == (0, 0) || (a, b) == (0x64, 0xff9b) || a == 0x2002 || (a, b) == (0x2001, 0);
                embeds && !address.is_loopback() && !address.is_unspecified()
            });
        };
    request "unresolvable_accepted" breaks "WH-URL-9": "takes hosts that do not resolve",
        |request, known| accept(request, known, |url| raw_host(url).ends_with(".invalid"));
    allows "private_names_allowed" breaks "WH-URL-10": "takes names of which an address is in 10/8 or 169.254/16",
        &["10.0.0.0/8", "169.254.0.0/16"];
    allows "loopback_names_allowed" breaks "WH-URL-11": "delivers to a name that has come to lead to loopback",
        &["127.0.0.1/32"];
    allows "rebinding_allowed" breaks "WH-URL-12": "delivers to a name that leads to loopback every other time",
        &["127.0.0.1/32"];
    delivery "redirects_followed" breaks "WH-URL-13": "follows redirects", |_| RelayAction::FollowRedirect;
    instead "every_url_refused" breaks "WH-URL-14": "refuses every URL",
        |request, _| creates(request).then(|| ApiAnswer::error(400, "invalid_argument"));
    instead "ports_refused" breaks "WH-URL-15": "refuses ports beside 443",
        |request, _| {
            let refused = creates(request) && request.json()["url"].as_str().is_some_and(|url| url.contains(":8443/"));
            refused.then(|| ApiAnswer::error(400, "invalid_argument"))
        };
    request "query_of_the_url_lost" breaks "WH-URL-15": "a URL is registered without its query",
        |request, _| {
            let mut body = request.json();
            // Too long a URL stays one.
            let url = body["url"].as_str().filter(|url| creates(request) && url.len() <= 2_048).map(str::to_owned);
            if let Some((short, _)) = url.as_deref().and_then(|url| url.split_once('?')) {
                body["url"] = short.into();
                request.set_json(&body);
            }
        };
    instead "idn_hosts_refused" breaks "WH-URL-15": "refuses hosts in Punycode",
        |request, _| {
            let refused = creates(request) && request.json()["url"].as_str().is_some_and(|url| url.contains("/xn--"));
            refused.then(|| ApiAnswer::error(400, "invalid_argument"))
        };
    answer "long_url_500" breaks "WH-URL-16": "answers 500 to a URL of more than 2048 bytes",
        |request, answer, _| {
            if creates(request) && request.json()["url"].as_str().is_some_and(|url| url.len() > 2_048) {
                *answer = ApiAnswer::error(500, "internal");
            }
        };
};

fn raw_authority(url: &str) -> &str {
    url.strip_prefix("https://").and_then(|rest| rest.split(['/', '?']).next()).unwrap_or_default()
}

//! URLs that a webhook must not have, and one that it may.

use std::net::{IpAddr, Ipv4Addr};

use url::{Host, Url};

use super::{creates, edit_creation, good_url, note_good_url};
use crate::mutants::{ApiAnswer, ApiRequest, Fate, Known, Mutant, Plant};

/// Lets URLs through: what the server sees in their place is one that is in order.
fn accept(request: &mut ApiRequest, known: &Known, wrongly: impl Fn(&str) -> bool) {
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

pub(in super::super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "http_accepted",
        breaks: "WH-URL-1",
        says: "takes http URLs",
        killed_by: &["WH-URL-1", "WH-CR-6"],
        plant: Plant::Request(|request, known| accept(request, known, |url| url.starts_with("http://"))),
    },
    Mutant {
        id: "userinfo_stripped",
        breaks: "WH-URL-2",
        says: "takes a URL with credentials and drops them",
        killed_by: &["WH-URL-2"],
        plant: Plant::Request(|request, known| {
            accept(request, known, |url| url.starts_with("https://") && raw_authority(url).contains('@'));
        }),
    },
    Mutant {
        id: "private_192_168_only",
        breaks: "WH-URL-3",
        says: "knows 192.168/16 for the only private range",
        killed_by: &["WH-URL-3", "WH-CR-6"],
        plant: Plant::Request(|request, known| {
            accept(request, known, |url| v4(url, |[a, b, ..]| a == 10 || (a == 172 && (16..32).contains(&b))));
        }),
    },
    Mutant {
        id: "unique_local_allowed",
        breaks: "WH-URL-3",
        says: "takes unique local addresses of IPv6",
        killed_by: &["WH-URL-3", "WH-URL-5"],
        plant: Plant::Request(|request, known| {
            accept(
                request,
                known,
                |url| matches!(address(url), Some(IpAddr::V6(address)) if address.segments()[0] & 0xfe00 == 0xfc00),
            );
        }),
    },
    Mutant {
        id: "loopback_by_one_string",
        breaks: "WH-URL-4",
        says: "knows loopback by the text 127.0.0.1 alone",
        killed_by: &["WH-URL-4"],
        plant: Plant::Request(|request, known| {
            accept(request, known, |url| {
                let host = raw_host(url).to_lowercase();
                host.trim_end_matches('.').ends_with("localhost") || matches!(&*host, "127.0.0.2" | "127.255.255.254")
            });
        }),
    },
    Mutant {
        id: "link_local_allowed",
        breaks: "WH-URL-5",
        says: "takes 169.254/16",
        killed_by: &["WH-URL-5"],
        plant: Plant::Request(|request, known| {
            accept(request, known, |url| v4(url, |[a, b, ..]| (a, b) == (169, 254)))
        }),
    },
    Mutant {
        id: "metadata_by_name_allowed",
        breaks: "WH-URL-5",
        says: "takes names of metadata services",
        killed_by: &["WH-URL-5"],
        plant: Plant::Request(|request, known| {
            accept(request, known, |url| raw_host(url).contains(".google.internal"))
        }),
    },
    Mutant {
        id: "cgnat_allowed",
        breaks: "WH-URL-6",
        says: "takes 100.64/10",
        killed_by: &["WH-URL-6"],
        plant: Plant::Request(|request, known| {
            accept(request, known, |url| v4(url, |[a, b, ..]| a == 100 && (64..128).contains(&b)));
        }),
    },
    Mutant {
        id: "multicast_allowed",
        breaks: "WH-URL-6",
        says: "takes multicast and reserved addresses",
        killed_by: &["WH-URL-6"],
        plant: Plant::Request(|request, known| accept(request, known, |url| v4(url, |[a, ..]| a >= 224))),
    },
    Mutant {
        id: "addresses_by_string",
        breaks: "WH-URL-7",
        says: "looks for addresses in the text of the URL",
        killed_by: &["WH-URL-7"],
        plant: Plant::Request(|request, known| {
            accept(request, known, |url| {
                let v4 = matches!(address(url), Some(IpAddr::V4(_)));
                v4 && raw_host(url).parse::<Ipv4Addr>().is_err()
            });
        }),
    },
    Mutant {
        id: "ipv6_by_is_loopback",
        breaks: "WH-URL-8",
        says: "knows ::1 and what is private of IPv6, and no address within another",
        killed_by: &["WH-URL-8"],
        plant: Plant::Request(|request, known| {
            accept(request, known, |url| {
                let Some(IpAddr::V6(address)) = address(url) else { return false };
                let [a, b, ..] = address.segments();
                let embeds = (a, b) == (0, 0) || (a, b) == (0x64, 0xff9b) || a == 0x2002 || (a, b) == (0x2001, 0);
                embeds && !address.is_loopback() && !address.is_unspecified()
            });
        }),
    },
    Mutant {
        id: "unresolvable_accepted",
        breaks: "WH-URL-9",
        says: "takes hosts that do not resolve",
        killed_by: &["WH-URL-9"],
        plant: Plant::Request(|request, known| accept(request, known, |url| raw_host(url).ends_with(".invalid"))),
    },
    Mutant {
        id: "any_public_address",
        breaks: "WH-URL-10",
        says: "takes a host of which one address is public",
        killed_by: &["WH-URL-10"],
        plant: Plant::Server,
    },
    Mutant {
        id: "address_judged_once",
        breaks: "WH-URL-11",
        says: "looks at where a host leads at registration alone",
        killed_by: &["WH-URL-11"],
        plant: Plant::Server,
    },
    Mutant {
        id: "address_resolved_twice",
        breaks: "WH-URL-12",
        says: "asks for the host's addresses once to judge them, and once more to connect",
        killed_by: &["WH-URL-12"],
        plant: Plant::Server,
    },
    Mutant {
        id: "redirects_followed",
        breaks: "WH-URL-13",
        says: "follows redirects",
        killed_by: &["WH-URL-13"],
        plant: Plant::Delivery(|_| Fate::Follow),
    },
    Mutant {
        id: "every_url_refused",
        breaks: "WH-URL-14",
        says: "refuses every URL",
        killed_by: &["WH-URL-14"],
        plant: Plant::Instead(|request, _| creates(request).then(|| ApiAnswer::error(400, "invalid_argument"))),
    },
    Mutant {
        id: "ports_refused",
        breaks: "WH-URL-15",
        says: "refuses ports beside 443",
        killed_by: &["WH-URL-15"],
        plant: Plant::Instead(|request, _| {
            let refused = creates(request) && request.json()["url"].as_str().is_some_and(|url| url.contains(":8443/"));
            refused.then(|| ApiAnswer::error(400, "invalid_argument"))
        }),
    },
    Mutant {
        id: "query_of_the_url_lost",
        breaks: "WH-URL-15",
        says: "a URL is registered without its query",
        killed_by: &["WH-URL-15"],
        plant: Plant::Request(|request, _| {
            let mut body = request.json();
            // Too long a URL stays one.
            let url = body["url"].as_str().filter(|url| creates(request) && url.len() <= 2_048).map(str::to_owned);
            if let Some((short, _)) = url.as_deref().and_then(|url| url.split_once('?')) {
                body["url"] = short.into();
                request.set_json(&body);
            }
        }),
    },
    Mutant {
        id: "idn_hosts_refused",
        breaks: "WH-URL-15",
        says: "refuses hosts in Punycode",
        killed_by: &["WH-URL-15"],
        plant: Plant::Instead(|request, _| {
            let refused = creates(request) && request.json()["url"].as_str().is_some_and(|url| url.contains("/xn--"));
            refused.then(|| ApiAnswer::error(400, "invalid_argument"))
        }),
    },
    Mutant {
        id: "long_url_500",
        breaks: "WH-URL-16",
        says: "answers 500 to a URL of more than 2048 bytes",
        killed_by: &["WH-URL-16"],
        plant: Plant::Answer(|request, answer, _| {
            if creates(request) && request.json()["url"].as_str().is_some_and(|url| url.len() > 2_048) {
                *answer = ApiAnswer::error(500, "internal");
            }
        }),
    },
];

fn raw_authority(url: &str) -> &str {
    url.strip_prefix("https://").and_then(|rest| rest.split(['/', '?']).next()).unwrap_or_default()
}

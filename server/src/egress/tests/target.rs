use std::net::IpAddr;

use proptest::prelude::*;

use crate::egress::target::{Destination, LONGEST_URL, Permissions};
use crate::egress::{Target, TargetError};

fn parse(url: &str) -> Result<Target, TargetError> {
    Target::parse(url, Permissions::default())
}

fn refused(urls: &[&str], expected: fn(TargetError) -> bool) {
    for url in urls {
        match parse(url) {
            Ok(target) => panic!("{url:?} is taken, as {target:?}"),
            Err(error) => assert!(expected(error), "{url:?}: {error}"),
        }
    }
}

/// WH-URL-1.
#[test]
fn only_https_is_taken() {
    refused(
        &[
            "http://hooks.example.com/",
            "ftp://hooks.example.com/",
            "ws://hooks.example.com/",
            "wss://hooks.example.com/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:text/plain,x",
            "//hooks.example.com/",
            "/hooks",
            "hooks",
            "hooks.example.com",
            "",
            "https",
            "https:",
            "https:/",
            "https:hooks.example.com",
            "https:127.0.0.1/",
            "https:/127.0.0.1",
            "httpss://hooks.example.com/",
            "gopher://hooks.example.com:70/",
            "https+unix://hooks.example.com/",
        ],
        |error| error == TargetError::Scheme,
    );
    assert!(parse("HTTPS://hooks.example.com/").is_ok());
}

/// WH-URL-2. The parser erases empty user names, so they are looked for in the text.
#[test]
fn credentials_are_refused_be_they_empty() {
    refused(
        &[
            "https://u:p@hooks.example.com/",
            "https://u@hooks.example.com/",
            "https://:p@hooks.example.com/",
            "https://:@hooks.example.com/",
            "https://@hooks.example.com/",
            "https://@@hooks.example.com/",
            "https://a.example.com:443@127.0.0.1/",
            "https://hooks.example.com@127.0.0.1",
            "https://u@hooks.example.com?x",
            "https://:@127.0.0.1:8443#x",
        ],
        |error| error == TargetError::Credentials,
    );
    for url in ["https://hooks.example.com/@me", "https://hooks.example.com/?to=a@b.example"] {
        assert!(parse(url).is_ok(), "{url}");
    }
}

/// WH-URL-7: each is an address once parsed, and judged as one.
#[test]
fn other_spellings_of_an_address_are_seen_through() {
    for (url, expected) in [
        ("https://127.1/", "127.0.0.1"),
        ("https://127.0.1", "127.0.0.1"),
        ("https://2130706433/", "127.0.0.1"),
        ("https://0x7f000001/", "127.0.0.1"),
        ("https://0x7f.1/", "127.0.0.1"),
        ("https://0177.0.0.1/", "127.0.0.1"),
        ("https://017700000001/", "127.0.0.1"),
        ("https://127.0.0.0x1/", "127.0.0.1"),
        ("https://127.0.0.1./", "127.0.0.1"),
        ("https://①②⑦.⓪.⓪.①/", "127.0.0.1"),
        ("https://１２７.０.０.１/", "127.0.0.1"),
        ("https://127。0。0。1/", "127.0.0.1"),
        ("https://%31%32%37.0.0.1/", "127.0.0.1"),
        ("https://169.254.43518/", "169.254.169.254"),
        ("https://2852039166/", "169.254.169.254"),
        ("https://0xa9fea9fe/", "169.254.169.254"),
        ("https://0/", "0.0.0.0"),
        ("https://0x/", "0.0.0.0"),
        ("https://[::1]/", "::1"),
        ("https://[0:0::0:1]/", "::1"),
        ("https://[::ffff:127.0.0.1]/", "::ffff:127.0.0.1"),
        ("https://[::FFFF:7f00:1]:8443/", "::ffff:127.0.0.1"),
        ("https://[::127.0.0.1]/", "::127.0.0.1"),
        ("https://[64:ff9b::7f00:1]/", "64:ff9b::7f00:1"),
    ] {
        let target = parse(url).unwrap_or_else(|error| panic!("{url}: {error}"));
        assert_eq!(target.place, Destination::Address(expected.parse::<IpAddr>().unwrap()), "{url}");
    }
}

/// S2: characters that a parser would silently repair, or that two parsers would read differently.
#[test]
fn characters_that_parsers_remove_or_turn_are_refused() {
    refused(
        &[
            " https://hooks.example.com/",
            "https://hooks.example.com/ ",
            "https://hooks.example.com/a b",
            "\thttps://hooks.example.com/",
            "https://127\t.0.0.1/",
            "https://127.0.\n0.1/",
            "ht\rtps://hooks.example.com/",
            "https://hooks.example.com/\0",
            "https://hooks.example.com/\u{7f}",
            "https://hooks.example.com/\u{85}",
            "https://hooks.example.com/\u{a0}",
            "https://hooks.example.com/\u{2028}",
            "https://ho oks.example.com/",
            "https:\\\\127.0.0.1/",
            "https:\\\\hooks.example.com/",
            "https://hooks.example.com\\@127.0.0.1/",
            "https://hooks.example.com/\\..",
        ],
        |error| error == TargetError::Characters,
    );
}

/// S2: hosts that are none.
#[test]
fn hosts_that_cannot_be_read_are_refused() {
    refused(
        &[
            "https://[fe80::1%25eth0]/",
            "https://[fe80::1%eth0]/",
            "https://a%00b.example.com/",
            "https://a%2fb.example.com/",
            "https://a%40b.example.com/",
            "https://1.2.3.4.5/",
            "https://256.256.256.256/",
            "https://4294967296/",
            "https://127.0.0.08/",
            "https://hooks.example.com:99999/",
            "https://hooks.example.com:x/",
            "https://xn--/",
            "https://[::1/",
            "https://::1/",
            "https://[]/",
            "https://[1.2.3.4]/",
            "https://a<b.example.com/",
            "https://a|b.example.com/",
            "https://a^b.example.com/",
        ],
        |error| matches!(error, TargetError::Unreadable(_)),
    );
    refused(
        &[
            "https://",
            "https:///",
            "https:///127.0.0.1/",
            "https:////hooks.example.com/",
            "https://?x",
            "https://#x",
            "https://h..com/",
            "https://.hooks.example.com/",
            "https://hooks.example.com../",
            "https://./",
            "https://h.-x.example/../..:1/",
        ],
        |error| matches!(error, TargetError::Host | TargetError::Unreadable(_)),
    );
    let long = format!("https://{}.example.com/", "a".repeat(64));
    assert_eq!(parse(&long).unwrap_err(), TargetError::Host);
    let long = format!("https://{}com/", "abcdefgh.".repeat(30));
    assert_eq!(parse(&long).unwrap_err(), TargetError::Host);
}

/// WH-URL-4, WH-URL-5, S2: names that a parser takes.
#[test]
fn names_of_the_inside_are_refused_by_their_spelling() {
    refused(
        &[
            "https://localhost/",
            "https://localhost./",
            "https://LOCALHOST:8443/",
            "https://loc%61lhost/",
            "https://ｌｏｃａｌｈｏｓｔ/",
            "https://app.localhost/",
            "https://a.b.localhost./",
            "https://localhost.localdomain/",
            "https://intranet/",
            "https://printer.local/",
            "https://PRINTER.LOCAL./",
            "https://local/",
            "https://db.internal/",
            "https://metadata.google.internal/computeMetadata/v1/",
            "https://metadata.google.internal./",
            "https://Metadata.Google.Internal",
            "https://router.home.arpa/",
            "https://ip6-localhost/",
            "https://kubernetes/",
            "https://com/",
        ],
        |error| error == TargetError::InsideName,
    );
    for url in ["https://local.example.com/", "https://notlocalhost.example/", "https://mylocal.example.internals.com/"]
    {
        assert!(parse(url).is_ok(), "{url}");
    }
}

/// S2.
#[test]
fn port_zero_and_fragments_are_refused() {
    refused(&["https://hooks.example.com:0/", "https://1.1.1.1:00000/"], |error| error == TargetError::PortZero);
    refused(
        &["https://hooks.example.com/#", "https://hooks.example.com/#top", "https://hooks.example.com#@127.0.0.1/"],
        |error| error == TargetError::Fragment,
    );
}

/// WH-URL-16.
#[test]
fn a_url_may_have_2048_bytes() {
    let url = |length: usize| format!("https://hooks.example.com/{}", "x".repeat(length - 26));
    assert!(parse(&url(LONGEST_URL)).is_ok());
    assert_eq!(parse(&url(LONGEST_URL + 1)).unwrap_err(), TargetError::TooLong);
    assert_eq!(parse(&url(1 << 20)).unwrap_err(), TargetError::TooLong);
    // Bytes, not characters.
    assert_eq!(parse(&format!("https://hooks.example.com/{}", "ü".repeat(1_012))).unwrap_err(), TargetError::TooLong);
}

/// RFC 1035, section 2.3.4.
#[test]
fn a_name_may_have_253_bytes_and_a_label_63() {
    let label = "a".repeat(63);
    assert!(parse(&format!("https://{label}.example/")).is_ok());
    refused(&[&format!("https://{label}a.example/")], |error| error == TargetError::Host);
    let name = |last: usize| format!("https://{label}.{label}.{label}.{}/", "a".repeat(last));
    assert_eq!(name(61).len(), "https://".len() + 253 + "/".len());
    assert!(parse(&name(61)).is_ok());
    refused(&[&name(62)], |error| error == TargetError::Host);
    // The dot at the end is no part of the name.
    assert!(parse(&name(61).replace("a/", "a./")).is_ok());
}

/// WH-URL-14, WH-URL-15: unusual and legal; the registered URL is sent unchanged.
#[test]
fn unusual_urls_are_taken_and_kept() {
    for (url, host, port, header, path) in [
        ("https://hooks.example.com", "hooks.example.com", 443, "hooks.example.com", "/"),
        ("https://hooks.example.com:443/", "hooks.example.com", 443, "hooks.example.com", "/"),
        ("https://Hooks.Example.COM:8443/x?y=z", "hooks.example.com", 8443, "hooks.example.com:8443", "/x?y=z"),
        ("https://hooks.example.com./x", "hooks.example.com", 443, "hooks.example.com", "/x"),
        ("https://a_b.example/x", "a_b.example", 443, "a_b.example", "/x"),
        ("https://bücher.example/ü?ü", "xn--bcher-kva.example", 443, "xn--bcher-kva.example", "/%C3%BC?%C3%BC"),
        ("https://xn--bcher-kva.example:1/", "xn--bcher-kva.example", 1, "xn--bcher-kva.example:1", "/"),
        ("https://hooks.example.com?token=a%20b", "hooks.example.com", 443, "hooks.example.com", "/?token=a%20b"),
        ("https://hooks.example.com/a/../b/%2e%2e/c", "hooks.example.com", 443, "hooks.example.com", "/c"),
        ("https://hooks.example.com/?", "hooks.example.com", 443, "hooks.example.com", "/?"),
        ("https://1.1.1.1:65535/", "1.1.1.1", 65535, "1.1.1.1:65535", "/"),
        ("https://[2606:4700::1111]:8443/", "[2606:4700::1111]", 8443, "[2606:4700::1111]:8443", "/"),
        ("https://127.0.0.1.nip.io/", "127.0.0.1.nip.io", 443, "127.0.0.1.nip.io", "/"),
    ] {
        let target = parse(url).unwrap_or_else(|error| panic!("{url}: {error}"));
        assert_eq!(target.as_str(), url);
        assert_eq!(target.host(), host, "{url}");
        assert_eq!(target.port, port, "{url}");
        assert_eq!(target.host_header, header, "{url}");
        assert_eq!(target.path, path, "{url}");
    }
}

#[test]
fn localhost_is_a_host_where_an_operator_says_so() {
    let permissions = Permissions { localhost: true, ..Permissions::default() };
    for url in ["https://localhost:8443/hooks", "https://LOCALHOST/", "https://app.localhost/", "https://localhost./"] {
        let target = Target::parse(url, permissions).unwrap_or_else(|error| panic!("{url}: {error}"));
        assert_eq!(target.place, Destination::Localhost, "{url}");
    }
    for url in ["https://printer.local/", "https://intranet/", "http://localhost/"] {
        assert!(Target::parse(url, permissions).is_err(), "{url}");
    }
}

#[test]
fn names_of_the_inside_are_hosts_where_an_operator_says_so() {
    let permissions = Permissions { inside_names: true, ..Permissions::default() };
    let target = Target::parse("https://intranet/hooks", permissions).unwrap();
    assert_eq!(target.place, Destination::Name("intranet".to_owned()));
    // The machine itself has a permission of its own.
    assert_eq!(Target::parse("https://app.localhost/", permissions).unwrap_err(), TargetError::InsideName);
}

#[test]
fn plain_http_is_taken_where_an_operator_says_so() {
    let permissions = Permissions { plain_http: true, ..Permissions::default() };
    let target = Target::parse("http://hooks.example.com/", permissions).unwrap();
    assert_eq!((target.secured, target.port), (false, 80));
    assert!(Target::parse("https://hooks.example.com/", permissions).unwrap().secured);
}

#[test]
fn tokens_in_a_url_are_not_shown() {
    let target = parse("https://hooks.example.com/s3cret?token=s3cret").unwrap();
    let shown = format!("{target:?}");
    assert!(shown.contains("hooks.example.com") && !shown.contains("s3cret"), "{shown}");
}

proptest! {
    /// Any text gets a target or a sentence; a target has all parts that a request needs.
    #[test]
    fn any_text_is_answered(text in "\\PC{0,60}", host in "[a-zA-Z0-9.:@%\\[\\]_-]{0,30}", rest in "[/?#@:a-z%0-9.]{0,20}") {
        for url in [text.clone(), format!("https://{text}"), format!("https://{host}{rest}"), format!("https://a.example{rest}")] {
            if let Ok(target) = parse(&url) {
                prop_assert!(!target.host().is_empty() && target.port != 0 && target.secured);
                prop_assert!(target.path.as_str().starts_with('/'));
                prop_assert!(!url.split(['/', '?', '#']).nth(2).unwrap_or("").contains('@'));
            }
        }
    }
}

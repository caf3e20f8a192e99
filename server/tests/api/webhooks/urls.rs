//! Valid and invalid URLs. The tables of addresses and spellings are with the egress; these are the answers that
//! callers see, one or two for each class.

use hickory_resolver::proto::op::ResponseCode;
use l10n_server::both_engines;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::webhooks::names::{Names, Reply, addresses};
use crate::webhooks::support::{URL, create, created, list, patch, post, unchanged};

both_engines!(
    urls_that_lead_inside_are_refused_when_registered_and_when_changed,
    unusual_urls_are_taken,
    a_host_must_resolve_to_public_addresses_alone,
    an_operator_may_allow_a_network,
);

/// WH-URL-1 to WH-URL-8, WH-URL-14, WH-URL-16, WH-PA-4, WH-CR-6, HOSTILE-INPUTS S1, S2: 400 `invalid_argument` with a
/// reason, and nothing is written.
async fn urls_that_lead_inside_are_refused_when_registered_and_when_changed(store: TestStore) {
    let app = TestApp::on(&store).await;
    let webhook = create(&app).await;
    let before = list(&app).await;
    let long = format!("https://93.184.216.34/{}", "x".repeat(2_049 - 22));
    assert_eq!(long.len(), 2_049);
    let urls = [
        // WH-URL-1
        "http://93.184.216.34/",
        "ftp://93.184.216.34/",
        "wss://93.184.216.34/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "//93.184.216.34/",
        "/hooks",
        "93.184.216.34",
        "https:93.184.216.34/",
        "https:///93.184.216.34/",
        // WH-URL-2
        "https://u:p@93.184.216.34/",
        "https://u@93.184.216.34/",
        "https://:p@93.184.216.34/",
        "https://@93.184.216.34/",
        "https://93.184.216.34:443@127.0.0.1/",
        // WH-URL-3
        "https://10.0.0.1/",
        "https://172.16.0.1/",
        "https://172.31.255.254/",
        "https://192.168.1.1/",
        "https://[fc00::1]/",
        "https://[fd12:3456::1]/",
        // WH-URL-4
        "https://127.0.0.1/",
        "https://127.8.9.10:8443/",
        "https://[::1]/",
        "https://localhost/",
        "https://LOCALHOST./",
        "https://a.localhost/",
        // WH-URL-5
        "https://169.254.169.254/latest/meta-data",
        "https://[fd00:ec2::254]/",
        "https://168.63.129.16/",
        "https://100.100.100.200/",
        "https://metadata.google.internal/",
        // WH-URL-6
        "https://0.0.0.0/",
        "https://100.64.0.1/",
        "https://192.0.2.1/",
        "https://198.18.0.1/",
        "https://224.0.0.1/",
        "https://255.255.255.255/",
        "https://[ff02::1]/",
        "https://[2001:db8::1]/",
        // WH-URL-7
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://0177.0.0.1/",
        "https://①②⑦.0.0.1/",
        "https://%31%32%37.0.0.1/",
        "https://127.0.0.1./",
        "https://0/",
        // WH-URL-8
        "https://[::ffff:127.0.0.1]/",
        "https://[::127.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[64:ff9b:1::7f00:1]/",
        "https://[2002:7f00:1::]/",
        "https://[2001:0:7f00:1::]/",
        // S2
        "https://",
        "https://93.184.216.34:0/",
        "https://93.184.216.34:99999/",
        "https://93.184.216.34/#fragment",
        "https://93.184.216.34/a b",
        "https://93.184.216.34\\@127.0.0.1/",
        " https://93.184.216.34/",
        "https://intranet/",
        "https://printer.local/",
        "https://256.256.256.256/",
        "https://[fe80::1%25eth0]/",
        "https://[::1",
        // WH-URL-16
        &long,
    ];
    for url in urls {
        let answer = post(&app, &json!({"url": url, "events": ["strings.published"]})).await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{url}");
        let message = answer.error().message;
        assert!(message.starts_with("`url`: ") && message.len() < 300, "{url}: {message}");
        let changed = patch(&app, &webhook, &json!({"url": url, "enabled": false})).await;
        assert_eq!((changed.outcome(), changed.error().message), ("400 invalid_argument".to_owned(), message), "{url}");
    }
    for url in ["https://93.184.216.34/\n", "https://93.184.216.34/\u{0}", "\u{7}https://93.184.216.34/"] {
        let answer = post(&app, &json!({"url": url, "events": ["strings.published"]})).await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{url:?}");
    }
    unchanged(&app, &before).await;
    created(&post(&app, &json!({"url": &long[..2_048], "events": ["strings.published"]})).await);
}

/// WH-URL-14, WH-URL-15
async fn unusual_urls_are_taken(store: TestStore) {
    let names = Names::always(Reply::Addresses(addresses(&["93.184.216.34"]))).await;
    let app = TestApp::with(
        &store,
        |settings| settings.webhooks.egress.name_server = Some(names.address),
        ConnectionTimeouts::default(),
    )
    .await;
    for url in [
        "https://hooks.example.com:8443/x?y=z&u=https://127.0.0.1/",
        "https://bücher.example/ü",
        "https://a_b.example/@user",
        "https://xn--bcher-kva.example.",
        URL,
    ] {
        let webhook = created(&post(&app, &json!({"url": url, "events": ["strings.published"]})).await);
        assert_eq!(webhook.url, url);
    }
}

/// WH-URL-9, WH-URL-10, WH-PA-4, AMB-38
async fn a_host_must_resolve_to_public_addresses_alone(store: TestStore) {
    let names = Names::saying(|name, _| match name {
        "public.example.com" => Reply::Addresses(addresses(&["93.184.216.34", "2606:2800:220:1::1"])),
        "private.example.com" => Reply::Addresses(addresses(&["10.0.0.1"])),
        "mixed.example.com" => Reply::Addresses(addresses(&["93.184.216.34", "127.0.0.1"])),
        "mixed6.example.com" => Reply::Addresses(addresses(&["93.184.216.34", "::1"])),
        "garbage.example.com" => Reply::Garbage,
        _ => Reply::Code(ResponseCode::NXDomain),
    })
    .await;
    let app = TestApp::with(
        &store,
        |settings| settings.webhooks.egress.name_server = Some(names.address),
        ConnectionTimeouts::default(),
    )
    .await;
    let body = |host: &str| json!({"url": format!("https://{host}.example.com/"), "events": ["strings.published"]});
    let webhook = created(&post(&app, &body("public")).await);
    let before = list(&app).await;
    for host in ["private", "mixed", "mixed6", "nowhere"] {
        let answer = post(&app, &body(host)).await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{host}");
        let message = answer.error().message;
        assert!(!message.contains("10.0.0.1") && !message.contains("127.0.0.1"), "{message}");
        let changed = patch(&app, &webhook, &json!({"url": body(host)["url"]})).await;
        assert_eq!(changed.error().message, message);
    }
    unchanged(&app, &before).await;
    assert!(names.asked().iter().any(|name| name == "mixed.example.com"));
}

/// An exception holds for what it names.
async fn an_operator_may_allow_a_network(store: TestStore) {
    let allow = |settings: &mut l10n_server::config::Settings| {
        settings.webhooks.egress.allow_targets = vec!["10.1.0.0/16".parse().unwrap()];
        settings.webhooks.egress.deny_targets = vec!["93.184.216.34/32".parse().unwrap()];
    };
    let app = TestApp::with(&store, allow, ConnectionTimeouts::default()).await;
    let body = |url: &str| json!({"url": url, "events": ["strings.published"]});
    created(&post(&app, &body("https://10.1.2.3/")).await);
    for refused in ["https://10.2.0.1/", "https://127.0.0.1/", URL] {
        assert_eq!(post(&app, &body(refused)).await.outcome(), "400 invalid_argument", "{refused}");
    }
}

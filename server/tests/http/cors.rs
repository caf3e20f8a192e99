//! The rights of pages of other origins: to read public data, and to report missing keys.

use http::Method;
use l10n_api_types::{KeyKind, Scope};
use l10n_server::both_engines;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::{Answer, Call, TestApp, TestStore};
use serde_json::json;

both_engines!(
    a_page_reports_missing_keys,
    a_page_can_read_why_a_report_was_refused,
    no_other_route_that_takes_a_key_is_open_to_pages,
);

fn from_page(call: Call) -> Call {
    call.header("origin", "https://app.example")
}

fn is_open(answer: &Answer) -> bool {
    answer.header("access-control-allow-origin") == Some("*")
}

fn named<'a>(answer: &'a Answer, header: &str) -> Vec<&'a str> {
    answer.header(header).unwrap_or_default().split(", ").collect()
}

/// PACKAGING 5
async fn a_page_reports_missing_keys(store: TestStore) {
    let app = TestApp::on(&store).await;
    let preflight = app
        .call(Method::OPTIONS, "/capture")
        .no_key()
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,content-type,idempotency-key");
    let asked = from_page(preflight).send().await;
    assert_eq!((asked.status, asked.bytes.len()), (204, 0), "{asked:?}");
    assert!(is_open(&asked));
    assert_eq!(named(&asked, "access-control-allow-methods"), ["POST"]);
    let headers = named(&asked, "access-control-allow-headers");
    assert_eq!(headers, ["authorization", "content-type", "idempotency-key"]);
    let key = app.key(&app.project, &[Scope::Capture], KeyKind::Ci).await;
    let report = json!({"keys": [{"ref": "cart.empty", "text": "Your cart is empty"}]});
    let taken = from_page(app.post("/capture").key(&key)).header("idempotency-key", "1").json(&report).send().await;
    assert!(taken.status == 200 && is_open(&taken), "{taken:?}");
    assert!(taken.header("access-control-expose-headers").is_some_and(|exposed| exposed.contains('*')));
}

/// PACKAGING 5
async fn a_page_can_read_why_a_report_was_refused(store: TestStore) {
    let few = |settings: &mut l10n_server::config::Settings| settings.limits.requests_per_minute = 5;
    let app = TestApp::with(&store, few, ConnectionTimeouts::default()).await;
    let report = json!({"keys": [{"ref": "a"}]});
    let capture = || from_page(app.post("/capture"));
    let cases = [
        (capture().no_key().json(&report), 401),
        (capture().key("eik_wrong").json(&report), 401),
        (capture().key(&app.project.keys.read).json(&report), 403),
        (capture().body("{"), 400),
        (capture().body(vec![b' '; (1 << 20) + 1]), 413),
        (from_page(app.call(Method::PUT, "/capture")).json(&report), 405),
        (from_page(app.call(Method::DELETE, "/capture")), 405),
        (capture().json(&report), 429),
    ];
    for (call, status) in cases {
        let refused = call.send().await;
        assert_eq!(refused.status, status, "{refused:?}");
        assert!(is_open(&refused), "{refused:?}");
    }
    // The preflight takes nothing of the budget and is not refused by it.
    assert_eq!(from_page(app.call(Method::OPTIONS, "/capture").no_key()).send().await.status, 204);
}

/// PACKAGING 5: a key in a page is anyone's.
async fn no_other_route_that_takes_a_key_is_open_to_pages(store: TestStore) {
    let app = TestApp::on(&store).await;
    for (method, path) in [
        (Method::GET, "/credential"),
        (Method::GET, "/meta"),
        (Method::POST, "/translate"),
        (Method::POST, "/publish"),
        (Method::GET, "/webhooks"),
        (Method::GET, "/capture/x"),
        (Method::GET, "/nowhere"),
    ] {
        let preflight = from_page(app.call(Method::OPTIONS, path)).header("access-control-request-method", "GET");
        for call in [from_page(app.call(method, path)), preflight.clone(), preflight.no_key()] {
            let answer = call.send().await;
            assert!(!is_open(&answer) && answer.status != 204, "{path}: {answer:?}");
        }
    }
}

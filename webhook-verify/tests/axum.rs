//! The extractor, in a router.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRef, Request, State};
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Router, http};
use http_body_util::BodyExt as _;
use l10n_webhook_verify::axum::{MAX_BODY_BYTES, Signed};
use l10n_webhook_verify::dedup::{DeliveryKey, InMemory, Once, once};
use l10n_webhook_verify::events::Event;
use l10n_webhook_verify::{SIGNATURE_HEADER, Verifier, WEBHOOK_ID_HEADER, sign};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tower::ServiceExt as _;

const SECRET: &str = "whsec_5vhKqPbDCLWQWJLTWqkqTvAqZx1V5RkSBnHy8c4tSPo";
const NOW: i64 = 1_800_000_000;
const EVENT: &str = r#"{"id":"evt_1","type":"strings.published","schemaVersion":1,"createdAt":"2027-01-15T08:00:00.000Z",
    "project":{"id":"prj_1","handle":"acme","slug":"app"},
    "data":{"versionId":"ver_1","label":"Grüße","keyCount":3,"languages":[{"code":"en","isBase":true}]}}"#;

async fn receive(Signed { event, body, verified, webhook_id, .. }: Signed<Event>) -> String {
    format!("{} {} {} {}", event.id, webhook_id.unwrap_or_default(), body.len(), verified.time)
}

fn app() -> Router {
    let verifier = Arc::new(Verifier::new(SECRET).unwrap().clock(|| NOW));
    Router::new().route("/", post(receive)).with_state(verifier)
}

async fn send(app: Router, header: &str, body: Body) -> (StatusCode, String) {
    let request = Request::post("/").header(SIGNATURE_HEADER, header).header(WEBHOOK_ID_HEADER, "whk_1");
    let response = app.oneshot(request.body(body).unwrap()).await.unwrap();
    let status = response.status();
    let said = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(said.to_vec()).unwrap())
}

fn signed(body: &str) -> String {
    sign::header(&[SECRET], NOW, body.as_bytes())
}

/// Makes a body of several pieces, and counts the pieces that are read.
fn watched(pieces: Vec<Bytes>) -> (Body, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let pieces = pieces.into_iter().map(move |piece| {
        counter.fetch_add(1, Ordering::Relaxed);
        Ok::<_, Infallible>(piece)
    });
    (Body::from_stream(futures_util::stream::iter(pieces)), asked)
}

#[tokio::test]
async fn a_signed_event_reaches_the_handler() {
    let (status, said) = send(app(), &signed(EVENT), EVENT.into()).await;
    assert_eq!((status, said), (StatusCode::OK, format!("evt_1 whk_1 {} {NOW}", EVENT.len())));
}

#[tokio::test]
async fn what_is_wrong_with_the_header_or_time_is_said_before_the_body_is_read() {
    let stale = sign::header(&[SECRET], NOW - 301, EVENT.as_bytes());
    for (header, expected, word) in
        [("t=1", StatusCode::BAD_REQUEST, "v1"), (stale.as_str(), StatusCode::UNAUTHORIZED, "301 s ago")]
    {
        let (body, asked) = watched(vec![EVENT.into()]);
        let (status, said) = send(app(), header, body).await;
        assert_eq!(status, expected);
        assert!(said.contains(word), "{said}");
        assert_eq!(asked.load(Ordering::Relaxed), 0);
    }
}

#[tokio::test]
async fn nothing_is_parsed_that_is_not_verified() {
    let (status, said) = send(app(), &signed(EVENT), "{".into()).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED, "{said}");
    let (status, said) = send(app(), &signed("{"), "{".into()).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{said}");
}

/// The same JSON in other bytes is another body.
#[tokio::test]
async fn a_body_that_a_proxy_has_rewritten_is_refused() {
    let compact = serde_json::from_str::<serde_json::Value>(EVENT).unwrap().to_string();
    let (status, said) = send(app(), &signed(EVENT), compact.into()).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED, "{said}");
    assert!(said.contains("byte for byte"), "{said}");
}

#[tokio::test]
async fn no_more_than_the_limit_is_read() {
    let piece = Bytes::from(vec![b' '; MAX_BODY_BYTES / 4]);
    for (app, most) in [
        (app(), 5),
        (app().layer(DefaultBodyLimit::disable()), 5),
        (app().layer(DefaultBodyLimit::max(MAX_BODY_BYTES / 2)), 3),
    ] {
        let (body, asked) = watched(vec![piece.clone(); 100]);
        let (status, said) = send(app, &signed(""), body).await;
        assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE, "{said}");
        assert_eq!(asked.load(Ordering::Relaxed), most);
    }
    let full = format!("{EVENT}{}", " ".repeat(MAX_BODY_BYTES - EVENT.len()));
    let (status, said) = send(app(), &signed(&full), full.into()).await;
    assert_eq!(status, StatusCode::OK, "{said}");
}

#[tokio::test]
async fn a_body_that_breaks_off_is_refused() {
    let pieces = [Ok(Bytes::from("{")), Err(std::io::Error::other("reset"))];
    let body = Body::from_stream(futures_util::stream::iter(pieces));
    let (status, said) = send(app(), &signed("{"), body).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{said}");
}

/// The verifier can be part of a larger state, and the body can be any type that serde reads.
#[tokio::test]
async fn it_fits_into_the_state_of_an_application() {
    #[derive(Clone)]
    struct Application {
        verifier: Arc<Verifier>,
    }
    impl FromRef<Application> for Arc<Verifier> {
        fn from_ref(state: &Application) -> Self {
            Arc::clone(&state.verifier)
        }
    }
    let state = Application { verifier: Arc::new(Verifier::new(SECRET).unwrap().clock(|| NOW)) };
    let handler = async |Signed { event, .. }: Signed<Vec<u8>>| http::StatusCode::from_u16(event.len() as u16).unwrap();
    let app = Router::new().route("/", post(handler)).with_state(state);
    let body = format!("[{}0]", "0,".repeat(201));
    assert_eq!(send(app, &signed(&body), body.into()).await.0, StatusCode::ACCEPTED);
}

/// A receiver whose handler does not come to its end the first time.
#[derive(Clone)]
struct Receiver {
    verifier: Arc<Verifier>,
    seen: Arc<InMemory>,
    runs: Arc<AtomicUsize>,
    begun: Arc<Notify>,
    left: Arc<Notify>,
}

impl FromRef<Receiver> for Arc<Verifier> {
    fn from_ref(receiver: &Receiver) -> Self {
        Arc::clone(&receiver.verifier)
    }
}

/// Tells that the handler was left, at its end or before.
struct Leaving(Arc<Notify>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

async fn handle_once(State(app): State<Receiver>, Signed { event, webhook_id, .. }: Signed<Event>) -> StatusCode {
    let key = DeliveryKey::new(webhook_id.unwrap(), event.id).unwrap();
    let work = async {
        let _leaving = Leaving(app.left);
        if app.runs.fetch_add(1, Ordering::Relaxed) == 0 {
            app.begun.notify_one();
            std::future::pending::<()>().await;
        }
        Ok::<_, Infallible>(())
    };
    match once(&*app.seen, &key, work).await {
        Ok(Once::Handled(()) | Once::Duplicate) => StatusCode::NO_CONTENT,
        Ok(Once::InProgress) => StatusCode::CONFLICT,
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// DEL-15: the service hangs up after ten seconds and delivers again after thirty, half of a claim's lease.
#[tokio::test]
async fn a_delivery_whose_sender_hung_up_is_handled_when_it_comes_again() {
    let app = Receiver {
        verifier: Arc::new(Verifier::new(SECRET).unwrap().clock(|| NOW)),
        seen: Arc::default(),
        runs: Arc::default(),
        begun: Arc::default(),
        left: Arc::default(),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let routes = Router::new().route("/", post(handle_once)).with_state(app.clone());
    tokio::spawn(async move { axum::serve(listener, routes).await });
    let delivery = format!(
        "POST / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{SIGNATURE_HEADER}: {}\r\n{WEBHOOK_ID_HEADER}: whk_1\r\n\
         content-length: {}\r\n\r\n{EVENT}",
        signed(EVENT),
        EVENT.len()
    );

    let mut first = TcpStream::connect(address).await.unwrap();
    first.write_all(delivery.as_bytes()).await.unwrap();
    app.begun.notified().await;
    drop(first);
    app.left.notified().await;

    let mut again = TcpStream::connect(address).await.unwrap();
    again.write_all(delivery.as_bytes()).await.unwrap();
    let mut answer = String::new();
    again.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 204 "), "{answer}");
    assert_eq!(app.runs.load(Ordering::Relaxed), 2);
}

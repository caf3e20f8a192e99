//! Commits whose answer gets lost between PostgreSQL and the server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use axum::body::Body;
use http_body_util::BodyExt as _;
use l10n_api_types::{ErrorCode, Key, Millicredits};
use l10n_server::app;
use l10n_server::engines::Pseudo;
use l10n_server::service::Service;
use l10n_server::store::{Store, Tx};
use l10n_server::testing::{CREDITS, TestApp, TestStore, on_postgres};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tower::ServiceExt as _;
use url::Url;

use crate::jobs::fixtures::{TestWorker, money};

/// The treatment of the next commit of a transaction that places a hold.
const PASS: u8 = 0;
const CUT_BEFORE: u8 = 1;
const CUT_AFTER: u8 = 2;

/// A way to PostgreSQL that breaks at a commit.
struct Wire {
    url: String,
    next_commit: Arc<AtomicU8>,
}

impl Wire {
    async fn to(store: &TestStore) -> Self {
        let mut url = Url::parse(store.url()).unwrap();
        let folder = url.query_pairs().find(|(name, _)| name == "host").map(|(_, folder)| folder.into_owned());
        let address = (url.host_str().unwrap().to_owned(), url.port().unwrap_or(5432));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        url.set_query(Some("sslmode=disable"));
        url.set_host(Some("127.0.0.1")).unwrap();
        url.set_port(Some(listener.local_addr().unwrap().port())).unwrap();
        let next_commit = Arc::new(AtomicU8::new(PASS));
        let told = Arc::clone(&next_commit);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (told, folder, address) = (Arc::clone(&told), folder.clone(), address.clone());
                tokio::spawn(async move {
                    match folder {
                        Some(folder) => {
                            let server = UnixStream::connect(format!("{folder}/.s.PGSQL.5432")).await.unwrap();
                            carry(client, server, &told).await;
                        }
                        None => carry(client, TcpStream::connect(address).await.unwrap(), &told).await,
                    }
                });
            }
        });
        Self { url: url.into(), next_commit }
    }

    /// A server whose connections are new, so that each statement's text goes over the wire.
    async fn service(&self, app: &TestApp) -> Service {
        Service { store: Store::connect(&self.url).await.unwrap(), ..app.service.clone() }
    }
}

fn says(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// Carries bytes both ways until one side ends, or a commit is to be cut.
async fn carry(client: TcpStream, server: impl AsyncRead + AsyncWrite, next_commit: &AtomicU8) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = tokio::io::split(server);
    let cuts_answer = AtomicBool::new(false);
    let asks = async {
        let (mut buffer, mut places_hold) = (vec![0; 65_536], false);
        loop {
            let read = from_client.read(&mut buffer).await.unwrap_or(0);
            let asked = &buffer[..read];
            places_hold |= says(asked, "INSERT INTO holds");
            let is_cut = places_hold && says(asked, "COMMIT\0");
            let fate = if is_cut { next_commit.swap(PASS, Ordering::SeqCst) } else { PASS };
            cuts_answer.fetch_or(fate == CUT_AFTER, Ordering::SeqCst);
            if read == 0 || fate == CUT_BEFORE || to_server.write_all(asked).await.is_err() {
                return;
            }
        }
    };
    let answers = async {
        let mut buffer = vec![0; 65_536];
        loop {
            let read = from_server.read(&mut buffer).await.unwrap_or(0);
            // The answer shows that PostgreSQL has committed; it goes no further.
            if read == 0 || cuts_answer.load(Ordering::SeqCst) || to_client.write_all(&buffer[..read]).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = asks => {}
        () = answers => {}
    }
}

async fn translate(service: &Service, app: &TestApp, name: &str) -> (u16, Value) {
    let body = json!({"keys": [Key::text(name, "Text of the key")], "languages": ["de"]});
    let request = http::Request::post(format!("/v1/projects/{}/translate", app.project.id))
        .header("authorization", format!("Bearer {}", app.project.keys.admin))
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()))
        .unwrap();
    let response = app::router(service.clone()).oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    (status, serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap())
}

async fn live_holds(store: &TestStore) -> Vec<String> {
    let Tx::Postgres(mut tx) = store.begin_read().await.unwrap() else { panic!("PostgreSQL is asked for") };
    sqlx::query_scalar("SELECT id FROM holds WHERE released_at IS NULL").fetch_all(&mut *tx).await.unwrap()
}

/// ERR-503-1, ERR-503-3, §7 rule 2: the message names the hold, its credits and its end, whether the run landed or not; where
/// it landed, the hold is the one that was named.
#[test]
fn a_run_whose_commit_is_lost_names_its_hold_and_how_long_it_lasts() {
    on_postgres(async |store: TestStore| {
        let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
        let wire = Wire::to(&store).await;
        let (status, _) = translate(&wire.service(&app).await, &app, "before").await;
        assert_eq!(status, 202, "the wire carries what is not cut");
        let mut before = live_holds(&store).await;
        for (fate, lands) in [(CUT_BEFORE, false), (CUT_AFTER, true)] {
            wire.next_commit.store(fate, Ordering::SeqCst);
            let service = wire.service(&app).await;
            let (status, error) = translate(&service, &app, &format!("key {fate}")).await;
            assert_eq!((status, &error["error"]), (503, &json!(ErrorCode::Unavailable)), "{error}");
            let message = error["message"].as_str().unwrap();
            assert!(message.contains("from your source files"), "{message}");
            assert!(message.contains("of 0.015 credits") && message.contains("within 35 minutes"), "{message}");
            let named = message.split_whitespace().find(|word| word.starts_with("hld_")).unwrap().to_owned();
            let new: Vec<_> = live_holds(&store).await.into_iter().filter(|hold| !before.contains(hold)).collect();
            assert_eq!(new, if lands { vec![named] } else { Vec::new() }, "{fate}");
            let (status, _) = translate(&service, &app, &format!("after {fate}")).await;
            assert_eq!(status, 202, "it recovers by itself");
            before = live_holds(&store).await;
        }
        let _worker = TestWorker::start(&app);
        while !live_holds(&store).await.is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        let money = money(&app).await;
        assert!(money.held == Millicredits::ZERO && money.balance < CREDITS);
    });
}

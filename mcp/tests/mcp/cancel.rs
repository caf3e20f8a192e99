//! A client that no longer wants an answer: the waiting stops, and a queued run goes on.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use l10n_client::Client;
use l10n_mcp::{Account, HttpOptions, Options, ProjectName, Server};
use l10n_server::both_engines;
use l10n_server::engines::Translator;
use l10n_server::testing::{TestApp, TestStore};
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest};
use rmcp::service::PeerRequestOptions;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};

use crate::http::Http;
use crate::once::Gate;
use crate::support::{Agent, Host, REVISIONS, Revision};

both_engines!(a_canceled_call_stops_to_wait_and_its_run_goes_on);

/// Longer than any wait of a call, so that no request ends by its own limit.
const CALL_TIMEOUT: Duration = Duration::from_secs(600);

/// A way to the service that keeps back the answer to a request that waits, until the client gives that request up.
struct Relay {
    address: SocketAddr,
    keeps_back: AtomicBool,
    waits: Notify,
    given_up: Notify,
}

impl Relay {
    async fn before(service: SocketAddr) -> Arc<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (waits, given_up) = (Notify::new(), Notify::new());
        let relay = Arc::new(Self { address, keeps_back: AtomicBool::new(true), waits, given_up });
        let shared = Arc::clone(&relay);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let far = TcpStream::connect(service).await.unwrap();
                let relay = Arc::clone(&shared);
                tokio::spawn(async move { relay.connection(near, far).await });
            }
        });
        relay
    }

    async fn connection(&self, mut near: TcpStream, mut far: TcpStream) {
        let (mut asked, mut answered) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
        let mut is_waiting = false;
        loop {
            tokio::select! {
                read = near.read(&mut asked) => match read {
                    Ok(read @ 1..) => {
                        let waits = asked[..read].windows(12).any(|bytes| bytes == b"waitSeconds=");
                        if waits {
                            is_waiting = self.keeps_back.load(Ordering::SeqCst);
                            self.waits.notify_one();
                        }
                        if far.write_all(&asked[..read]).await.is_err() {
                            return;
                        }
                    }
                    _ => break,
                },
                read = far.read(&mut answered), if !is_waiting => match read {
                    Ok(read @ 1..) if near.write_all(&answered[..read]).await.is_ok() => {}
                    _ => return,
                },
            }
        }
        if is_waiting {
            self.given_up.notify_one();
        }
    }

    fn account(&self, app: &TestApp) -> Account {
        let key = app.project.keys.admin.as_str();
        let client = Client::builder(format!("http://{}/v1", self.address)).api_key(key);
        let client = client.request_timeout(CALL_TIMEOUT).total_timeout(CALL_TIMEOUT).build().unwrap();
        Account::new(client, ProjectName::Id(app.project.id.to_string()), key)
    }
}

/// The ways of calling, and of no longer wanting the answer.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// A notification names the call.
    Notification(Revision),
    /// The connection of the answer is closed. With progress, the answer is a stream that has begun.
    Closed { revision: Revision, progress: bool },
}

fn arguments(turn: usize) -> Value {
    json!({"keys": [{"ref": format!("k{turn}"), "text": format!("A text of turn {turn}")}], "reason": "r"})
}

async fn a_canceled_call_stops_to_wait_and_its_run_goes_on(store: TestStore) {
    let gate = Arc::new(Gate(Semaphore::new(0)));
    let app = TestApp::translated_by(&store, Arc::clone(&gate) as Arc<dyn Translator>).await;
    let closed = |revision| [false, true].map(|progress| Way::Closed { revision, progress });
    let ways = REVISIONS.map(Way::Notification).into_iter().chain(REVISIONS.into_iter().flat_map(closed));
    for (turn, way) in ways.enumerate() {
        let relay = Relay::before(app.address).await;
        let waits = || soon(relay.waits.notified(), "no call waits");
        let given_up = async || {
            soon(relay.given_up.notified(), "the call goes on waiting").await;
            relay.keeps_back.store(false, Ordering::SeqCst);
        };
        // The second call waits for the run before the engine may end it.
        let work = async {
            waits().await;
            gate.0.add_permits(1_000);
        };
        let again = match way {
            Way::Notification(revision) => {
                let server = Server::new(relay.account(&app), Options::default());
                let agent = Agent::of(server, revision, Host::plain()).await;
                let params = CallToolRequestParams::new("translate")
                    .with_arguments(arguments(turn).as_object().unwrap().clone());
                let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
                let options = PeerRequestOptions::no_options();
                let call = agent.client.send_cancellable_request(request, options).await.unwrap();
                waits().await;
                call.cancel(Some("the person pressed Escape".into())).await.unwrap();
                given_up().await;
                let (again, ()) = tokio::join!(agent.ok("translate", arguments(turn)), work);
                again
            }
            Way::Closed { revision, progress } => {
                let http = Http::with(relay.account(&app), HttpOptions::default()).await;
                let key = &app.project.keys.admin;
                let mut params = json!({"name": "translate", "arguments": arguments(turn)});
                if progress {
                    params["_meta"] = json!({"progressToken": "p"});
                }
                let mut call = Box::pin(http.send(revision, key, "tools/call", params.clone(), &[]));
                let answer = tokio::select! {
                    answer = &mut call => Some(answer),
                    () = waits() => None,
                };
                if answer.is_some() {
                    waits().await;
                }
                drop((call, answer));
                given_up().await;
                params["_meta"] = json!({});
                let (again, ()) = tokio::join!(http.answer(revision, key, "tools/call", params), work);
                again["result"]["structuredContent"].clone()
            }
        };
        assert_eq!(
            (&again["status"], &again["done"], &again["new"]),
            (&json!("completed"), &json!(2), &json!(0)),
            "{way:?}: {again}"
        );
        gate.0.forget_permits(1_000_000);
    }
}

/// Waits for what comes at once, or not at all.
async fn soon(coming: impl Future<Output = ()>, otherwise: &str) {
    assert!(tokio::time::timeout(Duration::from_secs(60), coming).await.is_ok(), "{otherwise}");
}

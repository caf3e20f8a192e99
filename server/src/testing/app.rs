//! A whole server on a socket, for tests.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ::http::Method;
use l10n_api_types::{KeyKind, Scope};
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::call::Call;
use super::project::{self, TestProject};
use super::{TestClock, TestStore};
use crate::app;
use crate::clock::Clock as _;
use crate::config::Settings;
use crate::domain::{memory, search};
use crate::engines::{EngineRegistry, Engines, Pseudo, Translator};
use crate::http::{self, ConnectionTimeouts, Connections};
use crate::request_windows::RequestWindows;
use crate::service::Service;
use crate::store::{self, Store};
use crate::vault::MasterKey;

/// A server with a workspace, a project and a key for every need. Its clock stands still until the test moves it. It
/// ends when it is dropped.
#[derive(Debug)]
pub struct TestApp {
    /// Its clock.
    pub clock: TestClock,
    /// Its parts.
    pub service: Service,
    /// The project `acme/app`.
    pub project: TestProject,
    /// Its address.
    pub address: SocketAddr,
    others: AtomicUsize,
    _ends: DropGuard,
}

impl TestApp {
    /// On a store, with settings as they come, but budgets that no test uses up by accident.
    pub async fn on(store: &TestStore) -> Self {
        Self::with(store, |_| {}, ConnectionTimeouts::default()).await
    }

    /// On a store, with other settings and timeouts.
    pub async fn with(store: &TestStore, change: impl FnOnce(&mut Settings), timeouts: ConnectionTimeouts) -> Self {
        let pseudo: Arc<dyn Translator> = Arc::new(Pseudo);
        Self::start(store, change, timeouts, Engines::from(pseudo), true).await
    }

    /// On a store, with this engine.
    pub async fn translated_by(store: &TestStore, engine: Arc<dyn Translator>) -> Self {
        Self::start(store, |_| {}, ConnectionTimeouts::default(), Engines::from(engine), true).await
    }

    /// On a store, with these engines.
    pub async fn translated_by_all(store: &TestStore, engines: impl Into<EngineRegistry>) -> Self {
        Self::start(store, |_| {}, ConnectionTimeouts::default(), engines, true).await
    }

    /// On a store, with this engine and without workers: jobs stay queued until the test works on them.
    pub async fn idle(store: &TestStore, change: impl FnOnce(&mut Settings), engine: Arc<dyn Translator>) -> Self {
        Self::idle_with(store, change, Engines::from(engine)).await
    }

    /// On a store, with these engines and without workers.
    pub async fn idle_with(
        store: &TestStore,
        change: impl FnOnce(&mut Settings),
        engines: impl Into<EngineRegistry>,
    ) -> Self {
        Self::start(store, change, ConnectionTimeouts::default(), engines, false).await
    }

    async fn start(
        store: &TestStore,
        change: impl FnOnce(&mut Settings),
        timeouts: ConnectionTimeouts,
        engines: impl Into<EngineRegistry>,
        works: bool,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let mut settings = Settings { base_url: format!("http://{address}/v1"), ..Settings::default() };
        settings.limits.requests_per_minute = 100_000;
        (settings.limits.publishes_per_day, settings.limits.restores_per_day) = (100_000, 100_000);
        (settings.limits.imports_per_day, settings.limits.runs_per_day) = (100_000, 100_000);
        settings.http.max_connections_per_address = settings.http.max_connections;
        settings.master_keys = vec![MasterKey::new(&[7; 32])];
        change(&mut settings);
        let clock = TestClock::default();
        let connections = Connections::from(&settings.http);
        let shutdown = CancellationToken::new();
        let service = service(store.store(), &clock, settings, engines);
        let service = Service { draining: shutdown.clone(), ..service };
        let project = project::make(&service, "acme", "app", "unlimited").await;
        if works {
            tokio::spawn(app::run_with(service.clone(), listener, timeouts, shutdown.clone()));
        } else {
            let entry = http::whole(service.clone(), timeouts);
            tokio::spawn(http::serve_whole(listener, entry, timeouts, connections, shutdown.clone()));
        }
        Self { clock, service, project, address, others: AtomicUsize::new(0), _ends: shutdown.drop_guard() }
    }

    /// A server for the same project with connections and memory of its own, as another process would be. It has no workers.
    pub async fn beside(&self, store: &TestStore) -> Self {
        // On SQLite a server that starts gives up all writes that it finds running, so this one has to have started.
        self.at(Method::GET, "/v1/health").send().await;
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let store = Store::connect_sparingly(store.url()).await.expect("the test's database opens");
        let (clock, engines) = (self.clock.clone(), self.service.engines.clone());
        let service = service(store, &clock, (*self.service.settings).clone(), engines);
        let (timeouts, shutdown) = (ConnectionTimeouts::default(), CancellationToken::new());
        let entry = http::whole(service.clone(), timeouts);
        tokio::spawn(http::serve_whole(listener, entry, timeouts, Connections::default(), shutdown.clone()));
        let project = self.project.clone();
        Self { clock, service, project, address, others: AtomicUsize::new(0), _ends: shutdown.drop_guard() }
    }

    /// Another project in another workspace, of the plan `plan`.
    pub async fn other_project(&self, plan: &str) -> TestProject {
        let number = self.others.fetch_add(1, Ordering::Relaxed);
        project::make(&self.service, &format!("other-{number}"), "app", plan).await
    }

    /// Another project of the app's workspace.
    pub async fn project_beside(&self, slug: &str) -> TestProject {
        project::make_beside(&self.service, &self.project, slug).await
    }

    /// Waits until the indexes of texts and of memory have come to the end of their work. What the app's own worker has at hand is
    /// left out by everybody else.
    pub async fn indexed(&self) {
        loop {
            search::index_all(&self.service.store).await.expect("an index");
            memory::index_all(&self.service.store).await.expect("an index of memory");
            search::sample_all(&self.service.store, self.clock.now()).await.expect("a sample");
            let mut tx = self.service.store.begin_read().await.expect("a transaction");
            let marked = store::search::next_project(&mut tx, "").await.expect("an answer");
            if marked.is_none() && !store::memory_index::has_waiting(&mut tx).await.expect("an answer") {
                return;
            }
            drop(tx);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// One more key of a project.
    pub async fn key(&self, project: &TestProject, scopes: &[Scope], kind: KeyKind) -> String {
        let mut tx = self.service.store.begin_write().await.expect("a transaction");
        let text = project::key(&mut tx, &self.service, &project.id, scopes, kind).await;
        tx.commit().await.expect("a commit");
        text
    }

    /// `GET` of a path under the project, with its admin key.
    pub fn get(&self, path: &str) -> Call {
        self.call(Method::GET, path)
    }

    /// `POST` to a path under the project, with its admin key.
    pub fn post(&self, path: &str) -> Call {
        self.call(Method::POST, path)
    }

    /// A call of a path under the project, with its admin key.
    pub fn call(&self, method: Method, path: &str) -> Call {
        self.at(method, &format!("/v1/projects/{}{path}", self.project.id)).key(&self.project.keys.admin)
    }

    /// A call of any path of the server, without a key.
    pub fn at(&self, method: Method, path: &str) -> Call {
        Call::new(self.address, method, path.to_owned())
    }
}

/// The parts of a server that waits for the datastore however busy the machine is.
fn service(store: Store, clock: &TestClock, settings: Settings, engines: impl Into<EngineRegistry>) -> Service {
    let patient = RequestWindows::with_timeout(&store, settings.limits.requests_per_minute, Duration::from_secs(60));
    let service = Service::with_engines(store, Arc::new(clock.clone()), settings, engines).expect("settings that hold");
    // The clock stands still: what is due later would never be.
    Service { request_windows: patient, seen_by_all: Duration::ZERO, ..service }
}

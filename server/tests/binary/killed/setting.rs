//! Projects with webhooks at a receiver, and what the database holds of them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use l10n_server::store::Tx;
use l10n_server::testing::TestStore;
use l10n_testkit::receiver::{Answer, Delivery, Receiver};
use l10n_webhook_verify::{EVENT_ID_HEADER, SIGNATURE_HEADER, Verifier, WEBHOOK_ID_HEADER};
use serde_json::{Value, json};

use super::server::Server;
use crate::process::{feed, post, stdout};

const PROJECTS: usize = 3;
const WEBHOOKS: usize = 2;

/// A project with a key for everything.
pub(crate) struct Project {
    pub(crate) id: String,
    pub(crate) key: String,
    pub(crate) webhooks: Vec<String>,
}

/// Settings of a server on this database that trusts this receiver.
pub(crate) fn environment(folder: &Path, store: &TestStore, receiver: &Receiver) -> Vec<(String, String)> {
    let ca = folder.join("receiver.pem");
    std::fs::write(&ca, receiver.ca_pem()).unwrap();
    [
        ("DATABASE_URL", store.url()),
        ("LIMITS_REQUESTS_PER_MINUTE", "100000000"),
        ("LIMITS_PUBLISHES_PER_DAY", "100000000"),
        ("LIMITS_RESTORES_PER_DAY", "100000000"),
        ("WEBHOOKS_ALLOW_TARGETS", "127.0.0.1/32"),
        ("WEBHOOKS_EXTRA_CA", ca.to_str().unwrap()),
        // 32 bytes, known to everybody.
        ("SECRETS_MASTER_KEY", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
    ]
    .map(|(name, value)| (format!("L10N_SERVER_{name}"), value.to_owned()))
    .to_vec()
}

/// Makes projects with something to publish.
pub(crate) async fn projects(folder: &Path, store: &TestStore, server: &Server) -> Vec<Project> {
    let projects: Vec<Value> = (0..PROJECTS)
        .map(|number| {
            json!({"slug": format!("app{number}"), "name": "App", "baseLanguage": "en",
                "keys": [{"label": "test", "scopes": ["admin"], "kind": "ci"}]})
        })
        .collect();
    let tree = json!({"workspaces": [{"handle": "acme", "credits": 1_000, "projects": projects}]});
    let output = feed(folder, &["provision", "-", "--database-url", store.url()], &tree.to_string());
    let made: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut projects = Vec::new();
    for made in made["workspaces"][0]["projects"].as_array().unwrap() {
        let (id, key) = (text(&made["projectId"]), text(&made["keys"][0]["key"]));
        let keys = json!({"keys": [{"ref": "hello", "text": "Hello"}]});
        let (status, answer) = post(&format!("{}/translate", server.project(&id)), &key, &keys).await;
        assert!(matches!(status, 200..=202), "{status}: {answer}");
        projects.push(Project { id, key, webhooks: Vec::new() });
    }
    projects
}

/// Errors that the receiver found.
#[derive(Clone, Default)]
pub(crate) struct Unverified(Arc<AtomicUsize>);

impl Unverified {
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// Makes webhooks of the projects at the receiver, which verifies what comes and takes a few milliseconds for it.
pub(crate) async fn webhooks(server: &Server, receiver: &Receiver, projects: &mut [Project]) -> Unverified {
    let unverified = Unverified::default();
    for project in projects {
        for number in 0..WEBHOOKS {
            let path = format!("/{}/{number}", project.id);
            let body = json!({"url": receiver.url(&path), "events": ["strings.published"]});
            let (status, made) = post(&format!("{}/webhooks", server.project(&project.id)), &project.key, &body).await;
            assert_eq!(status, 201, "{made}");
            let verifier = Verifier::new(made["secret"].as_str().unwrap()).unwrap();
            let unverified = unverified.clone();
            receiver.answer_by(&path, move |delivery| {
                let header = delivery.header(SIGNATURE_HEADER).unwrap_or_default();
                if verifier.verify(header, &delivery.body).is_err() {
                    unverified.0.fetch_add(1, Ordering::Relaxed);
                }
                // 0 to 12 ms, so that attempts are cut at every point.
                let some = delivery.body.iter().rev().fold(0_u64, |sum, byte| sum + u64::from(*byte)) % 13;
                Answer::ok().after(Duration::from_millis(some))
            });
            project.webhooks.push(made["webhookId"].as_str().unwrap().to_owned());
        }
    }
    unverified
}

/// The identity of a delivery (§6 rule 8): webhook and event.
pub(crate) fn identity(delivery: &Delivery) -> (String, String) {
    let header = |name: &str| delivery.header(name).unwrap().to_owned();
    (header(WEBHOOK_ID_HEADER), header(EVENT_ID_HEADER))
}

/// The event that a publish has made, if it has.
pub(crate) async fn event_of(store: &TestStore, publish_id: &str) -> Option<String> {
    const EVENT: &str = "SELECT id FROM events WHERE publish_id = $1";
    match store.begin_read().await.unwrap() {
        Tx::Sqlite(mut tx) => sqlx::query_scalar(EVENT).bind(publish_id).fetch_optional(&mut *tx).await.unwrap(),
        Tx::Postgres(mut tx) => sqlx::query_scalar(EVENT).bind(publish_id).fetch_optional(&mut *tx).await.unwrap(),
    }
}

/// The number of deliveries by status.
pub(crate) async fn statuses(store: &TestStore) -> BTreeMap<String, i64> {
    const COUNT: &str = "SELECT status, COUNT(*) FROM deliveries GROUP BY status";
    let counts: Vec<(String, i64)> = match store.begin_read().await.unwrap() {
        Tx::Sqlite(mut tx) => sqlx::query_as(COUNT).fetch_all(&mut *tx).await.unwrap(),
        Tx::Postgres(mut tx) => sqlx::query_as(COUNT).fetch_all(&mut *tx).await.unwrap(),
    };
    counts.into_iter().collect()
}

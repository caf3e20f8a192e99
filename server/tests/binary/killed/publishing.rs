//! Publishes and restores that go on whatever happens to the servers.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use l10n_server::testing::TestStore;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::server::Server;
use super::setting::{Project, event_of};
use crate::process::client;

/// The outcomes of the requests to publish.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// Webhook and event of everything that an answer of 2xx promises.
    pub(crate) promised: Vec<(String, String)>,
    /// Requests that were answered 2xx.
    pub(crate) answered: usize,
    /// Requests without an answer: each may have published, or not.
    pub(crate) unanswered: usize,
}

/// Publishers, one for each project, that ask the servers in turn.
pub(crate) struct Publishing {
    ledger: Arc<Mutex<Ledger>>,
    tasks: JoinSet<()>,
    stop: CancellationToken,
}

impl Publishing {
    pub(crate) fn start(store: &TestStore, servers: &[&Server], projects: &[Project]) -> Self {
        let ledger = Arc::<Mutex<Ledger>>::default();
        let (mut tasks, stop) = (JoinSet::new(), CancellationToken::new());
        for project in projects {
            let publisher = Publisher {
                client: client(),
                store: store.clone(),
                urls: servers.iter().map(|server| server.project(&project.id)).collect(),
                key: project.key.clone(),
                webhooks: project.webhooks.clone(),
                ledger: Arc::clone(&ledger),
            };
            tasks.spawn(publisher.run(stop.clone()));
        }
        Self { ledger, tasks, stop }
    }

    /// Requests that were answered 2xx so far.
    pub(crate) fn answered(&self) -> usize {
        self.ledger.lock().unwrap().answered
    }

    /// Lets the requests that are under way end.
    pub(crate) async fn stop(mut self) -> Ledger {
        self.stop.cancel();
        while let Some(outcome) = self.tasks.join_next().await {
            outcome.unwrap();
        }
        std::mem::take(&mut self.ledger.lock().unwrap())
    }
}

struct Publisher {
    client: reqwest::Client,
    store: TestStore,
    urls: Vec<String>,
    key: String,
    webhooks: Vec<String>,
    ledger: Arc<Mutex<Ledger>>,
}

impl Publisher {
    async fn run(self, stop: CancellationToken) {
        // A publish now and then; between them two versions are made live in turn, which costs little.
        let mut versions = Vec::new();
        for number in 0.. {
            if stop.is_cancelled() {
                return;
            }
            let url = &self.urls[number % self.urls.len()];
            let answer = match versions.as_slice() {
                [.., first, second] if number % 8 > 0 => {
                    let version = if number % 2 == 1 { first } else { second };
                    self.ask(&format!("{url}/versions/{version}/restore"), &json!({})).await
                }
                _ => self.ask(&format!("{url}/publish"), &json!({"label": format!("number {number}")})).await,
            };
            if let Some(published) = answer
                && published["restored"] != true
            {
                versions.push(published["versionId"].as_str().unwrap().to_owned());
            }
            // A break, so that a queue does not grow without end.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// The published version; `None` if its outcome is unknown.
    async fn ask(&self, url: &str, body: &Value) -> Option<Value> {
        let answer = async {
            let answer = self.client.post(url).bearer_auth(&self.key).body(body.to_string()).send().await?;
            let status = answer.status().as_u16();
            Ok::<(u16, Value), reqwest::Error>((status, answer.json().await?))
        };
        let Ok((status, published)) = answer.await else {
            self.ledger.lock().unwrap().unanswered += 1;
            return None;
        };
        match status {
            200 | 201 => {}
            // A restore before it was not answered, but done.
            409 if published["error"] == "version_live" => return None,
            _ => panic!("{status}: {published}"),
        }
        let publish_id = published["publishId"].as_str().unwrap();
        // At once: the log does not keep events for ever.
        let event = event_of(&self.store, publish_id).await;
        let event = event.unwrap_or_else(|| panic!("{publish_id} was answered {status} and has no event"));
        let mut ledger = self.ledger.lock().unwrap();
        ledger.answered += 1;
        ledger.promised.extend(self.webhooks.iter().map(|webhook| (webhook.clone(), event.clone())));
        Some(published)
    }
}

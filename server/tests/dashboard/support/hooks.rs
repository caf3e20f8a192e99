//! A server with people, that delivers to a receiver on this machine.

use std::ops::Deref;
use std::time::Duration;

use l10n_api_types::WebhookId;
use l10n_api_types::deliveries::{Delivery, DeliveryStatus};
use l10n_server::config::Settings;
use l10n_server::domain::deliveries;
use l10n_server::testing::{TEST_TIMEOUT, TestStore};
use l10n_testkit::receiver::Receiver;
use serde_json::json;

use super::{Site, Visited, Visitor};

/// The page of the project's webhooks.
pub(crate) const WEBHOOKS: &str = "/dashboard/@acme/app/webhooks";

/// A server and a receiver. The project has a key, so that it can be published.
pub(crate) struct Hooks {
    site: Site,
    pub(crate) receiver: Receiver,
    _folder: tempfile::TempDir,
}

impl Deref for Hooks {
    type Target = Site;

    fn deref(&self) -> &Site {
        &self.site
    }
}

impl Hooks {
    pub(crate) async fn on(store: &TestStore) -> Self {
        Self::with(store, |_| {}).await
    }

    /// With other settings.
    pub(crate) async fn with(store: &TestStore, change: impl FnOnce(&mut Settings)) -> Self {
        let receiver = Receiver::start().await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let ca = folder.path().join("ca.pem");
        std::fs::write(&ca, receiver.ca_pem()).unwrap();
        let reach = |settings: &mut Settings| {
            settings.webhooks.egress.allow_targets = vec!["127.0.0.1/32".parse().unwrap()];
            settings.webhooks.egress.extra_ca = Some(ca);
            change(settings);
        };
        let site = Site::with(store, reach).await;
        let file = json!({"path": "en.json", "content": r#"{"a": "A"}"#, "encoding": "utf8", "format": "json"});
        let answer = site.post("/sync").json(&json!({ "file": file })).send().await;
        assert!(answer.status < 300, "{answer:?}");
        Self { site, receiver, _folder: folder }
    }

    /// Makes a webhook at a path of the receiver by the page, for publishes of keys; returns its id and the page with its secret.
    pub(crate) async fn make(&self, manager: &mut Visitor<'_>, path: &str) -> (WebhookId, Visited) {
        let form = manager.get(&format!("{WEBHOOKS}/new")).await.html().form("/webhooks/new");
        let page = manager.send(form.set("url", &self.receiver.url(path)).check("event", "strings.published")).await;
        assert_eq!(page.status, 200, "{}", page.text());
        let link = page.html().links.into_iter().rfind(|link| link.contains("/webhooks/whk_")).unwrap();
        (WebhookId::new(link.rsplit('/').next().unwrap()), page)
    }

    /// Publishes by the API.
    pub(crate) async fn publish(&self) {
        assert_eq!(self.post("/publish").send().await.status, 201);
    }

    /// Waits until the newest delivery of a webhook is as wanted.
    pub(crate) async fn newest(&self, id: &WebhookId, wanted: impl Fn(&Delivery) -> bool) -> Delivery {
        let mut last = None;
        let waited = tokio::time::timeout(TEST_TIMEOUT, async {
            loop {
                let mut tx = self.service.store.begin_read().await.unwrap();
                last = deliveries::log(&mut tx, id).await.unwrap().into_iter().next();
                tx.rollback().await.unwrap();
                if let Some(delivery) = last.as_ref().filter(|delivery| wanted(delivery)) {
                    return delivery.clone();
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        waited.await.unwrap_or_else(|_| panic!("the newest delivery stays {last:?}"))
    }

    /// Publishes, and lets the delivery fail to its end: six attempts, each at its time.
    pub(crate) async fn fail(&self, id: &WebhookId) -> Delivery {
        self.publish().await;
        for attempt in 1..=6 {
            let at_rest = |it: &Delivery| it.attempts == attempt && it.status != DeliveryStatus::Delivering;
            if let Some(next) = self.newest(id, at_rest).await.next_attempt_at {
                self.clock.set(next);
                self.service.deliveries_due.notify_one();
            }
        }
        self.newest(id, |delivery| delivery.status == DeliveryStatus::Failed).await
    }
}

/// The secret that a page shows.
#[track_caller]
pub(crate) fn secret(page: &Visited) -> String {
    let text = page.html().text;
    let at = text.find("whsec_").unwrap_or_else(|| panic!("no secret in: {text}"));
    // `whsec_` and 43 characters.
    text[at..at + 49].to_owned()
}

//! A server with an endpoint that it delivers to.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use l10n_api_types::deliveries::{Delivery, DeliveryStatus};
use l10n_api_types::events::EventType;
use l10n_api_types::publish::Published;
use l10n_api_types::{Content, ProjectId, Timestamp, WebhookId};
use l10n_server::clock::Clock as _;
use l10n_server::config::Settings;
use l10n_server::domain::deliveries::{self, Resender};
use l10n_server::domain::{Actor, ServiceError};
use l10n_server::engines::Pseudo;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::ids::{IdKind, new_id};
use l10n_server::service::Service;
use l10n_server::store::Tx;
use l10n_server::store::deliveries::NewDelivery;
use l10n_server::store::events::NewEvent;
use l10n_server::store::keys;
use l10n_server::store::projects;
use l10n_server::store::row::Json;
use l10n_server::store::webhooks::{self, Webhook, WebhookSecrets, WebhookState};
use l10n_server::testing::{TEST_TIMEOUT, TestApp, TestStore, plain_key};
use l10n_testkit::receiver::{Delivery as Arrived, Receiver};
use tempfile::TempDir;

/// A server whose clock the test moves, and an endpoint. The project has one key, so that it can be published.
pub(crate) struct World {
    app: TestApp,
    pub(crate) receiver: Receiver,
    _folder: TempDir,
}

impl Deref for World {
    type Target = TestApp;

    fn deref(&self) -> &TestApp {
        &self.app
    }
}

/// A webhook.
#[derive(Clone)]
pub(crate) struct Hook {
    pub(crate) project: ProjectId,
    pub(crate) id: WebhookId,
    pub(crate) secret: String,
}

impl World {
    pub(crate) async fn on(store: &TestStore) -> Self {
        Self::with(store, |_| {}).await
    }

    /// With other settings; deliveries may go to the loopback.
    pub(crate) async fn with(store: &TestStore, change: impl FnOnce(&mut Settings)) -> Self {
        let (receiver, folder) = endpoint().await;
        let ca = folder.path().join("ca.pem");
        let settings = |settings: &mut Settings| {
            reach(settings, ca);
            change(settings);
        };
        let app = TestApp::with(store, settings, ConnectionTimeouts::default()).await;
        Self::greeting(app, receiver, folder).await
    }

    /// Without workers: what is due waits until the test starts one.
    pub(crate) async fn idle(store: &TestStore) -> Self {
        let (receiver, folder) = endpoint().await;
        let ca = folder.path().join("ca.pem");
        let app = TestApp::idle(store, |settings| reach(settings, ca), Arc::new(Pseudo)).await;
        Self::greeting(app, receiver, folder).await
    }

    async fn greeting(app: TestApp, receiver: Receiver, folder: TempDir) -> Self {
        let world = Self { app, receiver, _folder: folder };
        world.greet().await;
        world
    }

    async fn greet(&self) {
        let (now, project) = (self.clock.now(), &self.project.id);
        let source = Content::Text("Hello".into());
        let id = new_id(IdKind::String, now);
        let new = plain_key(&id, "greeting", &source, now);
        let mut tx = self.service.store.begin_write().await.unwrap();
        keys::upsert(&mut tx, project, &[new]).await.unwrap();
        projects::add_counts(&mut tx, project, 1, 1).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// A webhook at a path of the receiver.
    pub(crate) async fn hook(&self, path: &str) -> Hook {
        self.hook_at(&self.receiver.url(path), &[EventType::StringsPublished]).await
    }

    pub(crate) async fn hook_at(&self, url: &str, events: &[EventType]) -> Hook {
        self.hook_of(&self.project.id, url, events).await
    }

    /// A webhook of another project.
    pub(crate) async fn hook_of(&self, project: &ProjectId, url: &str, events: &[EventType]) -> Hook {
        let now = self.clock.now();
        let id = WebhookId::new(new_id(IdKind::Webhook, now));
        let secret = format!("whsec_{}", new_id(IdKind::Lease, now));
        let host = url.parse::<http::Uri>().ok().and_then(|uri| uri.host().map(str::to_owned)).unwrap_or_default();
        let webhook = Webhook {
            secret: self.service.vault.seal(id.as_str(), &secret).unwrap(),
            id: id.clone(),
            project_id: project.clone(),
            url: url.to_owned(),
            host,
            events: Json(events.to_vec()),
            enabled: true,
            disabled_reason: None,
            consecutive_failures: 0,
            disabled_at: None,
            secret_hint: secret[secret.len() - 4..].to_owned(),
            previous_secret: None,
            previous_secret_expires_at: None,
            created_at: now,
        };
        let mut tx = self.service.store.begin_write().await.unwrap();
        webhooks::insert(&mut tx, &webhook).await.unwrap();
        tx.commit().await.unwrap();
        Hook { project: project.clone(), id, secret }
    }

    pub(crate) async fn publish(&self) -> Published {
        let answer = self.post("/publish").send().await;
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.read()
    }

    /// Moves the clock and lets the worker look.
    pub(crate) fn pass(&self, by: Duration) {
        self.clock.advance(by);
        self.service.deliveries_due.notify_one();
    }

    pub(crate) async fn log(&self, hook: &Hook) -> Vec<Delivery> {
        log(&self.service, hook).await
    }

    /// Waits until the newest delivery of a webhook is as wanted.
    pub(crate) async fn newest(&self, hook: &Hook, wanted: impl Fn(&Delivery) -> bool) -> Delivery {
        newest(&self.service, hook, wanted).await
    }

    /// Waits until the newest delivery has so many attempts behind it and none under way.
    pub(crate) async fn after_attempts(&self, hook: &Hook, attempts: u32) -> Delivery {
        self.newest(hook, |entry| entry.attempts == attempts && entry.status != DeliveryStatus::Delivering).await
    }

    pub(crate) async fn standing(&self, hook: &Hook) -> WebhookState {
        let mut tx = self.service.store.begin_read().await.unwrap();
        webhooks::states(&mut tx, &[&hook.id]).await.unwrap().pop().unwrap()
    }

    /// Disables or enables a webhook, as a person does.
    pub(crate) async fn set_enabled(&self, hook: &Hook, enabled: bool) {
        let mut tx = self.service.store.begin_write().await.unwrap();
        let standing = webhooks::lock_states(&mut tx, &[&hook.id]).await.unwrap().pop().unwrap();
        let standing = WebhookState { enabled, disabled_reason: None, consecutive_failures: 0, ..standing };
        webhooks::set_state(&mut tx, &standing).await.unwrap();
        if enabled {
            let (due, project) = (&self.service.deliveries_due, &self.project.id);
            deliveries::resume(&mut tx, due, project, &hook.id, self.clock.now()).await.unwrap();
        } else {
            deliveries::pause(&mut tx, &hook.id).await.unwrap();
        }
        tx.commit().await.unwrap();
    }

    /// Changes the sealed secrets of a webhook; returns them as they were.
    pub(crate) async fn set_secrets(
        &self,
        hook: &Hook,
        change: impl FnOnce(WebhookSecrets) -> WebhookSecrets,
    ) -> WebhookSecrets {
        let mut tx = self.service.store.begin_write().await.unwrap();
        let webhook = webhooks::find(&mut tx, &self.project.id, &hook.id).await.unwrap().unwrap();
        let before = WebhookSecrets {
            id: webhook.id,
            secret: webhook.secret,
            secret_hint: webhook.secret_hint,
            previous_secret: webhook.previous_secret,
            previous_secret_expires_at: webhook.previous_secret_expires_at,
        };
        webhooks::set_secrets(&mut tx, &change(before.clone())).await.unwrap();
        tx.commit().await.unwrap();
        before
    }

    /// Changes where a webhook leads to.
    pub(crate) async fn set_url(&self, hook: &Hook, url: &str) {
        let mut tx = self.service.store.begin_write().await.unwrap();
        let webhook = webhooks::find(&mut tx, &self.project.id, &hook.id).await.unwrap().unwrap();
        webhooks::update(&mut tx, &Webhook { url: url.to_owned(), ..webhook }).await.unwrap();
        tx.commit().await.unwrap();
    }

    pub(crate) async fn resend(&self, hook: &Hook, delivery_id: &str) -> Result<Delivery, ServiceError> {
        let mut tx = self.service.store.begin_write().await.unwrap();
        let entry = self.resend_in(&mut tx, hook, delivery_id).await?;
        tx.commit().await.unwrap();
        Ok(entry)
    }

    pub(crate) async fn resend_in(&self, tx: &mut Tx, hook: &Hook, id: &str) -> Result<Delivery, ServiceError> {
        let Service { delivery_rules: rules, deliveries_due: due, clock, .. } = &self.service;
        let by = Actor::Operator { name: "grace".to_owned() };
        let resender = Resender { project: &self.project.id, workspace: &self.project.workspace, by: &by };
        deliveries::resend(tx, rules, due, clock.as_ref(), resender, &hook.id, id).await
    }

    /// Lets the worker look for what is due once more, and waits until it has: another webhook gets something.
    pub(crate) async fn look(&self) {
        let path = format!("/look-{}", new_id(IdKind::Lease, self.clock.now()));
        let hook = self.hook(&path).await;
        let mut tx = self.service.store.begin_write().await.unwrap();
        let project = projects::find(&mut tx, &self.project.id).await.unwrap().unwrap();
        let now = self.clock.now();
        let event = new_id(IdKind::Event, now);
        let new = NewEvent {
            id: &event,
            project_id: &project.id,
            event_type: EventType::StringsPublished,
            publish_id: "pub_look",
            body: b"{}",
            created_at: now,
        };
        l10n_server::store::events::insert(&mut tx, new).await.unwrap();
        let delivery = NewDelivery { id: new_id(IdKind::Delivery, now), webhook_id: &hook.id };
        l10n_server::store::deliveries::insert(&mut tx, &event, &[delivery], now, now).await.unwrap();
        tx.commit().await.unwrap();
        self.service.deliveries_due.notify_one();
        self.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
        let mut tx = self.service.store.begin_write().await.unwrap();
        assert!(webhooks::delete(&mut tx, &project.id, &hook.id).await.unwrap());
        tx.commit().await.unwrap();
    }

    /// The deliveries that have arrived at a path.
    pub(crate) fn arrived(&self, path: &str) -> Vec<Arrived> {
        self.receiver.deliveries().into_iter().filter(|delivery| delivery.uri.path() == path).collect()
    }

    /// Fails a delivery to its end: six attempts, each at its time.
    pub(crate) async fn fail_to_the_end(&self, hook: &Hook) -> Delivery {
        for attempt in 1..=6 {
            let entry = self.after_attempts(hook, attempt).await;
            if let Some(next) = entry.next_attempt_at {
                self.clock.set(next);
                self.service.deliveries_due.notify_one();
            }
        }
        self.newest(hook, |entry| entry.status == DeliveryStatus::Failed).await
    }
}

pub(crate) async fn log(service: &Service, hook: &Hook) -> Vec<Delivery> {
    let mut tx = service.store.begin_read().await.unwrap();
    deliveries::log(&mut tx, &hook.id).await.unwrap()
}

pub(crate) async fn newest(service: &Service, hook: &Hook, wanted: impl Fn(&Delivery) -> bool) -> Delivery {
    let mut last = None;
    let waited = tokio::time::timeout(TEST_TIMEOUT, async {
        loop {
            last = log(service, hook).await.into_iter().next();
            if let Some(entry) = last.as_ref().filter(|entry| wanted(entry)) {
                return entry.clone();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    waited.await.unwrap_or_else(|_| panic!("the newest delivery stays {last:?}"))
}

/// So many seconds after a time.
pub(crate) fn seconds_after(at: Timestamp, seconds: i64) -> Timestamp {
    at.plus_millis(seconds * 1_000)
}

/// A receiver, and a folder with the certificate of its authority.
async fn endpoint() -> (Receiver, TempDir) {
    let receiver = Receiver::start().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ca.pem"), receiver.ca_pem()).unwrap();
    (receiver, folder)
}

/// Lets deliveries go to a receiver on this machine.
fn reach(settings: &mut Settings, ca: PathBuf) {
    settings.webhooks.egress.allow_targets = vec!["127.0.0.1/32".parse().unwrap()];
    settings.webhooks.egress.extra_ca = Some(ca);
}

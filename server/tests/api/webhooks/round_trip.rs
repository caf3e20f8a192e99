//! From a registration to a request that arrives, through the routes alone.

use std::io::Write as _;

use http::Method;
use l10n_api_types::deliveries::{Delivery, DeliveryStatus};
use l10n_api_types::webhooks::Created;
use l10n_server::both_engines;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::{TEST_TIMEOUT, TestApp, TestStore};
use l10n_testkit::receiver::{self, Answer, Gate, Receiver};
use l10n_webhook_verify::{SIGNATURE_HEADER, Verifier};
use serde_json::json;

use crate::webhooks::support::{created, list, log, patch, post, rotate};

both_engines!(
    a_publish_arrives_signed_and_stands_in_the_log,
    after_a_rotation_both_secrets_verify,
    a_disabled_webhook_hears_nothing_and_a_deleted_one_never_again,
    a_delivery_is_sent_again_unless_an_attempt_is_in_flight,
);

/// A server that may deliver to a receiver of this machine, with something to publish.
async fn world(store: &TestStore) -> (TestApp, Receiver) {
    let receiver = Receiver::start().await.unwrap();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(receiver.ca_pem().as_bytes()).unwrap();
    let change = |settings: &mut l10n_server::config::Settings| {
        settings.webhooks.egress.allow_targets = vec!["127.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()];
        settings.webhooks.egress.extra_ca = Some(file.path().to_owned());
    };
    let app = TestApp::with(store, change, ConnectionTimeouts::default()).await;
    let keys = json!({"keys": [{"ref": "greeting", "text": "Hello"}]});
    assert!(app.post("/translate").json(&keys).send().await.status < 300);
    (app, receiver)
}

async fn register(app: &TestApp, receiver: &Receiver, path: &str) -> Created {
    created(&post(app, &json!({"url": receiver.url(path), "events": ["strings.published"]})).await)
}

async fn publish(app: &TestApp) {
    assert_eq!(app.post("/publish").send().await.status, 201);
}

/// Waits until the log of a webhook is as the test wants it.
async fn until(app: &TestApp, webhook: &Created, wanted: impl Fn(&[Delivery]) -> bool) -> Vec<Delivery> {
    let waiting = async {
        loop {
            let deliveries = log(app, webhook).await;
            if wanted(&deliveries) {
                return deliveries;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(TEST_TIMEOUT, waiting).await.unwrap()
}

fn verifies(app: &TestApp, secret: &str, delivery: &receiver::Delivery) -> bool {
    use l10n_server::clock::Clock as _;
    let now = app.clock.now().as_millis() / 1_000;
    let header = delivery.header(SIGNATURE_HEADER).unwrap();
    Verifier::new(secret).unwrap().clock(move || now).verify(header, &delivery.body).is_ok()
}

/// WH-PA-6, WH-DL-1, WH-DL-3, SIG-5, SIG-7: with the secret of the registration, also after a change.
async fn a_publish_arrives_signed_and_stands_in_the_log(store: TestStore) {
    let (app, receiver) = world(&store).await;
    let (one, other) = (register(&app, &receiver, "/one").await, register(&app, &receiver, "/before").await);
    assert_eq!(log(&app, &one).await, []);
    assert_eq!(patch(&app, &other, &json!({"url": receiver.url("/other")})).await.status, 200);
    publish(&app).await;
    let arrived = receiver.wait_for(2).await.unwrap();
    for (webhook, stranger, path) in [(&one, &other, "/one"), (&other, &one, "/other")] {
        let delivery = arrived.iter().find(|delivery| delivery.uri.path() == path).unwrap();
        assert!(verifies(&app, &webhook.secret, delivery) && !verifies(&app, &stranger.secret, delivery));
        assert_eq!(delivery.header("x-service-webhook-id"), Some(webhook.webhook_id.as_str()));
        let logged = until(&app, webhook, |log| log[0].status == DeliveryStatus::Delivered).await;
        assert_eq!((logged.len(), logged[0].attempts), (1, 1));
        assert_eq!(delivery.header("x-service-event-id"), Some(logged[0].event_id.as_str()));
    }
}

/// WH-RO-2, SIG-12
async fn after_a_rotation_both_secrets_verify(store: TestStore) {
    let (app, receiver) = world(&store).await;
    let webhook = register(&app, &receiver, "/").await;
    let rotated = rotate(&app, &webhook).await;
    publish(&app).await;
    let arrived = receiver.wait_for(1).await.unwrap();
    assert!(verifies(&app, &webhook.secret, &arrived[0]) && verifies(&app, &rotated.secret, &arrived[0]));
    assert_eq!(arrived[0].header(SIGNATURE_HEADER).unwrap().matches("v1=").count(), 2);
}

/// EV-7, WH-DE-2, AMB-21: what is pending at the moment of the deletion stops, too.
async fn a_disabled_webhook_hears_nothing_and_a_deleted_one_never_again(store: TestStore) {
    let (app, receiver) = world(&store).await;
    let (quiet, gone) = (register(&app, &receiver, "/quiet").await, register(&app, &receiver, "/gone").await);
    let witness = register(&app, &receiver, "/witness").await;
    receiver.answer("/gone", Answer::status(http::StatusCode::INTERNAL_SERVER_ERROR));
    assert_eq!(patch(&app, &quiet, &json!({"enabled": false})).await.status, 200);
    publish(&app).await;
    let failed = until(&app, &gone, |log| log.first().is_some_and(|delivery| delivery.attempts == 1)).await;
    assert!(failed[0].next_attempt_at.is_some());
    let path = format!("/webhooks/{}", gone.webhook_id);
    assert_eq!(app.call(Method::DELETE, &path).send().await.status, 204);
    // Far beyond the retry: whatever was due to `gone` would be sent before the witness's second event.
    app.clock.advance(std::time::Duration::from_secs(3_600));
    publish(&app).await;
    until(&app, &witness, |log| log.len() == 2 && log[0].status == DeliveryStatus::Delivered).await;
    assert_eq!(log(&app, &quiet).await, []);
    let paths = receiver.look(|all| all.iter().map(|delivery| delivery.uri.path().to_owned()).collect::<Vec<_>>());
    assert_eq!(paths.iter().filter(|path| *path == "/gone").count(), 1);
    assert_eq!(paths.iter().filter(|path| *path == "/quiet").count(), 0);
    assert_eq!(list(&app).await.len(), 2);
    assert_eq!(patch(&app, &quiet, &json!({"enabled": true})).await.status, 200);
    publish(&app).await;
    until(&app, &quiet, |log| log.len() == 1 && log[0].status == DeliveryStatus::Delivered).await;
}

/// WH-RS-1, WH-RS-3, WH-RS-4, WH-RS-5, ERR-409-1
async fn a_delivery_is_sent_again_unless_an_attempt_is_in_flight(store: TestStore) {
    let (app, receiver) = world(&store).await;
    let webhook = register(&app, &receiver, "/").await;
    let gate = Gate::closed();
    receiver.answer_in_turn("/", [Answer::ok().held(&gate), Answer::ok()]);
    publish(&app).await;
    let begun =
        until(&app, &webhook, |log| log.first().is_some_and(|delivery| delivery.status == DeliveryStatus::Delivering));
    let begun = begun.await;
    let path = format!("/webhooks/{}/deliveries/{}/resend", webhook.webhook_id, begun[0].delivery_id);
    let refused = app.post(&path).send().await;
    assert_eq!(refused.outcome(), "409 delivery_in_flight");
    gate.open();
    until(&app, &webhook, |log| log[0].status == DeliveryStatus::Delivered).await;
    assert_eq!(receiver.deliveries().len(), 1);

    let stranger = register(&app, &receiver, "/stranger").await;
    let foreign = format!("/webhooks/{}/deliveries/{}/resend", stranger.webhook_id, begun[0].delivery_id);
    assert_eq!(app.post(&foreign).send().await.outcome(), "404 not_found");

    let asked = app.post(&path).send().await;
    assert_eq!(asked.status, 202);
    let asked: Delivery = asked.read();
    assert_eq!((&asked.delivery_id, &asked.event_id), (&begun[0].delivery_id, &begun[0].event_id));
    let arrived = receiver.wait_for(2).await.unwrap();
    assert_eq!(arrived[0].body, arrived[1].body);
    assert_eq!(arrived[0].header("x-service-event-id"), arrived[1].header("x-service-event-id"));
    let after = until(&app, &webhook, |log| log[0].attempts == 2 && log[0].status == DeliveryStatus::Delivered).await;
    assert_eq!((after.len(), &after[0].delivery_id), (1, &begun[0].delivery_id));
}

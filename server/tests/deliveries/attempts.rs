//! The effect of an attempt on its delivery.

use std::time::Duration;

use http::{HeaderValue, StatusCode};
use l10n_api_types::deliveries::{DeliveryErrorKind, DeliveryStatus};
use l10n_api_types::events::EventType;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::egress::Timeouts;
use l10n_server::store::webhooks::WebhookSecrets;
use l10n_server::testing::{TEST_TIMEOUT, TestStore};
use l10n_testkit::receiver::{Answer, Gate};

use crate::fixtures::{World, seconds_after};

fn status(code: u16) -> StatusCode {
    StatusCode::from_u16(code).unwrap()
}

/// DEL-1, DLV-6, DLV-7, DLV-9, DLV-11
async fn every_2xx_is_a_delivery(store: TestStore) {
    let world = World::on(&store).await;
    let mut hooks = Vec::new();
    for code in [200, 201, 202, 204, 299] {
        let path = format!("/{code}");
        world.receiver.answer(&path, Answer::status(status(code)));
        hooks.push((code, world.hook(&path).await));
    }
    world.publish().await;
    for (code, hook) in hooks {
        let entry = world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
        assert_eq!((entry.attempts, entry.last_status_code), (1, Some(code)));
        assert_eq!((entry.next_attempt_at, &entry.last_error, entry.last_error_kind), (None, &None, None));
        assert_eq!((entry.created_at, entry.last_attempt_at), (world.clock.now(), Some(world.clock.now())));
        assert!(entry.last_duration_ms.is_some());
    }
}

/// DEL-2, DEL-3, DEL-7, DLV-8, DLV-9: nothing but 2xx is a delivery, and redirects are not followed.
async fn every_other_status_is_a_failed_attempt(store: TestStore) {
    let world = World::on(&store).await;
    let mut hooks = Vec::new();
    let elsewhere = HeaderValue::from_str(&world.receiver.url("/elsewhere")).unwrap();
    for code in [304, 400, 404, 410, 429, 500, 503, 301, 302, 303, 307, 308] {
        let path = format!("/{code}");
        world.receiver.answer(&path, Answer::redirect(status(code), elsewhere.clone()));
        hooks.push((code, world.hook(&path).await));
    }
    world.publish().await;
    for (code, hook) in hooks {
        let entry = world.after_attempts(&hook, 1).await;
        assert_eq!((entry.status, entry.last_status_code), (DeliveryStatus::Pending, Some(code)));
        assert_eq!(entry.next_attempt_at, Some(seconds_after(world.clock.now(), 30)), "{code}");
        let redirects = matches!(code, 301 | 302 | 303 | 307 | 308);
        let kind = if redirects { DeliveryErrorKind::Redirect } else { DeliveryErrorKind::Status };
        assert_eq!(entry.last_error_kind, Some(kind), "{code}");
        assert!(entry.last_error.is_some_and(|error| !error.is_empty()));
        assert!(world.standing(&hook).await.enabled);
    }
    world.look().await;
    assert_eq!(world.arrived("/elsewhere").len(), 0, "a redirect was followed");
}

/// DLV-6, DLV-10, DEL-4, AMB-22: without a status there is none, and a success clears what was said of the failure. What
/// the endpoint counts is what `attempts` says, also where it drops a connection that was used before.
async fn an_attempt_without_an_answer_has_no_status(store: TestStore) {
    let timeouts = Timeouts { open: TEST_TIMEOUT, answer: Duration::from_secs(3) };
    let world = World::with(&store, |settings| settings.webhooks.egress.timeouts = timeouts).await;
    world.receiver.answer_in_turn("/closes", [Answer::status(status(500)), Answer::close(), Answer::ok()]);
    world.receiver.answer_in_turn("/silent", [Answer::silence(), Answer::ok()]);
    let (closes, silent) = (world.hook("/closes").await, world.hook("/silent").await);
    world.publish().await;
    world.after_attempts(&closes, 1).await;
    let entry = world.after_attempts(&silent, 1).await;
    assert_eq!((entry.last_status_code, entry.last_error_kind), (None, Some(DeliveryErrorKind::ResponseTimeout)));
    world.pass(Duration::from_secs(30));
    let entry = world.newest(&silent, |entry| entry.status == DeliveryStatus::Delivered).await;
    assert_eq!((entry.last_status_code, entry.last_error, entry.last_error_kind), (Some(200), None, None));
    let entry = world.after_attempts(&closes, 2).await;
    assert_eq!((entry.last_status_code, entry.last_error_kind), (None, Some(DeliveryErrorKind::Network)));
    assert!(entry.last_error.is_some());
    world.pass(Duration::from_secs(120));
    let entry = world.newest(&closes, |entry| entry.status == DeliveryStatus::Delivered).await;
    assert_eq!((entry.attempts, entry.last_error), (3, None));
    assert_eq!(world.arrived("/closes").len(), 3);
}

/// DLV-11, DLV-12: the log repeats nothing of what the endpoint says, nor secrets or addresses.
async fn the_log_tells_no_secrets(store: TestStore) {
    let world = World::on(&store).await;
    world.receiver.answer("/hook", Answer::status(status(500)).body("a marker of the receiver"));
    let hook = world.hook("/hook?token=hidden").await;
    let private = world.hook_at("https://10.11.12.13/", &[EventType::StringsPublished]).await;
    world.publish().await;
    let error = world.after_attempts(&hook, 1).await.last_error.unwrap();
    for leaked in ["marker", &hook.secret, "hidden", "127.0.0.1"] {
        assert!(!error.contains(leaked), "{error}");
    }
    let entry = world.after_attempts(&private, 1).await;
    assert_eq!((entry.last_status_code, entry.last_error_kind), (None, Some(DeliveryErrorKind::BlockedAddress)));
    assert!(!entry.last_error.unwrap().contains("10.11.12.13"));
}

/// DEL-18, DLV-5: `delivering` while an attempt runs, `pending` between two.
async fn the_status_tells_whether_an_attempt_is_under_way(store: TestStore) {
    let world = World::on(&store).await;
    let gate = Gate::closed();
    world.receiver.answer_in_turn("/hook", [Answer::status(status(500)).held(&gate), Answer::ok()]);
    let hook = world.hook("/hook").await;
    world.publish().await;
    world.receiver.wait_for(1).await.unwrap();
    let entry = world.newest(&hook, |_| true).await;
    assert_eq!((entry.status, entry.attempts, entry.next_attempt_at), (DeliveryStatus::Delivering, 0, None));
    assert_eq!((entry.last_attempt_at, entry.last_status_code, entry.last_error), (None, None, None));
    gate.open();
    let entry = world.after_attempts(&hook, 1).await;
    assert_eq!(entry.status, DeliveryStatus::Pending);
}

/// AMB-37: an attempt goes where the webhook leads to at its time.
async fn a_changed_url_holds_for_the_next_attempt(store: TestStore) {
    let world = World::on(&store).await;
    world.receiver.answer("/old", Answer::status(status(503)));
    let hook = world.hook("/old").await;
    world.publish().await;
    world.after_attempts(&hook, 1).await;
    world.set_url(&hook, &world.receiver.url("/new?way=here")).await;
    world.pass(Duration::from_secs(30));
    world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    assert_eq!((world.arrived("/old").len(), world.arrived("/new").len()), (1, 1));
    assert_eq!(world.arrived("/new")[0].uri, "/new?way=here");
}

/// A secret that does not open is no reason to send unsigned, to crash, or to forget the event.
async fn a_secret_that_cannot_be_read_fails_the_attempt(store: TestStore) {
    let world = World::on(&store).await;
    let hook = world.hook("/hook").await;
    let sealed = world.set_secrets(&hook, |sealed| WebhookSecrets { secret: vec![1; 60], ..sealed }).await;
    world.publish().await;
    let entry = world.after_attempts(&hook, 1).await;
    assert_eq!((entry.status, entry.last_status_code, entry.last_error_kind), (DeliveryStatus::Pending, None, None));
    assert!(entry.last_error.unwrap().contains("secret"));
    assert_eq!(world.receiver.deliveries().len(), 0);
    world.set_secrets(&hook, |_| sealed).await;
    world.pass(Duration::from_secs(30));
    world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
}

/// DEL-6: an endless answer is a delivery, and holds its attempt no longer than the answer may take.
async fn an_endless_body_ends_with_the_time_for_answering(store: TestStore) {
    let timeouts = Timeouts { open: TEST_TIMEOUT, answer: Duration::from_secs(3) };
    let world = World::with(&store, |settings| settings.webhooks.egress.timeouts = timeouts).await;
    world.receiver.answer("/drip", Answer::ok().drip(Duration::from_millis(20)));
    world.receiver.answer("/huge", Answer::ok().huge(1 << 30));
    let (drip, huge) = (world.hook("/drip").await, world.hook("/huge").await);
    world.publish().await;
    for hook in [drip, huge] {
        let entry = world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
        assert_eq!(entry.attempts, 1);
    }
    let huge = world.receiver.wait_until("the end of the huge body", |all| all.iter().all(|one| one.ended.is_some()));
    let sent = huge.await.unwrap().into_iter().find(|one| one.uri.path() == "/huge").unwrap().sent;
    assert!(sent < 1 << 29, "{sent} bytes were read");
}

both_engines!(
    every_2xx_is_a_delivery,
    every_other_status_is_a_failed_attempt,
    an_attempt_without_an_answer_has_no_status,
    the_log_tells_no_secrets,
    the_status_tells_whether_an_attempt_is_under_way,
    a_changed_url_holds_for_the_next_attempt,
    a_secret_that_cannot_be_read_fails_the_attempt,
    an_endless_body_ends_with_the_time_for_answering,
);

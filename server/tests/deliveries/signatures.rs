//! Headers of a delivery, and its signature (§6).

use std::time::Duration;

use http::StatusCode;
use l10n_api_types::deliveries::DeliveryStatus;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::store::webhooks::WebhookSecrets;
use l10n_server::testing::TestStore;
use l10n_testkit::receiver::{Answer, Delivery};
use l10n_webhook_verify::Verifier;

use crate::fixtures::{Hook, World};

/// The numbers of signatures that a secret made, and of signatures in all.
fn signatures(one: &Delivery, secret: &str, at: i64) -> (bool, usize) {
    let header = one.header("x-service-signature").unwrap();
    let verified = Verifier::new(secret).unwrap().verify_at(header, &one.body, at).is_ok();
    (verified, header.matches("v1=").count())
}

fn now(world: &World) -> i64 {
    world.clock.now().as_millis() / 1_000
}

/// SIG-1 to SIG-7, SIG-12, SIG-13
async fn a_delivery_is_signed_with_its_webhooks_own_secret(store: TestStore) {
    let world = World::on(&store).await;
    let (one, other) = (world.hook("/one").await, world.hook("/other").await);
    // SIG-6: a body that is not ASCII is signed as it is.
    let answer = world.post("/publish").json(&serde_json::json!({"label": "Grüße 🏔"})).send().await;
    assert_eq!(answer.status, 201, "{answer:?}");
    for (hook, path) in [(&one, "/one"), (&other, "/other")] {
        let entry = world.newest(hook, |entry| entry.status == DeliveryStatus::Delivered).await;
        let arrived = world.arrived(path).remove(0);
        assert_eq!(arrived.method, http::Method::POST);
        assert_eq!(arrived.header("content-type"), Some("application/json"));
        assert_eq!(arrived.header("x-service-event-id"), Some(entry.event_id.as_str()));
        assert_eq!(arrived.header("x-service-webhook-id"), Some(hook.id.as_str()));
        assert!(arrived.header("user-agent").is_some_and(|agent| agent.starts_with("l10n-server/")));
        for name in ["x-service-signature", "x-service-event-id", "x-service-webhook-id"] {
            assert_eq!(arrived.headers.get_all(name).iter().count(), 1, "{name}");
        }
        let header = arrived.header("x-service-signature").unwrap();
        let (time, signature) = header.strip_prefix("t=").unwrap().split_once(",v1=").unwrap();
        assert_eq!(time, now(&world).to_string());
        assert!(
            signature.len() == 64 && signature.bytes().all(|digit| b"0123456789abcdef".contains(&digit)),
            "{header}"
        );
        let stranger = if hook.id == one.id { &other } else { &one };
        assert_eq!(signatures(&arrived, &hook.secret, now(&world)), (true, 1));
        assert_eq!(signatures(&arrived, &stranger.secret, now(&world)), (false, 1));
        let shown = format!("{:?}", arrived.headers);
        assert!(!shown.contains("whsec_") && !shown.contains(&hook.secret[6..]));
    }
}

/// SIG-8: a retry is signed at its own time.
async fn a_retry_is_signed_at_its_own_time(store: TestStore) {
    let world = World::on(&store).await;
    world.receiver.answer_in_turn("/hook", [Answer::status(StatusCode::BAD_GATEWAY), Answer::ok()]);
    let hook = world.hook("/hook").await;
    world.publish().await;
    let first = now(&world);
    world.after_attempts(&hook, 1).await;
    world.pass(Duration::from_secs(30));
    let entry = world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    world.clock.advance(Duration::from_secs(1_000));
    world.resend(&hook, entry.delivery_id.as_str()).await.unwrap();
    world.after_attempts(&hook, 3).await;
    let times: Vec<_> = world
        .arrived("/hook")
        .iter()
        .map(|one| {
            let (time, _) = one.header("x-service-signature").unwrap()[2..].split_once(',').unwrap();
            let time: i64 = time.parse().unwrap();
            assert_eq!(signatures(one, &hook.secret, time), (true, 1));
            time - first
        })
        .collect();
    assert_eq!(times, [0, 30, 1_030]);
}

/// Writes the rotation of a secret.
async fn rotate(world: &World, hook: &Hook, secret: &str) {
    let (at, fresh) = (world.clock.now(), world.service.vault.seal(hook.id.as_str(), secret).unwrap());
    let rotated = |before: WebhookSecrets| WebhookSecrets {
        previous_secret: Some(before.secret),
        previous_secret_expires_at: Some(at.plus_millis(86_400_000)),
        secret: fresh,
        ..before
    };
    world.set_secrets(hook, rotated).await;
}

/// SIG-12, WH-RO-2, WH-RO-3: both secrets sign for 24 hours, also what happened before the rotation.
async fn two_secrets_sign_for_a_day(store: TestStore) {
    let world = World::on(&store).await;
    world.receiver.answer_in_turn("/hook", [Answer::status(StatusCode::BAD_GATEWAY), Answer::ok()]);
    let hook = world.hook("/hook").await;
    world.publish().await;
    let entry = world.after_attempts(&hook, 1).await;
    rotate(&world, &hook, "whsec_the_new_one_of_the_two").await;
    let rotated_at = world.clock.now();
    world.pass(Duration::from_secs(30));
    world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    for (attempts, millis) in [(3, 86_399_999), (4, 86_400_000)] {
        world.clock.set(rotated_at.plus_millis(millis));
        world.resend(&hook, entry.delivery_id.as_str()).await.unwrap();
        world.after_attempts(&hook, attempts).await;
    }
    let signed: Vec<_> = world
        .arrived("/hook")
        .iter()
        .map(|one| {
            let (time, _) = one.header("x-service-signature").unwrap()[2..].split_once(',').unwrap();
            let time = time.parse().unwrap();
            let (old, count) = signatures(one, &hook.secret, time);
            let (new, _) = signatures(one, "whsec_the_new_one_of_the_two", time);
            (old, new, count)
        })
        .collect();
    assert_eq!(signed, [(true, false, 1), (true, true, 2), (true, true, 2), (false, true, 1)]);
    let both = world.arrived("/hook")[1].header("x-service-signature").unwrap().to_owned();
    let newest = &both[..both.rfind(",v1=").unwrap()];
    let time = both[2..].split_once(',').unwrap().0.parse().unwrap();
    let verifier = Verifier::new("whsec_the_new_one_of_the_two").unwrap();
    assert!(verifier.verify_at(newest, &world.arrived("/hook")[1].body, time).is_ok(), "the newest signs first");
}

both_engines!(
    a_delivery_is_signed_with_its_webhooks_own_secret,
    a_retry_is_signed_at_its_own_time,
    two_secrets_sign_for_a_day,
);

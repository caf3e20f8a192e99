//! New secrets.

use l10n_api_types::webhooks::Created;
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use secrecy::ExposeSecret as _;

use crate::webhooks::support::{create, listed, rotate, row};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

both_engines!(
    a_rotation_shows_a_new_secret_and_keeps_the_one_before_for_a_day,
    a_second_rotation_drops_the_oldest_secret,
    rotations_at_once_leave_two_secrets_that_were_shown,
);

/// The secrets that lie in the database: the present one and the one before.
async fn stored(app: &TestApp, webhook: &Created) -> (String, Option<String>) {
    let row = row(app, webhook).await;
    let open =
        |sealed: &[u8]| app.service.vault.open(webhook.webhook_id.as_str(), sealed).unwrap().expose_secret().to_owned();
    (open(&row.secret), row.previous_secret.as_deref().map(open))
}

/// WH-RO-1, WH-RO-2, WH-RO-3, WH-F-7, WH-F-9
async fn a_rotation_shows_a_new_secret_and_keeps_the_one_before_for_a_day(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (webhook, bystander) = (create(&app).await, create(&app).await);
    let path = format!("/webhooks/{}/rotate-secret", webhook.webhook_id);
    let answer = app.post(&path).send().await;
    let body = answer.json();
    assert_eq!(
        body.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["previousSecretExpiresAt", "secret", "webhookId"]
    );
    assert_eq!(body["previousSecretExpiresAt"], "2026-11-22T08:00:00.000Z");
    let secret = body["secret"].as_str().unwrap();
    assert!(secret.starts_with("whsec_") && secret.len() == 49 && secret != webhook.secret);
    assert_eq!(stored(&app, &webhook).await, (secret.to_owned(), Some(webhook.secret.clone())));
    let shown = listed(&app, &webhook).await;
    assert_eq!(shown.secret_hint, secret[45..]);
    assert_eq!(shown.previous_secret_expires_at, Some(webhook.created_at.plus_millis(DAY_MS)));
    assert_eq!((&shown.url, shown.enabled), (&webhook.url, true));
    assert_eq!(stored(&app, &bystander).await, (bystander.secret.clone(), None));

    app.clock.set(webhook.created_at.plus_millis(DAY_MS - 1));
    assert!(listed(&app, &webhook).await.previous_secret_expires_at.is_some());
    app.clock.set(webhook.created_at.plus_millis(DAY_MS));
    assert_eq!(listed(&app, &webhook).await.previous_secret_expires_at, None);
}

/// WH-RO-4, AMB-17
async fn a_second_rotation_drops_the_oldest_secret(store: TestStore) {
    let app = TestApp::on(&store).await;
    let webhook = create(&app).await;
    let second = rotate(&app, &webhook).await;
    app.clock.set(webhook.created_at.plus_millis(60_000));
    let third = rotate(&app, &webhook).await;
    assert_eq!(third.previous_secret_expires_at, webhook.created_at.plus_millis(60_000 + DAY_MS));
    assert_eq!(stored(&app, &webhook).await, (third.secret, Some(second.secret)));
}

/// A secret that was shown last, and the one shown before it: what receivers hold always verifies.
async fn rotations_at_once_leave_two_secrets_that_were_shown(store: TestStore) {
    let app = TestApp::on(&store).await;
    let webhook = create(&app).await;
    let (one, other) = tokio::join!(rotate(&app, &webhook), rotate(&app, &webhook));
    let (present, previous) = stored(&app, &webhook).await;
    let mut left = [present, previous.unwrap()];
    let mut shown = [one.secret, other.secret];
    left.sort();
    shown.sort();
    assert_eq!(left, shown);
}

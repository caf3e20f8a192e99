//! `secrets`, and the master key that `serve` needs.

use std::path::Path;

use l10n_api_types::events::EventType;
use l10n_api_types::{ProjectId, WebhookId};
use l10n_server::clock::Timestamp;
use l10n_server::store::row::Json;
use l10n_server::store::webhooks::{self, Webhook};
use l10n_server::testing::{TestApp, TestStore};
use l10n_server::vault::{MasterKey, Vault, VaultError};
use secrecy::ExposeSecret as _;

use crate::process::{complaint, run, stdout};

fn key(byte: u8) -> MasterKey {
    MasterKey::new(&[byte; 32])
}

fn text(byte: u8) -> String {
    key(byte).expose().expose_secret().to_owned()
}

/// A webhook of project `project` whose secrets `vault` has sealed.
async fn webhook(
    store: &TestStore,
    project: &ProjectId,
    id: &WebhookId,
    vault: &Vault,
    previous_until: Option<Timestamp>,
) {
    let previous = previous_until.map(|_| vault.seal(id.as_str(), "whsec_previous").unwrap());
    let created_at = Timestamp::from_millis(0);
    let secret = vault.seal(id.as_str(), &format!("whsec_of_{id}")).unwrap();
    let webhook = Webhook {
        id: id.to_owned(),
        project_id: project.clone(),
        url: "https://example.com/".to_owned(),
        host: "example.com".to_owned(),
        events: Json(vec![EventType::StringsPublished]),
        enabled: true,
        disabled_reason: None,
        consecutive_failures: 0,
        disabled_at: None,
        secret,
        secret_hint: "hint".to_owned(),
        previous_secret: None,
        previous_secret_expires_at: None,
        created_at,
    };
    let mut tx = store.begin_write().await.unwrap();
    webhooks::insert(&mut tx, &webhook).await.unwrap();
    let secrets = webhooks::WebhookSecrets {
        id: webhook.id,
        secret: webhook.secret,
        secret_hint: webhook.secret_hint,
        previous_secret: previous,
        previous_secret_expires_at: previous_until,
    };
    webhooks::set_secrets(&mut tx, &secrets).await.unwrap();
    tx.commit().await.unwrap();
}

async fn read(store: &TestStore, project: &ProjectId, id: &WebhookId) -> Webhook {
    let mut tx = store.begin_read().await.unwrap();
    webhooks::find(&mut tx, project, id).await.unwrap().unwrap()
}

fn reseal(folder: &Path, store: &TestStore, more: &[&str]) -> std::process::Output {
    let now = format!("--secrets-master-key={}", text(2));
    run(folder, &[&["secrets", "reseal", "--database-url", store.url(), &now], more].concat())
}

/// A master key is replaced in three steps, and no secret is lost on the way; a previous secret that has ceased to sign is
/// forgotten.
async fn resealing_frees_the_master_key_before(store: TestStore) {
    const FAR: Timestamp = Timestamp::from_millis(32_503_680_000_000);
    let app = TestApp::on(&store).await;
    let (project, old) = (&app.project.id, Vault::new(&[key(1)]));
    // More than one batch.
    for n in 0..203 {
        let previous = match n {
            0 => Some(FAR),
            1 => Some(Timestamp::from_millis(1)),
            _ => None,
        };
        webhook(&store, project, &format!("whk_{n:03}").into(), &old, previous).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let said = complaint(&reseal(folder.path(), &store, &[]));
    assert!(said.contains(&format!("sealed with master key {}", key(1).id())), "{said}");
    let previous = format!("--secrets-previous-master-keys={}", text(1));
    assert_eq!(stdout(&reseal(folder.path(), &store, &[&previous])), "Sealed the secrets of 203 webhooks anew.\n");
    assert_eq!(stdout(&reseal(folder.path(), &store, &[])), "Sealed the secrets of 0 webhooks anew.\n");

    let new = Vault::new(&[key(2)]);
    let first = read(&store, project, &"whk_000".into()).await;
    assert_eq!(new.open("whk_000", &first.secret).unwrap().expose_secret(), "whsec_of_whk_000");
    let previous = new.open("whk_000", &first.previous_secret.unwrap()).unwrap();
    assert_eq!((previous.expose_secret(), first.previous_secret_expires_at), ("whsec_previous", Some(FAR)));
    assert_eq!(first.secret_hint, "hint");
    let second = read(&store, project, &"whk_001".into()).await;
    assert_eq!((second.previous_secret, second.previous_secret_expires_at), (None, None));
    let last = read(&store, project, &"whk_202".into()).await;
    assert_eq!(new.open("whk_202", &last.secret).unwrap().expose_secret(), "whsec_of_whk_202");
    // Secrets of two rows that change places do not open.
    assert_eq!(new.open("whk_202", &first.secret).unwrap_err(), VaultError::Damaged);
}

/// Without a key, or without the one that secrets are sealed with, `serve` says what to do and does not start.
async fn serve_needs_the_master_keys_that_are_in_use(store: TestStore) {
    let app = TestApp::on(&store).await;
    let project = &app.project.id;
    webhook(&store, project, &"whk_a".into(), &Vault::new(&[key(1)]), None).await;
    let folder = tempfile::tempdir().unwrap();
    let serve = |more: &[&str]| {
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--database-url", store.url()];
        complaint(&run(folder.path(), &[&arguments, more].concat()))
    };
    let said = serve(&[]);
    assert!(said.starts_with("error: setting `secrets.master_key` is not set"), "{said}");
    assert!(said.contains("`l10n-server secrets new-key` prints a key"), "{said}");
    let said = serve(&[&format!("--secrets-master-key={}", &text(2)[1..])]);
    assert!(said.contains("it takes the base64 of 32 random bytes") && !said.contains(&text(2)[1..]), "{said}");
    let said = serve(&[&format!("--secrets-master-key={}", text(2))]);
    assert!(said.contains(&format!("a master key of id {}", key(1).id())), "{said}");
    assert!(said.contains("secrets.previous_master_keys") && said.contains("--replace-lost"), "{said}");
}

/// If the key is lost, webhooks stay, and their owners rotate the unknown secrets.
async fn a_lost_master_key_costs_secrets_and_no_webhook(store: TestStore) {
    let app = TestApp::on(&store).await;
    let project = &app.project.id;
    webhook(
        &store,
        project,
        &"whk_lost".into(),
        &Vault::new(&[key(1)]),
        Some(Timestamp::from_millis(32_503_680_000_000)),
    )
    .await;
    webhook(&store, project, &"whk_known".into(), &Vault::new(&[key(2)]), None).await;
    let folder = tempfile::tempdir().unwrap();
    let said = stdout(&reseal(folder.path(), &store, &["--replace-lost"]));
    assert!(said.contains("whk_lost") && !said.contains("whk_known"), "{said}");
    let new = Vault::new(&[key(2)]);
    let lost = read(&store, project, &"whk_lost".into()).await;
    let fresh = new.open("whk_lost", &lost.secret).unwrap();
    assert!(fresh.expose_secret().starts_with("whsec_") && fresh.expose_secret().ends_with(&lost.secret_hint));
    assert_eq!((lost.previous_secret, lost.previous_secret_expires_at), (None, None));
    let known = read(&store, project, &"whk_known".into()).await;
    assert_eq!(new.open("whk_known", &known.secret).unwrap().expose_secret(), "whsec_of_whk_known");
}

l10n_server::both_engines!(
    resealing_frees_the_master_key_before,
    serve_needs_the_master_keys_that_are_in_use,
    a_lost_master_key_costs_secrets_and_no_webhook,
);

#[test]
fn a_new_key_is_one_that_the_setting_takes() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = [0; 2].map(|_| stdout(&run(folder.path(), &["secrets", "new-key"])));
    assert_ne!(one, two);
    assert!(MasterKey::parse(&one).is_ok());
}

//! Kept answers hold secrets, so they are sealed at rest and follow when the master key is replaced.

use l10n_server::both_engines;
use l10n_server::domain::receipts;
use l10n_server::store::idempotency_keys::{self, IdempotencyKeyName, StoredAnswer};
use l10n_server::testing::{TestApp, TestStore};
use l10n_server::vault::{MasterKey, Vault};

use crate::receipts::webhook;

both_engines!(a_kept_answer_is_sealed_and_opens_for_its_write_alone, a_new_master_key_reaches_kept_answers);

async fn kept(app: &TestApp) -> Vec<StoredAnswer> {
    let mut tx = app.service.store.begin_read().await.unwrap();
    idempotency_keys::kept(&mut tx, IdempotencyKeyName { api_key_id: "", text: "" }, 100).await.unwrap()
}

async fn create(app: &TestApp) -> l10n_server::testing::Answer {
    app.post("/webhooks").json(&webhook()).header("idempotency-key", "k").send().await
}

async fn a_kept_answer_is_sealed_and_opens_for_its_write_alone(store: TestStore) {
    let app = TestApp::on(&store).await;
    let secret = create(&app).await.json()["secret"].as_str().unwrap().to_owned();
    let kept = kept(&app).await;
    assert_eq!(kept.len(), 1);
    let holds = |bytes: &[u8]| bytes.windows(12).any(|part| secret.as_bytes().windows(12).any(|other| part == other));
    assert!(!holds(&kept[0].reply));
    assert!(app.service.vault.open(kept[0].request_id.as_str(), &kept[0].reply).is_ok());
    assert!(app.service.vault.open("req_other", &kept[0].reply).is_err());
}

async fn a_new_master_key_reaches_kept_answers(store: TestStore) {
    let app = TestApp::on(&store).await;
    let first = create(&app).await;
    let (new, old) = (MasterKey::new(&[9; 32]), MasterKey::new(&[7; 32]));
    let vault = Vault::new(&[new.clone(), old]);
    let mut after = None;
    loop {
        let mut tx = app.service.store.begin_write().await.unwrap();
        after = receipts::reseal(&mut tx, &vault, after.as_ref()).await.unwrap();
        tx.commit().await.unwrap();
        if after.is_none() {
            break;
        }
    }
    let kept = kept(&app).await;
    let opened = Vault::new(&[new]).open(kept[0].request_id.as_str(), &kept[0].reply).unwrap();
    assert_eq!(secrecy::ExposeSecret::expose_secret(&opened).as_bytes(), first.bytes);
    // A server that has lost the key cannot give the answer again; it says so and does nothing twice.
    let refused = create(&app).await;
    assert_eq!(refused.outcome(), "409 idempotency_conflict");
    assert!(refused.error().message.contains("receipt"), "{refused:?}");
}

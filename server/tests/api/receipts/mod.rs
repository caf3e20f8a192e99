//! Receipts of writes and `Idempotency-Key`, over real connections, on both engines.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod endings;
mod idempotency;
mod kept;
mod leases;
mod reads;
mod refusing;
mod sealing;

use std::time::Duration;

use l10n_api_types::requests::Receipt;
use l10n_server::store::{Tx, lock};
use l10n_server::testing::{Answer, TEST_TIMEOUT, TestApp};
use serde_json::{Value, json};

/// A webhook at a public address, to which nothing is sent.
fn webhook() -> Value {
    json!({"url": "https://93.184.216.34/hooks", "events": ["strings.published"]})
}

/// `GET /requests/{id}`.
async fn receipt_answer(app: &TestApp, id: &str) -> Answer {
    app.get(&format!("/requests/{id}")).send().await
}

async fn receipt(app: &TestApp, id: &str) -> Receipt {
    let answer = receipt_answer(app, id).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.read()
}

/// Keeps every write of the project from going on, until it is dropped.
async fn hold_up(app: &TestApp) -> Tx {
    let mut tx = app.service.store.begin_write().await.unwrap();
    assert!(lock::project(&mut tx, &app.project.id).await.unwrap());
    tx
}

/// Waits until `holds` does.
async fn until<F: Future<Output = bool>>(mut holds: impl FnMut() -> F) {
    let wait = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(TEST_TIMEOUT, wait).await.unwrap();
}

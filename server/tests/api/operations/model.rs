//! Whatever happens to an operation in whatever order, the server and a model of it agree at every step.

use std::time::Duration;

use l10n_api_types::operations::{Operation, OperationStatus};
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::auth;
use l10n_server::domain::operations::OperationDecision;
use l10n_server::domain::operations::state::{APPROVED_MILLIS, OperationEvent, OperationState, PENDING_MILLIS};
use l10n_server::testing::decide;
use l10n_server::testing::{TestApp, TestStore};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::operations::support::{another_agent, ask, get, greet, idle};

both_engines!(server_and_model_agree_at_every_step);

const STORIES: usize = 24;

/// Events, each with the milliseconds since the one before.
fn story() -> impl Strategy<Value = Vec<(OperationEvent, u64)>> {
    let event = prop_oneof![
        3 => Just(OperationEvent::Approved),
        1 => Just(OperationEvent::Denied),
        4 => Just(OperationEvent::Used),
        1 => Just(OperationEvent::KeyRevoked),
    ];
    let (hour, day) = (APPROVED_MILLIS.unsigned_abs(), PENDING_MILLIS.unsigned_abs());
    let wait = prop_oneof![8 => 0..1_000_u64, 1 => hour - 1..=hour, 1 => day - 1..=day];
    proptest::collection::vec((event, wait), 1..8)
}

/// OPS-4: an approval is used once, in time, by the key that asked, and never behind its revocation.
async fn server_and_model_agree_at_every_step(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let mut runner = TestRunner::deterministic();
    let mut published = 0;
    for _ in 0..STORIES {
        let story = story().new_tree(&mut runner).unwrap().current();
        let (text, key) = another_agent(&app).await;
        let asked = ask(&app, &text, &json!({"kind": "publish"})).await;
        let (mut state, mut revoked) = (OperationState::asked(app.clock.now()), false);
        for (event, wait) in &story {
            let now = app.clock.advance(Duration::from_millis(*wait));
            let expected = state.after(*event, now);
            let done = happen(&app, &asked, &text, &key, *event).await;
            match expected {
                // A revoked key gets nowhere; revoking it again changes nothing.
                _ if revoked && matches!(event, OperationEvent::Used | OperationEvent::KeyRevoked) => assert!(!done),
                Ok(after) => {
                    assert!(done, "{story:?}");
                    state = after;
                }
                Err(_) => assert_eq!(done, *event == OperationEvent::KeyRevoked, "{story:?}"),
            }
            published += usize::from(done && *event == OperationEvent::Used);
            revoked |= *event == OperationEvent::KeyRevoked;
            let seen = get(&app, &asked).await;
            assert_eq!((seen.status, seen.expires_at), (state.seen(now), state.expires_at), "{story:?}");
            assert_eq!(seen.request_id.is_some(), seen.status == OperationStatus::Used);
        }
    }
    let versions = app.get("/versions?limit=500").send().await.json();
    assert_eq!(versions["versions"].as_array().unwrap().len(), published);
    assert!(published > 2, "the stories are about something");
}

/// Makes it happen; returns whether it did.
async fn happen(app: &TestApp, operation: &Operation, key: &str, key_id: &str, event: OperationEvent) -> bool {
    let id = operation.operation_id.as_str();
    match event {
        OperationEvent::Approved | OperationEvent::Denied => {
            let verdict = OperationDecision { is_approved: event == OperationEvent::Approved, by: "ada", reason: None };
            decide(&app.service, id, verdict).await.is_ok()
        }
        OperationEvent::Used => {
            let call = app.post("/publish").key(key).json(&json!({"operationId": id}));
            call.send().await.status == 201
        }
        OperationEvent::KeyRevoked => {
            let mut tx = app.service.store.begin_write().await.unwrap();
            let done = auth::revoke(&mut tx, key_id, app.clock.now()).await.unwrap();
            tx.commit().await.unwrap();
            done
        }
    }
}

//! Time goes by: 24 hours for a decision, then one hour for the work, to the millisecond.

use l10n_api_types::operations::OperationStatus;
use l10n_server::both_engines;
use l10n_server::clock::{Clock as _, Timestamp};
use l10n_server::domain::operations::{DecideError, OperationDecision};
use l10n_server::testing::decide;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::operations::support::{act, approve, ask, details, get, greet, idle};

both_engines!(a_decision_may_be_made_for_24_hours, an_approval_may_be_used_for_one_hour);

const HOUR: i64 = 3_600_000;

async fn publish_at(app: &TestApp, operation: &l10n_api_types::operations::Operation, at: Timestamp) -> String {
    app.clock.set(at);
    act(app, "/publish", json!({}), operation).await.outcome()
}

/// OPS-4
async fn a_decision_may_be_made_for_24_hours(store: TestStore) {
    let app = idle(&store).await;
    let verdict = OperationDecision { is_approved: true, by: "ada", reason: None };
    let body = json!({"kind": "publish"});
    let (kept, late) =
        (ask(&app, &app.project.keys.agent, &body).await, ask(&app, &app.project.keys.agent, &body).await);
    assert_eq!(kept.expires_at, app.clock.now().plus_millis(24 * HOUR));

    app.clock.set(kept.expires_at.plus_millis(-1));
    assert_eq!(get(&app, &late).await.status, OperationStatus::Pending);
    let approved = approve(&app, &kept).await;
    assert_eq!(approved.expires_at, app.clock.now().plus_millis(HOUR), "the hour begins with the decision");

    app.clock.set(late.expires_at);
    assert_eq!(get(&app, &late).await.status, OperationStatus::Expired);
    for verdict in [verdict, OperationDecision { is_approved: false, ..verdict }] {
        let refused = decide(&app.service, late.operation_id.as_str(), verdict).await;
        assert!(matches!(refused, Err(DecideError::Over(_))), "{refused:?}");
    }
    assert_eq!(get(&app, &late).await.decided_by, None);
    assert_eq!(get(&app, &kept).await.status, OperationStatus::Approved);
}

/// OPS-4
async fn an_approval_may_be_used_for_one_hour(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let body = json!({"kind": "publish"});
    let (used, late) =
        (ask(&app, &app.project.keys.agent, &body).await, ask(&app, &app.project.keys.agent, &body).await);
    let (used, late) = (approve(&app, &used).await, approve(&app, &late).await);
    assert_eq!(publish_at(&app, &used, used.expires_at.plus_millis(-1)).await, "201");
    assert_eq!(publish_at(&app, &late, late.expires_at).await, "403 authorization_required");
    assert_eq!(details(&act(&app, "/publish", json!({}), &late).await)["reason"], "expired");
    assert_eq!(get(&app, &late).await.status, OperationStatus::Expired);
    assert_eq!(get(&app, &used).await.status, OperationStatus::Used, "what was used does not expire");
}

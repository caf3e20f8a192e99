//! `provision` on a workspace that is there already.

use std::sync::Arc;

use l10n_api_types::Millicredits;
use l10n_server::both_engines;
use l10n_server::domain::provision::{Description, provision};
use l10n_server::engines::Pseudo;
use l10n_server::store::{lock, workspaces};
use l10n_server::testing::{TestApp, TestStore, on_postgres, sql};
use serde_json::{Value, json};

use super::fixtures::provide;

both_engines!(
    a_cap_and_a_plan_that_a_description_leaves_out_stay,
    a_cap_that_a_description_changes_is_in_the_audit_log
);

/// Provisions the app's workspace, with these further fields; returns its cap and plan afterwards.
async fn terms(app: &TestApp, more: Value) -> (Option<i64>, String) {
    let mut workspace = json!({"handle": app.project.handle});
    for (name, value) in more.as_object().unwrap() {
        workspace[name] = value.clone();
    }
    let description: Description = serde_json::from_value(json!({ "workspaces": [workspace] })).unwrap();
    let mut tx = app.service.store.begin_write().await.unwrap();
    provision(&mut tx, app.service.provisioning(), &description).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = app.service.store.begin_read().await.unwrap();
    let found = workspaces::find(&mut tx, &app.project.workspace).await.unwrap().unwrap();
    tx.rollback().await.unwrap();
    (found.spending_cap.map(|cap| cap.0), found.plan)
}

async fn audited(app: &TestApp) -> i64 {
    sql::count(&app.service.store, "audit_log WHERE action = 'spending_cap_changed' AND actor = 'provision'").await
}

async fn a_cap_and_a_plan_that_a_description_leaves_out_stay(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
    let mut tx = app.service.store.begin_write().await.unwrap();
    workspaces::update_terms(&mut tx, &app.project.workspace, "free", Some(Millicredits(7_250))).await.unwrap();
    tx.commit().await.unwrap();
    for more in [json!({}), json!({"plan": null, "spendingCap": null})] {
        assert_eq!(terms(&app, more.clone()).await, (Some(7_250), "free".to_owned()), "{more}");
    }
    assert_eq!(terms(&app, json!({"plan": "unlimited"})).await, (Some(7_250), "unlimited".to_owned()));
    assert_eq!(audited(&app).await, 0);
}

async fn a_cap_that_a_description_changes_is_in_the_audit_log(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
    for _ in 0..2 {
        assert_eq!(terms(&app, json!({"spendingCap": 5})).await, (Some(5_000), "unlimited".to_owned()));
        assert_eq!(audited(&app).await, 1, "a cap that stays is no change");
    }
}

/// Whoever holds a project waits for its workspace, as a run does, while a description of both is provisioned.
#[test]
fn provisioning_locks_a_workspace_after_its_projects() {
    on_postgres(|store| async move {
        let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
        let mut run = app.service.store.begin_write().await.unwrap();
        lock::project(&mut run, &app.project.id).await.unwrap();
        let run = async {
            sql::somebody_waits(&store).await;
            lock::workspace(&mut run, &app.project.workspace).await.unwrap();
            run.commit().await.unwrap();
        };
        let (provided, ()) = tokio::join!(provide(&app, json!({"styleNote": "Short"})), run);
        provided.unwrap();
    });
}

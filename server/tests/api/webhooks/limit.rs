//! Five webhooks a project.

use std::sync::Arc;

use futures_util::future::join_all;
use http::Method;
use l10n_server::both_engines;
use l10n_server::domain::webhooks::{Registration, create as register};
use l10n_server::domain::{Caller, ServiceError};
use l10n_server::engines::Pseudo;
use l10n_server::service::Service;
use l10n_server::store::Store;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::webhooks::support::{create, create_in, list, patch, post, registration};

both_engines!(
    the_sixth_is_refused_and_a_deleted_one_makes_room,
    parallel_registrations_do_not_pass_the_limit,
    two_processes_do_not_pass_the_limit,
    the_limit_is_each_projects_own,
);

/// WH-LIM-1, WH-LIM-2, AMB-27, AMB-28, ERR-409-1
async fn the_sixth_is_refused_and_a_deleted_one_makes_room(store: TestStore) {
    let app = TestApp::on(&store).await;
    let mut webhooks = Vec::new();
    for _ in 0..5 {
        webhooks.push(create(&app).await);
    }
    let before = list(&app).await;
    assert_eq!(post(&app, &registration()).await.outcome(), "409 webhook_limit");
    assert_eq!(list(&app).await, before);
    for webhook in &webhooks {
        assert_eq!(patch(&app, webhook, &json!({"enabled": false})).await.status, 200);
    }
    assert_eq!(post(&app, &registration()).await.outcome(), "409 webhook_limit", "disabled ones count");
    let wrong = json!({"url": "https://10.0.0.1/", "events": ["strings.published"]});
    assert_eq!(
        post(&app, &wrong).await.outcome(),
        "400 invalid_argument",
        "what is malformed is so with room or without"
    );
    let path = format!("/webhooks/{}", webhooks[2].webhook_id);
    assert_eq!(app.call(Method::DELETE, &path).send().await.status, 204);
    create(&app).await;
    assert_eq!(post(&app, &registration()).await.outcome(), "409 webhook_limit");
}

/// WH-LIM-3
async fn parallel_registrations_do_not_pass_the_limit(store: TestStore) {
    let app = TestApp::on(&store).await;
    let body = registration();
    let answers = join_all((0..10).map(|_| post(&app, &body))).await;
    let mut outcomes: Vec<_> = answers.iter().map(l10n_server::testing::Answer::outcome).collect();
    outcomes.sort();
    assert_eq!(outcomes, [["201"; 5], ["409 webhook_limit"; 5]].concat());
    assert_eq!(list(&app).await.len(), 5);
}

/// WH-LIM-3: nothing in the memory of one process keeps the limit.
async fn two_processes_do_not_pass_the_limit(store: TestStore) {
    let app = TestApp::on(&store).await;
    let second = Store::connect(store.url()).await.unwrap();
    let settings = (*app.service.settings).clone();
    let second = Service::new(second, Arc::new(app.clock.clone()), settings, Arc::new(Pseudo)).unwrap();
    let caller = Caller {
        project: app.project.id.clone(),
        workspace: app.project.workspace.clone(),
        key: "key_0".into(),
        scopes: Vec::new(),
        kind: l10n_api_types::KeyKind::Ci,
        request: "req_0".into(),
    };
    let one = |service: Service| {
        let caller = caller.clone();
        async move {
            let registration =
                Registration::judge(&service.egress, serde_json::from_value(registration()).unwrap()).await?;
            let mut tx = service.store.begin_write().await?;
            let made = register(&mut tx, service.clock.as_ref(), &service.vault, &caller, registration).await?;
            tx.commit().await?;
            Ok::<_, ServiceError>(made)
        }
    };
    let made = join_all((0..12).map(|n| one(if n % 2 == 0 { app.service.clone() } else { second.clone() }))).await;
    assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 5);
    assert!(
        made.iter().filter_map(|made| made.as_ref().err()).all(|error| matches!(error, ServiceError::WebhookLimit(5)))
    );
    assert_eq!(list(&app).await.len(), 5);
    second.store.close().await;
}

/// WH-LIM-4
async fn the_limit_is_each_projects_own(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.other_project("unlimited").await;
    for _ in 0..5 {
        create_in(&app, &other).await;
    }
    create(&app).await;
}

//! The page that `approvalUrl` leads to.

use http::Method;
use l10n_api_types::operations::OperationStatus;
use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::operations::support::{ask, get, idle};

both_engines!(an_approval_url_leads_to_the_sign_in_and_back, what_can_be_no_operation_has_no_page);

/// OPS-1: a stranger learns nothing of an operation, not even whether it is there.
async fn an_approval_url_leads_to_the_sign_in_and_back(store: TestStore) {
    let app = idle(&store).await;
    let body = json!({"kind": "publish", "note": "a secret plan"});
    let asked = ask(&app, &app.project.keys.agent, &body).await;
    let path = asked.approval_url.strip_prefix(&format!("http://{}", app.address)).unwrap().to_owned();
    for (path, next) in [
        (path.as_str(), format!("?next=%2Fdashboard%2Foperations%2F{}", asked.operation_id)),
        ("/dashboard/operations/op_none", "?next=%2Fdashboard%2Foperations%2Fop_none".to_owned()),
        ("/dashboard", String::new()),
    ] {
        for method in [Method::GET, Method::HEAD] {
            let answer = app.at(method, path).send().await;
            assert_eq!(answer.status, 303, "{path}");
            assert_eq!(answer.header("location"), Some(format!("/dashboard/login{next}").as_str()));
            assert!(answer.bytes.is_empty());
        }
        let form = app.at(Method::POST, path).header("sec-fetch-site", "same-origin");
        let form = form.header("content-type", "application/x-www-form-urlencoded").body("decision=approve");
        let answer = form.send().await;
        assert_eq!(answer.status, if path == "/dashboard" { 404 } else { 403 }, "{path}");
        assert!(answer.is_page() && !answer.text().contains("a secret plan"), "{path}");
    }
    assert_eq!(get(&app, &asked).await.status, OperationStatus::Pending, "nothing is decided by a stranger's form");
}

/// HOSTILE-INPUTS S4: nothing of the path comes back.
async fn what_can_be_no_operation_has_no_page(store: TestStore) {
    let app = idle(&store).await;
    let long = "x".repeat(65);
    for id in ["%3Cscript%3E", "a%2fb", "%00", "a.b", "", "a/b", "%ff", "op_1%0d%0ax:y", long.as_str()] {
        let answer = app.at(Method::GET, &format!("/dashboard/operations/{id}")).send().await;
        assert_eq!((answer.status, answer.is_page()), (404, true), "{id}");
        assert!(id.is_empty() || id == "a.b" || id == "a/b" || !answer.text().contains(id), "{id}");
    }
}

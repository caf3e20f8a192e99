//! `/dashboard`, until it is there.

use http::Method;
use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::operations::support::{ask, idle};

both_engines!(an_approval_url_leads_to_a_page_that_says_what_decides, what_can_be_no_operation_has_no_page);

/// OPS-1: the page needs no key, and shows nothing of the operation.
async fn an_approval_url_leads_to_a_page_that_says_what_decides(store: TestStore) {
    let app = idle(&store).await;
    let body = json!({"kind": "publish", "note": "a secret plan"});
    let asked = ask(&app, &app.project.keys.agent, &body).await;
    let path = asked.approval_url.strip_prefix(&format!("http://{}", app.address)).unwrap().to_owned();
    for (path, says) in [
        (path.as_str(), format!("l10n-server operations approve {}", asked.operation_id)),
        ("/dashboard", "l10n-server operations list".to_owned()),
    ] {
        let answer = app.at(Method::GET, path).send().await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/html; charset=utf-8")));
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        let page = std::str::from_utf8(&answer.bytes).unwrap();
        assert!(page.contains(&says) && !page.contains("secret"), "{page}");
        for forbidden in ["<script", "<style", "style=", "src="] {
            assert!(!page.contains(forbidden), "{page}");
        }
        assert_eq!(app.at(Method::HEAD, path).send().await.status, 200);
        assert_eq!(app.at(Method::POST, path).send().await.outcome(), "404 not_found", "nothing is decided here");
    }
    let unknown = app.at(Method::GET, "/dashboard/operations/op_none").send().await;
    assert_eq!(unknown.status, 200, "whether there is such an operation is not told");
}

/// HOSTILE-INPUTS S4: nothing of the path comes back.
async fn what_can_be_no_operation_has_no_page(store: TestStore) {
    let app = idle(&store).await;
    let long = "x".repeat(65);
    for id in ["%3Cscript%3E", "a%2fb", "%00", "a.b", "", "a/b", "%ff", "op_1%0d%0ax:y", long.as_str()] {
        let answer = app.at(Method::GET, &format!("/dashboard/operations/{id}")).send().await;
        assert_eq!(answer.outcome(), "404 not_found", "{id}");
    }
}

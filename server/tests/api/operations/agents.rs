//! The rights of an agent's key without approval: everything that neither spends nor publishes.

use http::Method;
use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::operations::support::{file, greet, idle, keys, version};

both_engines!(an_agent_does_by_itself_what_neither_spends_nor_publishes);

/// AUTH-12, AMB-42, DRY-7
async fn an_agent_does_by_itself_what_neither_spends_nor_publishes(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let version = version(&app).await;
    let project = app.project.id.clone();
    let (handle, slug) = (app.project.handle.clone(), app.project.slug.clone());
    let under = |path: &str| format!("/v1/projects/{project}{path}");
    let none = Value::Null;
    let hook = json!({"url": "https://93.184.216.34/hook", "events": ["strings.published"]});
    let formats = json!({"outputFormats": [{"format": "json", "path": "{language}.json"}]});
    let calls = [
        (Method::GET, format!("/v1/projects/resolve?workspace={handle}&project={slug}"), none.clone()),
        (Method::GET, under("/credential"), none.clone()),
        (Method::GET, under("/meta"), none.clone()),
        (Method::GET, under("/versions"), none.clone()),
        (Method::GET, under("/translations"), none.clone()),
        (Method::GET, under("/translations?ref=greeting"), none.clone()),
        (Method::GET, under(&format!("/translations?version={version}")), none.clone()),
        (Method::POST, under("/translate?dryRun=true"), keys("a", "A")),
        (Method::POST, under("/sync?dryRun=true"), file(&json!({"a": "A"}))),
        (Method::POST, under("/languages"), json!({"languages": [{"code": "es"}]})),
        (Method::POST, under("/output-formats"), formats),
        (Method::GET, under("/glossary"), none.clone()),
        (Method::PUT, under("/glossary"), json!({"terms": [{"term": "cart"}]})),
        (Method::POST, under("/webhooks"), hook),
        (Method::GET, under("/webhooks"), none.clone()),
        (Method::POST, under("/operations"), json!({"kind": "publish"})),
        (Method::POST, under("/operations"), json!({"kind": "translation", "max_credits": 1})),
        (Method::POST, under("/operations"), json!({"kind": "rollback", "versionId": version})),
    ];
    let agent = app.project.keys.agent.clone();
    for (method, path, body) in calls {
        let mut call = app.at(method.clone(), &path).key(&agent);
        if !body.is_null() {
            call = call.json(&body);
        }
        let answer = call.send().await;
        assert!(answer.status < 300, "{method} {path}: {answer:?}");
    }
}

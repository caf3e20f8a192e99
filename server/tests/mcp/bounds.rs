//! One tenant's requests beside those of others.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::support::{Program, idle, two_keys};

both_engines!(requests_that_wait_take_nothing_from_other_workspaces);

/// As many requests of one workspace as may be under way.
const MOST: usize = 16;

async fn requests_that_wait_take_nothing_from_other_workspaces(store: TestStore) {
    let app = idle(&store).await;
    let (program, key) = (Program::of(&app), &app.project.keys.admin);
    let other = app.other_project("unlimited").await;
    let mut waiting = Vec::new();
    for _ in 0..MOST {
        waiting.push(program.begin(key, "translate", two_keys()).await);
    }
    let list = |key: String| program.request(&key, "tools/list", json!({})).send();
    let refused = list(key.clone()).await.unwrap();
    assert_eq!((refused.status().as_u16(), refused.headers()["retry-after"].to_str().unwrap()), (429, "60"));
    assert_eq!(list(other.keys.admin.clone()).await.unwrap().status(), 200);
    // The API itself is no less there for it.
    assert_eq!(app.get("/credential").send().await.status, 200);
    // Who goes away leaves the place.
    drop(waiting);
    while list(key.clone()).await.unwrap().status() != 200 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

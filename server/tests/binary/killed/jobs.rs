//! A translation job whose server is killed in the middle of it.

use l10n_server::store::{Store, ledger, workspaces};
use serde_json::{Value, json};

use crate::process::{Running, get, post};

/// FN-1: killed again and again in the middle of a job and started again, the server finishes it: every key is translated
/// once and charged once, and no hold is left behind.
#[tokio::test]
async fn a_job_survives_its_server_and_is_charged_once() {
    const KEYS: usize = 3_000;
    let folder = tempfile::tempdir().unwrap();
    let mut server = Running::dev(folder.path());
    let (key, project) = (server.say("apiKey"), server.say("projectId"));
    let url = |server: &Running, path: &str| format!("{}/projects/{project}{path}", server.say("baseUrl"));
    let languages = json!({"languages": [{"code": "de"}, {"code": "fr"}]});
    assert_eq!(post(&url(&server, "/languages"), &key, &languages).await.0, 200);
    let keys: Vec<Value> =
        (0..KEYS).map(|n| json!({"ref": format!("k{n}"), "text": format!("Text number {n} for {{name}}")})).collect();
    let (status, run) = post(&url(&server, "/translate"), &key, &json!({ "keys": keys })).await;
    assert_eq!(status, 202, "{run}");
    let job = format!("/translations?trackingToken={}&limit=1", run["trackingToken"].as_str().unwrap());

    let mut killed_within = 0;
    let mut before = 0;
    let ended = loop {
        let (status, answer) = get(&url(&server, &job), &key).await;
        assert_eq!(status, 200, "{answer}");
        if answer["finishedAt"].is_string() {
            break answer;
        }
        let done = answer["progress"]["done"].as_u64().unwrap();
        assert!(done >= before, "what was committed stays");
        if done > before && killed_within < 5 {
            before = done;
            killed_within += 1;
            server.kill();
            server = Running::dev(folder.path());
        }
    };
    assert!(killed_within > 0, "the job ended before the server could be killed");
    assert_eq!((&ended["status"], &ended["progress"]["done"]), (&"completed".into(), &(2 * KEYS).into()));
    assert_eq!(ended["creditsCharged"], run["estimatedCredits"]);
    let (_, meta) = get(&url(&server, "/meta"), &key).await;
    for language in &meta["languages"].as_array().unwrap()[1..] {
        assert_eq!(language["translated"], KEYS);
    }
    assert!(server.terminate());

    let store = Store::connect_file(&folder.path().join("l10n-data/dev.sqlite")).await.unwrap();
    let mut tx = store.begin_read().await.unwrap();
    let workspace = workspaces::find_by_handle(&mut tx, "demo").await.unwrap().unwrap();
    assert_eq!(ledger::sum(&mut tx, &workspace.id).await.unwrap(), workspace.balance);
    let granted = ledger::granted(&mut tx, &workspace.id).await.unwrap();
    assert_eq!(granted.0 - workspace.balance.0, ended["creditsCharged"].as_i64().unwrap());
}

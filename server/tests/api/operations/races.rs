//! Many who use, decide or revoke at once, through two servers.

use std::collections::BTreeMap;

use l10n_api_types::operations::{Operation, OperationStatus};
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::auth;
use l10n_server::domain::operations::OperationDecision;
use l10n_server::testing::decide;
use l10n_server::testing::{Answer, TestApp, TestStore};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::operations::support::{another_agent, approve, approved, ask, details, get, greet, idle, keys, version};

both_engines!(
    of_many_who_use_one_approval_one_does,
    of_many_who_decide_one_does,
    a_key_is_revoked_before_or_after_its_work_and_its_questions,
);

fn racers(servers: [&TestApp; 2], key: &str, path: &str, body: &Value) -> Vec<JoinHandle<Answer>> {
    let call = |n: usize| servers[n % 2].post(path).key(key).json(body).send();
    (0..12).map(|n| tokio::spawn(call(n))).collect()
}

/// OPS-4: two servers on one datastore.
async fn of_many_who_use_one_approval_one_does(store: TestStore) {
    let app = idle(&store).await;
    let beside = app.beside(&store).await;
    greet(&app).await;
    let first = version(&app).await;
    version(&app).await;
    let restore = format!("/versions/{first}/restore");
    for (asked, path, mut body) in [
        (json!({"kind": "publish"}), "/publish", json!({})),
        (json!({"kind": "translation", "max_credits": 1}), "/translate", keys("a", "A")),
        (json!({"kind": "rollback", "versionId": first}), restore.as_str(), json!({})),
    ] {
        let operation = approved(&app, &asked).await;
        body["operationId"] = json!(operation.operation_id);
        let mut won = Vec::new();
        for racer in racers([&app, &beside], &app.project.keys.agent, path, &body) {
            let answer = racer.await.unwrap();
            if answer.status < 300 {
                won.push(answer.json()["requestId"].as_str().unwrap().to_owned());
            } else {
                assert_eq!(details(&answer)["reason"], "used", "{path}");
            }
        }
        let used = get(&beside, &operation).await;
        assert_eq!(won, [used.request_id.unwrap().as_str()], "{path}");
    }
    let versions = app.get("/versions").send().await.json();
    assert_eq!(versions["versions"].as_array().unwrap().len(), 3);
}

/// OPS-4: the first decision stands, and all others are told so.
async fn of_many_who_decide_one_does(store: TestStore) {
    let app = idle(&store).await;
    let beside = app.beside(&store).await;
    let asked = ask(&app, &app.project.keys.agent, &json!({"kind": "publish"})).await;
    let racers: Vec<_> = (0..12)
        .map(|n| {
            let service = if n % 2 == 0 { app.service.clone() } else { beside.service.clone() };
            let id = asked.operation_id.to_string();
            tokio::spawn(async move {
                let by = format!("person {n}");
                let verdict = OperationDecision { is_approved: n % 3 == 0, by: &by, reason: None };
                decide(&service, &id, verdict).await.map_err(|error| error.to_string())
            })
        })
        .collect();
    let (mut decided, mut refused): (Vec<Operation>, Vec<String>) = (Vec::new(), Vec::new());
    for racer in racers {
        match racer.await.unwrap() {
            Ok(operation) => decided.push(operation),
            Err(error) => refused.push(error),
        }
    }
    assert_eq!((decided.len(), refused.len()), (1, 11), "{refused:?}");
    assert_eq!(get(&app, &asked).await, decided[0]);
    let by = decided[0].decided_by.as_deref().unwrap();
    assert!(refused.iter().all(|error| error.contains(by)), "{refused:?}");
}

/// AUTH-5: whatever comes first, nothing that a revoked key asked for stays open, and nothing is done behind it.
async fn a_key_is_revoked_before_or_after_its_work_and_its_questions(store: TestStore) {
    let app = idle(&store).await;
    let beside = app.beside(&store).await;
    greet(&app).await;
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..8 {
        let (text, id) = another_agent(&app).await;
        let allowed = approve(&app, &ask(&app, &text, &json!({"kind": "publish"})).await).await;
        let asking = tokio::spawn(beside.post("/operations").key(&text).json(&json!({"kind": "publish"})).send());
        let body = json!({"operationId": allowed.operation_id});
        let using = tokio::spawn(beside.post("/publish").key(&text).json(&body).send());
        let mut tx = app.service.store.begin_write().await.unwrap();
        assert!(auth::revoke(&mut tx, &id, app.clock.now()).await.unwrap());
        tx.commit().await.unwrap();
        let (asking, using) = (asking.await.unwrap(), using.await.unwrap());
        let seen = get(&app, &allowed).await.status;
        if using.status == 201 {
            assert_eq!(seen, OperationStatus::Used);
        } else {
            assert_eq!(seen, OperationStatus::Canceled);
            assert!(matches!(using.status, 401 | 403), "{using:?}");
        }
        if asking.status == 201 {
            assert_eq!(get(&app, &asking.read()).await.status, OperationStatus::Canceled);
        } else {
            assert_eq!(asking.outcome(), "401 unauthorized");
        }
        *outcomes.entry(format!("{} {}", using.outcome(), asking.outcome())).or_default() += 1;
    }
    assert_eq!(outcomes.values().sum::<usize>(), 8, "{outcomes:?}");
}

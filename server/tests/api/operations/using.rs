//! Work that was approved: done once, in the transaction that uses the approval up.

use http::Method;
use l10n_api_types::operations::{Operation, OperationStatus};
use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::operations::support::{act, approve, approved, ask, details, file, get, greet, idle, keys, state, version};

both_engines!(
    approved_work_is_done_once,
    what_is_refused_later_uses_nothing_up,
    a_refusal_for_want_of_an_approval_comes_before_conflicts_and_money,
    dry_runs_need_and_use_no_approval,
    a_run_that_costs_nothing_needs_an_approval_all_the_same,
    an_approval_outlives_the_server_that_gave_it,
);

/// OPS-4: publish, rollback, translate and sync; the operation names the request that used it.
async fn approved_work_is_done_once(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let first = version(&app).await;
    version(&app).await;
    let restore = format!("/versions/{first}/restore");
    let run = json!({"kind": "translation", "max_credits": 1});
    for (asked, path, body, status) in [
        (json!({"kind": "rollback", "versionId": first}), restore.as_str(), json!({}), 200),
        (json!({"kind": "publish"}), "/publish", json!({"label": "by an agent"}), 201),
        (run.clone(), "/translate", keys("a", "One"), 202),
        (run, "/sync", file(&json!({"b": "Two"})), 202),
    ] {
        let operation = approved(&app, &asked).await;
        assert_eq!((operation.status, operation.decided_by.as_deref()), (OperationStatus::Approved, Some("ada")));
        let done = act(&app, path, body.clone(), &operation).await;
        assert_eq!(done.status, status, "{path}: {done:?}");
        let used = get(&app, &operation).await;
        let request = done.json()["requestId"].as_str().unwrap().to_owned();
        assert_eq!(used.status, OperationStatus::Used);
        assert_eq!(used.request_id.as_ref().map(AsRef::as_ref), Some(request.as_str()));

        let before = state(&app).await;
        let again = act(&app, path, body, &operation).await;
        let expected = json!({"reason": "used", "operationId": operation.operation_id, "requestId": used.request_id});
        assert_eq!(details(&again), expected, "{path}");
        assert_eq!(state(&app).await, before);
        assert_eq!(get(&app, &operation).await, used);
    }
}

/// OPS-4, ERR-402-5: 400, 402 and 409 leave the approval to be used.
async fn what_is_refused_later_uses_nothing_up(store: TestStore) {
    let app = idle(&store).await;
    let project = app.other_project("free").await;
    let path = |path: &str| format!("/v1/projects/{}{path}", project.id);
    let call = |method, to: &str| app.at(method, &path(to)).key(&project.keys.agent);
    let approved = async |body: Value| {
        let asked = call(Method::POST, "/operations").json(&body).send().await;
        approve(&app, &asked.read::<Operation>()).await
    };
    let publish = approved(json!({"kind": "publish"})).await;
    let run = approved(json!({"kind": "translation", "max_credits": 100})).await;
    let with = |mut body: Value, operation: &Operation| {
        body["operationId"] = json!(operation.operation_id);
        body
    };
    let too_many: Vec<Value> = (0..101).map(|n| json!({"ref": format!("k{n}"), "text": "A"})).collect();
    for (to, body, outcome) in [
        ("/publish", with(json!({}), &publish), "409 nothing_to_publish"),
        ("/publish", with(json!({"languages": ["es"]}), &publish), "400 invalid_argument"),
        ("/translate", with(json!({"keys": too_many}), &run), "402 plan_limit"),
        ("/translate", with(json!({"keys": []}), &run), "400 invalid_argument"),
    ] {
        assert_eq!(call(Method::POST, to).json(&body).send().await.outcome(), outcome);
    }
    for operation in [&publish, &run] {
        let answer = call(Method::GET, &format!("/operations/{}", operation.operation_id)).send().await;
        assert_eq!(answer.read::<Operation>(), *operation);
    }
    let done = call(Method::POST, "/translate").json(&with(keys("a", "A"), &run)).send().await;
    assert_eq!(done.status, 202, "{done:?}");
    assert_eq!(call(Method::POST, "/publish").json(&with(json!({}), &publish)).send().await.outcome(), "201");
}

/// AMB-1: the order of checks.
async fn a_refusal_for_want_of_an_approval_comes_before_conflicts_and_money(store: TestStore) {
    let app = idle(&store).await;
    let publish = async |body: Value| app.post("/publish").key(&app.project.keys.agent).json(&body).send().await;
    assert_eq!(publish(json!({})).await.outcome(), "403 authorization_required", "before 409");
    assert_eq!(publish(json!({"operationId": "op_none"})).await.outcome(), "403 authorization_required");
    greet(&app).await;
    let live = version(&app).await;
    let restore = format!("/versions/{live}/restore");
    let answer = app.post(&restore).key(&app.project.keys.agent).send().await;
    assert_eq!(answer.outcome(), "403 authorization_required", "before 409 version_live");
    let operation = approved(&app, &json!({"kind": "rollback", "versionId": live})).await;
    assert_eq!(act(&app, &restore, json!({}), &operation).await.outcome(), "409 version_live");
    assert_eq!(get(&app, &operation).await, operation);

    let free = app.other_project("free").await;
    let call = |path: &str, body: Value| {
        app.at(Method::POST, &format!("/v1/projects/{}{path}", free.id)).key(&free.keys.agent).json(&body).send()
    };
    let asked: Operation = call("/operations", json!({"kind": "translation", "max_credits": 0})).await.read();
    approve(&app, &asked).await;
    let too_many: Vec<Value> = (0..101).map(|n| json!({"ref": format!("k{n}"), "text": format!("A{n}")})).collect();
    let answer = call("/translate", json!({"keys": too_many, "operationId": asked.operation_id})).await;
    assert_eq!(details(&answer)["reason"], "max_credits", "before 402 plan_limit");
}

/// DRY-7, AMB-13: a preview spends nothing; what it is told of operations is not looked at.
async fn dry_runs_need_and_use_no_approval(store: TestStore) {
    let app = idle(&store).await;
    let agent = app.project.keys.agent.clone();
    let operation = approved(&app, &json!({"kind": "translation", "max_credits": 1})).await;
    let before = state(&app).await;
    for (path, body) in [("/translate", keys("a", "A")), ("/sync", file(&json!({"a": "A"})))] {
        for id in [None, Some(operation.operation_id.as_str()), Some("op_none")] {
            let mut body = body.clone();
            if let Some(id) = id {
                body["operationId"] = json!(id);
            }
            let answer = app.post(&format!("{path}?dryRun=true")).key(&agent).json(&body).send().await;
            assert_eq!(answer.status, 200, "{answer:?}");
            let run = answer.json();
            assert_eq!((&run["requiresOperation"], &run["wouldFail"]), (&json!(true), &json!(null)));
        }
    }
    assert_eq!(state(&app).await, before);
    assert_eq!(get(&app, &operation).await, operation);
}

/// OPS-4: a run writes, whatever it costs.
async fn a_run_that_costs_nothing_needs_an_approval_all_the_same(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let body = json!({"keys": [{"ref": "greeting", "text": "Hello", "description": "new"}]});
    let answer = app.post("/translate").key(&app.project.keys.agent).json(&body).send().await;
    assert_eq!(details(&answer)["reason"], "missing");
    let mut import = file(&json!({"greeting": "Hallo"}));
    import["language"] = json!("de");
    let answer = app.post("/sync").key(&app.project.keys.agent).json(&import).send().await;
    assert_eq!(details(&answer)["reason"], "missing");
    for (path, body) in [("/translate", body), ("/sync", import)] {
        let operation = approved(&app, &json!({"kind": "translation", "max_credits": 0})).await;
        let answer = act(&app, path, body, &operation).await;
        assert_eq!(answer.outcome(), "200");
        assert_eq!(get(&app, &operation).await.status, OperationStatus::Used);
    }
}

/// OPS-4: nothing of an operation is in the memory of a server.
async fn an_approval_outlives_the_server_that_gave_it(store: TestStore) {
    let first = idle(&store).await;
    greet(&first).await;
    let operation = ask(&first, &first.project.keys.agent, &json!({"kind": "publish"})).await;
    let second = first.beside(&store).await;
    drop(first);
    approve(&second, &operation).await;
    let third = second.beside(&store).await;
    drop(second);
    assert_eq!(act(&third, "/publish", json!({}), &operation).await.outcome(), "201");
    let fourth = third.beside(&store).await;
    drop(third);
    assert_eq!(details(&act(&fourth, "/publish", json!({}), &operation).await)["reason"], "used");
    assert_eq!(get(&fourth, &operation).await.status, OperationStatus::Used);
}

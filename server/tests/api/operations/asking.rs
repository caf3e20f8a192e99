//! `POST /operations`: what may be asked for, by whom, and how it is shown.

use l10n_api_types::operations::{Operation, OperationStatus};
use l10n_api_types::{Scope, WholeCredits};
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::operations::state::PENDING_MILLIS;
use l10n_server::testing::{TestStore, sql};
use serde_json::{Value, json};

use crate::operations::support::{another_agent, ask, deny, get, greet, idle, post, version};

both_engines!(
    an_operation_is_shown_as_it_was_asked_for,
    each_kind_takes_the_scope_of_its_work,
    fields_that_do_not_go_with_the_kind_are_named,
    what_is_asked_for_must_exist,
    unknown_fields_and_the_preview_flag_are_not_looked_at,
    an_operation_of_another_project_is_not_there,
    what_can_be_no_id_is_not_there,
    a_key_has_a_bounded_number_of_requests_that_wait,
);

/// OPS-1, OPS-2: every key of the project may ask and read, not an agent's alone.
async fn an_operation_is_shown_as_it_was_asked_for(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let now = app.clock.now();
    let note = "Twelve new strings\nof the checkout";
    let body = json!({"kind": "translation", "max_credits": 5, "languages": ["DE", "de"], "note": note});
    let asked = ask(&app, &app.project.keys.agent, &body).await;
    assert!(asked.operation_id.as_str().starts_with("op_"));
    let origin = app.service.settings.base_url.strip_suffix("/v1").unwrap();
    assert_eq!(asked.approval_url, format!("{origin}/dashboard/operations/{}", asked.operation_id));
    assert_eq!((asked.status, asked.max_credits), (OperationStatus::Pending, Some(WholeCredits(5))));
    assert_eq!((asked.created_at, asked.expires_at), (now, now.plus_millis(86_400_000)));
    assert_eq!((asked.note.as_deref(), asked.requested_by.label.as_str()), (Some(note), "test"));
    for key in app.project.keys.valid() {
        let read = app.get(&format!("/operations/{}", asked.operation_id)).key(key).send().await;
        assert_eq!(read.read::<Operation>(), asked);
    }
    let shown = app.get(&format!("/operations/{}", asked.operation_id)).send().await.json();
    let expected = json!({
        "operationId": asked.operation_id, "kind": "translation", "target": "strings", "status": "pending",
        "max_credits": 5, "versionId": null, "languages": ["de"], "note": note, "requestedBy": {"label": "test"},
        "approvalUrl": asked.approval_url, "decidedBy": null, "decidedAt": null, "reason": null, "requestId": null,
        "createdAt": asked.created_at, "expiresAt": asked.expires_at,
    });
    assert_eq!(shown, expected);

    let version = version(&app).await;
    for body in [
        json!({"kind": "translation", "max_credits": 1, "maxArchivedKeys": 7}),
        json!({"kind": "publish"}),
        json!({"kind": "publish", "languages": ["en", "fr"], "target": "strings"}),
        json!({"kind": "publish", "target": "content"}),
        json!({"kind": "rollback", "versionId": version}),
        json!({"kind": "translation", "max_credits": 0, "note": ""}),
        json!({"kind": "translation", "max_credits": 4_294_967_295_u32, "note": "é".repeat(1_000)}),
    ] {
        let asked = ask(&app, &app.project.keys.admin, &body).await;
        let shown = serde_json::to_value(get(&app, &asked).await).unwrap();
        for (name, value) in body.as_object().unwrap() {
            let expected = if value == "" { &Value::Null } else { value };
            assert_eq!(&shown[name], expected, "{name}");
        }
    }
}

/// SCOPE-T-4, SCOPE-P-4, AMB-41: translate for a translation, publish for the others, exactly.
async fn each_kind_takes_the_scope_of_its_work(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let version = version(&app).await;
    let kinds = [
        (json!({"kind": "translation", "max_credits": 1}), Scope::Translate),
        (json!({"kind": "publish"}), Scope::Publish),
        (json!({"kind": "rollback", "versionId": version}), Scope::Publish),
    ];
    for (body, needed) in &kinds {
        for (scope, key) in app.project.keys.of_one_scope() {
            let expected = if scope == *needed { "201" } else { "403 forbidden" };
            assert_eq!(post(&app, key, body).await.outcome(), expected, "{body} with {scope}");
        }
        for key in [&app.project.keys.members, &app.project.keys.none, &app.project.keys.agent_read] {
            assert_eq!(post(&app, key, body).await.outcome(), "403 forbidden");
        }
        assert_eq!(post(&app, &app.project.keys.revoked, body).await.outcome(), "401 unauthorized");
        assert_eq!(app.post("/operations").no_key().json(body).send().await.outcome(), "401 unauthorized");
    }
}

/// OPS-1: 400 says which field, and nothing is kept.
async fn fields_that_do_not_go_with_the_kind_are_named(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let version = version(&app).await;
    let translation = |more: Value| merged(json!({"kind": "translation", "max_credits": 1}), more);
    let publish = |more: Value| merged(json!({"kind": "publish"}), more);
    let rollback = |more: Value| merged(json!({"kind": "rollback", "versionId": version}), more);
    let cases = [
        (json!({}), "`kind`"),
        (json!({"kind": "deletion"}), "`kind`"),
        (json!({"kind": "translation"}), "`max_credits`"),
        (translation(json!({"max_credits": -1})), "`max_credits`"),
        (translation(json!({"max_credits": 1.5})), "`max_credits`"),
        (translation(json!({"max_credits": "5"})), "`max_credits`"),
        (translation(json!({"max_credits": 4_294_967_296_u64})), "`max_credits`"),
        (publish(json!({"max_credits": 1})), "`max_credits`"),
        (rollback(json!({"max_credits": 1})), "`max_credits`"),
        (publish(json!({"maxArchivedKeys": 1})), "`maxArchivedKeys`"),
        (rollback(json!({"maxArchivedKeys": 0})), "`maxArchivedKeys`"),
        (translation(json!({"maxArchivedKeys": -1})), "`maxArchivedKeys`"),
        (translation(json!({"maxArchivedKeys": 1, "target": "content"})), "`maxArchivedKeys`"),
        (json!({"kind": "rollback"}), "`versionId`"),
        (translation(json!({"versionId": version})), "`versionId`"),
        (publish(json!({"versionId": version})), "`versionId`"),
        (rollback(json!({"languages": ["de"]})), "`languages`"),
        (rollback(json!({"docId": "doc_1"})), "`docId`"),
        (publish(json!({"docId": "doc_1", "target": "strings"})), "`docId`"),
        (publish(json!({"target": "files"})), "`target`"),
        (publish(json!({"languages": []})), "`languages`"),
        (publish(json!({"languages": "de"})), "`languages`"),
        (publish(json!({"languages": ["de", "es"]})), "`languages[1]`"),
        (publish(json!({"languages": ["english!"]})), "`languages[0]`"),
        (translation(json!({"languages": ["de", "en"]})), "`languages[1]`"),
        (publish(json!({"note": "é".repeat(1_001)})), "`note`"),
        (publish(json!({"note": "\u{1b}[2J"})), "`note`"),
        (publish(json!({"note": 1})), "`note`"),
    ];
    for (body, field) in cases {
        let answer = post(&app, &app.project.keys.agent, &body).await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{body}");
        let message = answer.error().message;
        assert!(message.contains(field), "{body}: {message}");
    }
    let all = l10n_server::domain::operations::list;
    let mut tx = app.service.store.begin_read().await.unwrap();
    assert_eq!(all(&mut tx, &app.service.settings, app.clock.now(), None, None, 10).await.unwrap(), []);
}

fn merged(mut body: Value, more: Value) -> Value {
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

/// ERR-404-3: another project's version is as unknown as one of nobody's.
async fn what_is_asked_for_must_exist(store: TestStore) {
    let app = idle(&store).await;
    let other = app.other_project("unlimited").await;
    let path = |path: &str| format!("/v1/projects/{}{path}", other.id);
    let call = |to: &str| app.at(http::Method::POST, &path(to)).key(&other.keys.admin);
    assert!(call("/translate").json(&crate::operations::support::keys("a", "A")).send().await.status < 300);
    let theirs = call("/publish").send().await.json()["versionId"].as_str().unwrap().to_owned();
    for version in [theirs.as_str(), "ver_none", "cvr_none", "../x", "é", ""] {
        let body = json!({"kind": "rollback", "versionId": version});
        assert_eq!(post(&app, &app.project.keys.agent, &body).await.outcome(), "404 version_not_found", "{version}");
    }
    for kind in [json!({"kind": "publish", "docId": "doc_none"}), json!({"kind": "publish", "docId": "x/y"})] {
        assert_eq!(post(&app, &app.project.keys.agent, &kind).await.outcome(), "404 not_found");
    }
}

/// DRY-6: the flag gives no preview here: the operation is there.
async fn unknown_fields_and_the_preview_flag_are_not_looked_at(store: TestStore) {
    let app = idle(&store).await;
    let body = json!({"kind": "publish", "dryRun": true, "dry_run": 1, "maxCredits": 7, "unknown": {"a": []}});
    let answer = app.post("/operations?dryRun=true&dry_run=x&more=1").json(&body).send().await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let asked: Operation = answer.read();
    assert_eq!(get(&app, &asked).await, asked);
    let read = app.get(&format!("/operations/{}?dryRun=true&more=1", asked.operation_id)).send().await;
    assert_eq!(read.read::<Operation>(), asked);
}

/// OPS-3, ERR-404-2
async fn an_operation_of_another_project_is_not_there(store: TestStore) {
    let app = idle(&store).await;
    let other = app.other_project("unlimited").await;
    let path = format!("/v1/projects/{}/operations", other.id);
    let asked = app.at(http::Method::POST, &path).key(&other.keys.agent).json(&json!({"kind": "publish"}));
    let theirs: Operation = asked.send().await.read();
    let answer = app.get(&format!("/operations/{}", theirs.operation_id)).send().await;
    let random = app.get("/operations/op_00000000000000000000000000").send().await;
    assert_eq!(answer.outcome(), "404 not_found");
    assert_eq!(answer.error(), random.error(), "nothing tells whether it is elsewhere");
    let with_our_key = app.at(http::Method::GET, &format!("{path}/{}", theirs.operation_id));
    assert_eq!(with_our_key.key(&app.project.keys.admin).send().await.outcome(), "401 unauthorized");
}

/// HOSTILE-INPUTS S4
async fn what_can_be_no_id_is_not_there(store: TestStore) {
    let app = idle(&store).await;
    let asked = ask(&app, &app.project.keys.agent, &json!({"kind": "publish"})).await;
    let real = asked.operation_id.as_str();
    let upper = real.to_ascii_uppercase();
    for id in ["%00", "..%2f", "%ff", "*", "op_%27", &"x".repeat(65), &upper, &real[..28]] {
        let answer = app.get(&format!("/operations/{id}")).send().await;
        assert_eq!(answer.outcome(), "404 not_found", "{id}");
    }
}

/// As many as 1,000, whoever asks at the same time. What is decided or has expired makes room.
async fn a_key_has_a_bounded_number_of_requests_that_wait(store: TestStore) {
    let app = idle(&store).await;
    let (agent, body) = (app.project.keys.agent.clone(), json!({"kind": "publish"}));
    let first = ask(&app, &agent, &body).await;
    let copies = "INSERT INTO operations (id, project_id, api_key_id, kind, target, status, created_at, expires_at) \
        WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 998) \
        SELECT 'op_' || n, project_id, api_key_id, kind, target, status, created_at, expires_at FROM operations, n";
    sql::run(&app.service.store, copies).await;
    let racing: Vec<_> = (0..4).map(|_| tokio::spawn(app.post("/operations").key(&agent).json(&body).send())).collect();
    let mut outcomes = Vec::new();
    for answer in racing {
        outcomes.push(answer.await.unwrap().outcome());
    }
    outcomes.sort_unstable();
    assert_eq!(outcomes, [&["201"][..], &["409 operation_limit"; 3]].concat());
    let (other, _) = another_agent(&app).await;
    ask(&app, &other, &body).await;
    deny(&app, &first).await;
    ask(&app, &agent, &body).await;
    assert_eq!(post(&app, &agent, &body).await.outcome(), "409 operation_limit");
    app.clock.advance(std::time::Duration::from_millis(PENDING_MILLIS.unsigned_abs()));
    ask(&app, &agent, &body).await;
}

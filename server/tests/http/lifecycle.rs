//! Archiving, deleting and restoring projects, workspaces and documents.

use std::time::Duration;

use http::Method;
use l10n_api_types::{TrackingToken, WorkspaceId};
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::config::{Retention, Settings};
use l10n_server::domain::Actor;
use l10n_server::domain::access::Role;
use l10n_server::domain::lifecycle::{LifecycleTarget, archive, delete, restore};
use l10n_server::domain::people::{Person, invitations, members, users};
use l10n_server::http::ConnectionTimeouts;
use l10n_server::store::holds;
use l10n_server::store::purge::{self, PurgeTarget};
use l10n_server::testing::{TestApp, TestStore, on_postgres, sql};
use l10n_server::workers::retention;
use serde_json::{Value, json};

use crate::rows::rows;
use crate::work::Team;

both_engines!(
    an_archived_project_answers_as_if_it_were_gone_until_it_is_restored,
    a_project_that_was_archived_by_itself_stays_so_when_its_workspace_comes_back,
    what_is_part_of_something_archived_is_not_restored_alone,
    archiving_cancels_jobs_and_releases_what_they_hold,
    a_canceled_job_leaves_no_row_once_its_time_is_over,
    what_cannot_be_deleted_keeps_nothing_else,
    a_deleted_workspace_can_be_restored_for_30_days_and_then_leaves_no_row,
    a_deleted_project_leaves_its_neighbours_as_they_were,
    an_archived_document_is_hidden_and_frees_its_name,
    old_versions_go_where_the_operator_asks_for_it_and_live_ones_stay,
);

const DAY: Duration = Duration::from_secs(86_400);

/// Everything is kept for ever but what a person deletes. Deliveries stay on this machine, where nobody takes them.
fn keeping(settings: &mut Settings) {
    settings.webhooks.egress.allow_targets = vec!["127.0.0.1/32".parse().unwrap()];
    settings.retention = Retention {
        receipts_days: 0,
        jobs_days: 0,
        unused_operations_days: 0,
        used_operations_days: 0,
        audit_log_days: 0,
        captured_keys_days: 0,
        document_sources_days: 0,
        segments_days: 0,
        memory_days: 0,
        versions_days: 0,
        deletion_grace_days: 30,
    };
}

#[derive(Clone, Copy)]
enum Verb {
    Archive,
    Delete,
    Restore,
}

async fn apply(app: &TestApp, verb: Verb, subject: LifecycleTarget<'_>) -> Result<(), String> {
    let mut tx = app.service.store.begin_write().await.unwrap();
    let now = app.clock.now();
    let done = match verb {
        Verb::Archive => archive(&mut tx, subject, now).await,
        Verb::Delete => delete(&mut tx, subject, &app.service.settings.retention, now).await.map(drop),
        Verb::Restore => restore(&mut tx, subject, now).await,
    };
    match done {
        Ok(()) => tx.commit().await.unwrap(),
        Err(_) => tx.rollback().await.unwrap(),
    }
    done.map_err(|error| error.to_string())
}

/// Some of everything that a project may have.
async fn live(team: &Team<'_>) -> String {
    team.sync(&json!({"a": "First", "b": "Second"})).await;
    team.sync(&json!({"a": "First again", "b": "Second"})).await;
    let import = json!({"path": "de.json", "content": "{\"a\":\"Eins\"}", "encoding": "utf8", "format": "json"});
    team.post("/sync", &json!({"file": import, "language": "de"})).await;
    let hook = json!({"url": "https://127.0.0.1:9/hook", "events": ["strings.published", "content.published"]});
    team.post("/webhooks", &hook).await;
    team.post("/output-formats", &json!({"outputFormats": [{"format": "json", "path": "{language}.json"}]})).await;
    let terms = json!({"terms": [{"term": "cart", "translations": {"de": "Warenkorb"}}]});
    assert_eq!(team.call(Method::PUT, "/glossary").json(&terms).send().await.status, 200);
    let document = team.document("guide.md", "# A guide\n\nIt says this.\n").await;
    team.document("guide.md", "# A guide\n\nIt says that.\n").await;
    team.post("/capture", &json!({"keys": [{"ref": "missed", "text": "Missed"}]})).await;
    team.publish_as_agent().await;
    team.post("/publish", &json!({"target": "content"})).await;
    let again = team.call(Method::POST, "/publish").header("idempotency-key", "once").json(&json!({}));
    assert_eq!(again.send().await.status, 201);
    document
}

/// Makes a person an owner who invites another.
async fn invite(app: &TestApp, owner: &Person, workspace: &WorkspaceId) {
    let mut tx = app.service.store.begin_write().await.unwrap();
    let operator = Actor::Operator { name: "root".to_owned() };
    members::put(&mut tx, app.clock.now(), &operator, workspace, owner, Role::Owner).await.unwrap();
    tx.commit().await.unwrap();
    let people = app.service.people();
    invitations::create(people, owner, workspace, "ada@example.com", Role::Viewer, None).await.unwrap();
}

async fn an_archived_project_answers_as_if_it_were_gone_until_it_is_restored(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.project_beside("other").await;
    let (team, beside) = (Team { app: &app, project: &app.project }, Team { app: &app, project: &other });
    for team in [&team, &beside] {
        team.sync(&json!({"a": "First"})).await;
        team.post("/publish", &json!({})).await;
    }
    let id = &app.project.id;
    let seen = async || {
        let manifest = format!("/v1/projects/{id}/manifest");
        let named = format!("/v1/@{}/{}/bundles/live/locales/de.json", app.project.handle, app.project.slug);
        let meta = team.call(Method::GET, "/meta").send().await.outcome();
        let files = app.at(Method::GET, &named).send().await.outcome();
        (meta, app.at(Method::GET, &manifest).send().await.outcome(), files)
    };
    let before = seen().await;
    assert_eq!((before.0.as_str(), before.1.as_str()), ("200", "200"));
    for verb in [Verb::Archive, Verb::Delete] {
        apply(&app, verb, LifecycleTarget::Project(id)).await.unwrap();
        apply(&app, verb, LifecycleTarget::Project(id)).await.unwrap();
        let hidden = seen().await;
        assert_eq!((hidden.0.as_str(), hidden.1.as_str()), ("401 unauthorized", "404 not_found"));
        assert!(hidden.2.starts_with("404"), "{}", hidden.2);
        assert_eq!(beside.call(Method::GET, "/meta").send().await.status, 200);
        apply(&app, Verb::Restore, LifecycleTarget::Project(id)).await.unwrap();
        assert_eq!(seen().await, before);
    }
    assert!(
        apply(&app, Verb::Archive, LifecycleTarget::Project(&"prj_none".into()))
            .await
            .unwrap_err()
            .contains("no such project")
    );
}

async fn a_project_that_was_archived_by_itself_stays_so_when_its_workspace_comes_back(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.project_beside("other").await;
    let (workspace, id) = (&app.project.workspace, &other.id);
    apply(&app, Verb::Archive, LifecycleTarget::Project(id)).await.unwrap();
    app.clock.advance(DAY);
    apply(&app, Verb::Archive, LifecycleTarget::Workspace(workspace)).await.unwrap();
    assert_eq!(app.get("/meta").send().await.outcome(), "401 unauthorized");
    apply(&app, Verb::Restore, LifecycleTarget::Workspace(workspace)).await.unwrap();
    assert_eq!(app.get("/meta").send().await.outcome(), "200");
    let team = Team { app: &app, project: &other };
    assert_eq!(team.call(Method::GET, "/meta").send().await.outcome(), "401 unauthorized");
    apply(&app, Verb::Restore, LifecycleTarget::Project(id)).await.unwrap();
    assert_eq!(team.call(Method::GET, "/meta").send().await.outcome(), "200");
}

/// It would be deleted with its workspace all the same, or would come back as if it had been archived by itself.
async fn what_is_part_of_something_archived_is_not_restored_alone(store: TestStore) {
    let app = TestApp::with(&store, keeping, ConnectionTimeouts::default()).await;
    let team = Team { app: &app, project: &app.project };
    let document = team.document("guide.md", "# A guide\n").await;
    team.post("/publish", &json!({"target": "content"})).await;
    let (workspace, project) = (&app.project.workspace, &app.project.id);
    let subject = LifecycleTarget::Document { project, id: &document };
    apply(&app, Verb::Delete, LifecycleTarget::Workspace(workspace)).await.unwrap();
    let first = "the workspace acme is archived: restore it first with `l10n-server workspaces restore acme`";
    for (verb, part) in [
        (Verb::Restore, LifecycleTarget::Project(project)),
        (Verb::Archive, LifecycleTarget::Project(project)),
        (Verb::Restore, subject),
    ] {
        let refused = apply(&app, verb, part).await.unwrap_err();
        assert!(refused.contains(first), "{refused}");
    }
    apply(&app, Verb::Restore, LifecycleTarget::Workspace(workspace)).await.unwrap();
    assert_eq!(app.get("/meta").send().await.outcome(), "200");
    apply(&app, Verb::Delete, subject).await.unwrap();
    apply(&app, Verb::Delete, LifecycleTarget::Project(project)).await.unwrap();
    let refused = apply(&app, Verb::Restore, subject).await.unwrap_err();
    let first = "the project acme/app is archived: restore it first with `l10n-server projects restore acme/app`";
    assert!(refused.contains(first), "{refused}");
    apply(&app, Verb::Restore, LifecycleTarget::Project(project)).await.unwrap();
    apply(&app, Verb::Restore, subject).await.unwrap();
    assert_eq!(team.call(Method::GET, &format!("/content/{document}?language=de")).send().await.outcome(), "200");
}

/// The sweep has begun to delete it while the restore waits for its row.
#[test]
fn a_document_whose_deletion_begins_meanwhile_is_not_restored() {
    on_postgres(|store| async move {
        let app = TestApp::with(&store, keeping, ConnectionTimeouts::default()).await;
        let team = Team { app: &app, project: &app.project };
        let document = team.document("guide.md", "# A guide\n").await;
        let subject = LifecycleTarget::Document { project: &app.project.id, id: &document };
        apply(&app, Verb::Delete, subject).await.unwrap();
        app.clock.advance(30 * DAY);
        let mut sweep = app.service.store.begin_write().await.unwrap();
        let due = PurgeTarget::Document(document.clone());
        assert!(purge::begin(&mut sweep, &due, app.clock.now()).await.unwrap());
        let sweep = async {
            sql::somebody_waits(&store).await;
            sweep.commit().await.unwrap();
        };
        let (restored, ()) = tokio::join!(apply(&app, Verb::Restore, subject), sweep);
        let refused = restored.unwrap_err();
        assert!(refused.contains("the deletion of this document has begun"), "{refused}");
        retention::sweep(&app.service).await.unwrap();
        assert_eq!(rows(&app).await["documents"], 0);
    });
}

/// The last chunk of a slot forgets what was pending in it. A canceled job does not come to its last chunk.
async fn a_canceled_job_leaves_no_row_once_its_time_is_over(store: TestStore) {
    let kept = |settings: &mut Settings| {
        keeping(settings);
        settings.retention.jobs_days = 1;
    };
    let app = TestApp::idle(&store, kept, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    let team = Team { app: &app, project: &app.project };
    let keys: Vec<Value> = (0..250).map(|n| json!({"ref": format!("k{n}"), "text": format!("Text {n}")})).collect();
    team.post("/translate", &json!({ "keys": keys })).await;
    let new = json!({"externalId": "guide.md", "format": "markdown", "body": "# A guide\n\nIt says this.\n"});
    let document = team.post("/content", &new).await.json()["docId"].as_str().unwrap().to_owned();
    team.post(&format!("/content/{document}/run"), &json!({})).await;
    let pending = async || sql::count(&store, "pending_items").await;
    assert_eq!(pending().await, 252);
    let subject = LifecycleTarget::Document { project: &app.project.id, id: &document };
    apply(&app, Verb::Archive, subject).await.unwrap();
    app.clock.advance(2 * DAY);
    retention::sweep(&app.service).await.unwrap();
    assert_eq!(pending().await, 250, "those of a job that is not canceled stay");
    apply(&app, Verb::Archive, LifecycleTarget::Project(&app.project.id)).await.unwrap();
    app.clock.advance(2 * DAY);
    retention::sweep(&app.service).await.unwrap();
    assert_eq!((pending().await, sql::count(&store, "jobs").await), (0, 0));
}

/// A kind of records, or one thing that a person has deleted: the others go as they should, and the sweep ends.
async fn what_cannot_be_deleted_keeps_nothing_else(store: TestStore) {
    let app = TestApp::with(&store, keeping, ConnectionTimeouts::default()).await;
    let team = Team { app: &app, project: &app.project };
    let documents = [team.document("a.md", "# One\n").await, team.document("b.md", "# Two\n").await];
    let beside = app.project_beside("beside").await;
    for id in &documents {
        let project = &app.project.id;
        apply(&app, Verb::Delete, LifecycleTarget::Document { project, id }).await.unwrap();
        // The one that cannot be deleted is the first that is due.
        app.clock.advance(Duration::from_secs(1));
    }
    apply(&app, Verb::Delete, LifecycleTarget::Project(&beside.id)).await.unwrap();
    app.clock.advance(30 * DAY);
    let script = format!(
        "CREATE TABLE clinging (id TEXT REFERENCES documents (id)); INSERT INTO clinging VALUES ('{}');",
        documents[0]
    );
    sql::run(&store, &script).await;
    assert!(retention::sweep(&app.service).await.is_err());
    let left = async || (sql::count(&store, "documents").await, sql::count(&store, "projects").await);
    assert_eq!(left().await, (1, 1));
    sql::run(&store, "DROP TABLE clinging").await;
    sql::run(&store, "ALTER TABLE requests RENAME TO requests_elsewhere").await;
    let mut service = app.service.clone();
    let mut settings = (*service.settings).clone();
    settings.retention.receipts_days = 7;
    service.settings = std::sync::Arc::new(settings);
    assert!(retention::sweep(&service).await.is_err());
    assert_eq!(left().await, (0, 1));
}

async fn archiving_cancels_jobs_and_releases_what_they_hold(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    let queued = app.post("/translate").json(&json!({"keys": [{"ref": "a", "text": "Text"}]})).send().await.json();
    let id = &app.project.id;
    apply(&app, Verb::Archive, LifecycleTarget::Project(id)).await.unwrap();
    apply(&app, Verb::Restore, LifecycleTarget::Project(id)).await.unwrap();
    let token = queued["trackingToken"].as_str().unwrap();
    let job = app.get(&format!("/translations?trackingToken={token}")).send().await.json();
    assert_eq!((&job["status"], &job["creditsCharged"]), (&json!("canceled"), &json!(0)), "{job}");
    let mut tx = app.service.store.begin_read().await.unwrap();
    let held = l10n_server::store::holds::live_total(&mut tx, &app.project.workspace, app.clock.now()).await;
    assert_eq!(held.unwrap().0, 0);
    tx.rollback().await.unwrap();
    let again = app.post("/translate").json(&json!({"keys": [{"ref": "a", "text": "Text"}]})).send().await.json();
    assert!(again["trackingToken"].is_string(), "what was canceled is translated by the next run: {again}");
}

/// Before, archiving had the hold of a job and waited for the job, while a chunk that began had the job and waited for the hold.
#[test]
fn a_chunk_that_begins_has_its_hold_while_archiving_waits_for_the_job() {
    on_postgres(|store| async move {
        let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
        let document = json!({"format": "text", "body": "Text"});
        let document = app.post("/content").json(&document).send().await.json()["docId"].as_str().unwrap().to_owned();
        let run = app.post(&format!("/content/{document}/run")).json(&json!({})).send().await.json();
        let keys = json!({"keys": [{"ref": "a", "text": "Text of a key"}]});
        let other = app.post("/translate").json(&keys).send().await.json();
        let project = &app.project.id;
        for (run, subject) in
            [(run, LifecycleTarget::Document { project, id: &document }), (other, LifecycleTarget::Project(project))]
        {
            let token = TrackingToken::from(run["trackingToken"].as_str().unwrap());
            let renewed = "UPDATE jobs SET lease_expires_at = lease_expires_at WHERE finished_at IS NULL";
            let mut chunk = sql::begin(&store, renewed).await;
            let chunk = async {
                sql::somebody_waits(&store).await;
                let held = holds::find_by_job(&mut chunk, &token).await.unwrap().unwrap();
                holds::renew(&mut chunk, &token, held.remaining, app.clock.now()).await.unwrap();
                chunk.commit().await.unwrap();
            };
            let (archived, ()) = tokio::join!(apply(&app, Verb::Archive, subject), chunk);
            archived.unwrap();
            let released = format!("holds WHERE job_id = '{token}' AND released_at IS NOT NULL");
            assert_eq!(sql::count(&store, &released).await, 1);
            let canceled = format!("jobs WHERE tracking_token = '{token}' AND status = 'canceled'");
            assert_eq!(sql::count(&store, &canceled).await, 1);
        }
    });
}

/// Every table: what was forgotten would be left, or would keep the workspace from being deleted.
async fn a_deleted_workspace_can_be_restored_for_30_days_and_then_leaves_no_row(store: TestStore) {
    let app = TestApp::with(&store, keeping, ConnectionTimeouts::default()).await;
    let team = Team { app: &app, project: &app.project };
    live(&team).await;
    let mut tx = app.service.store.begin_write().await.unwrap();
    let (owner, _) = users::create(&mut tx, app.clock.now(), "owner@example.com", "").await.unwrap();
    tx.commit().await.unwrap();
    let before = rows(&app).await;
    let gone = app.other_project("unlimited").await;
    let theirs = Team { app: &app, project: &gone };
    live(&theirs).await;
    invite(&app, &owner, &gone.workspace).await;
    let full = rows(&app).await;
    let of_work =
        ["keys", "translations", "project_memory", "memory", "jobs", "job_chunks", "deliveries", "holds", "ledger"];
    for table in of_work.into_iter().chain(["memberships", "invitations", "audit_log"]) {
        assert!(full[table] > before[table], "{table}: {} of {}", full[table], before[table]);
    }
    let workspace = LifecycleTarget::Workspace(&gone.workspace);
    apply(&app, Verb::Delete, workspace).await.unwrap();
    app.clock.advance(30 * DAY - Duration::from_millis(1));
    retention::sweep(&app.service).await.unwrap();
    assert_eq!(rows(&app).await["keys"], full["keys"]);
    apply(&app, Verb::Restore, workspace).await.unwrap();
    assert_eq!(theirs.call(Method::GET, "/meta").send().await.outcome(), "200");

    apply(&app, Verb::Delete, workspace).await.unwrap();
    app.clock.advance(30 * DAY);
    retention::sweep(&app.service).await.unwrap();
    assert_eq!(left(&app).await, shown(&before));
    assert!(apply(&app, Verb::Restore, workspace).await.unwrap_err().contains("no such workspace"));
    assert_eq!(team.call(Method::GET, "/meta").send().await.outcome(), "200");
}

async fn a_deleted_project_leaves_its_neighbours_as_they_were(store: TestStore) {
    let app = TestApp::with(&store, keeping, ConnectionTimeouts::default()).await;
    let team = Team { app: &app, project: &app.project };
    live(&team).await;
    let before = rows(&app).await;
    let gone = app.project_beside("gone").await;
    let with_project = rows(&app).await;
    live(&Team { app: &app, project: &gone }).await;
    apply(&app, Verb::Delete, LifecycleTarget::Project(&gone.id)).await.unwrap();
    app.clock.advance(30 * DAY);
    retention::sweep(&app.service).await.unwrap();
    let (mut left, mut before) = (left(&app).await, shown(&before));
    // What was charged and who published are the workspace's, and stay.
    assert!(left["ledger"] >= before["ledger"] && with_project["projects"] == 2);
    for table in ["ledger", "audit_log"] {
        left.remove(table);
        before.remove(table);
    }
    assert_eq!(left, before);
    let manifest = app.at(Method::GET, &format!("/v1/projects/{}/manifest", app.project.id)).send().await;
    let files = manifest.json()["files"].as_array().unwrap().clone();
    assert!(!files.is_empty());
    for file in files {
        let path = file["url"].as_str().unwrap().split_once("/v1").unwrap().1.to_owned();
        assert_eq!(app.at(Method::GET, &format!("/v1{path}")).send().await.status, 200, "{file}");
    }
}

/// Rows of tables that belong to tenants. Contents are everyone's, and go a while after nothing names them any more. Attempts
/// at deliveries go on for those who stay; one goes with its delivery, which the database holds.
async fn left(app: &TestApp) -> std::collections::BTreeMap<String, i64> {
    shown(&rows(app).await)
}

fn shown(rows: &std::collections::BTreeMap<String, i64>) -> std::collections::BTreeMap<String, i64> {
    let mut rows = rows.clone();
    let others = ["blobs", "staged_blobs", "request_windows", "idempotency_keys", "daily_counts", "delivery_attempts"];
    // The lease of the process is there while it has writes under way.
    for table in others.into_iter().chain(["server_processes"]) {
        rows.remove(table);
    }
    rows
}

async fn an_archived_document_is_hidden_and_frees_its_name(store: TestStore) {
    let app = TestApp::with(&store, keeping, ConnectionTimeouts::default()).await;
    let team = Team { app: &app, project: &app.project };
    let first = team.document("guide.md", "# A guide\n\nIt says this.\n").await;
    team.post("/publish", &json!({"target": "content"})).await;
    let project = &app.project.id;
    let subject = LifecycleTarget::Document { project, id: &first };
    let shown = async || -> (Value, String) {
        let list = team.call(Method::GET, "/content").send().await.json();
        let ids = list["documents"].as_array().unwrap().iter().map(|document| document["docId"].clone()).collect();
        (ids, team.call(Method::GET, &format!("/content/{first}?language=de")).send().await.outcome())
    };
    assert_eq!(shown().await, (json!([first]), "200".to_owned()));
    apply(&app, Verb::Archive, subject).await.unwrap();
    assert_eq!(shown().await, (json!([]), "404 not_found".to_owned()));
    assert_eq!(team.call(Method::GET, "/meta").send().await.json()["documentCount"], 0);
    let publish = team.call(Method::POST, "/publish").json(&json!({"target": "content", "docIds": [first]}));
    assert_eq!(publish.send().await.status, 404);

    let second = team.document("guide.md", "# Another\n").await;
    assert_ne!(second, first);
    assert!(apply(&app, Verb::Restore, subject).await.unwrap_err().contains(&second));
    apply(&app, Verb::Delete, LifecycleTarget::Document { project, id: &second }).await.unwrap();
    apply(&app, Verb::Restore, subject).await.unwrap();
    assert_eq!(shown().await, (json!([first]), "200".to_owned()));

    app.clock.advance(30 * DAY);
    retention::sweep(&app.service).await.unwrap();
    let mut tx = app.service.store.begin_read().await.unwrap();
    assert!(l10n_server::store::documents::find(&mut tx, project, &second).await.unwrap().is_none());
    tx.rollback().await.unwrap();
    assert_eq!(shown().await, (json!([first]), "200".to_owned()));
    assert_eq!(rows(&app).await["documents"], 1);
}

async fn old_versions_go_where_the_operator_asks_for_it_and_live_ones_stay(store: TestStore) {
    let pruning = |settings: &mut Settings| {
        keeping(settings);
        (settings.retention.versions_days, settings.retention.document_sources_days) = (10, 1);
    };
    let app = TestApp::with(&store, pruning, ConnectionTimeouts::default()).await;
    let team = Team { app: &app, project: &app.project };
    for day in 0..3 {
        team.sync(&json!({"a": format!("On day {day}")})).await;
        team.document("guide.md", &format!("# On day {day}\n")).await;
        team.post("/publish", &json!({})).await;
        team.post("/publish", &json!({"target": "content"})).await;
        app.clock.advance(DAY);
    }
    let counts = async || {
        let rows = rows(&app).await;
        ["versions", "document_versions", "document_sources"].map(|table| rows[table])
    };
    retention::sweep(&app.service).await.unwrap();
    assert_eq!(counts().await, [3, 3, 3]);
    app.clock.advance(9 * DAY);
    retention::sweep(&app.service).await.unwrap();
    assert_eq!(counts().await[..2], [1, 1], "live ones stay, however old they are");
    app.clock.advance(2 * DAY);
    retention::sweep(&app.service).await.unwrap();
    assert_eq!(counts().await, [1, 1, 1]);
    let manifest = app.at(Method::GET, &format!("/v1/projects/{}/manifest", app.project.id)).send().await;
    assert_eq!(manifest.json()["label"], "v3");
    let guide = team.call(Method::GET, "/content").send().await.json()["documents"][0]["docId"].clone();
    let german = team.call(Method::GET, &format!("/content/{}?language=de", guide.as_str().unwrap())).send().await;
    assert_eq!(german.status, 200);
}

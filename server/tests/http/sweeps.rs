//! Sweeps of what is kept for a time, where something of one project cannot be deleted.

use std::sync::Arc;
use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::config::Settings;
use l10n_server::engines::Pseudo;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::ids::{IdKind, new_id};
use l10n_server::store::staged_changes::ChangeTotals;
use l10n_server::store::staged_runs::{self, StagedRun, StagedTotals};
use l10n_server::testing::{TestApp, TestProject, TestStore, sql};
use l10n_server::workers::retention;
use serde_json::json;

use crate::work::Team;

both_engines!(
    what_stays_of_one_project_keeps_nothing_of_another,
    what_waits_for_a_run_of_one_project_keeps_nothing_of_another,
    texts_that_were_noted_as_used_in_the_last_week_stay,
    a_text_that_a_document_loses_has_its_time_from_then_on,
    texts_are_looked_for_in_more_sources_than_have_room_at_once,
);

const DAY: Duration = Duration::from_secs(86_400);

fn ten_days(settings: &mut Settings) {
    let retention = &mut settings.retention;
    (retention.versions_days, retention.captured_keys_days, retention.segments_days) = (10, 10, 10);
    retention.document_sources_days = 1;
}

/// Versions of keys and of documents, captured keys, and texts of documents that a project has.
async fn counts(app: &TestApp, project: &TestProject) -> [i64; 4] {
    let id = &project.id;
    let of_documents = format!("document_id IN (SELECT id FROM documents WHERE project_id = '{id}')");
    let rows = [
        format!("versions WHERE project_id = '{id}'"),
        format!("document_versions WHERE {of_documents}"),
        format!("keys WHERE project_id = '{id}' AND state = 'captured'"),
        format!("segments WHERE project_id = '{id}'"),
    ];
    let mut counts = [0; 4];
    for (count, rows) in counts.iter_mut().zip(rows) {
        *count = sql::count(&app.service.store, &rows).await;
    }
    counts
}

/// Two projects in the order of their ids.
fn in_order<'a>(app: &'a TestApp, other: &'a TestProject) -> [&'a TestProject; 2] {
    let mut projects = [&app.project, other];
    projects.sort_by_key(|project| project.id.as_str().to_owned());
    projects
}

/// Notes that changes of a large run of a project are being moved to their place, and that another one is being written.
async fn begin_runs(app: &TestApp, project: &TestProject) {
    let now = app.clock.now();
    let new = || StagedRun::new(new_id(IdKind::TrackingToken, now).into(), &project.id, now);
    let run = StagedRun { imports: true, ..new() };
    let changes = ChangeTotals { changes: 0, moves: 0, archives: 0 };
    let whole = StagedTotals { keys: 0, changes, translations: &[], moves_later: true, with_job: false };
    let mut tx = app.service.store.begin_write().await.unwrap();
    staged_runs::insert(&mut tx, &run).await.unwrap();
    assert!(staged_runs::go_live(&mut tx, &run, whole).await.unwrap());
    staged_runs::insert(&mut tx, &new()).await.unwrap();
    tx.commit().await.unwrap();
}

/// Before, the first project whose records could not be deleted ended the sweep of their kind.
async fn what_stays_of_one_project_keeps_nothing_of_another(store: TestStore) {
    let app = TestApp::with(&store, ten_days, ConnectionTimeouts::default()).await;
    let other = app.project_beside("other").await;
    let projects = in_order(&app, &other);
    let [stuck, swept] = projects;
    for day in 0..3 {
        for project in projects {
            let team = Team { app: &app, project };
            team.sync(&json!({"a": format!("On day {day}")})).await;
            team.document("guide.md", &format!("# On day {day}\n")).await;
            team.post("/publish", &json!({})).await;
            team.post("/publish", &json!({"target": "content"})).await;
            team.post("/capture", &json!({"keys": [{"ref": format!("missed {day}"), "text": "Missed"}]})).await;
            app.clock.advance(DAY / 10);
        }
    }
    assert_eq!((counts(&app, stuck).await, counts(&app, swept).await), ([3; 4], [3; 4]));
    let id = &stuck.id;
    let script = format!(
        "CREATE TABLE clinging (version TEXT REFERENCES versions (id), document TEXT REFERENCES document_versions (id), \
         key TEXT REFERENCES keys (id)); \
         INSERT INTO clinging (version) SELECT id FROM versions WHERE project_id = '{id}'; \
         INSERT INTO clinging (document) SELECT v.id FROM document_versions v JOIN documents d ON d.id = v.document_id \
         WHERE d.project_id = '{id}'; \
         INSERT INTO clinging (key) SELECT id FROM keys WHERE project_id = '{id}'; \
         UPDATE document_sources SET segments = 'none' \
         WHERE document_id IN (SELECT id FROM documents WHERE project_id = '{id}');"
    );
    sql::run(&store, &script).await;
    app.clock.advance(11 * DAY);
    assert!(retention::sweep(&app.service).await.is_err());
    assert_eq!(
        counts(&app, swept).await,
        [1, 1, 0, 3],
        "sources of versions that are gone keep their texts for a while"
    );
    app.clock.advance(12 * DAY);
    assert!(retention::sweep(&app.service).await.is_err());
    assert_eq!((counts(&app, stuck).await, counts(&app, swept).await), ([3; 4], [1, 1, 0, 1]));
    let mended = "DROP TABLE clinging; UPDATE document_sources SET segments = '[]' WHERE segments = 'none'";
    sql::run(&store, mended).await;
    retention::sweep(&app.service).await.unwrap();
    assert_eq!(counts(&app, stuck).await[..3], [1, 1, 0]);
}

/// Before, captured keys and removed languages stayed while a large run of the project with the oldest of them was under way.
async fn what_waits_for_a_run_of_one_project_keeps_nothing_of_another(store: TestStore) {
    let app = TestApp::idle(&store, ten_days, Arc::new(Pseudo)).await;
    let other = app.project_beside("other").await;
    let projects = in_order(&app, &other);
    for project in projects {
        let keys = json!({"keys": [{"ref": "missed", "text": "Missed"}]});
        Team { app: &app, project }.post("/capture", &keys).await;
        let removed = format!(
            "INSERT INTO removed_languages (project_id, code, removed_by, removed_at) VALUES ('{}', 'es', 'ann', {})",
            project.id,
            app.clock.now().as_millis()
        );
        sql::run(&store, &removed).await;
        app.clock.advance(DAY / 10);
    }
    begin_runs(&app, projects[0]).await;
    app.clock.advance(31 * DAY);
    let left = async |at: usize| {
        let removed = format!("removed_languages WHERE project_id = '{}'", projects[at].id);
        (counts(&app, projects[at]).await[2], sql::count(&store, &removed).await)
    };
    retention::sweep(&app.service).await.unwrap();
    assert_eq!((left(0).await, left(1).await), ((1, 1), (0, 0)));
    sql::run(&store, "DELETE FROM staged_runs").await;
    retention::sweep(&app.service).await.unwrap();
    assert_eq!(left(0).await, (0, 0));
}

/// A push notes a text as used only if that was noted more than a week ago. Before, what it had just brought was deleted where
/// texts are kept for fewer days.
async fn texts_that_were_noted_as_used_in_the_last_week_stay(store: TestStore) {
    let one_day = |settings: &mut Settings| {
        (settings.retention.document_sources_days, settings.retention.segments_days) = (1, 1);
    };
    let app = TestApp::with(&store, one_day, ConnectionTimeouts::default()).await;
    let team = Team { app: &app, project: &app.project };
    for body in ["One.\n", "Two.\n"] {
        team.document("guide.md", body).await;
    }
    for (days, sources, texts) in [(3, 1, 2), (6, 1, 1)] {
        app.clock.advance(days * DAY);
        retention::sweep(&app.service).await.unwrap();
        let left = (sql::count(&store, "document_sources").await, sql::count(&store, "segments").await);
        assert_eq!(left, (sources, texts), "after {days} more days");
    }
}

/// Before, it had its time from the last push that brought it, or from the last sweep that found it.
async fn a_text_that_a_document_loses_has_its_time_from_then_on(store: TestStore) {
    let app = TestApp::with(&store, ten_days, ConnectionTimeouts::default()).await;
    let team = Team { app: &app, project: &app.project };
    team.document("guide.md", "One.\n").await;
    app.clock.advance(9 * DAY);
    team.document("guide.md", "Two.\n").await;
    for (days, texts) in [(2, 2), (9, 1)] {
        app.clock.advance(days * DAY);
        retention::sweep(&app.service).await.unwrap();
        let left = (sql::count(&store, "document_sources").await, sql::count(&store, "segments").await);
        assert_eq!(left, (1, texts), "after {days} more days");
    }
}

/// Before, all sources of a hundred documents were in memory at once.
async fn texts_are_looked_for_in_more_sources_than_have_room_at_once(store: TestStore) {
    let for_ever = |settings: &mut Settings| {
        (settings.retention.document_sources_days, settings.retention.segments_days) = (0, 1);
    };
    let app = TestApp::with(&store, for_ever, ConnectionTimeouts::default()).await;
    let team = Team { app: &app, project: &app.project };
    let push = async |text: &str| {
        let pushed = team.post("/content", &json!({"format": "text", "body": text})).await.json();
        pushed["docId"].as_str().unwrap().to_owned()
    };
    push("Before.").await;
    let (long, gone) = (push("First.").await, push("Gone.").await);
    // Each list of so many segments takes almost two of the four MiB that have room.
    for text in ["a", "b", "c"] {
        let body = json!({ "body": format!("{text}\n\n").repeat(40_000) });
        let put = team.call(http::Method::PUT, &format!("/content/{long}")).json(&body).send().await;
        assert_eq!(put.status, 200, "{put:?}");
    }
    push("Beside.").await;
    push("After.").await;
    let script =
        format!("DELETE FROM document_sources WHERE document_id = '{gone}'; DELETE FROM documents WHERE id = '{gone}'");
    sql::run(&store, &script).await;
    let mut tx = store.begin_read().await.unwrap();
    let documents = l10n_server::store::retention::documents_of(&mut tx, &app.project.id, "", 100).await.unwrap();
    tx.rollback().await.unwrap();
    let sizes: Vec<bool> = documents.iter().map(|document| document.bytes > 4 * 1024 * 1024).collect();
    assert_eq!(sizes, [false, true, false, false], "the lengths of all sources of a document together");
    app.clock.advance(9 * DAY);
    retention::sweep(&app.service).await.unwrap();
    assert_eq!(sql::count(&store, "segments").await, 7);
    assert_eq!(sql::count(&store, "segments WHERE text = 'Gone.'").await, 0);
    let now = app.clock.now().as_millis();
    assert_eq!(sql::count(&store, &format!("segments WHERE used_at = {now}")).await, 7, "they were found");
}

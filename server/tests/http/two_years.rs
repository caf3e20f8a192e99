//! Retention: a project lives through two years.

use std::collections::BTreeMap;
use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::testing::{TestApp, TestStore};
use l10n_server::workers::{expired, retention};
use serde_json::json;

use crate::rows::rows;
use crate::work::Team;

both_engines!(after_two_years_nothing_has_grown_but_ledger_and_versions);

/// Days between two pieces of work.
const STEP: u64 = 26;

/// Tables from which nothing is deleted automatically: charges, publishes, and the contents that they name. Request
/// windows are written now and then, and kept for an hour.
const KEPT: [&str; 8] = [
    "ledger",
    "workspace_months",
    "versions",
    "version_files",
    "blobs",
    "document_versions",
    "document_version_files",
    "request_windows",
];

/// Texts, documents and reports change every time. The longest retention is 400 days, so that from day 420 on no table may
/// have more rows than it had by then.
async fn after_two_years_nothing_has_grown_but_ledger_and_versions(store: TestStore) {
    let app = TestApp::on(&store).await;
    let team = Team { app: &app, project: &app.project };
    let began = app.clock.now();
    let mut most: BTreeMap<String, i64> = BTreeMap::new();
    let mut last = BTreeMap::new();
    for step in 0.. {
        let day = (app.clock.now().as_millis() - began.as_millis()) / 86_400_000;
        if day > 730 {
            break;
        }
        team.sync(&json!({"same": "Always the same", "other": format!("Text of day {day}")})).await;
        let body = format!("# A guide\n\nIt stays as it is.\n\nBut on day {day} it says this.\n");
        team.document("guide.md", &body).await;
        team.post("/capture", &json!({"keys": [{"ref": format!("missed.{step}"), "text": "Missed"}]})).await;
        team.publish_as_agent().await;
        app.clock.advance(Duration::from_secs(STEP * 86_400));
        expired::sweep(&app.service).await.unwrap();
        retention::sweep(&app.service).await.unwrap();
        last = rows(&app).await;
        for (table, count) in &last {
            let most = most.entry(table.clone()).or_default();
            if day <= 460 {
                *most = (*most).max(*count);
            } else if !KEPT.contains(&table.as_str()) {
                assert!(*count <= *most, "{table} has {count} rows on day {day} and had at most {most} by day 460");
            }
        }
    }
    // The test would show nothing if the sweep deleted what it must not, or if nothing had been written.
    let steps = 730 / i64::try_from(STEP).unwrap() + 1;
    assert!(last["versions"] >= steps && last["ledger"] >= 2 * steps, "{last:?}");
    assert_eq!((last["keys"] > 2, last["translations"]), (true, 4), "{last:?}");
    assert!(last["document_sources"] <= 4 && last["segments"] <= 12, "{last:?}");
    assert!(last["memory"] > 0 && last["jobs"] > 0, "{last:?}");
    // What is in use all the time has stayed.
    let key = team.call(http::Method::GET, "/translations?ref=same").send().await.json();
    assert_eq!(key["translations"].as_array().unwrap().len(), 2, "{key}");
    let guide = team.document("guide.md", "# A guide\n\nIt stays as it is.\n").await;
    let run = team.post(&format!("/content/{guide}/run"), &json!({"dryRun": true})).await.json();
    assert_eq!(run["classification"]["unchanged"], 2, "{run}");
}

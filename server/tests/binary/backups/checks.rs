//! `check` finds what does not belong together.

use l10n_server::both_engines;
use l10n_server::store::Tx;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::process::{complaint, run, stdout};

both_engines!(a_check_names_each_kind_of_fault);

async fn execute(app: &TestApp, statements: &[&'static str]) {
    let mut tx = app.service.store.begin_write().await.unwrap();
    for sql in statements {
        match &mut tx {
            Tx::Sqlite(tx) => drop(sqlx::query(*sql).execute(&mut **tx).await.unwrap()),
            Tx::Postgres(tx) => drop(sqlx::query(*sql).execute(&mut **tx).await.unwrap()),
        }
    }
    tx.commit().await.unwrap();
}

/// A published project with a document.
async fn published(store: &TestStore) -> TestApp {
    let app = TestApp::on(store).await;
    let keys = json!({"keys": [{"ref": "hello", "text": "Hello"}, {"ref": "bye", "text": "Bye"}]});
    assert!(app.post("/translate").json(&keys).send().await.status < 300);
    assert_eq!(app.post("/publish").send().await.status, 201);
    let document = json!({"externalId": "a", "format": "text", "body": "One.\n\nTwo."});
    assert_eq!(app.post("/content").json(&document).send().await.status, 201);
    app
}

async fn a_check_names_each_kind_of_fault(store: TestStore) {
    let folder = tempfile::tempdir().unwrap();
    let app = published(&store).await;
    let url = store.url().to_owned();
    let check = || tokio::task::block_in_place(|| run(folder.path(), &["check", "--database-url", &url]));
    let well = stdout(&check());
    assert!(well.starts_with("All is well. Checked ") && well.contains("1 source of documents"), "{well}");

    execute(
        &app,
        &["UPDATE blobs SET content = sha256 WHERE sha256 = (SELECT sha256 FROM blobs ORDER BY sha256 LIMIT 1)"],
    )
    .await;
    execute(&app, &["UPDATE document_sources SET body = 'Three.'", "UPDATE workspaces SET balance = balance - 1"])
        .await;
    execute(&app, &["UPDATE key_counts SET number = number + 2 WHERE state = 'active'"]).await;
    execute(&app, &["INSERT INTO workspace_months SELECT id, 1790812800000, 7 FROM workspaces"]).await;
    if store.is_shared() {
        execute(&app, &["ALTER TABLE languages DISABLE TRIGGER ALL"]).await;
        execute(&app, &["UPDATE languages SET project_id = 'prj_none' WHERE code = 'fr'"]).await;
        execute(&app, &["ALTER TABLE languages ENABLE TRIGGER ALL"]).await;
    } else {
        let mut raw = sqlx::sqlite::SqliteConnectOptions::new().filename(app.service.store.file().unwrap());
        raw = raw.foreign_keys(false);
        let mut raw = sqlx::ConnectOptions::connect(&raw).await.unwrap();
        sqlx::query("UPDATE languages SET project_id = 'prj_none' WHERE code = 'fr'").execute(&mut raw).await.unwrap();
        sqlx::Connection::close(raw).await.unwrap();
    }
    let output = check();
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    for expected in [
        "its bytes",
        "Source cvr_",
        "Project acme/app: the count of keys (active) differs from the rows by 2",
        "Workspace acme: the balance is 999999",
        "Workspace acme: the charges of the month from 2026-10-01T00:00:00.000Z are 7 millicredits, and its ledger sums to 0",
        "1 rows refer to rows that do not exist: languages to projects",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert_eq!(said.lines().count(), 6, "{said}");
    assert!(complaint(&output).contains("6 faults found"));
}

/// A byte of the file that changed on the disk.
#[tokio::test(flavor = "multi_thread")]
async fn a_check_names_a_damaged_file_and_a_damaged_backup_is_not_restored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("l10n.sqlite");
    let store = TestStore::at_file(&path).await;
    let app = published(&store).await;
    drop(app);
    store.close().await;
    let url = format!("sqlite:{}", path.display());
    stdout(&run(folder.path(), &["backup", "whole", "--database-url", &url]));
    for (name, file) in [("the database", path.clone()), ("the backup", folder.path().join("whole"))] {
        let mut bytes = std::fs::read(&file).unwrap();
        // The page header of every page but the first, which has the schema.
        for page in bytes.chunks_mut(4096).skip(8) {
            page[..64].fill(0xff);
        }
        assert!(bytes.len() > 20 * 4096, "{name}");
        std::fs::write(&file, bytes).unwrap();
    }
    let output = run(folder.path(), &["check", "--database-url", &url]);
    assert!(complaint(&output).contains("error: "), "{output:?}");
    let restored = run(folder.path(), &["restore", "whole", "--database-url", "sqlite:restored.sqlite"]);
    assert!(complaint(&restored).contains("whole is damaged"), "{restored:?}");
    assert_eq!(std::fs::metadata(folder.path().join("restored.sqlite")).map_or(0, |found| found.len()), 0);
}

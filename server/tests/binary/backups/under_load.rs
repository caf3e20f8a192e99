//! A backup beside a server that publishes and delivers all the time, and what is restored from it.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::store::{Store, Tx};
use l10n_server::testing::{TEST_TIMEOUT, TestStore};
use l10n_testkit::receiver::Receiver;
use serde_json::Value;

use super::Place;
use crate::killed::publishing::Publishing;
use crate::killed::server::Server;
use crate::killed::setting::{Project, environment, identity, projects, webhooks};
use crate::process::{get, run, stdout};

both_engines!(what_is_backed_up_under_load_is_restored_whole);

/// Every version of the backup has the files that it had, byte for byte, and every event of the backup comes to every
/// webhook, some perhaps once more.
async fn what_is_backed_up_under_load_is_restored_whole(store: TestStore) {
    let folder = tempfile::tempdir().unwrap();
    let receiver = Receiver::builder().patience(TEST_TIMEOUT).start().await.unwrap();
    let environment = environment(folder.path(), &store, &receiver);
    let mut server = Server::new(folder.path(), &environment);
    server.start();
    server.ready().await;
    let mut projects = projects(folder.path(), &store, &server).await;
    let unverified = webhooks(&server, &receiver, &mut projects).await;
    let publishing = Publishing::start(&store, &[&server], &projects);
    answered(&publishing, 20).await;
    let said = tokio::task::block_in_place(|| {
        stdout(&run(folder.path(), &["backup", "l10n.backup", "--database-url", store.url()]))
    });
    assert!(said.contains("is backed up in l10n.backup") && said.contains("The master key is not in it"), "{said}");
    let file = folder.path().join("l10n.backup");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    answered(&publishing, publishing.answered() + 10).await;
    let ledger = publishing.stop().await;
    let before = versions(&server, &projects).await;

    let place = Place::beside(&store, folder.path()).await;
    tokio::task::block_in_place(|| {
        stdout(&run(folder.path(), &["restore", "l10n.backup", "--database-url", &place.url]));
        let said = stdout(&run(folder.path(), &["check", "--database-url", &place.url]));
        assert!(said.starts_with("All is well. Checked "), "{said}");
    });
    server.kill();
    let environment: Vec<_> = environment
        .into_iter()
        .map(|(name, value)| if name.ends_with("DATABASE_URL") { (name, place.url.clone()) } else { (name, value) })
        .collect();
    let mut restored = Server::new(folder.path(), &environment);
    restored.start();
    restored.ready().await;
    let after = versions(&restored, &projects).await;
    assert!(!after.is_empty() && after.is_subset(&before), "{after:?}");
    for project in &projects {
        let (_, manifest) = get(&format!("{}/manifest", restored.project(&project.id)), &project.key).await;
        let live = manifest["versionId"].as_str().unwrap();
        assert!(after.iter().any(|(id, _)| id == live), "{manifest}");
    }
    let restored_store = Store::connect(&place.url).await.unwrap();
    let events = events(&restored_store).await;
    assert!(events.len() >= 20, "{}", events.len());
    let promised: BTreeSet<_> = ledger.promised.into_iter().filter(|(_, event)| events.contains(event)).collect();
    let came = receiver.wait_until("every event of the backup", |all| {
        let came: BTreeSet<_> = all.iter().map(identity).collect();
        promised.is_subset(&came)
    });
    came.await.unwrap();
    let settled = async {
        while unsettled(&restored_store).await > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(TEST_TIMEOUT, settled).await.unwrap();
    assert_eq!(unverified.count(), 0, "secrets open with the master key of then");
    drop(restored);
    restored_store.close().await;
    place.remove().await;
}

async fn answered(publishing: &Publishing, number: usize) {
    let wait = async {
        while publishing.answered() < number {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(TEST_TIMEOUT, wait).await.unwrap();
}

/// Every version of the projects with its files as text.
async fn versions(server: &Server, projects: &[Project]) -> BTreeSet<(String, String)> {
    let mut all = BTreeSet::new();
    for project in projects {
        let base = server.project(&project.id);
        let mut cursor = String::new();
        loop {
            let (_, page) = get(&format!("{base}/versions?limit=500{cursor}"), &project.key).await;
            for version in page["versions"].as_array().unwrap() {
                let id = version["versionId"].as_str().unwrap();
                let (status, read) = get(&format!("{base}/translations?version={id}"), &project.key).await;
                assert_eq!(status, 200, "{read}");
                all.insert((id.to_owned(), read["files"].to_string()));
            }
            let Value::String(next) = &page["nextCursor"] else { break };
            cursor = format!("&cursor={next}");
        }
    }
    all
}

async fn events(store: &Store) -> BTreeSet<String> {
    const EVENTS: &str = "SELECT id FROM events";
    let ids: Vec<String> = match store.begin_read().await.unwrap() {
        Tx::Sqlite(mut tx) => sqlx::query_scalar(EVENTS).fetch_all(&mut *tx).await.unwrap(),
        Tx::Postgres(mut tx) => sqlx::query_scalar(EVENTS).fetch_all(&mut *tx).await.unwrap(),
    };
    ids.into_iter().collect()
}

async fn unsettled(store: &Store) -> i64 {
    const UNSETTLED: &str = "SELECT COUNT(*) FROM deliveries WHERE status <> 'delivered'";
    match store.begin_read().await.unwrap() {
        Tx::Sqlite(mut tx) => sqlx::query_scalar(UNSETTLED).fetch_one(&mut *tx).await.unwrap(),
        Tx::Postgres(mut tx) => sqlx::query_scalar(UNSETTLED).fetch_one(&mut *tx).await.unwrap(),
    }
}

//! Transactions, locks, and what an outage looks like.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use l10n_server::store::engine::DatabaseKind;
use l10n_server::store::languages::{self, Language};
use l10n_server::store::{Store, StoreError, Tx, lock, projects, workspaces};
use l10n_server::testing::{TestStore, postgres, some_turns};
use sqlx::{Connection as _, PgConnection};

use crate::fixtures::{NOW, project, run, workspace};

async fn a_dropped_or_rolled_back_transaction_leaves_nothing(store: TestStore) {
    let mut tx = store.begin_write().await.unwrap();
    workspace(&mut tx, "dropped").await;
    drop(tx);
    let mut tx = store.begin_write().await.unwrap();
    workspace(&mut tx, "undone").await;
    tx.rollback().await.unwrap();
    let mut tx = store.begin_write().await.unwrap();
    workspace(&mut tx, "kept").await;
    tx.commit().await.unwrap();

    let mut tx = store.begin_read().await.unwrap();
    let handles: Vec<_> = workspaces::list(&mut tx).await.unwrap().into_iter().map(|found| found.handle).collect();
    assert_eq!(handles, ["kept"]);
}

/// As when a client hangs up while its key is looked up.
async fn a_single_read_that_is_given_up_leaves_its_connection_usable(store: TestStore) {
    let find = async || store.read_once(async |tx| workspaces::find_by_handle(tx, "acme").await).await;
    for turns in 0..60 {
        tokio::select! {
            biased;
            found = find() => assert!(found.unwrap().is_none()),
            () = some_turns(turns * turns) => {}
        }
    }
    let mut tx = store.begin_write().await.unwrap();
    workspace(&mut tx, "acme").await;
    tx.commit().await.unwrap();
    // More than there are connections.
    let found = futures_util::future::join_all((0..40).map(|_| find())).await;
    assert!(found.into_iter().all(|found| found.unwrap().is_some()));
    assert!(workspaces::find_by_handle(&mut store.begin_read().await.unwrap(), "acme").await.unwrap().is_some());
}

/// A transaction that counts what it does after its commit.
async fn counting(store: &TestStore, done: &Arc<AtomicUsize>) -> Tx {
    let mut tx = store.begin_write().await.unwrap();
    for _ in 0..2 {
        let done = Arc::clone(done);
        tx.after_commit(move || {
            done.fetch_add(1, Ordering::SeqCst);
        });
    }
    tx
}

async fn work_for_after_the_commit_is_done_by_the_commit_alone(store: TestStore) {
    let done = Arc::new(AtomicUsize::new(0));
    drop(counting(&store, &done).await);
    counting(&store, &done).await.rollback().await.unwrap();
    assert_eq!(done.load(Ordering::SeqCst), 0);
    let mut tx = counting(&store, &done).await;
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    for number in [1, 2, 3] {
        let order = Arc::clone(&order);
        tx.after_commit(move || order.lock().unwrap().push(number));
    }
    assert_eq!(done.load(Ordering::SeqCst), 0);
    tx.commit().await.unwrap();
    assert_eq!((done.load(Ordering::SeqCst), order.lock().unwrap().as_slice()), (2, [1, 2, 3].as_slice()));
}

async fn work_for_after_the_commit_finds_what_was_committed(store: TestStore) {
    let (told, hears) = tokio::sync::oneshot::channel();
    let mut tx = store.begin_write().await.unwrap();
    workspace(&mut tx, "kept").await;
    tx.after_commit(move || told.send(()).unwrap());
    let other = store.store();
    let reader = tokio::spawn(async move {
        hears.await.unwrap();
        let mut tx = other.begin_read().await.unwrap();
        workspaces::list(&mut tx).await.unwrap().len()
    });
    tx.commit().await.unwrap();
    assert_eq!(reader.await.unwrap(), 1);
}

async fn a_commit_that_fails_does_no_work_for_after_it(store: TestStore) {
    let done = Arc::new(AtomicUsize::new(0));
    let mut tx = counting(&store, &done).await;
    match &mut tx {
        // The row of a project without its workspace, which only the commit looks at.
        Tx::Sqlite(open) => {
            let text = "PRAGMA defer_foreign_keys = ON; INSERT INTO languages (project_id, code, is_base, position, created_at) \
                VALUES ('prj_none', 'de', 0, 0, 0)";
            sqlx::raw_sql(text).execute(&mut **open).await.unwrap();
        }
        Tx::Postgres(open) => {
            sqlx::query("SELECT pg_terminate_backend(pg_backend_pid())").execute(&mut **open).await.unwrap_err();
        }
    }
    tx.commit().await.unwrap_err();
    assert_eq!(done.load(Ordering::SeqCst), 0);
}

async fn a_reading_transaction_sees_one_state_and_cannot_write(store: TestStore) {
    let mut tx = store.begin_write().await.unwrap();
    let id = project(&mut tx, "app").await;
    tx.commit().await.unwrap();

    let mut reading = store.begin_read().await.unwrap();
    assert_eq!(projects::find(&mut reading, &id).await.unwrap().unwrap().name, "An app");
    let mut tx = store.begin_write().await.unwrap();
    projects::rename(&mut tx, &id, "Renamed").await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(projects::find(&mut reading, &id).await.unwrap().unwrap().name, "An app");
    projects::rename(&mut reading, &id, "Never").await.unwrap_err();
    drop(reading);

    let mut reading = store.begin_read().await.unwrap();
    assert_eq!(projects::find(&mut reading, &id).await.unwrap().unwrap().name, "Renamed");
}

/// On SQLite the second store stands for another process beside the server.
async fn racing_writers_of_two_processes_never_fail(store: TestStore) {
    let mut tx = store.begin_write().await.unwrap();
    let id = project(&mut tx, "app").await;
    tx.commit().await.unwrap();

    let other = Store::connect(store.url()).await.unwrap();
    let racers = (0..100).map(|racer| {
        let store = if racer % 2 == 0 { store.store() } else { other.clone() };
        let id = id.clone();
        tokio::spawn(async move {
            // Reading first is what makes a deferred transaction of SQLite fail.
            let mut tx = store.begin_write().await?;
            projects::find(&mut tx, &id).await?;
            projects::add_counts(&mut tx, &id, 1, 2).await?;
            tx.commit().await
        })
    });
    for racer in racers.collect::<Vec<_>>() {
        racer.await.unwrap().unwrap();
    }
    other.close().await;

    let mut tx = store.begin_read().await.unwrap();
    let found = projects::find(&mut tx, &id).await.unwrap().unwrap();
    assert_eq!((found.key_count, found.changes_since_publish), (100, 200));
}

async fn count_then_insert_under_the_lock_is_exact_with_sixteen_racers(store: TestStore) {
    let mut tx = store.begin_write().await.unwrap();
    let id = project(&mut tx, "app").await;
    tx.commit().await.unwrap();

    let racers = (0..16).map(|racer| {
        let (store, id) = (store.store(), id.clone());
        tokio::spawn(async move {
            let mut tx = store.begin_write().await?;
            assert!(lock::project(&mut tx, &id).await?);
            let count = languages::count(&mut tx, &id).await?;
            if count < 3 {
                let language = Language { code: format!("l{racer}"), is_base: false, position: count, created_at: NOW };
                languages::insert(&mut tx, &id, &[language]).await?;
            }
            tx.commit().await
        })
    });
    for racer in racers.collect::<Vec<_>>() {
        racer.await.unwrap().unwrap();
    }
    let mut tx = store.begin_read().await.unwrap();
    assert_eq!(languages::count(&mut tx, &id).await.unwrap(), 3);
    assert!(!lock::workspace(&mut store.begin_write().await.unwrap(), &"wsp_none".into()).await.unwrap());
}

async fn a_key_that_is_taken_is_told_apart_from_other_failures(store: TestStore) {
    let mut tx = store.begin_write().await.unwrap();
    workspace(&mut tx, "acme").await;
    tx.commit().await.unwrap();

    let mut tx = store.begin_write().await.unwrap();
    let taken = workspaces::NewWorkspace {
        id: &"wsp_2".into(),
        handle: "acme",
        plan: "free",
        spending_cap: None,
        created_at: NOW,
    };
    let error = workspaces::insert(&mut tx, taken).await.unwrap_err();
    assert!(matches!(error, StoreError::Unique(_)), "{error:?}");
    drop(tx);

    let mut tx = store.begin_write().await.unwrap();
    let orphan = Language { code: "de".into(), is_base: false, position: 0, created_at: NOW };
    let error = languages::insert(&mut tx, &"prj_none".into(), &[orphan]).await.unwrap_err();
    assert!(matches!(error, StoreError::Other(_)), "{error:?}");
    drop(tx);

    let mut tx = store.begin_write().await.unwrap();
    let error = projects::rename(&mut tx, &"prj_none".into(), "x").await.unwrap_err();
    assert!(matches!(error, StoreError::Other(_)), "{error:?}");
}

async fn a_closed_store_is_unavailable(store: TestStore) {
    store.ping().await.unwrap();
    store.close().await;
    assert!(store.ping().await.unwrap_err().is_unavailable());
    assert!(store.begin_write().await.unwrap_err().is_unavailable());
    assert!(store.begin_read().await.unwrap_err().is_unavailable());
}

async fn a_connection_that_is_cut_is_unavailable_and_the_next_one_works(store: TestStore) {
    let Tx::Postgres(mut tx) = store.begin_write().await.unwrap() else { return };
    let cut = sqlx::query("SELECT pg_terminate_backend(pg_backend_pid())").execute(&mut *tx).await.unwrap_err();
    assert!(StoreError::from(cut).is_unavailable());
    let after = sqlx::query("SELECT 1").execute(&mut *tx).await.unwrap_err();
    assert!(StoreError::from(after).is_unavailable());
    assert!(Tx::Postgres(tx).commit().await.unwrap_err().is_unavailable());
    store.ping().await.unwrap();
}

/// A server that was restarted within a moment: connections that were just in use are taken without asking whether they live.
async fn connections_that_are_all_lost_at_once_fail_nothing_that_begins(store: TestStore) {
    if store.engine() == DatabaseKind::Sqlite {
        return;
    }
    // Waits until all processes have ended.
    let end = "SELECT pg_terminate_backend(pid, 15000) FROM pg_stat_activity \
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let mut other = PgConnection::connect(store.url()).await.unwrap();
    // Each takes the first step on a lost connection once.
    for first in 0..4 {
        let open = (store.begin_write().await.unwrap(), store.begin_read().await.unwrap());
        store.ping().await.unwrap();
        drop(open);
        sqlx::query(end).execute(&mut other).await.unwrap();
        match first {
            0 => drop(store.begin_write().await.unwrap()),
            1 => drop(store.begin_read().await.unwrap()),
            2 => drop(store.read_once(async |tx| workspaces::list(tx).await).await.unwrap()),
            _ => store.ping().await.unwrap(),
        }
        // By now it is known that connections were lost.
        store.ping().await.unwrap();
        drop((store.begin_write().await.unwrap(), store.begin_read().await.unwrap()));
        store.read_once(async |tx| workspaces::list(tx).await).await.unwrap();
    }
}

l10n_server::both_engines!(
    connections_that_are_all_lost_at_once_fail_nothing_that_begins,
    a_dropped_or_rolled_back_transaction_leaves_nothing,
    a_single_read_that_is_given_up_leaves_its_connection_usable,
    work_for_after_the_commit_is_done_by_the_commit_alone,
    work_for_after_the_commit_finds_what_was_committed,
    a_commit_that_fails_does_no_work_for_after_it,
    a_reading_transaction_sees_one_state_and_cannot_write,
    racing_writers_of_two_processes_never_fail,
    count_then_insert_under_the_lock_is_exact_with_sixteen_racers,
    a_key_that_is_taken_is_told_apart_from_other_failures,
    a_closed_store_is_unavailable,
    a_connection_that_is_cut_is_unavailable_and_the_next_one_works,
);

/// Eight processes that start at once on a database that has no tables yet.
async fn migrate_at_once(url: &str) {
    let starts = (0..8).map(|_| {
        let url = url.to_owned();
        tokio::spawn(async move {
            let store = Store::connect(&url).await?;
            store.migrate().await?;
            let mut tx = store.begin_read().await?;
            assert_eq!(workspaces::list(&mut tx).await?, []);
            drop(tx);
            store.close().await;
            Ok::<(), StoreError>(())
        })
    });
    for start in starts.collect::<Vec<_>>() {
        start.await.unwrap().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_that_start_at_once_migrate_a_new_sqlite_file_once() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        migrate_at_once(&format!("sqlite:{}/new.db", folder.path().display())).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_that_start_at_once_migrate_a_new_postgres_database_once() {
    if let Some(database) = postgres::database().await {
        migrate_at_once(database.url()).await;
        database.remove().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_database_file_serves_reads_and_is_unavailable_for_writes() {
    let store = TestStore::sqlite().await;
    let mut tx = store.begin_write().await.unwrap();
    workspace(&mut tx, "acme").await;
    tx.commit().await.unwrap();

    let read_only = Store::connect(&format!("{}?mode=ro", store.url())).await.unwrap();
    let mut tx = read_only.begin_read().await.unwrap();
    assert_eq!(workspaces::list(&mut tx).await.unwrap().len(), 1);
    drop(tx);
    let outcome = match read_only.begin_write().await {
        Ok(mut tx) => workspaces::update_terms(&mut tx, &"wsp_acme".into(), "free", None).await,
        Err(error) => Err(error),
    };
    let error = outcome.unwrap_err();
    assert!(error.is_unavailable(), "{error:?}");
}

#[tokio::test]
async fn a_database_url_that_cannot_be_used_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().display();
    let cases = [
        (format!("sqlite:{folder}/missing/l10n.db"), "missing of the database"),
        (format!("sqlite:{folder}"), "is a folder"),
        ("sqlite:".into(), "the path is empty"),
        ("sqlite::memory:".into(), "name a file"),
        ("mysql://root@localhost/l10n".into(), "the scheme `mysql:`"),
        ("l10n.db".into(), "no scheme"),
        ("postgres://user:hush@[::1/l10n".into(), "postgres://USER@HOST/DATABASE"),
    ];
    for (url, expected) in cases {
        let error = Store::connect(&url).await.unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, StoreError::Location(_)), "{url}: {error:?}");
        assert!(text.contains(expected), "{url}: {text}");
        assert!(!text.contains("hush"), "{text}");
    }
}

#[tokio::test]
async fn a_postgres_server_that_is_not_there_is_unavailable() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("postgres://nobody@localhost/none?host={}", folder.path().display());
    let waited = tokio::time::timeout(Duration::from_secs(30), Store::connect(&url)).await.unwrap();
    assert!(waited.unwrap_err().is_unavailable());
}

#[tokio::test]
async fn a_sqlite_file_is_made_whatever_characters_its_name_holds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a b%20?#é.db");
    let store = Store::connect_file(&path).await.unwrap();
    store.migrate().await.unwrap();
    assert_eq!(store.engine(), DatabaseKind::Sqlite);
    assert!(path.is_file());
    let store = Store::connect(&format!("sqlite:{}/plain.db", folder.path().display())).await.unwrap();
    store.ping().await.unwrap();
    assert!(folder.path().join("plain.db").is_file());
}

/// Of the transactions of long work one at a time is in the queue, so that a request has one of them before it at most.
#[tokio::test]
async fn a_request_goes_before_the_second_background_write() {
    let store = TestStore::sqlite().await;
    let first = store.begin_write().await.unwrap();
    let order = Arc::new(Mutex::new(Vec::new()));
    let mut writers = Vec::new();
    for name in ["background 1", "background 2", "request"] {
        let (store, order) = (store.store(), Arc::clone(&order));
        writers.push(tokio::spawn(async move {
            let tx = if name == "request" { store.begin_write().await } else { store.begin_background_write().await };
            order.lock().unwrap().push(name);
            tx.unwrap().commit().await.unwrap();
        }));
        // On this runtime of one thread the writer now waits in its queue.
        tokio::task::yield_now().await;
    }
    first.commit().await.unwrap();
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(*order.lock().unwrap(), ["background 1", "request", "background 2"]);
}

/// However many transactions one workspace's long work has, that of another has one of them before it at most.
#[tokio::test]
async fn a_workspace_goes_before_the_second_background_write_of_another() {
    let store = TestStore::sqlite().await;
    let first = store.begin_write().await.unwrap();
    let order = Arc::new(Mutex::new(Vec::new()));
    let mut writers = Vec::new();
    for (workspace, name) in [("a", "a 1"), ("a", "a 2"), ("a", "a 3"), ("b", "b")] {
        let (store, order) = (store.store(), Arc::clone(&order));
        writers.push(tokio::spawn(async move {
            let tx = store.begin_background_write_of(&workspace.into()).await.unwrap();
            order.lock().unwrap().push(name);
            tx.commit().await.unwrap();
        }));
        tokio::task::yield_now().await;
    }
    first.commit().await.unwrap();
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(*order.lock().unwrap(), ["a 1", "b", "a 2", "a 3"]);
}

/// The log of SQLite is brought into the database while a transaction that writes is open.
#[tokio::test]
async fn a_checkpoint_is_made_beside_the_writer() {
    const FILLED: u64 = 4 << 20;
    let store = TestStore::sqlite().await;
    let file = store.file().unwrap();
    run(&store, &["CREATE TABLE filler (content BLOB)".to_owned()]).await;
    for _ in 0..16 {
        run(&store, &["INSERT INTO filler VALUES (randomblob(1000000))".to_owned()]).await;
    }
    let writing = store.begin_write().await.unwrap();
    while std::fs::metadata(&file).unwrap().len() < FILLED {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    writing.rollback().await.unwrap();
}

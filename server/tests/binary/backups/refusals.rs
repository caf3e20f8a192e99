//! Refusals of `backup` and `restore`, and secrets that they do not reveal.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use l10n_server::both_engines;
use l10n_server::store::Store;
use l10n_server::testing::{TestStore, on_postgres, sql};
use serde_json::json;

use super::Place;
use crate::process::{Running, command, complaint, feed, run, stdout};

both_engines!(nothing_is_overwritten_unless_it_is_told);

fn provision(folder: &Path, url: &str, handle: &str) {
    let tree = json!({"workspaces": [{"handle": handle, "credits": 5, "projects": []}]});
    stdout(&feed(folder, &["provision", "-", "--database-url", url], &tree.to_string()));
}

fn balance(folder: &Path, url: &str, handle: &str) -> bool {
    run(folder, &["credits", "ledger", handle, "--database-url", url]).status.success()
}

async fn nothing_is_overwritten_unless_it_is_told(store: TestStore) {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::beside(&store, folder.path()).await;
    let (folder, from, to) = (folder.path(), store.url().to_owned(), place.url.clone());
    tokio::task::block_in_place(|| {
        provision(folder, &from, "first");
        let backup = |more: &[&str]| run(folder, &[&["backup", "kept", "--database-url", &from], more].concat());
        let restore = |more: &[&str]| run(folder, &[&["restore", "kept", "--database-url", &to], more].concat());
        stdout(&backup(&[]));
        let before = std::fs::read(folder.join("kept")).unwrap();
        assert!(complaint(&backup(&[])).contains("kept exists; --overwrite replaces it"));
        assert!(std::fs::read(folder.join("kept")).unwrap() == before);
        stdout(&restore(&[]));
        assert!(balance(folder, &to, "first"));
        provision(folder, &to, "second");
        let refused = complaint(&restore(&[]));
        assert!(refused.contains("--overwrite replaces"), "{refused}");
        assert!(balance(folder, &to, "second"));
        stdout(&restore(&["--overwrite"]));
        assert!(balance(folder, &to, "first") && !balance(folder, &to, "second"));
        provision(folder, &from, "third");
        stdout(&backup(&["--overwrite"]));
        assert!(std::fs::read(folder.join("kept")).unwrap() != before);
        let left: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name()).collect();
        assert!(left.iter().all(|name| !name.to_string_lossy().ends_with(".partial")), "{left:?}");
        let other = if store.is_shared() { "sqlite:other.sqlite" } else { "postgres://postgres@127.0.0.1:1/none" };
        assert!(complaint(&run(folder, &["restore", "kept", "--database-url", other])).contains("is a backup of"));
        std::fs::write(folder.join("text"), "no backup").unwrap();
        let said = complaint(&run(folder, &["restore", "text", "--database-url", &to, "--overwrite"]));
        assert!(said.contains("text is not a file that `l10n-server backup` has written"), "{said}");
    });
    place.remove().await;
}

/// A table of a later release refers to those that would be replaced.
#[test]
fn a_backup_is_not_restored_over_a_later_release() {
    on_postgres(|store| async move {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::beside(&store, folder.path()).await;
        let folder = folder.path();
        let restore = || run(folder, &["restore", "kept", "--overwrite", "--database-url", &place.url]);
        provision(folder, store.url(), "first");
        stdout(&run(folder, &["backup", "kept", "--database-url", store.url()]));
        provision(folder, &place.url, "second");
        let name = url::Url::parse(&place.url).unwrap().path().trim_start_matches('/').to_owned();
        let tables = async |script: &str| {
            let later = Store::connect(&place.url).await.unwrap();
            sql::run(&later, script).await;
            later.close().await;
            // Its connections count as those of a server until PostgreSQL has ended them.
            while sql::count(&store, &format!("pg_stat_activity WHERE datname = '{name}'")).await > 0 {
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
        };
        // Tables of another schema are nobody's business.
        tables("CREATE SCHEMA shop; CREATE TABLE shop.orders ()").await;
        tables("CREATE TABLE of_later (project_id TEXT REFERENCES projects (id))").await;
        let refused = complaint(&restore());
        let expected = "has tables that the backup lacks (of_later), so it is of a later release: make an empty database and \
            restore into that";
        assert!(refused.contains(expected), "{refused}");
        assert!(balance(folder, &place.url, "second"));
        tables("DROP TABLE of_later").await;
        stdout(&restore());
        assert!(balance(folder, &place.url, "first") && !balance(folder, &place.url, "second"));
        place.remove().await;
    });
}

/// Under a running server its database is not replaced; a link to it is followed, and nobody else may read what is made.
#[test]
fn a_restore_under_a_running_server_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Running::dev(folder.path());
    let url = "sqlite:l10n-data/linked.sqlite";
    std::os::unix::fs::symlink("dev.sqlite", folder.path().join("l10n-data/linked.sqlite")).unwrap();
    stdout(&run(folder.path(), &["backup", "kept", "--database-url", url]));
    let itself = run(folder.path(), &["backup", "l10n-data/dev.sqlite", "--overwrite", "--database-url", url]);
    assert!(complaint(&itself).contains("is the database itself"));
    let restore = || run(folder.path(), &["restore", "kept", "--overwrite", "--database-url", url]);
    assert!(complaint(&restore()).contains("another server or a restore uses"));
    assert!(server.terminate());
    std::fs::set_permissions(folder.path().join("kept"), std::fs::Permissions::from_mode(0o644)).unwrap();
    stdout(&restore());
    assert!(folder.path().join("l10n-data/linked.sqlite").is_symlink());
    let mode = folder.path().join("l10n-data/dev.sqlite").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    drop(Running::dev(folder.path()));
}

/// A program of that name that says its version, and where its password is, in a folder for PATH.
fn fake(folder: &Path, name: &str, version: &str) -> String {
    let path = folder.join("bin").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo '{name} (PostgreSQL) {version}'; exit; }}\n\
         {{ echo \"$@\"; env; }} > seen\nwhile [ $# -gt 1 ]; do shift; done\ncat \"$PGPASSFILE\" > password\necho dump > \"$1\"\n"
    );
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:/usr/bin:/bin", folder.join("bin").display())
}

#[test]
fn a_password_is_on_no_command_line_and_missing_or_old_programs_are_named() {
    on_postgres(|store| async move {
        let folder = tempfile::tempdir().unwrap();
        let mut url = url::Url::parse(store.url()).unwrap();
        // The server for tests may trust everyone; what it would be asked for is passed on all the same.
        url.set_password(Some("hunter2:%5C")).unwrap();
        let backup = |path: &str| {
            let arguments = ["backup", "kept", "--overwrite", "--database-url", url.as_str()];
            tokio::task::block_in_place(|| command(folder.path(), &arguments).env("PATH", path).output().unwrap())
        };
        let missing = complaint(&backup("/nowhere"));
        assert!(missing.contains("there is no pg_dump in PATH: install"), "{missing}");
        let old = complaint(&backup(&fake(folder.path(), "pg_dump", "9.6.24")));
        assert!(old.contains("pg_dump is of version 9, and the database of version"), "{old}");
        assert!(!missing.contains("hunter2") && !old.contains("hunter2"));
        let said = stdout(&backup(&fake(folder.path(), "pg_dump", "99.1 (Debian 99.1-1)")));
        let seen = std::fs::read_to_string(folder.path().join("seen")).unwrap();
        assert!(!seen.contains("hunter2") && !said.contains("hunter2"), "{seen}{said}");
        assert!(seen.contains("PGDATABASE=l10n_test_") && seen.contains("--format=custom"), "{seen}");
        let password = std::fs::read_to_string(folder.path().join("password")).unwrap();
        assert_eq!(password, "*:*:*:*:hunter2\\:\\\\\n");
    });
}

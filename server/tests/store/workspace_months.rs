//! The charges of a workspace in each month.

use l10n_api_types::{Millicredits, Timestamp, WorkspaceId};
use l10n_server::ids::{IdKind, new_id};
use l10n_server::store::ledger::{self, EntryKind, NewLedgerEntry};
use l10n_server::store::{Store, Tx, integrity, lock, workspace_months, workspaces};
use l10n_server::testing::TestStore;

use crate::fixtures::{run, workspace};

l10n_server::both_engines!(
    each_charge_is_of_its_month_in_utc,
    charges_of_two_processes_at_once_are_all_counted,
    a_ledger_of_an_earlier_release_is_summed_when_it_is_migrated,
);

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

async fn append(tx: &mut Tx, workspace_id: &WorkspaceId, kind: EntryKind, amount: i64, created_at: Timestamp) {
    let id = new_id(IdKind::LedgerEntry, created_at);
    let amount = Millicredits(amount);
    lock::workspace(tx, workspace_id).await.unwrap();
    let entry = NewLedgerEntry { id: &id, workspace_id, kind, amount, job_id: None, note: None, created_at };
    ledger::append(tx, entry).await.unwrap();
}

async fn charged(store: &Store, workspace_id: &WorkspaceId, month: &str) -> i64 {
    let mut tx = store.begin_read().await.unwrap();
    workspace_months::charged(&mut tx, workspace_id, time(month)).await.unwrap().0
}

/// Charges of two workspaces around the ends of months, also of one with a leap day.
async fn fill(store: &Store) -> [WorkspaceId; 2] {
    let mut tx = store.begin_write().await.unwrap();
    let ids = [workspace(&mut tx, "acme").await, workspace(&mut tx, "bora").await];
    for id in &ids {
        append(&mut tx, id, EntryKind::Grant, 1_000, time("2026-10-31T23:59:59.999Z")).await;
    }
    for (amount, at) in [
        (1, "2026-10-31T23:59:59.999Z"),
        (2, "2026-11-01T00:00:00.000Z"),
        (4, "2026-11-15T12:00:00.001Z"),
        (8, "2026-11-30T23:59:59.999Z"),
        (16, "2026-12-01T00:00:00.000Z"),
        (32, "2028-02-29T23:59:59.999Z"),
        (64, "2028-03-01T00:00:00.000Z"),
    ] {
        append(&mut tx, &ids[0], EntryKind::Charge, -amount, time(at)).await;
    }
    append(&mut tx, &ids[1], EntryKind::Charge, -128, time("2026-11-02T00:00:00.000Z")).await;
    tx.commit().await.unwrap();
    ids
}

/// The months of [`fill`], and one in which nothing was charged.
async fn months(store: &Store, [acme, bora]: &[WorkspaceId; 2]) {
    for (month, amount) in
        [("2026-09", 0), ("2026-10", 1), ("2026-11", 14), ("2026-12", 16), ("2028-02", 32), ("2028-03", 64)]
    {
        assert_eq!(charged(store, acme, &format!("{month}-01T00:00:00.000Z")).await, amount, "{month}");
    }
    assert_eq!(charged(store, bora, "2026-11-01T00:00:00.000Z").await, 128);
    let unbalanced = integrity::unbalanced_months(&mut store.begin_read().await.unwrap()).await.unwrap();
    assert_eq!(unbalanced, []);
}

async fn each_charge_is_of_its_month_in_utc(store: TestStore) {
    let workspaces = fill(&store).await;
    months(&store, &workspaces).await;
}

async fn charges_of_two_processes_at_once_are_all_counted(store: TestStore) {
    let mut tx = store.begin_write().await.unwrap();
    let id = workspace(&mut tx, "acme").await;
    append(&mut tx, &id, EntryKind::Grant, 1_000, time("2026-11-01T00:00:00.000Z")).await;
    tx.commit().await.unwrap();
    // On SQLite one process has the file.
    let beside = if store.is_shared() { Store::connect(store.url()).await.unwrap() } else { store.store() };
    let spend = async |store: &Store| {
        for day in 1..=20 {
            let mut tx = store.begin_write().await.unwrap();
            append(&mut tx, &id, EntryKind::Charge, -3, time(&format!("2026-11-{day:02}T00:00:00.000Z"))).await;
            tx.commit().await.unwrap();
        }
    };
    tokio::join!(spend(&store), spend(&beside));
    assert_eq!(charged(&store, &id, "2026-11-01T00:00:00.000Z").await, 120);
    let found = workspaces::find(&mut store.begin_read().await.unwrap(), &id).await.unwrap().unwrap();
    assert_eq!(found.balance, Millicredits(880));
    if store.is_shared() {
        beside.close().await;
    }
}

/// As a database of an earlier release has neither the table nor the trigger.
async fn a_ledger_of_an_earlier_release_is_summed_when_it_is_migrated(store: TestStore) {
    let workspaces = fill(&store).await;
    let trigger = if store.is_shared() { "DROP FUNCTION count_charge CASCADE" } else { "DROP TRIGGER ledger_charged" };
    let gone = [trigger, "DROP TABLE workspace_months", "DELETE FROM _sqlx_migrations WHERE version = 352"];
    run(&store, &gone.map(str::to_owned)).await;
    store.migrate().await.unwrap();
    months(&store, &workspaces).await;
    let mut tx = store.begin_write().await.unwrap();
    append(&mut tx, &workspaces[0], EntryKind::Charge, -100, time("2026-11-30T00:00:00.000Z")).await;
    tx.commit().await.unwrap();
    assert_eq!(charged(&store, &workspaces[0], "2026-11-01T00:00:00.000Z").await, 114);
}

//! The delivery worker's pages of webhooks that wait, on a database that knows its own statistics.

use std::collections::BTreeMap;

use l10n_server::store::Store;
use l10n_server::store::due::{self, WaitingWebhook};
use l10n_server::testing::TestStore;

use crate::fixtures::{NOW, project, run};

const WEBHOOKS: usize = 4_800;
const PAGE: i64 = 1_000;

/// Moves the table's rows, so that a page whose order was accidental would differ.
async fn shuffle(store: &Store) {
    let rows = |wanted: &dyn Fn(usize) -> bool| {
        (0..WEBHOOKS).filter(|n| wanted(*n)).map(|n| format!("'whk_{n:05}'")).collect::<Vec<_>>().join(",")
    };
    let fail = |ids: String| format!("UPDATE webhooks SET consecutive_failures = 1 WHERE id IN ({ids})");
    let thirds = [2, 0, 1].map(|rest| fail(rows(&|n| n * 7 % 3 == rest)));
    run(store, &thirds).await;
    run(store, &["ANALYZE".to_owned()]).await;
}

async fn subscribe(store: &Store) {
    let mut tx = store.begin_write().await.unwrap();
    for name in ["app", "other"] {
        project(&mut tx, name).await;
    }
    tx.commit().await.unwrap();
    let event = "INSERT INTO events (id, project_id, event_type, publish_id, body, created_at) \
        VALUES ('evt_1', 'prj_app', 'strings.published', 'pub_1', '{}', 0)";
    let event = if matches!(store.engine(), l10n_server::store::engine::DatabaseKind::Sqlite) {
        event.replace("'{}'", "x'7b7d'")
    } else {
        event.to_owned()
    };
    let (mut webhooks, mut deliveries) = (Vec::new(), Vec::new());
    let secret = if event.contains("x'") { "x'00'" } else { "'\\x00'" };
    for n in 0..WEBHOOKS {
        let project = if n.is_multiple_of(480) { "prj_other" } else { "prj_app" };
        webhooks.push(format!(
            "('whk_{n:05}', '{project}', 'https://h{n}.example/', 'h{n}.example', '[]', TRUE, 0, {secret}, 'abcd', 0)"
        ));
        // Every 16th has two deliveries, the later one first; every 17th none that waits.
        for (part, due) in [("b", due(n).map(|due| due + 5)), ("a", due(n))] {
            if part == "a" || n.is_multiple_of(16) {
                let due = due.map_or("NULL".to_owned(), |due| due.to_string());
                deliveries
                    .push(format!("('whk_{n:05}', 'dlv_{n}{part}', 'evt_1', 'pending', 0, 0, FALSE, {due}, 0, 0)"));
            }
        }
    }
    run(
        store,
        &[
            event,
            format!(
                "INSERT INTO webhooks (id, project_id, url, host, events, enabled, consecutive_failures, secret, secret_hint, \
                 created_at) VALUES {}",
                webhooks.join(",")
            ),
            format!(
                "INSERT INTO deliveries (webhook_id, id, event_id, status, attempts, failures, resend, due_at, lease, \
                 created_at) VALUES {}",
                deliveries.join(",")
            ),
        ],
    )
    .await;
}

/// The time at which the first delivery of a webhook is due.
fn due(n: usize) -> Option<i64> {
    let spread = i64::try_from(n * 7_919 % 4_801).unwrap();
    (!n.is_multiple_of(17)).then_some(NOW.as_millis() + spread)
}

async fn walked(store: &Store) -> Vec<WaitingWebhook> {
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let mut tx = store.begin_read().await.unwrap();
        let page = due::waiting(&mut tx, &after, PAGE).await.unwrap();
        let Some(last) = page.last() else { return found };
        last.webhook_id.as_str().clone_into(&mut after);
        let is_last = i64::try_from(page.len()).unwrap() < PAGE;
        found.extend(page);
        if is_last {
            return found;
        }
    }
}

/// DEL-16: none is passed over, whatever plan the database chooses.
async fn pages_of_waiting_webhooks_hold_every_one_of_them_once(store: TestStore) {
    subscribe(&store).await;
    let expected: BTreeMap<String, i64> =
        (0..WEBHOOKS).filter_map(|n| Some((format!("whk_{n:05}"), due(n)?))).collect();
    for _ in 0..2 {
        let found = walked(&store).await;
        let order: Vec<&str> = found.iter().map(|waiting| waiting.webhook_id.as_str()).collect();
        assert_eq!(order, expected.keys().map(String::as_str).collect::<Vec<_>>());
        assert!(found.iter().all(|waiting| expected[waiting.webhook_id.as_str()] == waiting.due_at.as_millis()));
        shuffle(&store).await;
    }
    let mut tx = store.begin_read().await.unwrap();
    let of_project = due::waiting_of(&mut tx, &"prj_other".into()).await.unwrap();
    let wanted = (0..WEBHOOKS).step_by(480).filter_map(|n| Some((format!("whk_{n:05}").into(), due(n)?)));
    let found = of_project.into_iter().map(|waiting| (waiting.webhook_id, waiting.due_at.as_millis()));
    assert_eq!(found.collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
}

l10n_server::both_engines!(pages_of_waiting_webhooks_hold_every_one_of_them_once);

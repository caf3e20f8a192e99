//! Thousands of projects, each with a webhook that has a delivery waiting.

use std::time::{Duration, Instant};

use l10n_server::store::due;
use l10n_server::testing::{TestApp, TestStore};

use super::fill::Script;

pub(crate) const PROJECTS: usize = 5_000;
/// As the delivery worker asks.
const PAGE: i64 = 1_000;

pub(crate) async fn measure(store: &TestStore) -> Vec<(String, Duration)> {
    let app = TestApp::idle(store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    fill(&app).await;
    let mut took = Vec::new();
    for (name, path) in [("meta of one project", "/meta"), ("webhooks of one project", "/webhooks")] {
        took.push((name.to_owned(), median(async || assert_eq!(app.get(path).send().await.status, 200)).await));
    }
    let walk = median(async || {
        let (mut tx, mut after, mut seen) = (app.service.store.begin_read().await.unwrap(), String::new(), 0);
        loop {
            let page = due::waiting(&mut tx, &after, PAGE).await.unwrap();
            seen += page.len();
            match page.last() {
                Some(last) if i64::try_from(page.len()).is_ok_and(|rows| rows == PAGE) => {
                    last.webhook_id.as_str().clone_into(&mut after)
                }
                _ => break,
            }
        }
        assert_eq!(seen, PROJECTS);
    });
    took.push(("a look at all that waits".to_owned(), walk.await));
    let of_project = median(async || {
        let mut tx = app.service.store.begin_read().await.unwrap();
        assert_eq!(due::waiting_of(&mut tx, &"prj_7".into()).await.unwrap().len(), 1);
    });
    took.push(("a look at one project".to_owned(), of_project.await));
    let backlog = median(async || {
        let mut tx = app.service.store.begin_read().await.unwrap();
        let now = app.service.clock.now();
        assert_eq!(due::backlog(&mut tx, now).await.unwrap().planned, PROJECTS as i64);
    });
    took.push(("metrics of what waits".to_owned(), backlog.await));
    took
}

async fn median(mut call: impl AsyncFnMut()) -> Duration {
    let mut took = Vec::new();
    for _ in 0..11 {
        let began = Instant::now();
        call().await;
        took.push(began.elapsed());
    }
    took.sort_unstable();
    took[5]
}

async fn fill(app: &TestApp) {
    let script = Script::on(&app.service.store);
    let later = app.service.clock.now().as_millis() + 3_600_000;
    let statements = [
        format!(
            "INSERT INTO workspaces (id, handle, plan, balance, created_at) SELECT 'wsp_' || n, 'w' || n, 'unlimited', 0, 0 \
             FROM {{n:{PROJECTS}}}"
        ),
        format!(
            "INSERT INTO projects (id, workspace_id, slug, name, base_language, version_seq, key_count, changes_since_publish, \
             created_at) SELECT 'prj_' || n, 'wsp_' || n, 'app', 'App', 'en', 0, 0, 0, 0 FROM {{n:{PROJECTS}}}"
        ),
        format!(
            "INSERT INTO webhooks (id, project_id, url, host, events, enabled, consecutive_failures, secret, secret_hint, \
             created_at) SELECT 'whk_' || {{pad:n}}, 'prj_' || n, 'https://h.example/', 'h.example', '[]', TRUE, 0, {{zeros}}, \
             'abcd', 0 FROM {{n:{PROJECTS}}}"
        ),
        "INSERT INTO events (id, project_id, event_type, publish_id, body, created_at) VALUES ('evt_1', 'prj_1', \
         'strings.published', 'pub_1', {zeros}, 0)"
            .to_owned(),
        format!(
            "INSERT INTO deliveries (webhook_id, id, event_id, status, attempts, failures, planned_at, resend, due_at, lease, \
             created_at) SELECT 'whk_' || {{pad:n}}, 'dlv_' || n, 'evt_1', 'pending', 1, 1, {later}, FALSE, {later} + n, 0, 0 \
             FROM {{n:{PROJECTS}}}"
        ),
        "ANALYZE".to_owned(),
    ];
    for statement in statements {
        script.run(&statement).await;
    }
}

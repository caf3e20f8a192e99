//! `GET /translations`: jobs in pages and long polls, keys, lists.

use std::sync::Arc;
use std::time::{Duration, Instant};

use l10n_api_types::Key;
use l10n_api_types::translations::{Job, JobStatus, KeyList, Run};
use l10n_server::engines::Pseudo;
use l10n_server::testing::{TestApp, TestStore, sql};
use serde_json::json;

use crate::jobs::fixtures::{TestWorker, ended, key, state, sync_with, taken, texts, translate};

l10n_server::both_engines!(
    a_jobs_translations_come_in_pages_each_once,
    a_page_of_a_job_ends_before_its_texts_get_long,
    a_page_of_a_job_ends_after_some_chunks_that_have_nothing_any_more,
    a_long_poll_answers_when_the_job_ends_and_when_its_time_is_over,
    a_job_of_another_project_is_none,
    a_list_comes_in_pages_in_the_order_of_refs,
    a_list_is_narrowed_by_each_filter,
    parameters_that_cannot_be_are_refused,
);

async fn a_jobs_translations_come_in_pages_each_once(store: TestStore) {
    let app = TestApp::on(&store).await;
    let mut keys: Vec<Key> = (0..250).map(|n| Key::text(format!("k{n}"), format!("text {n}"))).collect();
    keys.extend((0..30).map(|n| Key::text(format!("same{n}"), "the same")));
    let run = taken(translate(&app, &keys).send().await);
    ended(&app, &run).await;
    let token = run.tracking_token.unwrap();
    for limit in [1, 7, 100, 280, 500] {
        let mut found = Vec::new();
        let mut cursor = String::new();
        loop {
            let path = format!("/translations?trackingToken={token}&limit={limit}{cursor}");
            let page: Job = app.get(&path).send().await.read();
            assert!(page.translations.len() <= limit);
            found.extend(page.translations.into_iter().map(|made| (made.language, made.r#ref)));
            let Some(next) = page.next_cursor else { break };
            cursor = format!("&cursor={next}");
            if limit == 1 && found.len() > 5 {
                break;
            }
        }
        if limit > 1 {
            assert_eq!(found.len(), 560);
            found.sort();
            found.dedup();
            assert_eq!(found.len(), 560, "each once");
        }
    }
}

/// Language and ref of the translations of each page of a job.
async fn pages_of(app: &TestApp, run: &Run) -> Vec<Vec<(String, String)>> {
    let (token, mut pages, mut cursor) = (run.tracking_token.as_ref().unwrap(), Vec::new(), String::new());
    loop {
        let page: Job = app.get(&format!("/translations?trackingToken={token}&limit=500{cursor}")).send().await.read();
        pages.push(page.translations.into_iter().map(|made| (made.language.to_string(), made.r#ref)).collect());
        let Some(next) = page.next_cursor else { return pages };
        cursor = format!("&cursor={next}");
    }
}

async fn a_page_of_a_job_ends_before_its_texts_get_long(store: TestStore) {
    let app = TestApp::on(&store).await;
    let names = ["k0", "k1", "k2", "k3", "k4"];
    let run = taken(translate(&app, &texts(names.map(|name| (name, "x")))).send().await);
    ended(&app, &run).await;
    // Two of these have room on a page, and three do not.
    let long =
        format!(r#"UPDATE translations SET content = '{{"text":"{}"}}' WHERE language = 'de'"#, "y".repeat(1_500_000));
    sql::run(&app.service.store, &long).await;
    let pages = pages_of(&app, &run).await;
    let mut found = pages.concat();
    found.sort();
    let all = ["de", "fr"].into_iter().flat_map(|language| names.map(|name| (language.to_owned(), name.to_owned())));
    assert_eq!(found, all.collect::<Vec<_>>());
    for page in &pages {
        assert!(page.iter().filter(|(language, _)| language == "de").count() <= 2, "{pages:?}");
    }
}

async fn a_page_of_a_job_ends_after_some_chunks_that_have_nothing_any_more(store: TestStore) {
    let app = TestApp::on(&store).await;
    let run = taken(translate(&app, &texts([("a", "A"), ("b", "B")])).send().await);
    ended(&app, &run).await;
    let token = run.tracking_token.as_ref().unwrap();
    let of_job = format!("job_chunks WHERE job_id = '{token}'");
    let own = sql::count(&app.service.store, &of_job).await;
    // As many more chunks as make three pages, which would take long to translate.
    let more = format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {}) \
         INSERT INTO job_chunks (job_id, language, seq, slot, items, status, done, failed, charged) \
         SELECT c.job_id, 'de', c.seq + 1000 * n.i, c.slot, c.items, c.status, c.done, c.failed, c.charged \
         FROM job_chunks c CROSS JOIN n WHERE c.job_id = '{token}' \
         AND c.seq = (SELECT MIN(seq) FROM job_chunks WHERE job_id = '{token}'); \
         DELETE FROM translations WHERE language = 'de'",
        150 - own
    );
    sql::run(&app.service.store, &more).await;
    let pages = pages_of(&app, &run).await;
    assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [2, 0, 0], "{pages:?}");
    assert_eq!(pages.concat(), ["a", "b"].map(|name| ("fr".to_owned(), name.to_owned())));
}

async fn a_long_poll_answers_when_the_job_ends_and_when_its_time_is_over(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
    let run = taken(translate(&app, &texts([("a", "A")])).send().await);
    let path = format!("/translations?trackingToken={}", run.tracking_token.as_ref().unwrap());
    let job: Job = app.get(&path).send().await.read();
    assert_eq!((job.status, job.progress.total), (JobStatus::Queued, 2));
    assert!(job.poll_after_ms > 0 && job.finished_at.is_none());
    let started = Instant::now();
    let job: Job = app.get(&format!("{path}&waitSeconds=1")).send().await.read();
    assert_eq!(job.status, JobStatus::Queued);
    assert!(started.elapsed() >= Duration::from_secs(1));
    let waiting = app.get(&format!("{path}&waitSeconds=25"));
    let (answer, _worker) = tokio::join!(waiting.send(), async { TestWorker::start(&app) });
    assert_eq!(answer.read::<Job>().status, JobStatus::Completed);
    assert!(started.elapsed() < Duration::from_secs(20), "it does not wait to the end of its time");
}

async fn a_job_of_another_project_is_none(store: TestStore) {
    let app = TestApp::on(&store).await;
    let run = taken(translate(&app, &texts([("a", "A")])).send().await);
    let token = run.tracking_token.unwrap();
    let other = app.other_project("unlimited").await;
    let path = format!("/v1/projects/{}/translations?trackingToken={token}", other.id);
    assert_eq!(app.at(http::Method::GET, &path).key(&other.keys.admin).send().await.outcome(), "404 not_found");
    for unknown in ["trk_none", "%27%3B--", "x".repeat(100).as_str(), "a%2Fb"] {
        let answer = app.get(&format!("/translations?trackingToken={unknown}")).send().await;
        assert_eq!(answer.outcome(), "404 not_found", "{unknown}");
    }
}

async fn list(app: &TestApp, query: &str) -> Vec<String> {
    let answer = app.get(&format!("/translations?{query}")).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.read::<KeyList>().keys.into_iter().map(|key| key.r#ref).collect()
}

async fn a_list_comes_in_pages_in_the_order_of_refs(store: TestStore) {
    let app = TestApp::on(&store).await;
    let names = ["b", "a", "B", "ä", "a.b", "aa", "Z", "z"];
    ended(&app, &taken(translate(&app, &texts(names.map(|name| (name, "x")))).send().await)).await;
    let mut sorted = names.to_vec();
    sorted.sort_unstable();
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let page: KeyList = app.get(&format!("/translations?limit=3{cursor}")).send().await.read();
        found.extend(page.keys.into_iter().map(|key| key.r#ref));
        let Some(next) = page.next_cursor else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(found, sorted, "by bytes on both engines");
    assert_eq!(list(&app, "limit=8").await.len(), 8);
}

async fn a_list_is_narrowed_by_each_filter(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
    let worker = TestWorker::start(&app);
    let mut keys = texts([("app.save", "Save"), ("app.open", "Open"), ("apple", "Apple")]);
    keys[0].max_length = Some(12);
    keys[1].namespace = Some("ui".into());
    let run = taken(app.post("/translate").json(&json!({"keys": keys, "languages": ["de"]})).send().await);
    ended(&app, &run).await;
    assert_eq!(list(&app, "prefix=app.").await, ["app.open", "app.save"]);
    assert_eq!(list(&app, "prefix=appl").await, ["apple"]);
    assert_eq!(list(&app, "prefix=nothing").await, [""; 0]);
    assert_eq!(list(&app, "namespace=ui").await, ["app.open"]);
    assert_eq!(list(&app, "state=missing").await.len(), 3, "French is missing");
    assert_eq!(list(&app, "state=missing&language=de").await, [""; 0]);
    assert_eq!(list(&app, "state=translated").await.len(), 3);
    assert_eq!(list(&app, "state=translated&language=fr").await, [""; 0]);
    taken(
        sync_with(&app, "", "de.json", &json!({"app.save": "Länger als zwölf"}), json!({"language": "de"}))
            .send()
            .await,
    );
    assert_eq!(list(&app, "state=needs_review&language=DE").await, ["app.save"]);
    worker.shut_down().await;
    let since = app.clock.advance(Duration::from_secs(60));
    assert_eq!(list(&app, &format!("updatedSince={since}")).await, [""; 0]);
    taken(app.post("/translate").json(&json!({"keys": texts([("apple", "Pear")]), "languages": ["de"]})).send().await);
    assert_eq!(list(&app, &format!("updatedSince={since}")).await, ["apple"]);
    assert_eq!(list(&app, "stale=true").await, ["apple"]);
    assert_eq!(list(&app, "stale=false").await, ["app.open", "app.save"]);
    assert_eq!(list(&app, "stale=true&language=fr").await, [""; 0]);
    let german: KeyList = app.get("/translations?language=de").send().await.read();
    assert!(german.keys.iter().all(|key| key.translations.len() == 1));
    assert_eq!(key(&app, "apple").await.translations.len(), 2);
}

/// ERR-404-3, ERR-404-5, SCOPE-TR-5
async fn parameters_that_cannot_be_are_refused(store: TestStore) {
    let app = TestApp::on(&store).await;
    let before = state(&app).await;
    for query in [
        "limit=0",
        "limit=501",
        "limit=x",
        "limit=-1",
        "cursor=x",
        "state=odd",
        "stale=1",
        "language=es",
        "language=%21",
        "updatedSince=yesterday",
        "trackingToken=a&ref=b",
        "ref=a&version=b",
        "trackingToken=a&version=b",
        "trackingToken=trk_x&waitSeconds=26",
        "trackingToken=trk_x&waitSeconds=x",
        // Also where nothing looks at them.
        "waitSeconds=26",
        "ref=a&limit=0",
        "ref=a&language=%21",
        "version=ver_none&waitSeconds=26",
        "ref=%00",
        "prefix=%00",
    ] {
        let answer = app.get(&format!("/translations?{query}")).send().await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{query}");
    }
    assert_eq!(app.get("/translations?ref=none").send().await.outcome(), "404 key_not_found");
    assert_eq!(app.get("/translations?version=ver_none").send().await.outcome(), "404 version_not_found");
    assert_eq!(state(&app).await, before);
}

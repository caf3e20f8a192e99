//! Counters equal the numbers of rows, whoever writes and however many at once.

use std::sync::Arc;

use http::Method;
use l10n_api_types::meta::Meta;
use l10n_server::domain::capture;
use l10n_server::store::Store;
use l10n_server::store::counters::{self, CounterMismatch};
use l10n_server::testing::{TestApp, TestStore, sql};
use serde_json::{Map, Value, json};

use crate::capture::fixtures::{add, archive, edit, editor, idle, post_capture, rename, text};

const NAMES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
const TEXTS: [&str; 4] = ["Save", "Open", "Close", "Hello {name}"];

/// Numbers that look like chance and are the same in every run.
struct Dice(u64);

impl Dice {
    fn of<T: Copy>(&mut self, sides: &[T]) -> T {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        sides[usize::try_from(self.0 >> 33).unwrap() % sides.len()]
    }

    fn texts(&mut self) -> Map<String, Value> {
        let mut texts = Map::new();
        for name in NAMES {
            if self.of(&[true, true, false]) {
                texts.insert(name.to_owned(), json!(self.of(&TEXTS)));
            }
        }
        texts
    }
}

/// Does something; a refusal is fine, a failure is not.
async fn step(app: &TestApp, dice: &mut Dice) {
    let (name, other, says) = (dice.of(&NAMES), dice.of(&NAMES), dice.of(&TEXTS));
    let file = |content: &Map<String, Value>, more: Value| {
        let content = Value::Object(content.clone()).to_string();
        let mut body = json!({"file": {"path": "en.json", "content": content, "encoding": "utf8", "format": "json"}});
        body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        body
    };
    let answer = match dice.of(&[0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
        0 => {
            app.post("/sync")
                .json(&file(&dice.texts(), json!({"onRemoved": dice.of(&["archive", "keep"])})))
                .send()
                .await
        }
        1 => app.post("/sync").json(&file(&dice.texts(), json!({"language": "de"}))).send().await,
        2 => {
            let keys: Vec<_> =
                dice.texts().into_iter().map(|(name, text)| json!({"ref": name, "text": text})).collect();
            app.post("/translate").json(&json!({"keys": keys, "languages": ["fr"]})).send().await
        }
        3 => {
            post_capture(app, &json!([{"ref": name, "text": says}, {"ref": format!("{other}.captured"), "text": says}]))
                .await
        }
        4 => app.post("/languages").json(&json!({"languages": [{"code": dice.of(&["es", "it", "ja"])}]})).send().await,
        5 => return drop(edit(app, text(name, says)).await),
        6 => return drop(edit(app, rename(name, other)).await),
        7 => return drop(edit(app, archive(name)).await),
        8 => return drop(edit(app, add(name, says)).await),
        deed => {
            let mut tx = app.service.store.begin_write().await.unwrap();
            let name = format!("{other}.captured");
            let done = match deed {
                9 => capture::accept(&mut tx, &editor(app), &name, None, None).await,
                _ => capture::discard(&mut tx, &app.project.id, &[name]).await.map(drop),
            };
            if done.is_ok() {
                tx.commit().await.unwrap();
            }
            return;
        }
    };
    assert!(answer.status < 500, "{answer:?}");
}

async fn wrong(store: &Store, project: &l10n_api_types::ProjectId) -> Vec<CounterMismatch> {
    let mut tx = store.begin_read().await.unwrap();
    counters::verify(&mut tx, project).await.unwrap()
}

/// Locks the projects first, as the workers beside it do: in another order both could wait for each other.
async fn run(store: &Store, statement: &str) {
    sql::run(store, &format!("UPDATE projects SET key_count = key_count; {statement}")).await;
}

/// Six callers, and the workers where there are some, write to a project at once. What is counted is right at every moment.
async fn live(store: &TestStore, app: TestApp) -> Arc<TestApp> {
    let app = Arc::new(app);
    let callers = (0..6).map(|caller| {
        let app = Arc::clone(&app);
        tokio::spawn(async move {
            let mut dice = Dice(caller);
            for _ in 0..25 {
                step(&app, &mut dice).await;
            }
        })
    });
    let callers: Vec<_> = callers.collect();
    while !callers.iter().all(tokio::task::JoinHandle::is_finished) {
        assert_eq!(wrong(store, &app.project.id).await, []);
        tokio::task::yield_now().await;
    }
    for caller in callers {
        caller.await.unwrap();
    }
    app
}

async fn counts_are_right_at_every_moment_whoever_writes(store: TestStore) {
    let app = live(&store, TestApp::on(&store).await).await;
    let project = &app.project.id;
    assert_eq!(wrong(&store, project).await, []);
    let meta: Meta = app.call(Method::GET, "/meta").send().await.read();
    let translated: u64 = meta.languages.iter().map(|language| language.translated + language.needs_review).sum();
    assert!(meta.key_count > 0 && translated > 0, "{meta:?}");

    // What goes by other ways is counted, too: nothing that deletes has to know of the counts.
    run(&store, "UPDATE translations SET stale = TRUE, state = 'reviewed' WHERE language = 'fr'").await;
    assert_eq!(wrong(&store, project).await, []);
    let active = "SELECT id FROM keys WHERE state = 'active'";
    // In one transaction: the workers may still write translations of these keys.
    let deletion = format!(
        "DELETE FROM code_changes WHERE key_id IN ({active}); DELETE FROM translations WHERE key_id IN ({active}); \
         DELETE FROM keys WHERE state = 'active'; UPDATE projects SET key_count = 0"
    );
    run(&store, &deletion).await;
    assert_eq!(wrong(&store, project).await, []);
    let meta: Meta = app.call(Method::GET, "/meta").send().await.read();
    assert!(meta.languages.iter().all(|language| language.translated + language.reviewed + language.stale == 0));
}

async fn a_count_that_is_wrong_is_named(store: TestStore) {
    let app = TestApp::on(&store).await;
    let project = &app.project.id;
    let keys = json!([{"ref": "a", "text": "A"}, {"ref": "b", "text": "B"}]);
    let answer = app.post("/translate").json(&json!({"keys": keys, "languages": []})).send().await;
    assert!(answer.status < 300 || answer.status == 400, "{answer:?}");
    edit(&app, add("c", "C")).await.unwrap();
    run(&store, "UPDATE key_counts SET number = number + 2 WHERE state = 'active'").await;
    run(&store, "UPDATE projects SET key_count = key_count - 1").await;
    run(&store, &format!("INSERT INTO translation_counts VALUES ('{project}', 'xx', 'translated', 3, 1)")).await;
    let named =
        |wrong: &CounterMismatch| (wrong.what.clone(), wrong.language.clone(), wrong.state.clone(), wrong.too_many);
    let xx = || Some("xx".to_owned());
    assert_eq!(
        wrong(&store, project).await.iter().map(named).collect::<Vec<_>>(),
        [
            ("keys".into(), None, "active".into(), 2),
            ("keys".into(), None, "active".into(), -1),
            ("translations".into(), xx(), "translated".into(), 3),
            ("stale".into(), xx(), "translated".into(), 1),
        ]
    );
}

/// As a database of an earlier release has neither the tables nor the triggers.
async fn a_database_of_an_earlier_release_is_counted_when_it_is_migrated(store: TestStore) {
    // Without workers, whose transactions would wait for the tables that go.
    let app = live(&store, idle(&store).await).await;
    let functions = if store.is_shared() {
        "DROP FUNCTION count_keys CASCADE; DROP FUNCTION count_translations CASCADE;"
    } else {
        ""
    };
    let triggers = ["keys_counted_insert", "keys_counted_delete", "keys_counted_update", "keys_counted_activation"]
        .into_iter()
        .chain(["translations_counted_insert", "translations_counted_delete", "translations_counted_update"])
        .map(|trigger| format!("DROP TRIGGER {trigger};"));
    let triggers = if store.is_shared() { String::new() } else { triggers.collect() };
    let tables =
        "DROP TABLE key_counts; DROP TABLE translation_counts; DELETE FROM _sqlx_migrations WHERE version = 114;";
    run(&store, &format!("{functions}{triggers}{tables}")).await;
    store.migrate().await.unwrap();
    assert_eq!(wrong(&store, &app.project.id).await, []);
    let mut tx = store.begin_read().await.unwrap();
    assert!(!counters::translations(&mut tx, &app.project.id).await.unwrap().is_empty());
}

l10n_server::both_engines!(
    counts_are_right_at_every_moment_whoever_writes,
    a_count_that_is_wrong_is_named,
    a_database_of_an_earlier_release_is_counted_when_it_is_migrated,
);

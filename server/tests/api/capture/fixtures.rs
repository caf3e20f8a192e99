//! Calls of an app, of a pipeline and of a person.

use std::sync::Arc;

use l10n_api_types::Content;
use l10n_api_types::capture::Captured;
use l10n_api_types::pending_code_changes::{CodeChange, CodeChanges, Side};
use l10n_api_types::translations::{KeyDetail, KeyList, Run};
use l10n_server::domain::ServiceError;
use l10n_server::domain::code_changes::edit::Edit;
use l10n_server::engines::Pseudo;
use l10n_server::store::Tx;
use l10n_server::testing::{Answer, TestApp, TestStore};
use serde_json::{Map, Value, json};

/// The person who changes keys on the server.
pub(crate) const PERSON: &str = "ann";

/// A server whose jobs stay queued, so that nothing happens beside what a test does.
pub(crate) async fn idle(store: &TestStore) -> TestApp {
    TestApp::idle(store, |_| {}, Arc::new(Pseudo)).await
}

pub(crate) async fn post_capture(app: &TestApp, keys: &Value) -> Answer {
    app.post("/capture").key(&app.project.keys.capture).json(&json!({ "keys": keys })).send().await
}

pub(crate) async fn capture(app: &TestApp, keys: &Value) -> Captured {
    let answer = post_capture(app, keys).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.read()
}

/// `new`, `known`, `conflicting`.
pub(crate) fn counts(captured: &Captured) -> (u64, u64, u64) {
    (captured.counts.new, captured.counts.known, captured.counts.conflicting)
}

pub(crate) async fn meta(app: &TestApp) -> Value {
    app.get("/meta").send().await.json()
}

/// Texts by ref, as a file of the code has them.
pub(crate) type Code = Vec<(String, String)>;

pub(crate) fn code(texts: &[(&str, &str)]) -> Code {
    texts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

/// The warnings of a run, but not the one about a run before that is still translating.
pub(crate) fn warnings(run: &Run) -> Vec<&str> {
    run.warnings.iter().map(String::as_str).filter(|warning| !warning.starts_with("left to a run")).collect()
}

pub(crate) async fn sync(app: &TestApp, texts: &[(String, String)]) -> Run {
    sync_with(app, texts, "", &json!({})).await
}

pub(crate) async fn sync_with(app: &TestApp, texts: &[(String, String)], query: &str, more: &Value) -> Run {
    let content: Map<String, Value> = texts.iter().map(|(name, text)| (name.clone(), json!(text))).collect();
    let content = Value::Object(content).to_string();
    let mut body = json!({"file": {"path": "en.json", "content": content, "encoding": "utf8", "format": "json"}});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    let answer = app.post(&format!("/sync{query}")).json(&body).send().await;
    assert!(answer.status < 300, "{answer:?}");
    answer.read()
}

/// `new`, `changed`, `unchanged`, `removed`.
pub(crate) fn classes(run: &Run) -> (u64, u64, u64, u64) {
    let counts = run.classification;
    (counts.new, counts.changed, counts.unchanged, counts.removed)
}

/// The active keys, as the list has them.
pub(crate) async fn project(app: &TestApp) -> Code {
    let list: KeyList = app.get("/translations?limit=500").send().await.read();
    list.keys.into_iter().map(|key| (key.r#ref, key.text.unwrap())).collect()
}

pub(crate) async fn key(app: &TestApp, name: &str) -> KeyDetail {
    app.get(&format!("/translations?ref={name}")).send().await.read()
}

pub(crate) async fn pending(app: &TestApp) -> Vec<CodeChange> {
    let answer = app.get("/pending-code-changes?limit=500").key(&app.project.keys.read).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let page: CodeChanges = answer.read();
    assert_eq!(page.next_cursor, None);
    page.changes
}

/// The pending changes, as `kind ref: from -> to`.
pub(crate) async fn shown(app: &TestApp) -> Vec<String> {
    let side = |side: Option<Side>| match side {
        Some(Side::Text(text)) => text,
        Some(Side::Plural(plural)) => {
            let forms = plural.forms.iter().map(|(form, text)| format!("{form} {text}"));
            forms.collect::<Vec<_>>().join(" | ")
        }
        None => "-".to_owned(),
    };
    let line =
        |change: CodeChange| format!("{} {}: {} -> {}", change.kind, change.r#ref, side(change.from), side(change.to));
    pending(app).await.into_iter().map(line).collect()
}

/// An action of a person.
#[derive(Debug, Clone)]
pub(crate) enum Deed {
    Text(String, String),
    Rename(String, String),
    Archive(String),
    Add(String, String),
}

pub(crate) fn text(name: &str, to: &str) -> Deed {
    Deed::Text(name.to_owned(), to.to_owned())
}

pub(crate) fn rename(name: &str, to: &str) -> Deed {
    Deed::Rename(name.to_owned(), to.to_owned())
}

pub(crate) fn archive(name: &str) -> Deed {
    Deed::Archive(name.to_owned())
}

pub(crate) fn add(name: &str, text: &str) -> Deed {
    Deed::Add(name.to_owned(), text.to_owned())
}

/// A person does it, or is refused and has changed nothing.
pub(crate) async fn edit(app: &TestApp, deed: Deed) -> Result<(), ServiceError> {
    let mut tx = app.service.store.begin_write().await?;
    carry_out(app, &mut tx, deed).await?;
    Ok(tx.commit().await?)
}

async fn carry_out(app: &TestApp, tx: &mut Tx, deed: Deed) -> Result<(), ServiceError> {
    let edit = editor(app);
    match deed {
        Deed::Text(name, to) => edit.text(tx, &name, &Content::Text(to)).await.map(drop),
        Deed::Rename(name, to) => edit.rename(tx, &name, &to).await.map(drop),
        Deed::Archive(name) => edit.archive(tx, &name).await,
        Deed::Add(name, text) => edit.add(tx, &name, &Content::Text(text), None).await,
    }
}

pub(crate) fn editor(app: &TestApp) -> Edit<'_> {
    Edit { clock: app.service.clock.as_ref(), settings: &app.service.settings, project: &app.project.id, by: PERSON }
}

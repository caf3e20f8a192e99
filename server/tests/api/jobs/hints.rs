//! The hints that engines get beside the texts of a job: neighbours, similar texts of memory, the style note.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use l10n_api_types::memory::MemoryImport;
use l10n_api_types::translations::Run;
use l10n_server::domain::projects::set_memory;
use l10n_server::engines::{
    Batch, BatchItem, BatchLimits, EngineError, Engines, SupportedHints, TextSegment, Translator, UnitError,
};
use l10n_server::store::projects::MemorySetting;
use l10n_server::testing::{TestApp, TestProject, TestStore};
use serde_json::json;

use crate::jobs::fixtures::{NamedEngine, ended, key, provide, sync, sync_with, taken, text_in, texts, translate};
use crate::jobs::service_glossaries::{set, set_of_workspace};

l10n_server::both_engines!(
    an_engine_gets_the_texts_around_each_in_its_file,
    memory_tells_of_similar_texts_within_its_workspace_and_as_the_project_wants_it,
    an_engine_shares_nothing_of_what_a_project_has_for_itself,
    what_a_project_says_of_its_own_translations_reaches_no_other,
    a_style_note_goes_with_each_batch_that_begins_after_it,
    who_heeds_nothing_is_told_nothing,
);

/// Gives texts back, and keeps what it was asked.
struct Listening {
    supported: SupportedHints,
    asked: Mutex<Vec<Batch>>,
}

impl Listening {
    fn shared(supported: SupportedHints) -> Arc<Self> {
        Arc::new(Self { supported, asked: Mutex::default() })
    }

    /// The German batches since the last time.
    fn german(&self) -> Vec<Batch> {
        let mut asked = std::mem::take(&mut *self.asked.lock().unwrap());
        asked.retain(|batch| batch.target == "de");
        asked
    }

    /// The only batch of these.
    fn batch(&self) -> Batch {
        let mut asked = self.german();
        assert_eq!(asked.len(), 1, "{asked:?}");
        asked.remove(0)
    }
}

#[async_trait]
impl Translator for Listening {
    fn name(&self) -> &str {
        "listening"
    }

    fn supports(&self, _: &str, _: &str) -> bool {
        true
    }

    fn limits(&self) -> BatchLimits {
        BatchLimits::of(1_000, 1_000_000)
    }

    fn supported_hints(&self) -> SupportedHints {
        self.supported
    }

    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        self.asked.lock().unwrap().push(batch.clone());
        Ok(batch.items.iter().map(|item| Ok(item.segments.clone())).collect())
    }
}

/// The item of the key with this name.
fn of_key<'a>(batch: &'a Batch, name: &str) -> &'a BatchItem {
    batch.items.iter().find(|item| item.hints.key.as_deref() == Some(name)).unwrap()
}

fn sources(item: &BatchItem) -> Vec<(&str, u8)> {
    item.hints.similar.iter().map(|one| (one.source.as_str(), one.percent)).collect()
}

async fn an_engine_gets_the_texts_around_each_in_its_file(store: TestStore) {
    let engine = Listening::shared(SupportedHints::All);
    let app = TestApp::translated_by(&store, Arc::clone(&engine) as Arc<dyn Translator>).await;
    let long = "long ".repeat(100);
    let file = json!({"a": "Alpha", "b": "Beta", "c": "Gamma", "d": long, "e": "Epsilon", "f": "Zeta"});
    ended(&app, &taken(sync(&app, "en.json", &file).send().await)).await;
    let batch = engine.batch();
    for (name, before, after) in [
        ("a", &[][..], &["Beta", "Gamma"].map(str::to_owned)[..]),
        ("c", &["Alpha", "Beta"].map(str::to_owned), &["Epsilon"].map(str::to_owned)),
        ("d", &["Beta", "Gamma"].map(str::to_owned), &["Epsilon", "Zeta"].map(str::to_owned)),
        ("f", &["Epsilon"].map(str::to_owned), &[]),
    ] {
        let neighbours = &of_key(&batch, name).hints.neighbours;
        assert_eq!((&neighbours.before[..], &neighbours.after[..]), (before, after), "{name}");
    }

    // A key without a file has none, and those of another file are none.
    ended(&app, &taken(translate(&app, &texts([("z", "Omega"), ("y", "Psi")])).send().await)).await;
    let other = json!({"g": "Eta"});
    ended(&app, &taken(sync(&app, "other.json", &other).send().await)).await;
    for batch in engine.german() {
        assert!(batch.items.iter().all(|item| item.hints.neighbours == Default::default()), "{batch:?}");
    }

    // Keys that are gone are none either.
    let file = json!({"a": "Alpha", "c": "Gamma", "cc": "New", "e": "Epsilon"});
    ended(&app, &taken(sync_with(&app, "", "en.json", &file, json!({"onRemoved": "archive"})).send().await)).await;
    let neighbours = of_key(&engine.batch(), "cc").hints.neighbours.clone();
    assert_eq!((neighbours.before, neighbours.after), (vec!["Alpha".into(), "Gamma".into()], vec!["Epsilon".into()]));
}

async fn memory_tells_of_similar_texts_within_its_workspace_and_as_the_project_wants_it(store: TestStore) {
    let engine = Listening::shared(SupportedHints::All);
    let app = TestApp::translated_by(&store, Arc::clone(&engine) as Arc<dyn Translator>).await;
    let elsewhere = app.other_project("unlimited").await;
    let many: Vec<(String, String)> =
        (0..60).map(|number| (format!("k{number}"), format!("Message number {number} of the list"))).collect();
    let first = texts(
        many.iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .chain([("save", "Save the whole document"), ("ask", "Do you want to restart the printer?")]),
    );
    ended(&app, &taken(translate(&app, &first).send().await)).await;
    let reviewed = ["save"];
    let mut tx = app.service.store.begin_write().await.unwrap();
    l10n_server::domain::review::review(&mut tx, &app.clock, &app.project.id, "de", &reviewed).await.unwrap();
    tx.commit().await.unwrap();
    app.indexed().await;
    engine.german();

    let near = [("new.save", "Save the whole documents"), ("new.ask", "Do you want to restart the computer?")];
    let far = [("far", "Nothing like any of these"), ("new.list", "Message number 7 of the lists")];
    ended(&app, &taken(translate(&app, &texts(near.into_iter().chain(far))).send().await)).await;
    let batch = engine.batch();
    assert_eq!(sources(of_key(&batch, "new.save")), [("Save the whole document", 95)]);
    assert_eq!(of_key(&batch, "new.save").hints.similar[0].translation, "Save the whole document");
    assert_eq!(sources(of_key(&batch, "new.ask"))[0].0, "Do you want to restart the printer?");
    assert_eq!(sources(of_key(&batch, "far")), []);
    let listed = sources(of_key(&batch, "new.list"));
    assert_eq!((listed.len(), listed[0].0), (2, "Message number 7 of the list"), "{listed:?}");

    // Another workspace is told nothing of it.
    let body = json!({"keys": texts([("a", "Save the whole documents!")])});
    let path = format!("/v1/projects/{}/translate", elsewhere.id);
    let answer = app.at(http::Method::POST, &path).key(&elsewhere.keys.admin).json(&body).send().await;
    assert_eq!(answer.status, 202);
    while engine.asked.lock().unwrap().is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    assert!(
        engine.asked.lock().unwrap().iter().flat_map(|batch| &batch.items).all(|item| item.hints.similar.is_empty())
    );

    for setting in [MemorySetting::Off, MemorySetting::Project] {
        let mut tx = app.service.store.begin_write().await.unwrap();
        set_memory(&mut tx, &app.project.id, setting).await.unwrap();
        tx.commit().await.unwrap();
        engine.german();
        let name = format!("again.{}", setting.as_str());
        let text = format!("Save the whole documents {}", setting.as_str());
        ended(&app, &taken(translate(&app, &texts([(name.as_str(), text.as_str())])).send().await)).await;
        // The reviewed one is the project's own, too.
        let expected = usize::from(setting == MemorySetting::Project);
        let own: Vec<_> = engine.german();
        let item = own.iter().flat_map(|batch| &batch.items).find(|item| item.hints.key == Some(name.clone()));
        assert_eq!(item.unwrap().hints.similar.len(), expected, "{setting:?}");
    }
}

/// The wording that a project's own terms and its style note have an engine choose is no other project's: whoever may state them
/// writes no texts of others. What nothing of its own took part in is shared as before, and its own texts stay free of charge.
async fn what_a_project_says_of_its_own_translations_reaches_no_other(store: TestStore) {
    let engine = Listening::shared(SupportedHints::All);
    let app = TestApp::translated_by(&store, Arc::clone(&engine) as Arc<dyn Translator>).await;
    let other = app.project_beside("other").await;
    let of_all = json!([{"term": "cart", "language": "en", "translations": {"de": "Korb"}}]);
    set_of_workspace(&app, &app.project.handle, of_all).await;
    let own = json!([
        {"term": "Save", "translations": {"de": "Löschen"}},
        {"term": "Kasse", "language": "de", "rule": "forbidden"},
    ]);
    set(&app, &app.project, own).await;
    let asked = ["Save it", "Your cart", "Nothing of it", "Kasse"];
    let translated = async |asked: &[&str]| {
        let keys = texts(asked.iter().map(|text| (*text, *text)));
        ended(&app, &taken(app.post("/translate").json(&json!({"keys": keys, "languages": ["de"]})).send().await))
            .await;
    };
    translated(&asked).await;
    assert_eq!(of_key(&engine.batch(), "Save it").glossary[0].translation.as_deref(), Some("Löschen"));
    assert_eq!(remembered(&app, &app.project, asked).await, [1, 1, 1, 1]);
    assert_eq!(remembered(&app, &other, asked).await, [0, 1, 1, 1]);

    provide(&app, json!({"styleNote": "Say the opposite."})).await.unwrap();
    let styled = ["Nobody else", "Another cart"];
    translated(&styled).await;
    assert_eq!(remembered(&app, &app.project, styled).await, [1, 1]);
    assert_eq!(remembered(&app, &other, styled).await, [0, 0]);
}

/// The number of these texts that memory has for a project in German.
pub(super) async fn remembered<const N: usize>(app: &TestApp, project: &TestProject, asked: [&str; N]) -> [u64; N] {
    let path = format!("/v1/projects/{}/translate?dryRun=true", project.id);
    let mut found = [0; N];
    for (found, text) in found.iter_mut().zip(asked) {
        let body = json!({"keys": texts([("asked", text)]), "languages": ["de"]});
        let run: Run = app.at(http::Method::POST, &path).key(&project.keys.admin).json(&body).send().await.read();
        *found = run.per_language[0].from_memory;
    }
    found
}

/// A text that is made with the help of an import serves its own project alone, too, until a person has reviewed the import.
async fn an_engine_shares_nothing_of_what_a_project_has_for_itself(store: TestStore) {
    let engine = Listening::shared(SupportedHints::All);
    let shy = NamedEngine::shared("careful", true);
    let app =
        TestApp::translated_by_all(&store, Engines::new(vec![shy, Arc::clone(&engine) as Arc<dyn Translator>])).await;
    let other = app.project_beside("other").await;
    let unit = |english: &str, german: &str| {
        format!(
            "<tu><tuv xml:lang=\"en\"><seg>{english}</seg></tuv><tuv xml:lang=\"de\"><seg>{german}</seg></tuv></tu>"
        )
    };
    let units = [unit("Save the whole document!", "Geheim sichern!"), unit("Open a small window!", "Fenster auf!")];
    let body = json!({"content": format!("<tmx><body>{}</body></tmx>", units.concat()), "encoding": "utf8"});
    assert_eq!(app.post("/memory/import").json(&body).send().await.read::<MemoryImport>().added, 2);
    app.indexed().await;

    let [hinted, plain, unheeding] = ["Save the whole documents!", "Print nothing!", "Save the whole document"];
    let body = json!({"keys": texts([("a", hinted), ("b", plain), ("c", unheeding)]), "languages": ["de"]});
    ended(&app, &taken(app.post("/translate").json(&body).send().await)).await;
    let batch = engine.batch();
    assert_eq!(of_key(&batch, "a").hints.similar[0].translation, "Geheim sichern!");
    assert_eq!(sources(of_key(&batch, "b")), []);
    let asked = [hinted, plain, unheeding];
    assert_eq!(remembered(&app, &app.project, asked).await, [1, 1, 1]);
    assert_eq!(remembered(&app, &other, asked).await, [0, 1, 1], "the first engine of the chain reads no hints");

    // A reviewed text is the workspace's as well, and so is what is made with it.
    taken(translate(&app, &texts([("d", "Open a small window!")])).send().await);
    assert_eq!(text_in(&key(&app, "d").await, "de"), Some("Fenster auf!"));
    let mut tx = app.service.store.begin_write().await.unwrap();
    l10n_server::domain::review::review(&mut tx, &app.clock, &app.project.id, "de", &["d"]).await.unwrap();
    tx.commit().await.unwrap();
    app.indexed().await;
    let shared = "Open a small window!!";
    let body = json!({"keys": texts([("e", shared)]), "languages": ["de"]});
    ended(&app, &taken(app.post("/translate").json(&body).send().await)).await;
    assert_eq!(of_key(&engine.batch(), "e").hints.similar[0].translation, "Fenster auf!");
    assert_eq!(remembered(&app, &other, [shared]).await, [1]);
}

async fn a_style_note_goes_with_each_batch_that_begins_after_it(store: TestStore) {
    let engine = Listening::shared(SupportedHints::Context);
    let app = TestApp::translated_by(&store, Arc::clone(&engine) as Arc<dyn Translator>).await;
    let style = async |name: &str| {
        ended(&app, &taken(translate(&app, &texts([(name, name)])).send().await)).await;
        let batch = engine.batch();
        assert!(batch.items[0].hints.similar.is_empty());
        batch.style.map(|style| style.to_string())
    };
    assert_eq!(style("one").await, None);
    provide(&app, json!({"styleNote": " Short and friendly.\r\nFor dentists. "})).await.unwrap();
    assert_eq!(style("two").await.as_deref(), Some("Short and friendly.\nFor dentists."));
    provide(&app, json!({})).await.unwrap();
    assert!(style("three").await.is_some(), "what is left out stays");
    provide(&app, json!({"styleNote": ""})).await.unwrap();
    assert_eq!(style("four").await, None);
    let error = provide(&app, json!({"styleNote": "x".repeat(1_001)})).await.unwrap_err();
    assert!(error.contains("projects[0].styleNote: a style note must be at most 1000 characters long"), "{error}");
}

async fn who_heeds_nothing_is_told_nothing(store: TestStore) {
    let engine = Listening::shared(SupportedHints::Nothing);
    let app = TestApp::translated_by(&store, Arc::clone(&engine) as Arc<dyn Translator>).await;
    provide(&app, json!({"styleNote": "Short."})).await.unwrap();
    ended(&app, &taken(sync(&app, "en.json", &json!({"a": "Alpha", "b": "Beta"})).send().await)).await;
    let batch = engine.batch();
    assert_eq!(batch.style, None);
    assert!(batch.items.iter().all(|item| *item.hints == Default::default()));
}

//! Publishes of large projects: how long others wait for the writer meanwhile, and how much memory they take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use l10n_api_types::output_formats::EmptyAs;
use l10n_api_types::{Content, FormatId, Origin, State, Timestamp};
use l10n_server::http::ConnectionTimeouts;
use l10n_server::store::keys::NewKey;
use l10n_server::store::languages::Language;
use l10n_server::store::output_formats::OutputFormat;
use l10n_server::store::translations::NewTranslation;
use l10n_server::store::{Store, keys, languages, output_formats, projects, translations};
use l10n_server::testing::{TestApp, TestStore, plain_key};

use super::{large_project, memory, publish};

const KEYS: usize = 10_000;
const FORMATS: usize = 50;
const MILLION: i64 = 1_000_000;

/// Beside `en`, `de` and `fr`, which a test project has.
const MORE: [&str; 39] = [
    "ar", "bg", "bn", "ca", "cs", "da", "el", "es", "et", "fa", "fi", "gl", "gu", "he", "hi", "hr", "hu", "id", "is",
    "it", "ja", "ka", "kk", "ko", "lt", "lv", "ms", "nl", "pl", "pt-BR", "pt-PT", "ro", "ru", "sk", "sl", "sv", "th",
    "tr", "uk",
];

/// 10,000 keys in 42 languages and 50 output formats: what others wait.
pub(super) async fn many_formats(engine: &str, store: &TestStore) {
    let app = TestApp::with(store, |_| {}, ConnectionTimeouts::default()).await;
    fill(&app).await;
    for name in ["first publish", "publish again, unchanged"] {
        let probe = Probe::begin(&app).await;
        memory::reset_peak();
        let (took, published) = publish(&app).await;
        let (writes, longest) = probe.end().await;
        println!(
            "{engine}: {name}: {KEYS} keys, 42 languages, {FORMATS} formats, {} files: {:.2} s, peak {} MiB; another \
             tenant's {writes} writes meanwhile took {} ms at most",
            published.files,
            took.as_secs_f64(),
            memory::peak(),
            longest.as_millis(),
        );
    }
}

/// 1,000,000 keys: memory.
pub(super) async fn many_keys(engine: &str, store: &TestStore) {
    let app = TestApp::with(store, |_| {}, ConnectionTimeouts::default()).await;
    let mut tx = app.service.store.begin_write().await.unwrap();
    large_project::load(&mut tx, &app.project.id, MILLION, &["de"]).await;
    tx.commit().await.unwrap();
    for name in ["first publish", "publish again, unchanged"] {
        let probe = Probe::begin(&app).await;
        memory::reset_peak();
        let before = memory::peak();
        let (took, published) = publish(&app).await;
        let (writes, longest) = probe.end().await;
        println!(
            "{engine}: {name}: {MILLION} keys, {} files: {:.2} s, memory {before} MiB before, peak {} MiB; another tenant's \
             {writes} writes meanwhile took {} ms at most",
            published.files,
            took.as_secs_f64(),
            memory::peak(),
            longest.as_millis(),
        );
    }
}

/// Writes of another tenant, one after the other.
struct Probe {
    ended: Arc<AtomicBool>,
    task: tokio::task::JoinHandle<(usize, Duration)>,
}

impl Probe {
    async fn begin(app: &TestApp) -> Self {
        let other = app.other_project("unlimited").await;
        let (store, ended): (Store, Arc<AtomicBool>) = (app.service.store.clone(), Arc::default());
        let until = Arc::clone(&ended);
        let task = tokio::spawn(async move {
            let (mut count, mut longest) = (0, Duration::ZERO);
            while !until.load(Ordering::SeqCst) {
                let began = Instant::now();
                let mut tx = store.begin_write().await.unwrap();
                projects::rename(&mut tx, &other.id, &format!("Renamed {count}")).await.unwrap();
                tx.commit().await.unwrap();
                longest = longest.max(began.elapsed());
                count += 1;
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            (count, longest)
        });
        Self { ended, task }
    }

    async fn end(self) -> (usize, Duration) {
        self.ended.store(true, Ordering::SeqCst);
        self.task.await.unwrap()
    }
}

async fn fill(app: &TestApp) {
    let (now, project) = (Timestamp::from_millis(0), app.project.id.as_str());
    let texts: Vec<(String, String, Content)> = (0..KEYS)
        .map(|number| {
            let text = format!("Text number {number}, which says {{name}} what there is to do about it");
            (format!("str_{number:026}"), format!("page{}.section.key{number}", number % 40), Content::Text(text))
        })
        .collect();
    let rows: Vec<NewKey<'_>> = (0i64..)
        .zip(&texts)
        .map(|(position, (id, name, source))| NewKey { position, ..plain_key(id, name, source, now) })
        .collect();
    let mut tx = app.service.store.begin_write().await.unwrap();
    let more = (3i64..).zip(MORE);
    let more: Vec<Language> = more
        .map(|(position, code)| Language { code: code.into(), is_base: false, position, created_at: now })
        .collect();
    languages::insert(&mut tx, &project.into(), &more).await.unwrap();
    keys::upsert(&mut tx, &project.into(), &rows).await.unwrap();
    projects::add_counts(&mut tx, &project.into(), KEYS as i64, 1).await.unwrap();
    let formats: Vec<OutputFormat> = (0..FORMATS)
        .map(|number| OutputFormat {
            id: format!("fmt_{number:026}"),
            format: [FormatId::Json, FormatId::I18next, FormatId::Arb][number % 3],
            path: format!("{number}/{{language}}.x"),
            empty_as: if number % 2 == 0 { EmptyAs::Skip } else { EmptyAs::Base },
            namespaces: None,
        })
        .collect();
    output_formats::replace(&mut tx, &project.into(), &formats).await.unwrap();
    tx.commit().await.unwrap();
    for language in ["de", "fr"].into_iter().chain(MORE) {
        let said = |number| format!("[{language}] Ťéxt ñümbér {number}, {{name}}, ŵhích šáýš ŵhát thérè íš ţô dô");
        let contents: Vec<Content> = (0..KEYS).map(|number| Content::Text(said(number))).collect();
        let rows: Vec<NewTranslation<'_>> = rows
            .iter()
            .zip(&contents)
            .map(|(key, content)| NewTranslation {
                key_id: key.id,
                language,
                content,
                state: State::Translated,
                source_hash: key.source_hash,
                origin: Origin::Machine,
                engine: Some("bench"),
                issues: &[],
            })
            .collect();
        let mut tx = app.service.store.begin_write().await.unwrap();
        translations::upsert(&mut tx, &project.into(), &rows, now).await.unwrap();
        tx.commit().await.unwrap();
    }
}

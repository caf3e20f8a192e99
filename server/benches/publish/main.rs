//! Duration of a publish, and bundle reads per second. `cargo bench -p l10n-server --bench publish`
//!
//! Prints one line for each figure, on SQLite and, where there is one, on PostgreSQL.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench ends at the first fault and prints its figures")]

use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt as _;
use l10n_api_types::publish::{Publish, Published};
use l10n_api_types::{Content, FormatId, KeyKind, Origin, Scope, State};
use l10n_server::domain::{Caller, publish};
use l10n_server::http::ConnectionTimeouts;
use l10n_server::store::keys::NewKey;
use l10n_server::store::languages::Language;
use l10n_server::store::source_files::NewSourceFile;
use l10n_server::store::translations::NewTranslation;
use l10n_server::store::{keys, languages, projects, source_files, translations};
use l10n_server::testing::{TestApp, TestStore, plain_key};
use sha2::{Digest as _, Sha256};
use tower::ServiceExt as _;

mod large;
#[path = "../fixtures/large_project.rs"]
mod large_project;
#[path = "../fixtures/memory.rs"]
mod memory;

const KEYS: usize = 8_000;
/// Beside the three that a test project has.
const MORE_LANGUAGES: [&str; 7] = ["es", "it", "ja", "ko", "nl", "pl", "pt-BR"];

#[tokio::main]
async fn main() {
    // `cargo bench … -- million` for a part alone.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let runs = |part: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == part);
    for engine in ["sqlite", "postgres"] {
        for part in ["usual", "formats", "million"] {
            if !runs(part) {
                continue;
            }
            let store = match engine {
                "sqlite" => Some(TestStore::sqlite().await),
                _ => TestStore::postgres().await,
            };
            let Some(store) = store else { continue };
            match part {
                "usual" => measure(engine, &store).await,
                "formats" => large::many_formats(engine, &store).await,
                _ => large::many_keys(engine, &store).await,
            }
            store.remove().await;
        }
    }
}

/// Publishes as the route does; how long it took and what it answers.
async fn publish(app: &TestApp) -> (Duration, Published) {
    let caller = Caller {
        project: app.project.id.clone(),
        workspace: app.project.workspace.clone(),
        key: "key_bench".into(),
        scopes: vec![Scope::Publish],
        kind: KeyKind::Ci,
        request: "bench".into(),
    };
    let (began, asked) = (Instant::now(), Publish::default());
    let _turn = publish::turn(app.service.publishing(), &caller).await.unwrap();
    let ahead = publish::ahead(app.service.publishing(), &caller, &asked).await.unwrap();
    let mut tx = app.service.store.begin_write().await.unwrap();
    let published = publish::create(&mut tx, app.service.publishing(), &caller, &asked, &ahead).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    (began.elapsed(), published)
}

async fn measure(engine: &str, store: &TestStore) {
    let app =
        TestApp::with(store, |settings| settings.limits.requests_per_minute = u32::MAX, ConnectionTimeouts::default())
            .await;
    fill(&app).await;
    let mut version = String::new();
    for name in ["first publish", "publish again, unchanged"] {
        let (took, published) = publish(&app).await;
        let files = published.files;
        println!("{engine}: {name}: {KEYS} keys in {files} languages: {:.2} s", took.as_secs_f64());
        version = published.version_id.into();
    }
    println!("{engine}: peak memory so far: {} MiB", memory::peak());

    let router = l10n_server::app::router(app.service.clone());
    let bundle = format!("/v1/projects/{}/bundles/{version}/locales/de.json", app.project.id);
    let live = format!("/v1/projects/{}/bundles/live/locales/de.json", app.project.id);
    let manifest = format!("/v1/projects/{}/manifest", app.project.id);
    for (name, path, header) in [
        ("bundle", &bundle, None),
        ("bundle, If-None-Match", &bundle, Some(("if-none-match", "*"))),
        ("bundle, gzip", &bundle, Some(("accept-encoding", "gzip"))),
        ("bundle, br", &bundle, Some(("accept-encoding", "br"))),
        ("live bundle, If-None-Match", &live, Some(("if-none-match", "*"))),
        ("manifest", &manifest, None),
    ] {
        let (rate, bytes) = reads(&router, path, header).await;
        println!("{engine}: {name}: {rate:.0} reads/s of {bytes} bytes, 4 at a time, without the network");
    }
}

/// Reads for two seconds, four at a time.
async fn reads(router: &Router, path: &str, header: Option<(&'static str, &'static str)>) -> (f64, usize) {
    let began = Instant::now();
    let readers = (0..4).map(|_| {
        let (router, path) = (router.clone(), path.to_owned());
        tokio::spawn(async move {
            let (mut count, mut bytes) = (0usize, 0);
            while began.elapsed() < Duration::from_secs(2) {
                let mut request = Request::get(&path);
                if let Some((name, value)) = header {
                    request = request.header(name, value);
                }
                let response = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
                assert!(response.status().as_u16() < 400);
                bytes = response.into_body().collect().await.unwrap().to_bytes().len();
                count += 1;
            }
            (count, bytes)
        })
    });
    let (mut count, mut bytes) = (0, 0);
    for reader in readers.collect::<Vec<_>>() {
        let (own, size) = reader.await.unwrap();
        (count, bytes) = (count + own, size);
    }
    (count as f64 / began.elapsed().as_secs_f64(), bytes)
}

/// One synced file of 8,000 keys, translated into nine languages.
async fn fill(app: &TestApp) {
    let now = l10n_api_types::Timestamp::from_millis(0);
    let project = &app.project.id;
    let texts: Vec<(String, String, Content)> = (0..KEYS)
        .map(|number| {
            let text = format!("Text number {number}, which says {{name}} what there is to do about it");
            (format!("str_{number:026}"), format!("page{}.section.key{number}", number % 40), Content::Text(text))
        })
        .collect();
    let new = |(position, (id, name, source)): (i64, &'_ (String, String, Content))| {
        (position, id.clone(), name.clone(), source.clone())
    };
    let rows: Vec<_> = (0i64..).zip(&texts).map(new).collect();
    let keys: Vec<NewKey<'_>> = rows
        .iter()
        .map(|(position, id, name, source)| NewKey {
            source_path: Some("locales/en.json"),
            position: *position,
            ..plain_key(id, name, source, now)
        })
        .collect();
    let mut file = String::from("{\n");
    for (at, (_, name, content)) in texts.iter().enumerate() {
        let Content::Text(text) = content else { continue };
        file.push_str(&format!("{}  {}: {}", if at == 0 { "" } else { ",\n" }, json(name), json(text)));
    }
    file.push_str("\n}\n");

    let mut tx = app.service.store.begin_write().await.unwrap();
    let more: Vec<Language> = (3i64..)
        .zip(MORE_LANGUAGES)
        .map(|(position, code)| Language { code: code.into(), is_base: false, position, created_at: now })
        .collect();
    languages::insert(&mut tx, project, &more).await.unwrap();
    keys::upsert(&mut tx, project, &keys).await.unwrap();
    projects::add_counts(&mut tx, project, KEYS as i64, 1).await.unwrap();
    let source = NewSourceFile {
        path: "locales/en.json",
        format: FormatId::Json.as_str(),
        namespace: None,
        holds_all_languages: false,
        content: file.as_bytes(),
        sha256: Sha256::digest(&file).into(),
        synced_at: now,
    };
    source_files::keep(&mut tx, project, source).await.unwrap();
    for language in ["de", "fr"].into_iter().chain(MORE_LANGUAGES) {
        let contents: Vec<Content> = (0..KEYS)
            .map(|number| {
                Content::Text(format!("[{language}] Ťéxt ñümbér {number}, {{name}}, ŵhích šáýš ŵhát thérè íš ţô dô"))
            })
            .collect();
        let rows: Vec<NewTranslation<'_>> = keys
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
        translations::upsert(&mut tx, project, &rows, now).await.unwrap();
    }
    tx.commit().await.unwrap();
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

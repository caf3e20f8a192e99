//! The time that pages of the dashboard take on the server. `cargo bench -p l10n-server --bench pages [-- usual|million]`
//!
//! Prints the median and the slowest of 20 requests for each page, beside its limit, on SQLite and, where there is one, on
//! PostgreSQL: `usual` is 8,000 keys in 10 languages (limit: 30 ms), `million` is 1,000,000 keys in two (60 ms).

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench ends at the first fault and prints its figures"
)]

use std::time::{Duration, Instant};

use http::Method;
use l10n_api_types::Timestamp;
use l10n_server::clock::Clock as _;
use l10n_server::domain::Actor;
use l10n_server::domain::access::Role;
use l10n_server::domain::people::links::LinkValidity;
use l10n_server::domain::people::{SignInClient, members, sign_in, users};
use l10n_server::http::ConnectionTimeouts;
use l10n_server::store::languages;
use l10n_server::store::languages::Language;
use l10n_server::testing::{TestApp, TestStore, dashboard_pages};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

#[path = "../fixtures/large_project.rs"]
mod large_project;
#[path = "../fixtures/memory.rs"]
mod memory;

/// Requests for each page.
const REQUESTS: usize = 20;
/// Beside `en`, `de` and `fr`, which a test project has.
const MORE: [&str; 7] = ["es", "it", "ja", "ko", "nl", "pl", "pt-BR"];

/// A project, and how long its pages may take.
struct Size {
    name: &'static str,
    keys: i64,
    languages: &'static [&'static str],
    limit: Duration,
}

const SIZES: [Size; 2] = [
    Size {
        name: "usual",
        keys: 8_000,
        languages: &["de", "fr", "es", "it", "ja", "ko", "nl", "pl", "pt-BR"],
        limit: Duration::from_millis(30),
    },
    Size { name: "million", keys: 1_000_000, languages: &["de"], limit: Duration::from_millis(60) },
];

#[tokio::main]
async fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    for engine in ["sqlite", "postgres"] {
        for size in &SIZES {
            if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == size.name) {
                continue;
            }
            let store = match engine {
                "sqlite" => Some(TestStore::sqlite().await),
                _ => TestStore::postgres().await,
            };
            let Some(store) = store else { continue };
            measure(engine, size, &store).await;
            store.remove().await;
        }
    }
}

async fn measure(engine: &str, size: &Size, store: &TestStore) {
    let app = TestApp::with(store, |_| {}, ConnectionTimeouts::default()).await;
    let version = fill(&app, size).await;
    let ids = ids(&app, version).await;
    let cookie = format!("__Host-l10n={}", sign_in_owner(&app).await);
    println!("{engine}, {}: {} keys, {} target languages", size.name, size.keys, size.languages.len());
    memory::reset_peak();
    let before = memory::peak();
    // The ids of what a page is about stand in the links of the pages before it.
    let mut links: Vec<String> = Vec::new();
    for page in dashboard_pages().iter().filter(|page| page.method == "GET" && !page.is_public) {
        let path = page.path.replace("{handle}", &app.project.handle).replace("{slug}", &app.project.slug);
        let path = ids.iter().fold(path, |path, (place, id)| path.replace(place, id));
        let Some(path) = linked(path, &links) else {
            println!("  nothing to show {}", page.path);
            continue;
        };
        let request = || app.at(Method::GET, &path).no_key().header("cookie", &cookie);
        let first = request().send().await;
        // The sign-in with an identity provider, of which there is none here.
        if first.status == 303 {
            println!("  leads elsewhere {}", page.path);
            continue;
        }
        links.extend(first.text().split("href=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
        let (mut took, mut bytes) = (Vec::new(), 0);
        for _ in 0..REQUESTS {
            let began = Instant::now();
            let answer = request().send().await;
            took.push(began.elapsed());
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            bytes = answer.bytes.len();
        }
        took.sort_unstable();
        let (median, slowest) = (took[REQUESTS / 2], took[REQUESTS - 1]);
        println!(
            "  {:6.1} ms ({:4.2} of the limit), slowest {:6.1} ms, {:5.1} KB  {}",
            median.as_secs_f64() * 1e3,
            median.as_secs_f64() / size.limit.as_secs_f64(),
            slowest.as_secs_f64() * 1e3,
            bytes as f64 / 1e3,
            page.path
        );
    }
    println!("  memory: {before} MiB before, peak {} MiB", memory::peak());
}

/// The path itself, if it has no places, else the last link that fits it.
fn linked(path: String, links: &[String]) -> Option<String> {
    if !path.contains('{') {
        return Some(path);
    }
    let fits = |link: &&String| {
        let (wanted, parts) = (path.split('/'), link.split('/'));
        wanted.clone().count() == parts.clone().count()
            && wanted.zip(parts).all(|(wanted, part)| wanted == part || (wanted.starts_with('{') && part != "new"))
    };
    links.iter().rfind(fits).cloned()
}

/// Loads the project, publishes it twice with a change between, and changes it once more; the id of the live version.
async fn fill(app: &TestApp, size: &Size) -> String {
    let mut tx = app.service.store.begin_write().await.unwrap();
    let more = (3i64..).zip(MORE).take(size.languages.len().saturating_sub(2));
    let now = Timestamp::from_millis(0);
    let more: Vec<Language> = more
        .map(|(position, code)| Language { code: code.into(), is_base: false, position, created_at: now })
        .collect();
    languages::insert(&mut tx, &app.project.id, &more).await.unwrap();
    large_project::load(&mut tx, &app.project.id, size.keys, size.languages).await;
    tx.commit().await.unwrap();
    change(app, "First").await;
    let published = app.post("/publish").json(&json!({})).send().await;
    assert_eq!(published.status, 201, "{}", published.text());
    change(app, "Next").await;
    let published: Value = app.post("/publish").json(&json!({})).send().await.json();
    change(app, "Last").await;
    published["versionId"].as_str().unwrap().to_owned()
}

/// The ids that stand in the places of the paths.
async fn ids(app: &TestApp, version: String) -> Vec<(&'static str, String)> {
    let webhook = json!({ "url": "https://93.184.216.34/hooks", "events": ["content.published"] });
    let webhook: Value = app.post("/webhooks").json(&webhook).send().await.json();
    let wanted = json!({ "kind": "publish" });
    let seen = json!({ "keys": [{ "ref": "seen.in.app", "text": "Seen" }] });
    let terms = json!({ "terms": [{ "term": "Harbour", "rule": "keep" }] });
    let formats = json!({ "outputFormats": [{ "format": "json", "path": "locales/{language}.json" }] });
    let calls = [app.post("/capture").json(&seen), app.call(Method::PUT, "/glossary").json(&terms)];
    for call in calls.into_iter().chain([app.post("/output-formats").json(&formats)]) {
        let answer = call.send().await;
        assert!(answer.status < 300, "{}", answer.text());
    }
    app.post("/publish").json(&json!({})).send().await;
    let operation = app.post("/operations").key(&app.project.keys.agent).json(&wanted).send().await.json();
    let id = |answer: &Value, name: &str| answer[name].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    vec![
        ("{versionId}", version),
        ("{code}", "de".to_owned()),
        ("{webhookId}", id(&webhook, "webhookId")),
        ("{operationId}", id(&operation, "operationId")),
    ]
}

/// Syncs 200 keys, 100 of which are new the first time.
async fn change(app: &TestApp, word: &str) {
    let texts: serde_json::Map<String, Value> = (1..=200)
        .map(|number| match number {
            ..=100 => (format!("section{number}.key{number}"), json!(format!("{word} number {number}"))),
            _ => (format!("more.key{number}"), json!(format!("{word} number {number}"))),
        })
        .collect();
    let file =
        json!({ "path": "en.json", "content": Value::Object(texts).to_string(), "encoding": "utf8", "format": "json" });
    let answer = app.post("/sync").json(&json!({ "file": file })).send().await;
    assert!(answer.status < 300, "{}", answer.text());
}

/// The token of an owner's session.
async fn sign_in_owner(app: &TestApp) -> String {
    let operator = Actor::Operator { name: "root".to_owned() };
    let (mut tx, now) = (app.service.store.begin_write().await.unwrap(), app.clock.now());
    let (person, _) = users::create(&mut tx, now, "owner@example.com", "").await.unwrap();
    members::put(&mut tx, now, &operator, &app.project.workspace, &person, Role::Owner).await.unwrap();
    let link = users::sign_in_link(&mut tx, now, &operator, &person.email, LinkValidity::Brief).await.unwrap();
    tx.commit().await.unwrap();
    let client = SignInClient { address: [127, 0, 0, 1].into(), user_agent: String::new() };
    let session = sign_in::with_link(app.service.people(), link.expose_secret(), &client).await.unwrap().unwrap();
    session.token.expose_secret().to_owned()
}

//! Translates a folder of Markdown into a site in several languages with one command: it starts a server on a temporary
//! SQLite file, pushes, prices, translates and publishes, and writes the translated documents with their markup
//! unchanged.
//!
//!     cargo run --release --example content_site [-- path/to/docs]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use l10n_client::Client;
use l10n_client::api::content::{DocumentFormat, NewDocument, RunBody};
use l10n_client::api::publish::Publish;
use l10n_server::clock::SystemClock;
use l10n_server::config::Settings;
use l10n_server::domain::provision::{Description, provision};
use l10n_server::engines::Pseudo;
use l10n_server::service::Service;
use l10n_server::store::Store;
use l10n_server::vault::MasterKey;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

const LANGUAGES: [&str; 2] = ["de", "pl"];

#[tokio::main]
async fn main() -> Result<()> {
    let source = std::env::args_os().nth(1).map_or_else(sample, PathBuf::from);
    let folder = tempfile::Builder::new().prefix("l10n-site-").tempdir()?;
    let shutdown = CancellationToken::new();
    let (server, base_url, api_key) = start(&folder.path().join("l10n.sqlite"), shutdown.clone()).await?;
    let project =
        Client::builder(&base_url).api_key(api_key).no_proxy().build()?.projects().find("demo", "site").await?;
    project.languages().add(LANGUAGES).await?;
    let content = project.content();

    // 1. Each file is a document; its path is its external id.
    let mut documents = Vec::new();
    for path in markdown(&source)? {
        let body = std::fs::read_to_string(source.join(&path)).with_context(|| path.clone())?;
        let document = NewDocument { external_id: Some(path), ..NewDocument::new(DocumentFormat::Markdown, body) };
        let document = content.create(&document).await?;
        println!("{} is \"{}\" with {} segments", name(&document.external_id), document.title, document.segments.total);
        documents.push(document);
    }
    ensure!(!documents.is_empty(), "{} holds no Markdown", source.display());

    // 2. The price, then the run itself and its job.
    for document in &documents {
        let all = RunBody::default();
        let price = content.run_dry_run(document.doc_id.clone(), &all).await?.estimated_credits;
        let run = content.run(document.doc_id.clone(), &all).await?;
        let Some(token) = run.tracking_token else { continue };
        let job = content.wait(&token, |_| {}).await?;
        ensure!(job.progress.failed == 0, "{} texts failed: {:?}", job.progress.failed, job.failures.first());
        println!("Translated {} for {} of at most {price} credits", name(&document.external_id), job.credits_charged);
    }

    // 3. All of them go live in one publish, each with all its languages.
    let published = project.publish_content(&Publish::default()).await?;
    ensure!(published.summary.docs_held == 0, "held back: {:?}", published.documents);
    println!("Published {} documents:\n", published.summary.docs_published);

    // 4. The source of the translated site: a folder for each language.
    let site = folder.keep();
    for language in LANGUAGES {
        for document in &documents {
            let text = content.published(document.doc_id.clone(), language).await?.body.unwrap_or_default();
            let path = site.join(language).join(name(&document.external_id));
            std::fs::create_dir_all(path.parent().unwrap_or(&site))?;
            std::fs::write(&path, text)?;
            println!("  {}", path.display());
        }
    }
    shutdown.cancel();
    server.await??;
    println!("\nDone.");
    Ok(())
}

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/site")
}

fn name(external_id: &Option<String>) -> &str {
    external_id.as_deref().unwrap_or_default()
}

/// Lists the Markdown files below a folder, by their paths with `/`.
fn markdown(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(below) = folders.pop() {
        for entry in std::fs::read_dir(folder.join(&below)).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = if below.is_empty() { name } else { format!("{below}/{name}") };
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if path.ends_with(".md") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

async fn start(
    database: &Path,
    shutdown: CancellationToken,
) -> Result<(tokio::task::JoinHandle<std::io::Result<()>>, String, String)> {
    let store = Store::connect_file(database).await?;
    store.migrate().await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let base_url = format!("http://{}/v1", listener.local_addr()?);
    let settings =
        Settings { base_url: base_url.clone(), master_keys: vec![MasterKey::generate()], ..Settings::default() };
    let service = Service::new(store, Arc::new(SystemClock), settings, Arc::new(Pseudo))?;
    let description: Description = serde_json::from_value(serde_json::json!({"workspaces": [{
        "handle": "demo", "credits": 10_000, "projects": [{
            "slug": "site", "name": "Site", "baseLanguage": "en",
            "keys": [{"label": "example", "scopes": ["admin"], "kind": "ci"}],
        }],
    }]}))?;
    let mut tx = service.store.begin_write().await?;
    let made = provision(&mut tx, service.provisioning(), &description).await?;
    tx.commit().await?;
    let key = made.workspaces[0].projects[0].keys[0].key.clone().context("the key was not made")?;
    Ok((tokio::spawn(l10n_server::app::run(service, listener, shutdown)), base_url, key))
}

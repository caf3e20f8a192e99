//! The whole main job on a real file: it starts a server on a temporary SQLite file, syncs, prices, translates into
//! three languages, publishes, reads manifest and files back, and checks their hashes.
//!
//!     cargo run --example quickstart [-- [--engine apertium] [path/to/en.json]]
//!
//! The engine `pseudo` needs nothing. `apertium` translates on this machine, with the pairs that are installed
//! (`apt-get install apertium apertium-eng-spa`).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use l10n_client::api::Check;
use l10n_client::api::publish::Publish;
use l10n_client::api::translations::{GetQuery, KeyDetail, Run};
use l10n_client::{Client, file_upload, sync_body};
use l10n_server::clock::SystemClock;
use l10n_server::config::Settings;
use l10n_server::domain::provision::{Description, provision};
use l10n_server::engines::{Apertium, Pseudo, Translator};
use l10n_server::service::Service;
use l10n_server::store::Store;
use l10n_server::vault::MasterKey;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

const LANGUAGES: [&str; 3] = ["de", "pl", "ar"];

/// Languages into which Apertium has a released pair from English.
const APERTIUM_LANGUAGES: [&str; 4] = ["es", "ca", "gl", "eo"];

/// Texts that are shown with their translations.
const SHOWN: usize = 5;

#[tokio::main]
async fn main() -> Result<()> {
    let began = Instant::now();
    let Arguments { source, engine, languages } = Arguments::read(std::env::args().skip(1))?;
    let folder = tempfile::Builder::new().prefix("l10n-quickstart-").tempdir()?;

    // 1. A server in this process, with a workspace, a project and a key.
    let (server, base_url, api_key) = start(&folder.path().join("l10n.sqlite"), engine).await?;
    println!("A server is at {base_url}");
    let client = Client::builder(&base_url).api_key(api_key).no_proxy().build()?;
    let project = client.projects().find("demo", "app").await?;
    project.languages().add(languages.iter().copied()).await?;

    // 2. The price, before anything is written.
    let bytes = std::fs::read(&source).with_context(|| source.display().to_string())?;
    let file = sync_body(file_upload("locales/en.json", &bytes)?);
    let quote = project.translations().sync_dry_run(&file).await?;
    println!(
        "\n{} holds {} new keys. Translating them will cost at most:\n",
        source.display(),
        quote.classification.new
    );
    print_prices(&quote);

    // 3. The real run, and its job.
    let run = project.translations().sync(&file).await?;
    let token = run.tracking_token.context("there was nothing to translate")?;
    let bar = ProgressBar::new(0).with_style(ProgressStyle::with_template("translating {wide_bar} {pos}/{len}")?);
    let job = project
        .translations()
        .wait(&token, |progress| {
            bar.set_length(progress.total);
            bar.set_position(progress.done + progress.failed);
        })
        .await?;
    bar.finish_and_clear();
    println!("\nTranslated {} texts for {} credits", job.progress.done, job.credits_charged);
    ensure!(job.progress.failed == 0, "{} texts failed: {:?}", job.progress.failed, job.failures.first());
    ensure!(job.credits_charged <= quote.estimated_credits, "charged more than quoted");
    let keys = project.translations().list_all(GetQuery::default()).await?;
    ensure_intact(&keys)?;
    print_texts(&keys, &languages);

    // 4. A version that never changes again, and its files, read back without a key.
    let published = project.publish(&Publish { label: Some("first".to_owned()), ..Publish::default() }).await?;
    let reader = Client::builder(&base_url).no_proxy().build()?;
    let delivery = reader.delivery_by_name("demo", "app");
    let manifest = delivery.manifest().await?;
    ensure!(manifest.version_id == published.version_id, "the manifest is not of the published version");
    println!("Published `{}` with {} files:\n", manifest.label, manifest.files.len());
    let folder = folder.keep();
    for file in &manifest.files {
        let bytes = delivery.download_verified(&manifest, file).await?;
        let path = folder.join(&file.path);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        std::fs::write(&path, &bytes)?;
        println!("  {:6} bytes  sha256 {}…  {}", file.bytes, &file.sha256[..12], path.display());
    }
    let base = std::fs::read(folder.join("locales/en.json"))?;
    ensure!(base == bytes, "the source file did not come back byte for byte");

    server.stop().await?;
    println!("\nAll hashes are right. Done in {:.1} s.", began.elapsed().as_secs_f32());
    Ok(())
}

/// The arguments of the command line.
struct Arguments {
    source: PathBuf,
    engine: Arc<dyn Translator>,
    languages: Vec<&'static str>,
}

impl Arguments {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let (mut source, mut name) = (None, "pseudo".to_owned());
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--engine" => name = arguments.next().context("`--engine` needs a name: pseudo or apertium")?,
                path => source = Some(PathBuf::from(path)),
            }
        }
        let (engine, languages): (Arc<dyn Translator>, Vec<&'static str>) = match name.as_str() {
            "pseudo" => (Arc::new(Pseudo), LANGUAGES.into()),
            "apertium" => {
                let engine = Apertium::new("apertium", Path::new("/usr/share/apertium/modes"), Duration::from_secs(60));
                let languages: Vec<_> =
                    APERTIUM_LANGUAGES.into_iter().filter(|language| engine.supports("en", language)).collect();
                ensure!(!languages.is_empty(), "Apertium has no pair from English here: install apertium-eng-spa");
                (Arc::new(engine), languages)
            }
            other => bail!("the quickstart has no engine `{other}`: pseudo or apertium"),
        };
        Ok(Self { source: source.unwrap_or_else(sample), engine, languages })
    }
}

/// Returns an error where a translation lost a placeholder, a tag or a number of its text: by the server's own checks, and by
/// the texts themselves.
fn ensure_intact(keys: &[KeyDetail]) -> Result<()> {
    for key in keys {
        for translation in &key.translations {
            let lost = translation
                .issues
                .iter()
                .find(|issue| matches!(issue.check, Check::Placeholders | Check::Tags | Check::Numbers));
            ensure!(lost.is_none(), "{} in {}: {lost:?}", key.r#ref, translation.language);
            let (Some(source), Some(target)) = (&key.text, &translation.text) else { continue };
            ensure!(marks(source) == marks(target), "{} in {}: {source} | {target}", key.r#ref, translation.language);
        }
    }
    Ok(())
}

/// The placeholders, tags and numbers of a text, sorted; none of an ICU message, since languages have different branches.
fn marks(text: &str) -> Vec<&str> {
    if [", plural,", ", select,", ", selectordinal,"].iter().any(|choice| text.contains(choice)) {
        return Vec::new();
    }
    let enclosed = |open, close| text.split(open).skip(1).filter_map(move |after: &str| after.split_once(close));
    let placeholders = enclosed('{', '}').map(|(inside, _)| inside);
    let tags = enclosed('<', '>').map(|(inside, _)| inside);
    let numbers = text.split(|sign: char| !sign.is_ascii_digit()).filter(|number| !number.is_empty());
    let mut marks: Vec<&str> = placeholders.chain(tags).chain(numbers).collect();
    marks.sort_unstable();
    marks
}

fn print_texts(keys: &[KeyDetail], languages: &[&str]) {
    for key in keys.iter().step_by(keys.len().div_ceil(SHOWN).max(1)) {
        println!("  {}", key.text.as_deref().unwrap_or_default());
        for translation in &key.translations {
            if languages.contains(&translation.language.as_str()) {
                println!("    {}  {}", translation.language, translation.text.as_deref().unwrap_or_default());
            }
        }
    }
}

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/en.json")
}

/// A server that runs in this process.
struct Running {
    shutdown: CancellationToken,
    task: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Running {
    async fn stop(self) -> Result<()> {
        self.shutdown.cancel();
        Ok(self.task.await??)
    }
}

async fn start(database: &Path, engine: Arc<dyn Translator>) -> Result<(Running, String, String)> {
    let store = Store::connect_file(database).await?;
    store.migrate().await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let base_url = format!("http://{}/v1", listener.local_addr()?);
    let settings =
        Settings { base_url: base_url.clone(), master_keys: vec![MasterKey::generate()], ..Settings::default() };
    let service = Service::new(store, Arc::new(SystemClock), settings, engine)?;

    let description: Description = serde_json::from_value(serde_json::json!({"workspaces": [{
        "handle": "demo", "credits": 10_000, "projects": [{
            "slug": "app", "name": "App", "baseLanguage": "en",
            "keys": [{"label": "quickstart", "scopes": ["admin"], "kind": "ci"}],
        }],
    }]}))?;
    let mut tx = service.store.begin_write().await?;
    let made = provision(&mut tx, service.provisioning(), &description).await?;
    tx.commit().await?;
    let key = made.workspaces[0].projects[0].keys[0].key.clone().context("the key was not made")?;

    let shutdown = CancellationToken::new();
    let task = tokio::spawn(l10n_server::app::run(service, listener, shutdown.clone()));
    Ok((Running { shutdown, task }, base_url, key))
}

fn print_prices(quote: &Run) {
    println!("  language    keys  from memory  characters    credits");
    for price in &quote.per_language {
        println!(
            "  {:8} {:7} {:12} {:11} {:>10}",
            price.language, price.keys, price.from_memory, price.characters, price.estimated_credits
        );
    }
    println!("  {:50} {:>2}\n", "in all", quote.estimated_credits);
}

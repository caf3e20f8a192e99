//! The server under measurement: the whole one, and beside it a route that records an event without a publish.

use std::io::{BufRead as _, BufReader};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use axum::Router;
use axum::extract;
use axum::http::StatusCode;
use axum::routing::post;
use l10n_api_types::events::{EventType, StringsPublished};
use l10n_api_types::publish::VersionLanguage;
use l10n_api_types::webhooks::CreateBody;
use l10n_api_types::{KeyKind, PublishId, Scope};
use l10n_client::Client;
use l10n_server::app;
use l10n_server::clock::SystemClock;
use l10n_server::config::Settings;
use l10n_server::domain::provision::{
    Description, KeyDescription, ProjectDescription, WorkspaceDescription, provision,
};
use l10n_server::domain::{ServiceError, events};
use l10n_server::engines::Pseudo;
use l10n_server::ids::{IdKind, new_id};
use l10n_server::service::Service;
use l10n_server::store::{Store, projects};
use l10n_server::vault::MasterKey;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::process;

/// Makes this program be that server.
pub(crate) const ARGUMENT: &str = "--server";

/// The configuration of the server.
#[derive(Serialize, Deserialize)]
pub(crate) struct Config {
    database_url: String,
    extra_ca: Option<PathBuf>,
    projects: usize,
    /// True if it serves the API and delivers. Otherwise it only records events.
    works: bool,
}

/// The message of a ready server.
#[derive(Serialize, Deserialize)]
struct Ready {
    api: SocketAddr,
    record: SocketAddr,
    projects: Vec<Project>,
}

/// A project and, from the process that made it, a key.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Project {
    pub(crate) id: String,
    pub(crate) key: Option<String>,
}

/// Serves until the end of its life.
pub(crate) fn serve(config: &str) -> Result<()> {
    let config: Config = serde_json::from_str(config)?;
    // As the server's own program does; nobody reads it.
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_max_level(tracing::Level::INFO).init();
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(run(config))
}

async fn run(config: Config) -> Result<()> {
    let store = Store::connect(&config.database_url).await?;
    store.migrate().await?;
    let service = service(&config, store)?;
    let projects = make_projects(&service, config.projects).await?;
    let api = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let record = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let ready = Ready { api: api.local_addr()?, record: record.local_addr()?, projects: projects.clone() };
    println!("{}", serde_json::to_string(&ready)?);
    let recorder =
        Recorder { service: service.clone(), projects: projects.into_iter().map(|project| project.id).collect() };
    let router = Router::new().route("/{project}", post(record_event)).with_state(Arc::new(recorder));
    let recording = async { Ok(axum::serve(record, router).await?) };
    if config.works {
        tokio::try_join!(recording, async { Ok(app::run(service, api, CancellationToken::new()).await?) })?;
        Ok(())
    } else {
        recording.await
    }
}

fn service(config: &Config, store: Store) -> Result<Service> {
    let mut settings = Settings::default();
    settings.limits.requests_per_minute = u32::MAX;
    settings.limits.publishes_per_day = u32::MAX;
    settings.master_keys = vec![MasterKey::new(&[7; 32])];
    settings.webhooks.egress.allow_targets = vec![IpAddr::from(Ipv4Addr::LOCALHOST).into()];
    settings.webhooks.egress.plain_http = true;
    settings.webhooks.egress.extra_ca.clone_from(&config.extra_ca);
    let service = Service::new(store, Arc::new(SystemClock), settings, Arc::new(Pseudo))?;
    // Nobody reads published files here; the time for which deliveries wait for that would hide what is measured.
    Ok(Service { seen_by_all: Duration::ZERO, ..service })
}

async fn make_projects(service: &Service, count: usize) -> Result<Vec<Project>> {
    let projects = (0..count)
        .map(|number| ProjectDescription {
            slug: format!("app-{number}"),
            name: "App".to_owned(),
            base_language: "en".to_owned(),
            languages: Vec::new(),
            memory: None,
            engine: None,
            language_engines: None,
            style_note: None,
            keys: vec![KeyDescription { label: "bench".to_owned(), scopes: vec![Scope::Admin], kind: KeyKind::Ci }],
        })
        .collect();
    let (credits, spending_cap, plan, members) = (0, None, None, Vec::new());
    let workspace = WorkspaceDescription {
        handle: "bench".to_owned(),
        credits,
        spending_cap,
        plan,
        members,
        glossary: None,
        projects,
    };
    let mut tx = service.store.begin_write().await?;
    let made = provision(&mut tx, service.provisioning(), &Description { workspaces: vec![workspace] }).await?;
    tx.commit().await?;
    let projects = made.workspaces.into_iter().flat_map(|workspace| workspace.projects);
    Ok(projects
        .map(|project| Project {
            id: project.project_id.to_string(),
            key: project.keys.into_iter().next().and_then(|key| key.key),
        })
        .collect())
}

struct Recorder {
    service: Service,
    projects: Vec<String>,
}

/// Records an event of the project with that number, with the body as the label of its version.
async fn record_event(
    extract::State(recorder): extract::State<Arc<Recorder>>,
    extract::Path(project): extract::Path<usize>,
    label: String,
) -> StatusCode {
    match recorder.record(project, label).await {
        Ok(()) => StatusCode::NO_CONTENT,
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl Recorder {
    /// As a publish does it.
    async fn record(&self, project: usize, label: String) -> Result<(), ServiceError> {
        let service = &self.service;
        let gone = || ServiceError::internal("no such project");
        let id = self.projects.get(project).ok_or_else(gone)?;
        let now = service.clock.now();
        let publish_id = PublishId::from(new_id(IdKind::Publish, now));
        let data = StringsPublished {
            version_id: new_id(IdKind::Version, now).into(),
            label,
            key_count: 8_000,
            // As many as make a delivery of 530 bytes.
            languages: ["en", "de", "fr", "es", "it", "pt-BR", "ja"]
                .iter()
                .map(|code| VersionLanguage { code: (*code).into(), is_base: *code == "en" })
                .collect(),
        };
        let mut tx = service.store.begin_write().await?;
        let project = projects::locked(&mut tx, &id.as_str().into()).await?.ok_or_else(gone)?;
        events::record(&mut tx, service.events(), &project, EventType::StringsPublished, &publish_id, data).await?;
        tx.commit().await?;
        Ok(())
    }
}

/// That server as a process. It is killed when this is dropped.
pub(crate) struct Server {
    child: Child,
    /// The address of the API.
    pub(crate) api: SocketAddr,
    /// The address at which events are recorded.
    pub(crate) record: SocketAddr,
    pub(crate) projects: Vec<Project>,
}

impl Server {
    pub(crate) fn start(database_url: &str, extra_ca: Option<&Path>, projects: usize, works: bool) -> Result<Self> {
        let extra_ca = extra_ca.map(Path::to_owned);
        let config = Config { database_url: database_url.to_owned(), extra_ca, projects, works };
        let mut child = Command::new(std::env::current_exe()?)
            .arg(ARGUMENT)
            .arg(serde_json::to_string(&config)?)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(if std::env::var_os("BENCH_LOG").is_some() { Stdio::inherit() } else { Stdio::null() })
            .spawn()?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            BufReader::new(out).read_line(&mut line)?;
        }
        match serde_json::from_str::<Ready>(&line) {
            Ok(Ready { api, record, projects }) => Ok(Self { child, api, record, projects }),
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error).context("the server does not start: BENCH_LOG=1 shows what it says")
            }
        }
    }

    /// Makes a webhook of the project with that number, through the API.
    pub(crate) async fn subscribe(&self, project: usize, url: &str) -> Result<()> {
        let project = self.projects.get(project).context("no such project")?;
        let key = project.key.clone().context("another process made the project")?;
        let client = Client::builder(format!("http://{}/v1", self.api)).api_key(key).build()?;
        let body = CreateBody { url: url.to_owned(), events: vec![EventType::StringsPublished] };
        client.project(project.id.as_str()).webhooks().create(&body).await?;
        Ok(())
    }

    /// Processor seconds so far.
    pub(crate) fn processor(&self) -> f64 {
        process::processor(self.child.id())
    }

    /// The most memory so far, in MB.
    pub(crate) fn peak(&self) -> f64 {
        process::peak(self.child.id())
    }

    /// SIGKILL.
    pub(crate) fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

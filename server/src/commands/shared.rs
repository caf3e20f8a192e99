//! Code that several subcommands share.

use std::io::Write as _;
use std::sync::Arc;

use l10n_api_types::ProjectId;

use crate::clock::{Clock, SystemClock};
use crate::config::{Config, DatabaseUrl, LogFormat};
use crate::domain;
use crate::engines::registry;
use crate::server_lock::ServerLock;
use crate::service::Service;
use crate::store::projects::Project;
use crate::store::{Store, Tx, projects};
use anyhow::{Context as _, Result, bail};
use clap::Args;
use tracing_subscriber::EnvFilter;

use super::log_lines::{LogEnd, LogLines};

/// Name of the file that `dev` keeps its database in, apart from that of a server in earnest.
pub(crate) const DEV_DATABASE: &str = "dev.sqlite";

/// Says what went wrong and why, one cause a line.
pub(crate) fn complain(error: &anyhow::Error) {
    let mut out = std::io::stderr().lock();
    // Nothing is left to do when the terminal is gone.
    let _ = writeln!(out, "error: {error}");
    for cause in error.chain().skip(1) {
        let _ = writeln!(out, "  because: {cause}");
    }
}

/// Prints a line on standard output.
///
/// # Errors
///
/// Returns an error if standard output is closed.
pub(crate) fn print(line: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()?;
    Ok(())
}

/// Opens the database that the configuration names and brings it to this version's schema.
///
/// # Errors
///
/// Returns an error if it does not answer, or its schema is of a later version.
pub(crate) async fn open(database_url: &DatabaseUrl) -> Result<Store> {
    let store = connect(database_url, None).await?;
    migrate(&store, database_url).await?;
    Ok(store)
}

/// Opens the database for a server. One on SQLite is the only server of its file as long as the lock is held.
///
/// # Errors
///
/// Returns an error if another server holds the lock, and the errors of [`open`].
pub(crate) async fn open_to_serve(config: &Config, clock: &dyn Clock) -> Result<(Store, Option<ServerLock>)> {
    let database_url = &config.database_url;
    let store = connect(database_url, Some(config.postgres_connections)).await?;
    let lock = store.file().map(|file| ServerLock::take(&file, clock.now())).transpose()?;
    migrate(&store, database_url).await?;
    Ok((store, lock))
}

/// A server has so many connections to PostgreSQL, and answers soon where it is away; a command waits for it.
async fn connect(database_url: &DatabaseUrl, server_connections: Option<u32>) -> Result<Store> {
    if let Some(folder) = database_url.sqlite_path().as_deref().and_then(std::path::Path::parent) {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let opened = match server_connections {
        Some(connections) => Store::connect_to_serve(database_url.expose(), connections).await,
        None => Store::connect_patiently(database_url.expose()).await,
    };
    opened.with_context(|| format!("cannot open the database {database_url:?} (setting `database_url`)"))
}

async fn migrate(store: &Store, database_url: &DatabaseUrl) -> Result<()> {
    store.migrate().await.with_context(|| format!("cannot migrate the database {database_url:?}"))
}

/// The database that must be there, for a person beside the server: one that was just made answers every question wrongly.
/// If none is configured, that of `l10n-server dev` is used.
///
/// # Errors
///
/// Returns an error if there is none.
pub(crate) fn existing(config: &Config) -> Result<DatabaseUrl> {
    let stated = &config.database_url;
    let Some(path) = stated.sqlite_path().filter(|path| !path.exists()) else { return Ok(stated.clone()) };
    let of_dev = path.with_file_name(DEV_DATABASE);
    if config.database_url_stated || !of_dev.exists() {
        bail!("there is no database at {} (setting `database_url`)", path.display());
    }
    // Standard output is for what the command prints; nothing is left to do when the terminal is gone.
    let _ = writeln!(std::io::stderr(), "Working on {}, that of `l10n-server dev`.", of_dev.display());
    Ok(DatabaseUrl::sqlite(&of_dev))
}

/// Opens a database that must be there.
pub(crate) async fn open_existing(config: &Config) -> Result<Store> {
    open(&existing(config)?).await
}

/// The parts of a server, on an open database.
///
/// # Errors
///
/// Returns an error if the settings name a file that cannot be read.
pub(crate) fn service(config: &Config, store: Store) -> Result<Service> {
    service_by(config, store, Arc::new(SystemClock))
}

/// Like [`service`], with this clock.
pub(crate) fn service_by(config: &Config, store: Store, clock: Arc<dyn Clock>) -> Result<Service> {
    Ok(Service::with_engines(store, clock, config.settings.clone(), registry(&config.engines))?)
}

/// The id of the project of this name, HANDLE/SLUG.
///
/// # Errors
///
/// Returns an error if there is none.
pub(crate) async fn find_project(tx: &mut Tx, name: &str) -> Result<ProjectId> {
    Ok(existing_project(tx, name).await?.id)
}

/// The project of this name, HANDLE/SLUG.
///
/// # Errors
///
/// Returns an error if there is none.
pub(crate) async fn existing_project(tx: &mut Tx, name: &str) -> Result<Project> {
    let (handle, slug) =
        name.split_once('/').with_context(|| format!("`{name}` is not HANDLE/SLUG such as demo/app"))?;
    let project = projects::find_by_handle_and_slug(tx, handle, slug).await?;
    project.with_context(|| format!("there is no project `{name}`"))
}

/// The context of an operator's change of a project.
pub(crate) fn project_change<'a>(
    service: &'a Service,
    project: &'a Project,
    by: &'a domain::Actor,
) -> domain::ProjectChange<'a> {
    domain::ProjectChange {
        clock: service.clock.as_ref(),
        settings: &service.settings,
        project: &project.id,
        workspace: &project.workspace_id,
        by,
    }
}

/// The person who acts.
#[derive(Args)]
pub(crate) struct ActorArgs {
    /// Name of the person; by default the user's name on this machine
    #[arg(long = "by", value_name = "NAME", env = "USER", hide_env_values = true)]
    name: Option<String>,
}

impl ActorArgs {
    /// The person, as the audit log names them.
    ///
    /// # Errors
    ///
    /// Returns an error if the system knows no name.
    pub(crate) fn operator(&self) -> Result<domain::Actor> {
        Ok(domain::Actor::Operator { name: self.name()? })
    }

    /// The name that was stated, else the one that the system knows the user by: services and containers set no USER.
    ///
    /// # Errors
    ///
    /// Returns an error if the system knows none.
    pub(crate) fn name(&self) -> Result<String> {
        if let Some(name) = &self.name {
            return Ok(name.clone());
        }
        let known = std::process::Command::new("id").arg("-un").stdin(std::process::Stdio::null()).output();
        let known = known.ok().filter(|output| output.status.success());
        let name = known.and_then(|output| String::from_utf8(output.stdout).ok()).map(|name| name.trim().to_owned());
        name.filter(|name| !name.is_empty()).context(
            "cannot tell who does this: the system has no name for this user; say it with --by NAME, or set USER",
        )
    }
}

/// Sends log lines to standard error, so that standard output stays for what a command prints. The last lines of the access log
/// are written when the result is dropped.
pub(crate) fn log(config: &Config) -> LogEnd {
    let mut filter = EnvFilter::new(&config.log_level);
    // The library of the agents' protocol tells of each request at `info`, with what it holds.
    if !config.log_level.contains("rmcp")
        && let Ok(quiet) = "rmcp=error".parse()
    {
        filter = filter.add_directive(quiet);
    }
    let (lines, end) = LogLines::begin(std::io::stderr());
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(lines);
    match config.log_format {
        LogFormat::Human => {
            log.with_ansi(
                std::env::var_os("NO_COLOR").is_none() && std::io::IsTerminal::is_terminal(&std::io::stderr()),
            )
            .init();
        }
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
    end
}

//! A session: the client, the project's id and its name.

use std::time::Duration;

use l10n_client::api::credential::Credential;
use l10n_client::api::meta::Meta;
use l10n_client::api::{ErrorCode, ProjectId, ProjectPath, Scope};
use l10n_client::{CallOptions, Client, Project};

use crate::args::OnceArgs;
use crate::config::Config;
use crate::context::Context;
use crate::error::{CliError, Doing as _, Failure, usage};
use crate::exit::ExitStatus;
use crate::settings::{ProjectName, Settings, SettingsError};

/// An open session with a project.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) settings: Settings,
    pub(crate) project: Project,
    path: ProjectPath,
    /// The name that the user gave.
    pub(crate) name: ProjectName,
}

/// The key does not see a project with this name.
#[derive(Debug, thiserror::Error)]
#[error("this key has no project `{name}`")]
struct NoSuchProject {
    name: String,
    correlation_id: Option<String>,
}

impl Failure for NoSuchProject {
    fn status(&self) -> ExitStatus {
        ExitStatus::Usage
    }

    fn code(&self) -> &str {
        "not_found"
    }

    fn hint(&self) -> Option<String> {
        Some("check the spelling of `workspace/project` and that the key belongs to this project".into())
    }

    fn correlation_id(&self) -> Option<&str> {
        self.correlation_id.as_deref()
    }
}

/// Builds a client for these settings, with the key if there is one.
pub(crate) fn client(context: &Context, settings: &Settings) -> Result<Client, CliError> {
    let base_url = settings.base_url()?.value;
    let mut builder = Client::builder(base_url.as_str()).user_agent(concat!("l10n-cli/", env!("CARGO_PKG_VERSION")));
    if let Some(key) = settings.api_key()? {
        builder = builder.api_key(key.value.expose());
    }
    if let Some(timeout) = settings.timeout {
        // A call may take several requests with pauses between them.
        builder = builder.request_timeout(timeout).total_timeout((timeout * 3).max(Duration::from_secs(180)));
    }
    if let Some(retries) = context.global.retries {
        builder = builder.max_retries(retries);
    }
    builder.build().map_err(l10n_client::Error::from).doing("setting up the client")
}

impl Session {
    /// Reads and checks all settings before the first request, and finds the project.
    pub(crate) async fn open(context: &Context) -> Result<Self, CliError> {
        let settings = context.settings()?;
        settings.base_url()?;
        let name = settings.project()?.value;
        if settings.api_key()?.is_none() {
            return Err(SettingsError::NoApiKey.into());
        }
        let client = client(context, &settings)?;
        let id = match &name {
            ProjectName::Id(id) => ProjectId::new(id.clone()),
            ProjectName::Slug { workspace, project } => match client.projects().resolve(workspace, project).await {
                Ok(found) => found.project_id,
                Err(error) if error.code() == Some(&ErrorCode::NotFound) => {
                    let correlation_id = error.correlation_id().map(str::to_owned);
                    return Err(NoSuchProject { name: name.to_string(), correlation_id }.into());
                }
                Err(error) => return Err(error).doing(format!("finding the project {name}")),
            },
        };
        Ok(Self { settings, project: client.project(id.clone()), path: ProjectPath { project_id: id }, name })
    }

    /// The project for a call, with an idempotency key if one is requested.
    pub(crate) fn once(&self, args: &OnceArgs) -> Project {
        match &args.idempotency_key {
            Some(key) => self.project.with(CallOptions::default().idempotency_key(key)),
            None => self.project.clone(),
        }
    }

    /// The path of the project's own routes.
    pub(crate) fn path(&self) -> &ProjectPath {
        &self.path
    }

    /// Reads the scopes and kind of the key.
    pub(crate) async fn credential(&self) -> Result<Credential, CliError> {
        self.project.credential().await.doing("reading the key's scopes")
    }

    /// Reads the project, its state and its limits.
    pub(crate) async fn meta(&self) -> Result<Meta, CliError> {
        self.project.meta().await.doing("reading the project")
    }

    /// The language of the sources: from `l10n.toml`, or from the server.
    pub(crate) async fn base_language(&self, config: &Config, credential: &Credential) -> Result<String, CliError> {
        if let Some(code) = &config.base_language {
            return Ok(code.clone());
        }
        if !Scope::grants(&credential.scopes, &[Scope::Read]) {
            return Err(usage(
                "l10n.toml does not set base_language, and the key cannot read the project",
                "add base_language = \"en\" (or your language) to l10n.toml",
            ));
        }
        Ok(self.meta().await?.base_language.to_string())
    }
}

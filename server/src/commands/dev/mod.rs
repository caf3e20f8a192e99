//! `l10n-server dev`: a server on this machine for development, ready with a workspace, a project and a key.

mod kept;

use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::{Path, PathBuf};

use crate::app;
use crate::clock::SystemClock;
use crate::config::{Config, DatabaseUrl, Overrides, Settings};
use crate::domain::access::Role;
use crate::domain::people::links::{LinkValidity, sign_in_url};
use crate::domain::people::{members, users};
use crate::domain::provision::{
    Description, KeyDescription, ProjectDescription, ProvisionedProject, WorkspaceDescription, provision,
};
use crate::domain::{Actor, ServiceError, workspaces};
use crate::ids::ApiKeyText;
use crate::open_files;
use crate::service::Service;
use anyhow::{Context as _, Result, bail};
use clap::Args;
use l10n_api_types::{KeyKind, Scope};

use super::engines::need_working_engines;
use super::secrets::{need_keys_in_use, warn_of_readable_keys};
use super::serve::{listen, serve_metrics, stop_on_signal};
use super::shared::{DEV_DATABASE, log, open_to_serve, print, service};

const DATA: &str = "l10n-data";
const HANDLE: &str = "demo";
const SLUG: &str = "app";
const CREDITS: u32 = 1_000_000;
/// The person who owns the workspace.
const EMAIL: &str = "dev@localhost";

#[derive(Args)]
pub(crate) struct DevArgs {
    /// Folder that keeps the database, the keys and the certificates
    #[arg(long, value_name = "DIR", default_value = DATA)]
    data: PathBuf,
    /// Print one JSON object when the server is ready, instead of text
    #[arg(long)]
    json: bool,
}

impl DevArgs {
    pub(crate) async fn run(self, overrides: Overrides) -> Result<()> {
        let own_database = DatabaseUrl::sqlite(&self.data.join(DEV_DATABASE));
        let mut config = Config::load(&overrides.or("database_url", own_database.expose()))?;
        let _log = log(&config);
        warn_of_readable_keys(&config);
        open_files::prepare(&mut config.settings);
        fs::create_dir_all(&self.data).with_context(|| format!("cannot make the folder {}", self.data.display()))?;
        self.prepare(&mut config)?;
        let (store, mut lock) = open_to_serve(&config, &SystemClock).await?;
        let listener = listen(&mut config, lock.as_mut()).await?;
        let service = service(&config, store)?;
        need_keys_in_use(&service).await?;
        need_working_engines(service.engines.standard())?;
        let (project, api_key) = demo(&service, &self.data.join("api-key")).await?;
        let dashboard = sign_in_link(&service).await?;
        let stop = stop_on_signal()?;
        // Bound already, so that whoever reads the line can connect at once, or stop it in order.
        print(&self.ready(&config.settings, &project, &api_key, &dashboard))?;
        serve_metrics(&config, &service, &stop).await?;
        app::run(service, listener, stop).await.context("serving failed")?;
        drop(lock);
        Ok(())
    }

    /// Webhooks as a developer needs them, unless the settings say otherwise: sealed with a key of this folder, and
    /// delivered to this machine, where receivers have certificates of this folder's authority.
    fn prepare(&self, config: &mut Config) -> Result<()> {
        let settings = &mut config.settings;
        if settings.master_keys.is_empty() {
            settings.master_keys.push(kept::master_key(&self.data)?);
        }
        let egress = &mut settings.webhooks.egress;
        if !config.allow_targets_stated {
            egress.allow_targets =
                vec![IpAddr::from(Ipv4Addr::LOCALHOST).into(), IpAddr::from(Ipv6Addr::LOCALHOST).into()];
        }
        if egress.extra_ca.is_none() {
            egress.extra_ca = Some(kept::certificate_authority(&self.data)?);
        }
        Ok(())
    }

    fn ready(&self, settings: &Settings, project: &ProvisionedProject, api_key: &str, dashboard: &str) -> String {
        let base_url = &settings.base_url;
        if self.json {
            return serde_json::json!({
                "baseUrl": base_url, "dashboardUrl": dashboard, "workspace": HANDLE, "project": SLUG,
                "projectId": project.project_id, "apiKey": api_key,
            })
            .to_string();
        }
        // Where the command line looks by itself.
        let authority = match self.data.as_path() {
            data if data == Path::new(DATA) => String::new(),
            other => format!(" --ca-dir {}", other.display()),
        };
        format!(
            "Ready. The dashboard, with a link that signs in once; the next start prints another:\n\n  {dashboard}\n\n\
             In another terminal, in the folder of your app:\n\n  \
             export L10N_BASE_URL={base_url}\n  export L10N_API_KEY={api_key}\n  export L10N_PROJECT={HANDLE}/{SLUG}\n  \
             l10n init\n\nTo see webhooks, in a third one, here, with the same variables:\n\n  \
             l10n webhooks listen{authority}\n\nData and keys are kept in {}. Ctrl-C stops the server.",
            self.data.display()
        )
    }
}

/// A link that signs the developer in: good until it is used, and only the one of the latest start. Where the developer was
/// disabled, the address of the dashboard alone.
async fn sign_in_link(service: &Service) -> Result<String> {
    let (now, by) = (service.clock.now(), Actor::Operator { name: "l10n-server dev".to_owned() });
    let mut tx = service.store.begin_write().await?;
    let workspace = workspaces::find(&mut tx, HANDLE).await?;
    let (person, _) = users::create(&mut tx, now, EMAIL, "").await?;
    members::put(&mut tx, now, &by, &workspace.id, &person, Role::Owner).await?;
    let token = match users::sign_in_link(&mut tx, now, &by, EMAIL, LinkValidity::UntilUsed).await {
        Err(ServiceError::InvalidArgument(_)) => return Ok(service.settings.dashboard_url()),
        token => token?,
    };
    tx.commit().await?;
    Ok(sign_in_url(&service.settings, &token))
}

/// The demo project and the text of its key, which a file keeps from one start to the next.
async fn demo(service: &Service, key_file: &Path) -> Result<(ProvisionedProject, String)> {
    let kept = fs::read_to_string(key_file).ok().map(|text| text.trim().to_owned());
    let mut tx = service.store.begin_write().await?;
    let known = match kept.as_deref().and_then(ApiKeyText::parse) {
        Some(text) => crate::store::api_keys::find_by_hash(&mut tx, &text.hash()).await?.is_some(),
        None => false,
    };
    let keys = if known {
        Vec::new()
    } else {
        // The label tells keys apart; the time makes it new when the file was lost.
        let label = format!("dev {}", service.clock.now());
        vec![KeyDescription { label, scopes: vec![Scope::Admin], kind: KeyKind::Ci }]
    };
    let project = ProjectDescription {
        slug: SLUG.to_owned(),
        name: "App".to_owned(),
        base_language: "en".to_owned(),
        languages: Vec::new(),
        memory: None,
        engine: None,
        language_engines: None,
        style_note: None,
        keys,
    };
    let workspace = WorkspaceDescription {
        handle: HANDLE.to_owned(),
        credits: CREDITS,
        members: Vec::new(),
        glossary: None,
        spending_cap: None,
        plan: None,
        projects: vec![project],
    };
    let description = Description { workspaces: vec![workspace] };
    let mut done = provision(&mut tx, service.provisioning(), &description).await?;
    let Some(mut project) = done.workspaces.pop().and_then(|mut workspace| workspace.projects.pop()) else {
        bail!("the demo project was not made");
    };
    let text = match (project.keys.pop().and_then(|key| key.key), kept) {
        (Some(fresh), _) => {
            kept::write(key_file, &fresh, kept::SECRET)?;
            fresh
        }
        (None, Some(kept)) => kept,
        (None, None) => bail!("the demo project has no key"),
    };
    tx.commit().await?;
    Ok((project, text))
}

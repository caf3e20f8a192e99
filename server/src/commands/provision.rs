//! `l10n-server provision FILE`: makes workspaces, projects, languages, credits and keys.

use std::path::PathBuf;

use crate::config::{Config, Overrides};
use crate::domain::provision::{Description, provision};
use crate::ids::{IdKind, new_id};
use crate::store::api_keys;
use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::profile::{self, REVOKED};
use super::shared::{open, print, service};

#[derive(Args)]
pub(crate) struct ProvisionArgs {
    /// Description as JSON, or - for standard input
    ///
    /// {"workspaces": [{"handle": "acme", "credits": 1000, "spendingCap": 500, "plan": "unlimited", "members":
    /// [{"email": "ada@example.com", "role": "owner"}], "projects": [{"slug": "app", "name": "App", "baseLanguage": "en",
    /// "languages": ["de", "fr"], "keys": [{"label": "ci", "scopes": ["read", "translate", "publish"], "kind": "ci"}]}]}]}
    ///
    /// Credits and cap are whole credits. Roles: viewer, translator, reviewer, manager, owner; the call that makes an
    /// account prints a link that signs the person in once, within 15 minutes. Scopes: read, translate, write, publish,
    /// capture, admin, members:read, members:manage. Kinds: ci, agent. A project may have `memory` (workspace, project or
    /// off), `engine` (names of engines of the configuration, with commas between them) and `languageEngines`, such as
    /// {"ja": "model"}. What the description leaves out stays as it is; a key's text is printed only by the call that made it.
    #[arg(value_name = "FILE.json", required_unless_present = "profile_out")]
    file: Option<PathBuf>,
    /// Make workspaces of their own for l10n-testkit in place of a description, and write its profile to this file
    ///
    /// The keys lie beside it in PROFILE.keys, readable for you alone. Every use makes other workspaces, with names that
    /// begin with `testkit-`. The section [receiver] of the profile, which says where deliveries reach the suite, has to be
    /// filled in.
    #[arg(long, value_name = "PROFILE.toml", conflicts_with = "file")]
    profile_out: Option<PathBuf>,
    /// With --profile-out: projects that the suite works in at once
    #[arg(long, value_name = "N", default_value_t = 6, requires = "profile_out", value_parser = clap::value_parser!(u16).range(1..=64))]
    lanes: u16,
}

impl ProvisionArgs {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let config = Config::load(overrides)?;
        let store = open(&config.database_url).await?;
        let service = service(&config, store.clone())?;
        let now = service.clock.now();
        let (name, description) = match (&self.file, &self.profile_out) {
            (Some(file), _) => (file.display().to_string(), read(file)?),
            (None, Some(file)) => {
                let unique = new_id(IdKind::Lease, now).replace("lse_", "").to_lowercase();
                (file.display().to_string(), profile::description(&unique, self.lanes))
            }
            (None, None) => bail!("a description or --profile-out is needed"),
        };
        let mut tx = store.begin_write().await?;
        let done = provision(&mut tx, service.provisioning(), &description)
            .await
            .with_context(|| format!("nothing was made of {name}"))?;
        if self.profile_out.is_some() {
            let keys =
                done.workspaces.iter().flat_map(|workspace| &workspace.projects).flat_map(|project| &project.keys);
            for key in keys.filter(|key| key.label == REVOKED) {
                api_keys::revoke(&mut tx, &key.key_id, now).await?;
            }
        }
        tx.commit().await?;
        store.close().await;
        match &self.profile_out {
            Some(file) => {
                profile::write(file, &service.settings.base_url, &done)?;
                print(&format!(
                    "{} is written. Fill in its section [receiver], where deliveries reach the suite; then\n\
                     l10n-testkit preflight --deliver --profile {0}\nl10n-testkit run --profile {0}",
                    file.display()
                ))
            }
            None => print(&serde_json::to_string_pretty(&done)?),
        }
    }
}

fn read(file: &std::path::Path) -> Result<Description> {
    let name = file.display();
    let text =
        if file.as_os_str() == "-" { std::io::read_to_string(std::io::stdin()) } else { std::fs::read_to_string(file) };
    let text = text.with_context(|| format!("cannot read {name}"))?;
    serde_json::from_str(&text).with_context(|| format!("{name} is not a valid description"))
}

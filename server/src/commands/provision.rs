//! `l10n-server provision FILE`: makes workspaces, projects, languages, credits and keys.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;
use l10n_server::config::{Config, Overrides};
use l10n_server::domain::provision::{Description, provision};

use super::shared::{open, print, service};

#[derive(Args)]
pub(crate) struct Provision {
    /// Description as JSON, or - for standard input
    ///
    /// {"workspaces": [{"handle": "acme", "credits": 1000, "spendingCap": 500, "plan": "unlimited", "projects":
    /// [{"slug": "app", "name": "App", "baseLanguage": "en", "languages": ["de", "fr"], "keys": [{"label": "ci",
    /// "scopes": ["read", "translate", "publish"], "kind": "ci"}]}]}]}
    ///
    /// Credits and cap are whole credits. Scopes: read, translate, write, publish, capture, admin, members:read,
    /// members:manage. Kinds: ci, agent. What is there already stays; a key's text is printed only by the call that
    /// made it.
    #[arg(value_name = "FILE.json")]
    file: PathBuf,
}

impl Provision {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let config = Config::load(overrides)?;
        let name = self.file.display();
        let text = if self.file.as_os_str() == "-" {
            std::io::read_to_string(std::io::stdin())
        } else {
            std::fs::read_to_string(&self.file)
        };
        let text = text.with_context(|| format!("cannot read {name}"))?;
        let description: Description =
            serde_json::from_str(&text).with_context(|| format!("{name} is no description"))?;
        let store = open(&config.database_url).await?;
        let service = service(&config, store.clone())?;
        let mut tx = store.begin_write().await?;
        let done =
            provision(&mut tx, &service, &description).await.with_context(|| format!("nothing was made of {name}"))?;
        tx.commit().await?;
        store.close().await;
        print(&serde_json::to_string_pretty(&done)?)
    }
}

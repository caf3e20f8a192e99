//! `l10n-server keys-edit text|rename|archive|add`: what a person changes on the source side, beside a running server. The
//! code gets to know of it by `l10n pull-changes`.

use crate::config::{Config, Overrides};
use crate::domain::code_changes::{self, KeyEdit};
use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use l10n_api_types::{Content, Plural};

use super::shared::{ActorArgs, existing_project, open_existing, print, project_change, service};

#[derive(Subcommand)]
pub(crate) enum KeysEditCommand {
    /// Change a key's text in the base language
    Text {
        #[command(flatten)]
        key: KeyArgs,
        #[command(flatten)]
        says: NewText,
    },
    /// Rename a key; versions keep the old name until the code has the new one
    Rename {
        #[command(flatten)]
        key: KeyArgs,
        /// New name
        #[arg(value_name = "NEW_REF")]
        to: String,
    },
    /// Archive a key: later versions leave it out
    Archive {
        #[command(flatten)]
        key: KeyArgs,
    },
    /// Add a key, or bring an archived one back
    Add {
        #[command(flatten)]
        key: KeyArgs,
        #[command(flatten)]
        says: NewText,
        /// Source file that the key belongs to, as synced
        #[arg(long, value_name = "PATH")]
        file: Option<String>,
    },
}

#[derive(Args)]
pub(crate) struct KeyArgs {
    /// Project, as HANDLE/SLUG
    #[arg(long)]
    project: String,
    /// Key, by its ref
    #[arg(value_name = "REF")]
    key: String,
    #[command(flatten)]
    by: ActorArgs,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct NewText {
    /// The key's text
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    /// The key's text for each plural category: {"arg": "count", "forms": {"one": "…", "other": "…"}}
    #[arg(long, value_name = "JSON")]
    plural: Option<String>,
}

impl NewText {
    fn content(self) -> Result<Content> {
        match (self.text, self.plural) {
            (_, Some(json)) => {
                let plural: Plural = serde_json::from_str(&json).context("--plural")?;
                Ok(Content::Plural(plural))
            }
            (text, None) => Ok(Content::Text(text.unwrap_or_default())),
        }
    }
}

impl KeysEditCommand {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let config = Config::load(overrides)?;
        let store = open_existing(&config).await?;
        let service = service(&config, store.clone())?;
        let (Self::Text { key, .. } | Self::Rename { key, .. } | Self::Archive { key } | Self::Add { key, .. }) = &self;
        let (name, by) = (key.key.clone(), key.by.operator()?);
        let mut tx = store.begin_write().await?;
        let project = existing_project(&mut tx, &key.project).await?;
        let edit = match self {
            Self::Text { says, .. } => KeyEdit::Text(says.content()?),
            Self::Rename { to, .. } => KeyEdit::Rename(to),
            Self::Archive { .. } => KeyEdit::Archive,
            Self::Add { says, file, .. } => KeyEdit::Add { content: says.content()?, file },
        };
        let change = project_change(&service, &project, &by);
        let is_changed = code_changes::change(&mut tx, change, &name, &edit).await?;
        tx.commit().await?;
        store.close().await;
        print(if is_changed {
            "changed; `l10n pull-changes` writes it into the code"
        } else {
            "no change: it already has this value"
        })
    }
}

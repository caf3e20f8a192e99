//! `l10n-server keys create|list|revoke`: API keys, beside a running server.

use crate::config::{Config, Overrides};
use crate::domain::auth;
use crate::domain::provision::{KeyDescription, new_key};
use crate::store::{Tx, api_keys};
use anyhow::{Result, bail};
use clap::Subcommand;
use l10n_api_types::{KeyKind, ProjectId, Scope};

use super::shared::{find_project, open_existing, print, service};

#[derive(Subcommand)]
pub(crate) enum KeysCommand {
    /// Create a key and print it; it is shown only once
    Create {
        /// Project, as HANDLE/SLUG
        project: String,
        /// Name for people
        #[arg(long)]
        label: String,
        /// Scopes of the key: read, translate, write, publish, capture, admin, members:read, members:manage
        #[arg(long, value_delimiter = ',', required = true)]
        scopes: Vec<Scope>,
        /// Kind of its user: ci, or agent, which needs a person's approval before it spends or publishes
        #[arg(long, default_value = "ci")]
        kind: KeyKind,
        /// Print a JSON object instead of the key alone
        #[arg(long)]
        json: bool,
    },
    /// List a project's keys, without their texts
    List {
        /// Project, as HANDLE/SLUG
        project: String,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Refuse a key from now on, and cancel what it has asked people to approve
    Revoke {
        /// Id of the key's record, as `keys list` prints it: key_…
        id: String,
    },
}

impl KeysCommand {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let config = Config::load(overrides)?;
        let store = open_existing(&config).await?;
        let service = service(&config, store.clone())?;
        let now = service.clock.now();
        let mut tx = store.begin_write().await?;
        let output = match self {
            Self::Create { project, label, scopes, kind, json } => {
                let project = find_project(&mut tx, &project).await?;
                let made = new_key(&mut tx, now, &project, &KeyDescription { label, scopes, kind }).await?;
                match (json, &made.key) {
                    (false, Some(text)) => text.clone(),
                    _ => serde_json::to_string(&made)?,
                }
            }
            Self::List { project, json } => {
                let project = find_project(&mut tx, &project).await?;
                list(&mut tx, &project, json).await?
            }
            Self::Revoke { id } => {
                if !auth::revoke(&mut tx, &id, now).await? {
                    bail!("there is no key `{id}` that could be revoked; `l10n-server keys list` shows their ids");
                }
                format!("{id} is revoked")
            }
        };
        tx.commit().await?;
        store.close().await;
        print(&output)
    }
}

async fn list(tx: &mut Tx, project: &ProjectId, json: bool) -> Result<String> {
    let keys = api_keys::list(tx, project).await?;
    if json {
        let keys: Vec<_> = keys
            .iter()
            .map(|key| {
                serde_json::json!({
                    "keyId": key.id, "label": key.label, "scopes": key.scopes.0, "kind": key.kind.as_str(),
                    "createdAt": key.created_at, "revokedAt": key.revoked_at,
                })
            })
            .collect();
        return Ok(serde_json::json!({ "keys": keys }).to_string());
    }
    let lines = keys.iter().map(|key| {
        let state = key.revoked_at.map_or(String::new(), |at| format!("  revoked {at}"));
        let scopes: Vec<_> = key.scopes.0.iter().map(|scope| scope.as_str()).collect();
        format!("{}  {:5}  {}  {}{state}", key.id, key.kind.as_str(), key.label, scopes.join(","))
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

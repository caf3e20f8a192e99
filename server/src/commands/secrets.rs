//! `l10n-server secrets new-key|reseal`: the master key that secrets are sealed with at rest.

use crate::config::{Config, Overrides};
use crate::domain::receipts;
use crate::domain::webhooks::{missing_keys, reseal};
use crate::service::Service;
use crate::vault::MasterKey;
use anyhow::{Context as _, Result, bail};
use clap::Subcommand;
use l10n_api_types::WebhookId;
use secrecy::ExposeSecret as _;

use super::shared::{open_existing, print, service};
use crate::words::counted;

#[derive(Subcommand)]
pub(crate) enum SecretsCommand {
    /// Print a fresh master key for the setting secrets.master_key
    NewKey,
    /// Reseal every secret with the first master key while servers run, so that previous ones can be removed
    Reseal {
        /// Give webhooks whose secret no master key opens a fresh one; their owners learn it by rotating it
        #[arg(long)]
        replace_lost: bool,
    },
}

impl SecretsCommand {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        match self {
            Self::NewKey => print(MasterKey::generate().expose().expose_secret()),
            Self::Reseal { replace_lost } => reseal_all(overrides, replace_lost).await,
        }
    }
}

/// Refuses to go on without a master key.
pub(crate) fn need_master_key(config: &Config) -> Result<()> {
    if config.settings.master_keys.is_empty() {
        bail!(
            "setting `secrets.master_key` is not set, and secrets of webhooks are sealed with it before they are stored: \
             `l10n-server secrets new-key` prints a key; keep it, and give it in L10N_SERVER_SECRETS_MASTER_KEY or in the \
             file of `secrets.master_key_file`"
        );
    }
    Ok(())
}

/// Warns of a file with master keys that every user of this machine can read.
pub(crate) fn warn_of_readable_keys(config: &Config) {
    #[cfg(unix)]
    for file in &config.master_key_files {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(file).map(|file| file.permissions().mode()).unwrap_or_default();
        if mode & 0o004 != 0 {
            tracing::warn!(
                file = %file.display(),
                "every user of this machine can read the master key: take the permission away with `chmod 600`"
            );
        }
    }
    #[cfg(not(unix))]
    let _ = config;
}

/// Refuses to go on when a secret in use was sealed with a master key that the settings do not name: its deliveries could
/// not be signed.
///
/// # Errors
///
/// That, or when the database does not answer.
pub(crate) async fn need_keys_in_use(service: &Service) -> Result<()> {
    let mut tx = service.store.begin_read().await?;
    let missing = missing_keys(&mut tx, &service.vault, service.clock.now()).await?;
    if missing.is_empty() {
        return Ok(());
    }
    let missing: Vec<_> = missing.iter().map(ToString::to_string).collect();
    let known: Vec<_> = service.settings.master_keys.iter().map(|key| key.id().to_string()).collect();
    bail!(
        "secrets in the database are sealed with a master key of id {}, and the settings name {}: add it to \
         `secrets.previous_master_keys`, or, if it is lost, run `l10n-server secrets reseal --replace-lost`",
        missing.join(", "),
        known.join(", "),
    )
}

async fn reseal_all(overrides: &Overrides, replace_lost: bool) -> Result<()> {
    let config = Config::load(overrides)?;
    need_master_key(&config)?;
    let service = service(&config, open_existing(&config).await?)?;
    let (mut resealed, mut replaced, mut after) = (0, Vec::new(), String::new());
    loop {
        let mut tx = service.store.begin_write().await?;
        let batch = reseal(&mut tx, &service.vault, &after, service.clock.now(), replace_lost)
            .await
            .with_context(|| format!("stopped after {}; the others are as before", counted(resealed, "webhook")))?;
        tx.commit().await?;
        resealed += batch.resealed;
        replaced.extend(batch.replaced);
        let Some(last) = batch.last else { break };
        last.as_str().clone_into(&mut after);
    }
    let mut kept = None;
    loop {
        let mut tx = service.store.begin_write().await?;
        kept = receipts::reseal(&mut tx, &service.vault, kept.as_ref()).await?;
        tx.commit().await?;
        if kept.is_none() {
            break;
        }
    }
    service.store.close().await;
    print(&format!("Sealed the secrets of {} anew.", counted(resealed, "webhook")))?;
    if !replaced.is_empty() {
        print(&format!(
            "These have a fresh secret that nobody knows until it is rotated: {}",
            replaced.iter().map(WebhookId::as_str).collect::<Vec<_>>().join(" ")
        ))?;
    }
    Ok(())
}

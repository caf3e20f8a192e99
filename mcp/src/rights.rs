//! The rights of a key: lists leave out what it may not use.

use std::time::Duration;

use l10n_client::api::Scope;

use crate::reading::ReadContext;

/// Lifetime of lists, in milliseconds.
const LIFETIME: u64 = 300_000;

/// Longest wait for the key's scopes. Without them everything is listed, and the service refuses what the key may not do.
const LONGEST: Duration = Duration::from_secs(2);

/// The scopes of a key, if the service says them soon.
#[derive(Debug)]
pub(crate) struct Rights(Option<Vec<Scope>>);

impl Rights {
    pub(crate) async fn of(reading: ReadContext<'_>) -> Self {
        let (account, memory) = (reading.account, reading.memory);
        if let Some(known) = memory.credential(account.key()) {
            return Self(Some(known.scopes));
        }
        let read = async {
            let project = reading.project().await.ok()?;
            project.credential().await.ok()
        };
        let Some(credential) = tokio::time::timeout(LONGEST, read).await.ok().flatten() else { return Self(None) };
        memory.keep_credential(account.key(), credential.clone());
        Self(Some(credential.scopes))
    }

    /// Returns true if any of these scopes is held, or none is needed.
    pub(crate) fn allow(&self, scopes: &[Scope]) -> bool {
        scopes.is_empty() || self.0.as_deref().is_none_or(|held| Scope::grants(held, scopes))
    }

    /// Lifetime of a list that depends on them, in milliseconds. Without the scopes, it is for a moment.
    pub(crate) fn lifetime(&self) -> u64 {
        if self.0.is_some() { LIFETIME } else { 0 }
    }
}

//! The secret of a webhook: made, sealed, and hinted at.

use l10n_api_types::WebhookId;
use secrecy::{ExposeSecret as _, SecretString};

use crate::domain::ServiceError;
use crate::ids;
use crate::vault::Vault;

/// Characters of a secret that later reads show (§2).
const HINT: usize = 4;

/// A secret in its three forms.
pub(super) struct NewSecret {
    pub(super) text: SecretString,
    pub(super) sealed: Vec<u8>,
    pub(super) hint: String,
}

/// Makes a secret for a webhook.
pub(super) fn fresh(vault: &Vault, webhook_id: &WebhookId) -> Result<NewSecret, ServiceError> {
    let text = ids::new_webhook_secret();
    let sealed = vault.seal(webhook_id.as_str(), text.expose_secret()).map_err(ServiceError::internal)?;
    let hint = hint(&text);
    Ok(NewSecret { text, sealed, hint })
}

/// The last four characters.
pub(super) fn hint(secret: &SecretString) -> String {
    let text = secret.expose_secret();
    let begin = text.char_indices().rev().nth(HINT - 1).map_or(0, |(at, _)| at);
    text[begin..].to_owned()
}

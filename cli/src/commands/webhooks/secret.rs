//! The secret for making or checking a signature: from the environment or a file, which no process list shows.

use l10n_client::SecretString;

use crate::args::SecretArgs;
use crate::context::Context;
use crate::error::{CliError, unreadable, usage};

/// Its environment variable.
const VARIABLE: &str = "L10N_WEBHOOK_SECRET";

/// The secret as given, without any check: surrounding blanks may be the problem.
pub(crate) fn read(context: &Context, args: &SecretArgs) -> Result<SecretString, CliError> {
    if let Some(secret) = &args.secret {
        return Ok(secret.clone());
    }
    if let Some(path) = &args.secret_file {
        let path = context.folder.join(path);
        // Editors end a file with a line end.
        return Ok(std::fs::read_to_string(&path).map_err(unreadable(&path))?.trim_end_matches(['\r', '\n']).into());
    }
    match std::env::var(VARIABLE) {
        Ok(secret) if !secret.is_empty() => Ok(secret.into()),
        _ => Err(usage(
            "no webhook secret",
            format!("set {VARIABLE} or use --secret-file PATH; `l10n webhooks create` shows a secret once"),
        )),
    }
}

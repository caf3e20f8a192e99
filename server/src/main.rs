//! `l10n-server`: the localization service's reference server.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    l10n_server::commands::main().await
}

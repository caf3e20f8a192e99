//! `l10n-server`: the localization service's reference server.

mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use l10n_server::config::Overrides;

/// The localization service: register strings, price, translate, publish, deliver
///
/// Settings are taken from flags, the environment and l10n-server.toml, in this order. `l10n-server example-config`
/// prints them all.
#[derive(Parser)]
#[command(version, about, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    overrides: Overrides,
}

#[derive(Subcommand)]
enum Command {
    /// Serve on this machine for development: embedded SQLite, with a workspace, a project and a key made once
    Dev(commands::dev::Dev),
    /// Serve
    Serve,
    /// Make workspaces, projects, languages, credits and keys from a description; may be repeated
    Provision(commands::provision::Provision),
    /// Create, list and revoke API keys
    #[command(subcommand)]
    Keys(commands::keys::Keys),
    /// Change keys on the source side, and let the code know
    #[command(subcommand)]
    KeysEdit(commands::keys_edit::KeysEdit),
    /// List, archive, delete and restore workspaces
    #[command(subcommand)]
    Workspaces(commands::lifecycle::Workspaces),
    /// List, archive, delete and restore projects, and change their settings
    #[command(subcommand)]
    Projects(commands::projects::Projects),
    /// List, archive, delete and restore documents
    #[command(subcommand)]
    Documents(commands::lifecycle::Documents),
    /// Review translations
    #[command(subcommand)]
    Translations(commands::translations::Translations),
    /// List what apps miss, and accept or discard it
    #[command(subcommand)]
    Captured(commands::captured::Captured),
    /// Grant credits, set a workspace's monthly cap and plan, and read its ledger
    #[command(subcommand)]
    Credits(commands::credits::Credits),
    /// List what agents' keys ask for, and decide it
    #[command(subcommand)]
    Operations(commands::operations::Operations),
    /// Make master keys, and replace the one that secrets are sealed with
    #[command(subcommand)]
    Secrets(commands::secrets::Secrets),
    /// Write the database into one file, beside running servers
    Backup(commands::backup::Backup),
    /// Put back what `backup` has written, into an empty place
    Restore(commands::restore::Restore),
    /// Read all that is stored and check hashes, ledgers and references, beside running servers
    Check,
    /// Bring the database to this version's schema
    Migrate,
    /// Print the OpenAPI document of the API
    Openapi,
    /// Print a configuration file that shows every setting with its default
    ExampleConfig,
}

#[tokio::main]
async fn main() -> ExitCode {
    let Arguments { command, overrides } = Arguments::parse();
    let outcome = match command {
        Command::Dev(dev) => dev.run(overrides).await,
        Command::Serve => commands::serve::run(&overrides).await,
        Command::Provision(provision) => provision.run(&overrides).await,
        Command::Keys(keys) => keys.run(&overrides).await,
        Command::KeysEdit(edit) => edit.run(&overrides).await,
        Command::Workspaces(workspaces) => workspaces.run(&overrides).await,
        Command::Documents(documents) => documents.run(&overrides).await,
        Command::Projects(projects) => projects.run(&overrides).await,
        Command::Translations(translations) => translations.run(&overrides).await,
        Command::Captured(captured) => captured.run(&overrides).await,
        Command::Credits(credits) => credits.run(&overrides).await,
        Command::Operations(operations) => operations.run(&overrides).await,
        Command::Secrets(secrets) => secrets.run(&overrides).await,
        Command::Backup(backup) => backup.run(&overrides).await,
        Command::Restore(restore) => restore.run(&overrides).await,
        Command::Check => commands::check::run(&overrides).await,
        Command::Migrate => commands::migrate::run(&overrides).await,
        Command::Openapi => commands::openapi::run(),
        Command::ExampleConfig => commands::example_config::run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            commands::complain(&error);
            ExitCode::FAILURE
        }
    }
}

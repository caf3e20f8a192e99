//! The command line: the subcommands, one file each, and helpers that they share.

mod backup;
mod captured;
mod check;
mod credits;
mod dev;
mod engines;
mod engines_used;
mod example_config;
mod keys;
mod keys_edit;
mod lifecycle;
mod log_lines;
mod migrate;
mod openapi;
mod operations;
mod postgres_tools;
mod profile;
mod projects;
mod provision;
mod restore;
mod secrets;
mod serve;
mod shared;
mod stop_signals;
mod translations;
mod users;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use self::shared::complain;
use crate::config::{Overrides, with_brief_help};

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

impl Arguments {
    /// Reads the arguments; ends the process with a message where they are wrong, or with help.
    fn of_this_process() -> Self {
        let command = Self::command().mut_subcommands(|subcommand| match subcommand.get_name() {
            "dev" | "serve" => subcommand,
            _ => with_brief_help(subcommand),
        });
        Self::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit())
    }
}

#[derive(Subcommand)]
enum Command {
    /// Run a server for development: embedded SQLite, with a workspace, a project and an API key that it creates once
    Dev(dev::DevArgs),
    /// Run the server
    Serve,
    /// Create workspaces, projects, languages, credits and API keys from a description; may be repeated
    Provision(provision::ProvisionArgs),
    /// Create, list and revoke API keys
    #[command(subcommand)]
    Keys(keys::KeysCommand),
    /// Change source keys; the code gets the changes with `l10n pull-changes`
    #[command(subcommand)]
    KeysEdit(keys_edit::KeysEditCommand),
    /// List, archive, delete and restore workspaces
    #[command(subcommand)]
    Workspaces(lifecycle::WorkspacesCommand),
    /// List, archive, delete and restore projects, and change their settings
    #[command(subcommand)]
    Projects(projects::ProjectsCommand),
    /// List, archive, delete and restore documents
    #[command(subcommand)]
    Documents(lifecycle::DocumentsCommand),
    /// Review translations
    #[command(subcommand)]
    Translations(translations::TranslationsCommand),
    /// List the keys that apps miss, and accept or discard them
    #[command(subcommand)]
    Captured(captured::CapturedCommand),
    /// Grant credits, set a workspace's monthly cap and plan, and read its ledger
    #[command(subcommand)]
    Credits(credits::CreditsCommand),
    /// List what agents' keys ask for, and approve or deny it
    #[command(subcommand)]
    Operations(operations::OperationsCommand),
    /// List the engines that are configured, and try one
    #[command(subcommand)]
    Engines(engines::EnginesCommand),
    /// Add people who use the dashboard, list and disable them, and reset forgotten passwords
    #[command(subcommand)]
    Users(users::UsersCommand),
    /// Create master keys, and replace the one that secrets are sealed with
    #[command(subcommand)]
    Secrets(secrets::SecretsCommand),
    /// Write the database into one file while servers run
    Backup(backup::BackupArgs),
    /// Put back what `backup` has written, into an empty place
    Restore(restore::RestoreArgs),
    /// Read all that is stored and check hashes, ledgers and references while servers run
    Check,
    /// Bring the database to this version's schema
    Migrate,
    /// Print the OpenAPI document of the API
    Openapi,
    /// Print a configuration file that shows every setting with its default
    ExampleConfig,
}

/// Runs the command line of `l10n-server`, as its binary does.
pub async fn main() -> ExitCode {
    let Arguments { command, overrides } = Arguments::of_this_process();
    let outcome = match command {
        Command::Dev(dev) => dev.run(overrides).await,
        Command::Serve => serve::run(&overrides).await,
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
        Command::Engines(engines) => engines.run(&overrides).await,
        Command::Users(users) => users.run(&overrides).await,
        Command::Secrets(secrets) => secrets.run(&overrides).await,
        Command::Backup(backup) => backup.run(&overrides).await,
        Command::Restore(restore) => restore.run(&overrides).await,
        Command::Check => check::run(&overrides).await,
        Command::Migrate => migrate::run(&overrides).await,
        Command::Openapi => openapi::run(),
        Command::ExampleConfig => example_config::run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

//! Flags of the commands about a project as a whole, and about this program.

use clap::{Args, Subcommand};

use super::values::language;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  l10n init --project demo/app --base-url http://127.0.0.1:8787/v1\n  l10n init --dry-run"
)]
pub(crate) struct InitArgs {
    /// Language of the source files [default: detected; `en` if several match]
    #[arg(long, value_name = "CODE")]
    pub(crate) base_language: Option<String>,
    /// Replace an existing l10n.toml
    #[arg(long)]
    pub(crate) force: bool,
    /// Print what would be written
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  l10n languages\n  l10n languages add de fr pt-BR")]
pub(crate) struct LanguagesArgs {
    #[command(subcommand)]
    pub(crate) command: Option<LanguagesCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LanguagesCommand {
    /// List languages
    List,
    /// Add languages; the next sync translates into them
    Add {
        /// BCP 47 tags, such as de or pt-BR
        #[arg(required = true, value_name = "CODE", value_delimiter = ',', value_parser = language)]
        codes: Vec<String>,
    },
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  l10n formats\n  l10n formats set --prune")]
pub(crate) struct FormatsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<FormatsCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FormatsCommand {
    /// List output formats and the file formats that the server supports
    List,
    /// Add the output formats of l10n.toml to the project
    Set {
        /// Remove formats that l10n.toml does not have
        #[arg(long)]
        prune: bool,
    },
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  l10n completions bash > ~/.local/share/bash-completion/completions/l10n\n  l10n completions zsh > ~/.zfunc/_l10n"
)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

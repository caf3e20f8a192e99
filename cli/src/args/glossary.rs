//! Flags of `l10n glossary`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(
    after_help = "The file is CSV with a header row: term, then language, rule (translate, keep or forbidden), case_sensitive and note where needed, and a column for each language of translations. `[glossary] file` of l10n.toml names it; glossary.csv otherwise.\n\nExamples:\n  l10n glossary\n  l10n glossary pull\n  l10n glossary push --prune --dry-run"
)]
pub(crate) struct GlossaryArgs {
    #[command(subcommand)]
    pub(crate) command: Option<GlossaryCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GlossaryCommand {
    /// List the project's terms
    List {
        /// List the terms that the workspace has for all of its projects
        #[arg(long)]
        workspace: bool,
    },
    /// Write the project's terms into a CSV file
    Pull(PullGlossaryArgs),
    /// Set the project's terms from a CSV file
    Push(PushGlossaryArgs),
}

#[derive(Debug, Args)]
#[command(
    after_help = "The terms of the file stay in their order. Exit status 3: the file has terms or values that the project lacks, so it was not written; push them first, or use --overwrite."
)]
pub(crate) struct PullGlossaryArgs {
    /// The file, or `-` for standard output [default: that of l10n.toml, or glossary.csv beside it]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Replace the file even if it has terms or values that the project lacks
    #[arg(long)]
    pub(crate) overwrite: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PushGlossaryArgs {
    /// The file, or `-` for standard input [default: that of l10n.toml, or glossary.csv beside it]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Remove terms that the file does not have [default: keep them, unless l10n.toml says `prune = true`]
    #[arg(long)]
    pub(crate) prune: bool,
    /// Print what would change; change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

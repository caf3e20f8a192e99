//! Flags of the commands about versions.

use std::path::PathBuf;

use clap::Args;

use super::spend::{ApprovalArgs, OnceArgs};
use super::values::language;

#[derive(Debug, Args)]
#[command(
    after_help = "An existing file keeps its order, its layout and the texts that the version lacks, which are listed; new texts are added in their place. A file that spells its language otherwise (`values-iw` for `he`, `pt_br`) keeps its name. Files are replaced completely or not at all; unchanged ones are not touched. Source files are not changed.\n\nExamples:\n  l10n pull\n  l10n pull --languages de,fr --dir build/locales\n  l10n pull --version v12 --dry-run"
)]
pub(crate) struct PullArgs {
    /// Version, by its id or label [default: the live one]
    #[arg(long, value_name = "VERSION")]
    pub(crate) version: Option<String>,
    /// Only these languages
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = language)]
    pub(crate) languages: Vec<String>,
    /// Folder to write to [default: the folder of l10n.toml]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
    /// Also write the base language's texts into the source files; templates of gettext and sources of XLIFF have them already
    #[arg(long)]
    pub(crate) include_base: bool,
    /// Make each file equal to the published one, byte for byte: texts that the version lacks are removed
    #[arg(long)]
    pub(crate) prune: bool,
    /// Print what would be written; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  l10n publish\n  l10n publish --label \"Release 2.1\" --languages de,fr\n  l10n publish --idempotency-key \"publish-$CI_JOB_ID\"\n  l10n publish --request-approval --note \"Release 2.1\""
)]
pub(crate) struct PublishArgs {
    /// Name of the version [default: v1, v2, …]
    #[arg(long, value_name = "TEXT")]
    pub(crate) label: Option<String>,
    /// Languages besides the base language; others are then no longer live [default: all of the project]
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = language)]
    pub(crate) languages: Vec<String>,
    #[command(flatten)]
    pub(crate) once: OnceArgs,
    #[command(flatten)]
    pub(crate) approval: ApprovalArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A text that is held back is in no version; `l10n review list` says why.\n\nExamples:\n  l10n diff\n  l10n diff --language de --json"
)]
pub(crate) struct DiffArgs {
    /// Only this language
    #[arg(long, value_name = "CODE", value_parser = language)]
    pub(crate) language: Option<String>,
    /// Number of texts that are shown; all are counted
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) limit: u32,
}

#[derive(Debug, Args)]
pub(crate) struct VersionsArgs {
    /// Number of versions, newest first
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) limit: u32,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Keys and translations stay as they are; only the delivered version changes.\n\nExamples:\n  l10n restore v11\n  l10n restore \"#7\""
)]
pub(crate) struct RestoreArgs {
    /// Version, by its id, its label, or its number such as #7
    #[arg(value_name = "VERSION")]
    pub(crate) version: String,
    #[command(flatten)]
    pub(crate) once: OnceArgs,
    #[command(flatten)]
    pub(crate) approval: ApprovalArgs,
}

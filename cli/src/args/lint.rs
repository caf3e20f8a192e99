//! Flags of the commands that read local files alone.

use std::path::PathBuf;

use clap::Args;
use l10n_client::api::FormatId;

use super::values::language;

/// Flags of `l10n lint`.
#[derive(Debug, Args)]
#[command(
    after_help = "Needs no server and no key. Each translation of the files of l10n.toml is checked against its source, as the server checks it. Exit status 14 when a check finds an error, 0 when it finds warnings alone."
)]
pub(crate) struct LintArgs {
    /// Only these files, each a translation or a source [default: all files of l10n.toml]
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,
    /// The source of the files, which then need no l10n.toml
    #[arg(long, value_name = "FILE", requires_all = ["files", "language"])]
    pub(crate) source: Option<PathBuf>,
    /// The language of the files, where neither l10n.toml nor the file names it
    #[arg(long, value_name = "CODE", value_parser = language, requires = "files")]
    pub(crate) language: Option<String>,
    /// The language of the sources [default: base_language of l10n.toml, else en]
    #[arg(long, value_name = "CODE", value_parser = language)]
    pub(crate) base: Option<String>,
    /// Count warnings as errors
    #[arg(long)]
    pub(crate) strict: bool,
}

/// Flags of `l10n convert`.
#[derive(Debug, Args)]
#[command(
    after_help = "Needs no server and no key. Texts stay as they are: what the new format cannot hold, or reads otherwise, is listed.\nA .xlf file is written as xliff-1.2; say `--to xliff-2` for the other one."
)]
pub(crate) struct ConvertArgs {
    /// The file to read, or `-` for standard input
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The file to write, or `-` for standard output
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The format of IN, where its name and content do not say it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<FormatId>,
    /// The format of OUT, where its name does not say it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<FormatId>,
    /// The language of the texts; of a file with source and translation, the translations [default: the file's]
    #[arg(long, value_name = "CODE", value_parser = language)]
    pub(crate) language: Option<String>,
    /// The language of the source texts, which a file with source and translation names [default: the file's]
    #[arg(long, value_name = "CODE", value_parser = language)]
    pub(crate) source_language: Option<String>,
    /// Replace OUT if it is there
    #[arg(long)]
    pub(crate) force: bool,
}

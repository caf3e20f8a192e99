//! Flags of the commands that read local files alone.

use std::path::PathBuf;

use clap::Args;

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

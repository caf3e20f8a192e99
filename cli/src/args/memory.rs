//! Flags of `l10n memory`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::values::language;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  l10n memory suggest \"Save the file\" --language de\n  l10n memory export earlier.tmx\n  l10n memory import earlier.tmx",
    arg_required_else_help = true
)]
pub(crate) struct MemoryArgs {
    #[command(subcommand)]
    pub(crate) command: MemoryCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// Show translations that memory has of a text and of similar ones, people's first
    Suggest(SuggestArgs),
    /// Write memory into a TMX file, for other tools
    Export {
        /// The file, or `-` for standard output
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Import the translations of a TMX file of at most 1 MiB; they serve this project alone until a person has reviewed them
    Import {
        /// The file, or `-` for standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct SuggestArgs {
    /// The text in the base language
    #[arg(value_name = "TEXT")]
    pub(crate) text: String,
    /// The language of the translations
    #[arg(long, value_name = "CODE", value_parser = language)]
    pub(crate) language: String,
    /// Minimum similarity in percent, 60 to 100
    #[arg(long, value_name = "PERCENT", default_value_t = 60, value_parser = clap::value_parser!(u32).range(60..=100))]
    pub(crate) percent: u32,
}

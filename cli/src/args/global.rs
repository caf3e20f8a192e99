//! Flags that every command takes.

use std::path::PathBuf;

use clap::Args;

use crate::printer::ColorChoice;

/// Flags that every command takes.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct GlobalArgs {
    /// Settings file [default: l10n.toml here or in a parent folder]
    #[arg(long, global = true, value_name = "PATH", help_heading = "Global options")]
    pub(crate) config: Option<PathBuf>,
    /// Project: its id, or workspace/project [env: L10N_PROJECT]
    #[arg(long, global = true, value_name = "PROJECT", help_heading = "Global options")]
    pub(crate) project: Option<String>,
    /// Base URL of the API, such as https://host/v1 [env: L10N_BASE_URL]
    #[arg(long, global = true, value_name = "URL", help_heading = "Global options")]
    pub(crate) base_url: Option<String>,
    /// Read the API key from this file [env: L10N_API_KEY holds the key itself]
    #[arg(long, global = true, value_name = "PATH", help_heading = "Global options")]
    pub(crate) api_key_file: Option<PathBuf>,
    /// Give up on a request after this many seconds
    #[arg(long, global = true, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600), help_heading = "Global options")]
    pub(crate) timeout: Option<u64>,
    /// Retry up to this many times where that is safe; 0 never waits out a rate limit
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=20), help_heading = "Global options")]
    pub(crate) retries: Option<u32>,
    /// Print one JSON object on stdout
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) json: bool,
    /// Print only results, warnings and errors
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Global options")]
    pub(crate) quiet: bool,
    /// Print each request to stderr; twice for more
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = "Global options")]
    pub(crate) verbose: u8,
    /// Use of colour
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", help_heading = "Global options")]
    pub(crate) color: ColorChoice,
}

//! `l10n mcp`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use l10n_mcp::ToolChoice;

use crate::agent_programs::AgentProgram;

/// Arguments of `mcp`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct McpArgs {
    #[command(subcommand)]
    pub(crate) command: Option<McpCommand>,

    /// Offer only tools that change nothing
    #[arg(long)]
    pub(crate) read_only: bool,
    /// Tools to offer: `all`, or names with commas between them
    #[arg(long, value_name = "NAMES", default_value = "default")]
    pub(crate) tools: ToolChoice,
    /// Serve HTTP at this address, path /mcp, in place of stdin and stdout; each request brings its own API key
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<SocketAddr>,
    /// Host that requests may name besides this machine's own names
    #[arg(long, value_name = "HOST", requires = "listen")]
    pub(crate) allowed_host: Vec<String>,
    /// Origin of pages that may call, such as https://app.example.com:443
    #[arg(long, value_name = "ORIGIN", requires = "listen")]
    pub(crate) allowed_origin: Vec<String>,
}

/// A subcommand of `mcp`.
#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Show the configuration for a program in which agents run, or write it
    Install(McpInstallArgs),
}

/// Arguments of `mcp install`.
#[derive(Debug, Args)]
pub(crate) struct McpInstallArgs {
    /// The program
    pub(crate) program: AgentProgram,
    /// Add the server to the program's file; every other byte of it stays
    #[arg(long)]
    pub(crate) write: bool,
    /// The file, in place of the program's usual one
    #[arg(long, value_name = "PATH")]
    pub(crate) file: Option<PathBuf>,
    /// The server's name in the file
    #[arg(long, value_name = "NAME", default_value = "l10n")]
    pub(crate) name: String,
}

//! One file for each command.

mod capture;
mod check;
mod completions;
mod content;
mod convert;
mod deliveries;
mod diff;
mod doctor;
mod formats;
mod glossary;
mod import;
mod init;
mod keys;
mod languages;
mod lint;
mod mcp;
mod mcp_install;
mod memory;
mod operations;
mod publish;
mod pull;
mod pull_changes;
mod requests;
mod restore;
mod review;
mod status;
mod sync;
mod translate;
mod versions;
mod webhooks;
mod whoami;

use crate::args::{Command, McpArgs, McpCommand};
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;

/// Runs a command.
pub(crate) async fn dispatch(context: &Context, command: Command) -> Result<ExitStatus, CliError> {
    match command {
        Command::Init(args) => init::init(context, &args),
        Command::Whoami => whoami::whoami(context).await,
        Command::Status => status::status(context).await,
        Command::Sync(args) => sync::sync(context, &args).await,
        Command::Import(args) => import::import(context, &args).await,
        Command::Translate(args) => translate::translate(context, &args).await,
        Command::Capture(args) => capture::capture(context, &args).await,
        Command::Pull(args) => pull::pull(context, &args).await,
        Command::Keys(args) => keys::keys(context, &args).await,
        Command::PullChanges(args) => pull_changes::pull_changes(context, &args).await,
        Command::Memory(args) => memory::memory(context, args).await,
        Command::Content(args) => content::content(context, args).await,
        Command::Diff(args) => diff::diff(context, &args).await,
        Command::Publish(args) => publish::publish(context, &args).await,
        Command::Versions(args) => versions::versions(context, &args).await,
        Command::Restore(args) => restore::restore(context, &args).await,
        Command::Languages(args) => languages::languages(context, args).await,
        Command::Formats(args) => formats::formats(context, args).await,
        Command::Glossary(args) => glossary::glossary(context, args).await,
        Command::Webhooks(args) => webhooks::webhooks(context, args).await,
        Command::Deliveries(args) => deliveries::deliveries(context, args).await,
        Command::Operations(args) => operations::operations(context, args).await,
        Command::Requests(args) => requests::requests(context, args).await,
        Command::Review(args) => review::review(context, args).await,
        Command::Convert(args) => convert::convert(context, &args).await,
        Command::Lint(args) => lint::lint(context, &args),
        Command::Check(args) => check::check(context, &args).await,
        Command::Mcp(McpArgs { command: Some(McpCommand::Install(args)), .. }) => mcp_install::install(context, &args),
        Command::Mcp(args) => mcp::mcp(context, args).await,
        Command::Doctor => doctor::doctor(context).await,
        Command::Completions(args) => completions::completions(context, &args),
    }
}

//! The command line, declared once: parser, help, man pages and completions come from here.

mod content;
mod global;
mod glossary;
mod keys;
mod lint;
mod mcp;
mod memory;
mod operations;
mod project;
mod spend;
mod values;
mod versions;
mod webhooks;

use clap::{Parser, Subcommand};

pub(crate) use content::{
    CheckContentArgs, ContentArgs, ContentCommand, ListContentArgs, PublishContentArgs, PullContentArgs,
    PushContentArgs, RunContentArgs,
};
pub(crate) use global::GlobalArgs;
pub(crate) use glossary::{GlossaryArgs, GlossaryCommand, PullGlossaryArgs, PushGlossaryArgs};
pub(crate) use keys::{
    CaptureArgs, CheckArgs, ImportArgs, KeysArgs, ListReviewArgs, OnRemovedArg, PullChangesArgs, ReviewArgs,
    ReviewCommand, SyncArgs, TranslateArgs,
};
pub(crate) use lint::{ConvertArgs, LintArgs};
pub(crate) use mcp::{McpArgs, McpCommand, McpInstallArgs};
pub(crate) use memory::{MemoryArgs, MemoryCommand, SuggestArgs};
pub(crate) use operations::{
    OperationArgs, OperationsArgs, OperationsCommand, RequestOperationArgs, RequestsArgs, RequestsCommand,
    WaitOperationArgs,
};
pub(crate) use project::{CompletionsArgs, FormatsArgs, FormatsCommand, InitArgs, LanguagesArgs, LanguagesCommand};
pub(crate) use spend::{ApprovalArgs, OnceArgs, SpendArgs};
pub(crate) use values::language_codes;
pub(crate) use versions::{DiffArgs, PublishArgs, PullArgs, RestoreArgs, VersionsArgs};
pub(crate) use webhooks::{
    CreateWebhookArgs, DeleteWebhookArgs, DeliveriesArgs, DeliveriesCommand, ListDeliveriesArgs, ListenArgs,
    ResendArgs, RotateSecretArgs, SampleMistake, SecretArgs, TriggerArgs, UpdateWebhookArgs, VerifyArgs, WebhooksArgs,
    WebhooksCommand,
};

const AFTER_HELP: &str = "\
Settings: flags over environment (L10N_API_KEY, L10N_BASE_URL, L10N_PROJECT) over l10n.toml.

Exit status:
  0  ok                         7  conflict
  1  unexpected                 8  server unavailable
  2  usage or configuration     9  approval needed
  3  out of date               10  partial failure
  4  authentication or scope   11  approval denied
  5  credits or caps           12  approval ended
  6  rate limit                13  outcome unknown
130  interrupted               14  checks found errors";

/// Translate an app's texts: sync source files, publish versions, pull translated files.
#[derive(Debug, Parser)]
#[command(name = "l10n", version, after_help = AFTER_HELP, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find localization files and write l10n.toml
    Init(InitArgs),
    /// Show the project and the key in use
    Whoami,
    /// Show the progress of each language
    Status,
    /// Upload the source files and translate new and changed keys
    Sync(SyncArgs),
    /// Upload existing translations, free of charge
    Import(ImportArgs),
    /// Translate single keys
    Translate(TranslateArgs),
    /// Report keys that an app misses
    Capture(CaptureArgs),
    /// Write the translated files of the published version
    Pull(PullArgs),
    /// Write people's changes on the server into the source files
    PullChanges(PullChangesArgs),
    /// List keys with their translations, or search in them
    Keys(KeysArgs),
    /// Use translation memory: earlier translations of the project and its workspace
    Memory(MemoryArgs),
    /// Translate documents: Markdown, HTML and text files
    Content(ContentArgs),
    /// Show how a publish now would differ from the live version
    Diff(DiffArgs),
    /// Freeze a version and make it live
    Publish(PublishArgs),
    /// List published versions
    Versions(VersionsArgs),
    /// Make an earlier version live again
    Restore(RestoreArgs),
    /// List languages, or add some
    Languages(LanguagesArgs),
    /// List output formats, or set them from l10n.toml
    Formats(FormatsArgs),
    /// List the glossary, or keep it in a CSV file
    Glossary(GlossaryArgs),
    /// Register URLs that are called when the project publishes
    Webhooks(WebhooksArgs),
    /// Show the deliveries to webhooks, and send them again
    Deliveries(DeliveriesArgs),
    /// Ask a person to approve what an AI agent's key cannot do by itself
    Operations(OperationsArgs),
    /// Find the outcome of a write whose answer was lost
    Requests(RequestsArgs),
    /// Show the translations that are held back, and why
    Review(ReviewArgs),
    /// Fail if code and server differ (exit status 3)
    Check(CheckArgs),
    /// Check the translations in local files, without a server
    Lint(LintArgs),
    /// Write the texts of a file in another format, without a server
    Convert(ConvertArgs),
    /// Serve an AI agent over the Model Context Protocol, on stdin and stdout
    Mcp(McpArgs),
    /// Check settings, network, key and files for problems
    Doctor,
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

impl Command {
    /// Returns true if the command runs until a signal comes and handles it itself.
    pub(crate) fn ends_by_itself(&self) -> bool {
        matches!(self, Self::Webhooks(WebhooksArgs { command: Some(WebhooksCommand::Listen(_)) }))
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_declaration_is_sound() {
        Cli::command().debug_assert();
    }
}

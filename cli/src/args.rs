//! The command line, declared once: parser, help, man pages and completions come from here.

mod content;
mod operations;
mod values;
mod webhooks;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use l10n_client::api::Millicredits;

pub(crate) use content::{
    CheckContentArgs, ContentArgs, ContentCommand, ListContentArgs, PublishContentArgs, PullContentArgs,
    PushContentArgs, RunContentArgs,
};
pub(crate) use operations::{
    ApprovalArgs, OnceArgs, OperationArgs, OperationsArgs, OperationsCommand, RequestOperationArgs, RequestsArgs,
    RequestsCommand, WaitOperationArgs,
};
use values::{credits, language};
pub(crate) use webhooks::{
    CreateWebhookArgs, DeleteWebhookArgs, DeliveriesArgs, DeliveriesCommand, ListDeliveriesArgs, ListenArgs,
    ResendArgs, RotateSecretArgs, SecretArgs, TriggerArgs, UpdateWebhookArgs, VerifyArgs, WebhooksArgs,
    WebhooksCommand, Wrong,
};

use crate::printer::ColorChoice;

const AFTER_HELP: &str = "\
Settings: flags over environment (L10N_API_KEY, L10N_BASE_URL, L10N_PROJECT) over l10n.toml.

Exit status: 0 ok · 1 unexpected · 2 usage or configuration · 3 out of date · 4 authentication or scope ·
5 credits or caps · 6 rate limit · 7 conflict · 8 server unavailable · 9 approval needed · 10 partial failure ·
11 approval denied · 12 approval ended · 13 outcome unknown";

/// Translate an app's texts: sync source files, publish versions, pull translated files.
#[derive(Debug, Parser)]
#[command(name = "l10n", version, after_help = AFTER_HELP, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

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
    /// Translate documents: Markdown, HTML and text files
    Content(ContentArgs),
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

/// The cost limit of a run, and the wait for it.
#[derive(Debug, Clone, Args)]
pub(crate) struct SpendArgs {
    /// Print what would happen and what it would cost; change nothing
    #[arg(long, conflicts_with_all = ["request_approval", "operation_id"])]
    pub(crate) dry_run: bool,
    /// Do nothing if it would cost more than this many credits
    #[arg(long, value_name = "CREDITS", value_parser = credits)]
    pub(crate) max_credits: Option<Millicredits>,
    /// Do not wait for the translations
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// Target languages, such as de,fr [default: all of the project]
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = language)]
    pub(crate) languages: Vec<String>,
    #[command(flatten)]
    pub(crate) approval: ApprovalArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A sync never deletes: keys that a file no longer has stay, unless you use --on-removed archive.\n\nExamples:\n  l10n sync --dry-run\n  l10n sync --max-credits 5\n  l10n sync --request-approval --note \"New checkout\"\n  l10n sync locales/en/common.json --languages de,fr"
)]
pub(crate) struct SyncArgs {
    /// Only these source files [default: all of l10n.toml]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) spend: SpendArgs,
    /// Treatment of keys that a file no longer has [default: keep, or l10n.toml]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) on_removed: Option<OnRemovedArg>,
    /// Translate again, including up-to-date translations and people's texts
    #[arg(long)]
    pub(crate) retranslate: bool,
}

/// [`OnRemoved`](l10n_client::api::translations::OnRemoved) on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnRemovedArg {
    /// Keep them.
    Keep,
    /// Leave them out of the next version; bringing them back undoes it.
    Archive,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Lists each text that a check holds back or that was not imported, with the reason; the exit status is 10 then.\n\nExamples:\n  l10n import --dry-run\n  l10n import --languages de,fr"
)]
pub(crate) struct ImportArgs {
    /// Only these files [default: all files of l10n.toml in other languages than the base]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only these languages
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = language)]
    pub(crate) languages: Vec<String>,
    /// Print what would be imported; change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "JSON input: {\"greeting\": \"Hello\"}, or a list of {\"ref\", \"text\" or \"plural\", \"description\", \"maxLength\", …}.\n\nExamples:\n  l10n translate --key greeting --text \"Hello, {name}\"\n  echo '{\"greeting\": \"Hello\"}' | l10n translate - --dry-run"
)]
pub(crate) struct TranslateArgs {
    /// JSON file with keys; - reads stdin
    #[arg(value_name = "FILE", conflicts_with_all = ["key", "text"], required_unless_present = "key")]
    pub(crate) file: Option<PathBuf>,
    /// Ref of the key
    #[arg(long, value_name = "REF", requires = "text")]
    pub(crate) key: Option<String>,
    /// Its text in the base language
    #[arg(long, value_name = "TEXT", requires = "key")]
    pub(crate) text: Option<String>,
    /// Note for translators
    #[arg(long, value_name = "TEXT", requires = "key")]
    pub(crate) description: Option<String>,
    /// Longest translation allowed, in characters
    #[arg(long, value_name = "N", requires = "key")]
    pub(crate) max_length: Option<u32>,
    /// Translate again, including up-to-date translations and people's texts
    #[arg(long)]
    pub(crate) retranslate: bool,
    #[command(flatten)]
    pub(crate) spend: SpendArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Replaces single values, names or members of a file; all other bytes stay. A file whose text is neither the old nor the new one is not changed.\n\nExit status 10: some changes must be made by hand.\n\nExamples:\n  l10n pull-changes --dry-run\n  l10n pull-changes && git diff"
)]
pub(crate) struct PullChangesArgs {
    /// Print what would be written; change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "JSON lines: {\"ref\": \"cart.empty\", \"text\": \"Your cart is empty\", \"language\": \"en\", \"context\": {\"url\", \"file\", \"line\"}}, all but ref optional.\n\nExamples:\n  l10n capture cart.empty --text \"Your cart is empty\"\n  l10n capture --from-file missing.jsonl"
)]
pub(crate) struct CaptureArgs {
    /// Refs of the keys
    #[arg(value_name = "REF", required_unless_present = "from_file")]
    pub(crate) refs: Vec<String>,
    /// The text that the app shows instead of the key; only with one key
    #[arg(long, value_name = "TEXT", requires = "refs")]
    pub(crate) text: Option<String>,
    /// Language of texts that do not specify it [default: the project's base language]
    #[arg(long, value_name = "CODE")]
    pub(crate) language: Option<String>,
    /// File of JSON lines with more keys; - reads stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) from_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "An existing file keeps its order, its layout and the texts that the version lacks, which are listed; new texts are added in their place. Files are replaced completely or not at all; unchanged ones are not touched. Source files are not changed.\n\nExamples:\n  l10n pull\n  l10n pull --languages de,fr --dir build/locales\n  l10n pull --version v12 --dry-run"
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
    /// Also overwrite the source files with the base language's files
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
    /// Languages besides the base language [default: all of the project]
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = language)]
    pub(crate) languages: Vec<String>,
    #[command(flatten)]
    pub(crate) once: OnceArgs,
    #[command(flatten)]
    pub(crate) approval: ApprovalArgs,
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
    after_help = "A text that is held back is in no version. Fix it and import it again, or translate its key again.\n\nExamples:\n  l10n review\n  l10n review list --languages ru --json"
)]
pub(crate) struct ReviewArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ReviewCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ReviewCommand {
    /// List the translations that are held back, and why
    List(ListReviewArgs),
}

#[derive(Debug, Default, Args)]
pub(crate) struct ListReviewArgs {
    /// Only these languages
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = language)]
    pub(crate) languages: Vec<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Changes nothing and spends nothing. Exit status 3 when `l10n sync` or `l10n pull` would change something, and when the files have texts that the published version lacks. A key with the scope `read` suffices, which forks of a repository may have; with one that may translate, the server also looks at what unfinished jobs will bring."
)]
pub(crate) struct CheckArgs {
    /// Only these languages
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = language)]
    pub(crate) languages: Vec<String>,
    /// Check only what sync would change; do not compare pulled files
    #[arg(long)]
    pub(crate) no_files: bool,
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_declaration_is_sound() {
        Cli::command().debug_assert();
    }
}

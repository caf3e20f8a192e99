//! Flags of the commands about keys and their translations.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use l10n_client::api::State;

use super::spend::SpendArgs;
use super::values::language;

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
    /// Also translate texts whose translations are in local files but were never imported
    #[arg(long)]
    pub(crate) ignore_local: bool,
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
    after_help = "A search finds the text in refs, sources and translations, in any case.\n\nExamples:\n  l10n keys --query checkout\n  l10n keys --query warenkorb --language de\n  l10n keys --language fr --state needs_review --json"
)]
pub(crate) struct KeysArgs {
    /// Only keys with this text in ref, source or a translation, in any case
    #[arg(long, value_name = "TEXT")]
    pub(crate) query: Option<String>,
    /// Show and search only translations into this language
    #[arg(long, value_name = "CODE", value_parser = language)]
    pub(crate) language: Option<String>,
    /// Only keys with a translation in this state
    #[arg(long, value_enum, value_name = "STATE")]
    pub(crate) state: Option<StateArg>,
    /// Only keys with a translation of an earlier source
    #[arg(long)]
    pub(crate) stale: bool,
    /// Only keys of this namespace
    #[arg(long, value_name = "NAME")]
    pub(crate) namespace: Option<String>,
    /// Only keys whose ref starts with this text
    #[arg(long, value_name = "TEXT")]
    pub(crate) prefix: Option<String>,
    /// Number of keys
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) limit: u32,
}

/// [`State`] on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum StateArg {
    /// There is none yet.
    Missing,
    /// It passes all checks.
    Translated,
    /// A check holds it back.
    NeedsReview,
    /// A person has approved it.
    Reviewed,
}

impl From<StateArg> for State {
    fn from(state: StateArg) -> Self {
        match state {
            StateArg::Missing => Self::Missing,
            StateArg::Translated => Self::Translated,
            StateArg::NeedsReview => Self::NeedsReview,
            StateArg::Reviewed => Self::Reviewed,
        }
    }
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
    after_help = "Changes nothing and spends nothing. Exit status 3 when `l10n sync` or `l10n pull` would change something, and when the files have texts that the published version lacks. A key with the scope `read` is enough, so forks can use it. With the scope `translate`, translations that unfinished jobs will deliver count, too."
)]
pub(crate) struct CheckArgs {
    /// Only these languages
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = language)]
    pub(crate) languages: Vec<String>,
    /// Check only what sync would change; do not compare pulled files
    #[arg(long)]
    pub(crate) no_files: bool,
}

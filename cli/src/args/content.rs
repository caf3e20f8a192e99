//! `l10n content`: documents.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::spend::{ApprovalArgs, OnceArgs, SpendArgs};
use super::values::language;

#[derive(Debug, Args)]
#[command(
    after_help = "Documents come from [[content]] in l10n.toml or from the command line:\n\n    [[content]]\n    source = \"docs/**/*.md\"\n    output = \"i18n/{language}/{path}\"\n\nExamples:\n  l10n content push && l10n content run --max-credits 20\n  l10n content publish && l10n content pull\n  l10n content push docs --dry-run"
)]
pub(crate) struct ContentArgs {
    #[command(subcommand)]
    pub(crate) command: ContentCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ContentCommand {
    /// Upload documents that are new or changed; free of charge
    Push(PushContentArgs),
    /// Translate documents that are not translated yet
    Run(RunContentArgs),
    /// Make documents and their translations live
    Publish(PublishContentArgs),
    /// Write the translated documents
    Pull(PullContentArgs),
    /// List documents and their progress
    List(ListContentArgs),
    /// Show why a publish would hold documents back
    Check(CheckContentArgs),
}

/// A selection of documents.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct DocumentsArgs {
    /// Files, folders or patterns such as 'docs/**/*.md' [default: all of l10n.toml]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A document is identified by its path relative to l10n.toml. Formats: .md .markdown .mdx (Markdown), .html .htm (HTML),\n.txt (text). A document whose file was deleted stays on the server.\n\nExamples:\n  l10n content push --dry-run\n  l10n content push docs README.md"
)]
pub(crate) struct PushContentArgs {
    #[command(flatten)]
    pub(crate) documents: DocumentsArgs,
    /// Print what would be uploaded; change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Runs only documents with missing translations; finished translations are free. Each document is a separate run.\n\nExamples:\n  l10n content run --dry-run\n  l10n content run --max-credits 20\n  l10n content run docs/intro.md --languages de,fr"
)]
pub(crate) struct RunContentArgs {
    #[command(flatten)]
    pub(crate) documents: DocumentsArgs,
    /// Translate again, including up-to-date translations
    #[arg(long)]
    pub(crate) retranslate: bool,
    #[command(flatten)]
    pub(crate) spend: SpendArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Files are replaced completely or not at all; unchanged ones are not touched. Source files are never written.\nA file whose text the project has not published is kept, and the exit status is 10; --overwrite replaces it.\nSuch a file may be your own translation, an edited one, or an earlier draft.\n\n--output has {language} (or {languageUnderscore}) and {path}, the path below the source's folder; or {stem} and {extension}, its two parts.\n\nExamples:\n  l10n content pull\n  l10n content pull --draft --languages de\n  l10n content pull docs --output 'site/{language}/{path}'"
)]
pub(crate) struct PullContentArgs {
    #[command(flatten)]
    pub(crate) documents: DocumentsArgs,
    /// Only these languages [default: all of the project]
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = language)]
    pub(crate) languages: Vec<String>,
    /// Write the drafts that the next publish would take, instead of published texts
    #[arg(long)]
    pub(crate) draft: bool,
    /// Path pattern of translated documents [default: `output` in l10n.toml]
    #[arg(long, value_name = "PATTERN")]
    pub(crate) output: Option<String>,
    /// Folder to write to [default: the folder of l10n.toml]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
    /// Replace files whose text the project has not published
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Print what would be written; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  l10n content list\n  l10n content list docs --json")]
pub(crate) struct ListContentArgs {
    /// Only these files, folders or patterns [default: all of the project]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Prints each text that is missing or wrong, with its translation and its issues. The exit status is 7 if a publish would hold something back.\n\nExamples:\n  l10n content check\n  l10n content check docs/intro.md --languages de"
)]
pub(crate) struct CheckContentArgs {
    /// Only these files, folders or patterns [default: all of the project]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only these languages [default: all of the project]
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = language)]
    pub(crate) languages: Vec<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A document that is not fully translated, or that did not pass the checks, is held back; the others go live.\n\nExamples:\n  l10n content publish\n  l10n content publish docs/intro.md --languages de"
)]
pub(crate) struct PublishContentArgs {
    #[command(flatten)]
    pub(crate) documents: DocumentsArgs,
    /// Only these languages [default: all of the project]
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = language)]
    pub(crate) languages: Vec<String>,
    #[command(flatten)]
    pub(crate) once: OnceArgs,
    #[command(flatten)]
    pub(crate) approval: ApprovalArgs,
}

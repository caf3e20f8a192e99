//! Faults of files on disk and of the patterns that name them.

use std::path::PathBuf;

use l10n_client::api::content::{CONTENT_BODY_CAP, DocumentFormat};
use l10n_client::api::translations::SYNC_FILE_CAP;

use crate::error::Failure;
use crate::exit::ExitStatus;

/// The files cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SourceError {
    #[error("`{pattern}` matches no file in the base language `{base}`")]
    NoMatch { pattern: String, base: String, others: Vec<String>, root: PathBuf },
    #[error("{0} is not one of the files of l10n.toml")]
    NotListed(String),
    #[error("{0} does not say its language, and its path has no {{language}}")]
    OneLanguage(String),
    #[error("{0} matches no file")]
    NoneFound(String),
    #[error("{path} has {bytes} bytes; the limit is {SYNC_FILE_CAP}")]
    TooLarge { path: String, bytes: u64 },
    #[error("{path} takes {bytes} bytes in a request; the limit for a document is {CONTENT_BODY_CAP}")]
    DocumentTooLarge { path: String, bytes: u64 },
    #[error("{path}:{line}: not valid UTF-8")]
    NotUtf8 { path: String, line: usize },
    #[error("{path}:{line}: the character NUL, which no text may have")]
    Nul { path: String, line: usize },
    #[error("{path} is not below {root}", root = root.display())]
    NotBelow { path: String, root: PathBuf },
    #[error("{path} is {is} by its name, but {was} on the server")]
    OtherFormat { path: String, is: DocumentFormat, was: DocumentFormat },
    #[error("{0} is not a document in a known format")]
    NoDocument(String),
    #[error("no document matches `{pattern}`")]
    NoDocuments { pattern: String, root: PathBuf },
    #[error("l10n.toml has no [[content]], and no document was named")]
    NoContent,
    #[error("no output path is set for translations of {0}")]
    NoOutput(String),
    #[error("{path} is the output of both `{first}` and `{second}`; nothing was written")]
    SamePlace { path: String, first: String, second: String },
    #[error("{0} is a link that leads out of the project's folder")]
    LeadsOut(String),
    #[error("{path} could not be read: {source}")]
    Unreadable { path: String, source: std::io::Error },
}

impl Failure for SourceError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Usage
    }

    fn code(&self) -> &str {
        "source_files"
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoMatch { others, base, .. } if !others.is_empty() => {
                let others = others.join(", ");
                format!("there are files in {others}: is `{base}` the right base_language in l10n.toml?")
            }
            Self::NoMatch { root, .. } => {
                format!("patterns are relative to {}; run `l10n init --dry-run` to list the files", root.display())
            }
            Self::NotListed(_) => "add it to a [[files]] entry, or leave the path out to take them all".into(),
            Self::OneLanguage(_) => {
                "name its column of texts after the language, such as `en`, so that each language gets one, or put {language} into the path"
                    .into()
            }
            Self::NoneFound(_) => "check the spelling; nothing was done".into(),
            Self::TooLarge { .. } => "split the file, for example by {namespace}".into(),
            Self::DocumentTooLarge { .. } => "split the document".into(),
            Self::NotBelow { .. } => "a document must be below the folder of l10n.toml".into(),
            Self::OtherFormat { was, .. } => {
                format!("a document's format cannot change: set `format = \"{was}\"` in its [[content]] entry, or rename the file")
            }
            Self::NotUtf8 { .. } => "save the file as UTF-8".into(),
            Self::Nul { .. } => "remove it; a text of another encoding, such as UTF-16, has many: save the file as UTF-8".into(),
            Self::NoDocument(_) => {
                "known extensions are .md, .markdown, .mdx, .html, .htm and .txt; a [[content]] entry may set `format = \"markdown\"`"
                    .into()
            }
            Self::NoDocuments { root, .. } => {
                format!("patterns are relative to {}; known extensions are .md, .markdown, .mdx, .html, .htm and .txt", root.display())
            }
            Self::NoContent => "name files or folders, or add to l10n.toml:\n    [[content]]\n    source = \"docs/**/*.md\"\n    output = \"i18n/{language}/{path}\"".into(),
            Self::NoOutput(_) => "add `output = \"i18n/{language}/{path}\"` to its [[content]] entry in l10n.toml, or use --output".into(),
            Self::SamePlace { .. } => "add {path} to `output`, so that each document has its own file".into(),
            Self::LeadsOut(_) => "replace the link with the file itself".into(),
            Self::Unreadable { .. } => "check its permissions".into(),
        })
    }
}

//! Errors of patterns in `l10n.toml`, with advice.

use l10n_formats::template::PatternError as GrammarError;

use crate::error::Failure;
use crate::exit::ExitStatus;

/// A pattern makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PatternError {
    /// Of patterns of any kind.
    #[error(transparent)]
    Grammar(GrammarError),
    #[error("`{0}` is not relative to l10n.toml")]
    NotRelative(String),
    #[error("`{0}` has no {{language}}, so the files of different languages cannot be told apart")]
    NoLanguage(String),
    #[error("output `{0}` has a wildcard; it names files to write")]
    WildcardInOutput(String),
    #[error("`{pattern}` has the unknown placeholder `{{{name}}}`")]
    UnknownOfDocuments { pattern: String, name: String },
    #[error("output `{0}` has no {{path}}, so that all documents would be one file")]
    NoPath(String),
}

impl From<GrammarError> for PatternError {
    fn from(error: GrammarError) -> Self {
        match error {
            GrammarError::NotRelative(pattern) => Self::NotRelative(pattern),
            other => Self::Grammar(other),
        }
    }
}

impl Failure for PatternError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Usage
    }

    fn code(&self) -> &str {
        "pattern"
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Grammar(GrammarError::Empty) => "say where the files lie, such as `locales/{language}.json`".into(),
            Self::Grammar(GrammarError::TooLong | GrammarError::TooWild(_)) => "split it into several entries".into(),
            Self::NotRelative(_) | Self::Grammar(GrammarError::NotRelative(_)) => {
                "write it relative, with `/`, and without `..`".into()
            }
            Self::Grammar(GrammarError::UnknownPlaceholder { .. }) => {
                "known are {language}, {languageUnderscore}, {androidLanguage}, {appleLanguage} and {namespace}".into()
            }
            Self::Grammar(GrammarError::Unclosed(_)) => "close it, or write `?` for a brace in a file's name".into(),
            Self::NoLanguage(_) => "put {language} where the language stands in `source`, or add `output`".into(),
            Self::UnknownOfDocuments { .. } => {
                "known are {language}, {languageUnderscore}, {path}, {stem} and {extension}".into()
            }
            Self::NoPath(_) => "write it such as `i18n/{language}/{path}` or `{stem}.{language}.{extension}`".into(),
            Self::WildcardInOutput(_) => "use {language} and {namespace} instead".into(),
        })
    }
}

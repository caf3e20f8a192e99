//! `l10n.toml`: the project's files and address. Strict: unknown settings are refused.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use l10n_client::api::FormatId;
use l10n_client::api::content::DocumentFormat;
use l10n_client::api::output_formats::EmptyAs;
use l10n_client::api::translations::OnRemoved;
use l10n_mcp::nearest;
use serde::{Deserialize, Serialize};
use toml::de::{DeTable, DeValue};

use crate::error::Failure;
use crate::exit::ExitStatus;
use crate::pattern_error::PatternError;

/// Name of the file.
pub(crate) const FILE_NAME: &str = "l10n.toml";

/// The settings of `l10n.toml`. Everything except `[[files]]` and `[[content]]` may also come from the environment or
/// from flags.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Config {
    /// Base address of the API, ending in its version segment: `https://host/v1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) base_url: Option<String>,
    /// The project: its id, or `workspace/project`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) project: Option<String>,
    /// The language of the source files; the server's base language when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) base_language: Option<String>,
    /// The settings of `l10n sync`.
    #[serde(default, skip_serializing_if = "SyncSection::is_default")]
    pub(crate) sync: SyncSection,
    /// The settings of `l10n glossary`.
    #[serde(default, skip_serializing_if = "GlossarySection::is_default")]
    pub(crate) glossary: GlossarySection,
    /// The files.
    #[serde(default)]
    pub(crate) files: Vec<FilesSection>,
    /// The documents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) content: Vec<ContentSection>,
}

/// `[sync]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SyncSection {
    /// The treatment of keys that a file held before and no longer holds; `keep` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) on_removed: Option<OnRemoved>,
}

impl SyncSection {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// `[glossary]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GlossarySection {
    /// The CSV file of the project's terms, relative to `l10n.toml`; `glossary.csv` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// True if the file is the source of all terms: `l10n glossary push` removes those that it lacks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) prune: Option<bool>,
}

impl GlossarySection {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A `[[files]]` entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FilesSection {
    /// The path pattern of the files, relative to `l10n.toml`: `locales/{language}/{namespace}.json`.
    pub(crate) source: String,
    /// Their format; detected from name and content when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) format: Option<FormatId>,
    /// The path pattern of translated files; `source` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<String>,
    /// The entry for a key without a translation: `skip` (default) or `base`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) empty_as: Option<EmptyAs>,
}

/// A `[[content]]` entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ContentSection {
    /// The path pattern of the documents, relative to `l10n.toml`: `docs/**/*.md`, or `docs/{language}/**/*.md`.
    pub(crate) source: String,
    /// The path pattern of translated documents: `i18n/{language}/{path}`. If `source` has `{language}`, it may be left
    /// out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<String>,
    /// Their format; derived from the file's extension when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) format: Option<DocumentFormat>,
}

const TOP_KEYS: &[&str] = &["base_url", "project", "base_language", "sync", "glossary", "files", "content"];
const SYNC_KEYS: &[&str] = &["on_removed"];
const GLOSSARY_KEYS: &[&str] = &["file", "prune"];
const FILES_KEYS: &[&str] = &["source", "format", "output", "empty_as"];
const CONTENT_KEYS: &[&str] = &["source", "output", "format"];
/// Names under which people put a secret into a file. It must not be in a file that is committed.
const SECRETS: &[&str] = &["api_key", "apikey", "api-key", "apiKey", "key", "token", "secret"];

/// `l10n.toml` cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("no {FILE_NAME} in {start} or above", start = .0.display())]
    Missing(PathBuf),
    #[error("{path} could not be read: {source}", path = path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{path}:{line}:{column}: {message}", path = path.display())]
    Malformed { path: PathBuf, line: usize, column: usize, message: String },
    #[error("{path}:{line}: unknown setting `{key}`{place}", path = path.display())]
    Unknown { path: PathBuf, line: usize, key: String, place: &'static str, known: &'static [&'static str] },
    #[error("{path}:{line}: an API key must not be in this file, because the file is committed", path = path.display())]
    Secret { path: PathBuf, line: usize },
    #[error("{path}: {entry}: {source}", path = path.display())]
    Pattern { path: PathBuf, entry: String, source: PatternError },
    #[error("{path} has no [[files]]", path = path.display())]
    NoFiles { path: PathBuf },
}

impl Failure for ConfigError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Usage
    }

    fn code(&self) -> &str {
        "config"
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Missing(_) => "run `l10n init` in the top folder of your code, or name the file with --config".into(),
            Self::Unreadable { .. } => "check the path and its permissions".into(),
            Self::Malformed { .. } => return None,
            Self::Unknown { key, known, .. } => match nearest(key, known.iter().copied()) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("known settings: {}", known.join(", ")),
            },
            Self::Secret { .. } => {
                "remove the line, revoke the key if the file was shared, and set L10N_API_KEY or use --api-key-file"
                    .into()
            }
            Self::Pattern { source, .. } => return source.hint(),
            Self::NoFiles { .. } => "add one, such as:\n    [[files]]\n    source = \"locales/{language}.json\"".into(),
        })
    }
}

impl Config {
    /// Finds the file in `start` or the nearest folder above it.
    pub(crate) fn find(start: &Path) -> Option<PathBuf> {
        start.ancestors().map(|folder| folder.join(FILE_NAME)).find(|path| path.is_file())
    }

    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
        Self::parse(&text, path)
    }

    /// Reads text; `path` is for messages.
    pub(crate) fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        let malformed = |error: toml::de::Error| {
            let (line, column) = position(text, error.span().map_or(0, |span| span.start));
            ConfigError::Malformed { path: path.to_owned(), line, column, message: error.message().to_owned() }
        };
        let tree = DeTable::parse(text).map_err(malformed)?;
        let check = |table: &DeTable<'_>, known, place| known_only(text, path, table, known, place);
        let top = tree.get_ref();
        check(top, TOP_KEYS, "")?;
        if let Some(DeValue::Table(sync)) = top.get("sync").map(toml::Spanned::get_ref) {
            check(sync, SYNC_KEYS, " in [sync]")?;
        }
        if let Some(DeValue::Table(glossary)) = top.get("glossary").map(toml::Spanned::get_ref) {
            check(glossary, GLOSSARY_KEYS, " in [glossary]")?;
        }
        if let Some(DeValue::Array(files)) = top.get("files").map(toml::Spanned::get_ref) {
            for entry in files.iter() {
                if let DeValue::Table(entry) = entry.get_ref() {
                    check(entry, FILES_KEYS, " in [[files]]")?;
                }
            }
        }
        if let Some(DeValue::Array(content)) = top.get("content").map(toml::Spanned::get_ref) {
            for entry in content.iter() {
                if let DeValue::Table(entry) = entry.get_ref() {
                    check(entry, CONTENT_KEYS, " in [[content]]")?;
                }
            }
        }
        toml::from_str(text).map_err(malformed)
    }

    /// Writes the file's text, with a comment for each part.
    pub(crate) fn to_toml(&self) -> String {
        let mut text =
            String::from("# Settings of the l10n command line. The API key is not among them: set L10N_API_KEY.\n\n");
        let mut set = |name: &str, value: &Option<String>, example: &str| {
            let _ = match value {
                Some(value) => writeln!(text, "{name} = {}", toml::Value::from(value.as_str())),
                None => writeln!(text, "# {name} = \"{example}\""),
            };
        };
        set("base_url", &self.base_url, "https://l10n.example.com/v1");
        set("project", &self.project, "workspace/project");
        set("base_language", &self.base_language, "en");
        for files in &self.files {
            let _ = write!(text, "\n[[files]]\nsource = {}\n", toml::Value::from(files.source.as_str()));
            if let Some(format) = files.format {
                let _ = writeln!(text, "format = \"{format}\"");
            }
            if let Some(output) = &files.output {
                let _ = writeln!(text, "output = {}", toml::Value::from(output.as_str()));
            }
        }
        text
    }
}

fn known_only(
    text: &str,
    path: &Path,
    table: &DeTable<'_>,
    known: &'static [&'static str],
    place: &'static str,
) -> Result<(), ConfigError> {
    for key in table.keys() {
        let name: &str = key.get_ref();
        if known.contains(&name) {
            continue;
        }
        let (line, _) = position(text, key.span().start);
        if SECRETS.contains(&name) {
            return Err(ConfigError::Secret { path: path.to_owned(), line });
        }
        return Err(ConfigError::Unknown { path: path.to_owned(), line, key: name.to_owned(), place, known });
    }
    Ok(())
}

/// Line and column of a byte offset, both from 1.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let column = before.chars().rev().take_while(|character| *character != '\n').count() + 1;
    (before.matches('\n').count() + 1, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        let error = Config::parse(text, Path::new("l10n.toml")).unwrap_err();
        format!("{error}\n{}", error.hint().unwrap_or_default())
    }

    #[test]
    fn an_unknown_setting_is_named_with_its_line_and_the_nearest_known_one() {
        insta::assert_snapshot!(error("project = \"a/b\"\n\n[[files]]\nsorce = \"x\"\n"), @r"
        l10n.toml:4: unknown setting `sorce` in [[files]]
        did you mean `source`?
        ");
        insta::assert_snapshot!(error("zzz = 1"), @r"
        l10n.toml:1: unknown setting `zzz`
        known settings: base_url, project, base_language, sync, glossary, files, content
        ");
    }

    #[test]
    fn a_key_in_the_file_is_refused_and_not_repeated() {
        let message = error("project = \"a/b\"\napi_key = \"eik_abcdef\"\n");
        assert!(message.starts_with("l10n.toml:2: an API key must not be in this file"), "{message}");
        assert!(!message.contains("abcdef"));
    }

    #[test]
    fn a_wrong_value_is_named_with_line_and_column() {
        insta::assert_snapshot!(error("[[files]]\nsource = \"x\"\nformat = \"jsn\"\n"), @"l10n.toml:3:10: unknown variant `jsn`, expected one of `json`, `i18next`, `arb`, `properties`, `apple-strings`, `gettext`, `csv`, `xcstrings`, `ini`, `laravel-json`, `chrome`, `docusaurus`, `formatjs`, `android`, `resx`, `apple-stringsdict`, `yaml`, `php`, `qt-ts`, `toml`, `xliff-1.2`, `xliff-2`, `fluent`");
        insta::assert_snapshot!(error("a = \n"), @"l10n.toml:1:5: string values must be quoted, expected literal string");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let config = Config {
            base_language: Some("en".into()),
            files: vec![FilesSection {
                source: "l/{language}.json".into(),
                format: Some(FormatId::I18next),
                output: None,
                empty_as: None,
            }],
            ..Config::default()
        };
        let text = config.to_toml();
        assert_eq!(Config::parse(&text, Path::new("l10n.toml")).unwrap(), config);
        insta::assert_snapshot!(text, @r#"
        # Settings of the l10n command line. The API key is not among them: set L10N_API_KEY.

        # base_url = "https://l10n.example.com/v1"
        # project = "workspace/project"
        base_language = "en"

        [[files]]
        source = "l/{language}.json"
        format = "i18next"
        "#);
    }
}

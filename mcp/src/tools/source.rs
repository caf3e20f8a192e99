//! The texts that are to be translated: keys, a file, or a file's content.

use std::collections::BTreeMap;

use l10n_client::api::translations::{Run, SYNC_FILE_CAP, SyncBody, TranslateBody};
use l10n_client::api::{FormatId, Key, LanguageCode, OperationId};
use l10n_client::{Error, Project, file_upload, sync_body};
use schemars::JsonSchema;
use serde::Deserialize;

use super::file;
use crate::call::Call;
use crate::digest::Digest;
use crate::failure::Failure;
use crate::views::plural;

/// A key to register.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyInput {
    r#ref: String,
    text: Option<String>,
    /// For a plural, instead of text
    plural_arg: Option<String>,
    plural_forms: Option<BTreeMap<String, String>>,
    description: Option<String>,
    max_length: Option<u32>,
    namespace: Option<String>,
}

/// The arguments that name texts.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    pub(super) keys: Option<Vec<KeyInput>>,
    pub(super) file_path: Option<String>,
    /// The file's text, if sent
    pub(super) content: Option<String>,
    pub(super) format: Option<String>,
    pub(super) languages: Option<Vec<String>>,
}

/// Texts, ready to be sent.
#[derive(Debug)]
pub(super) enum Source {
    Keys(TranslateBody),
    File(SyncBody),
}

impl KeyInput {
    fn key(self) -> Result<Key, String> {
        let plural = match (self.plural_arg, self.plural_forms) {
            (None, None) => None,
            (Some(arg), Some(forms)) => Some(plural::read(arg, forms)?),
            _ => return Err("`plural_arg` and `plural_forms` go together".to_owned()),
        };
        let key = Key {
            plural,
            r#ref: self.r#ref,
            text: self.text,
            description: self.description,
            max_length: self.max_length,
            namespace: self.namespace,
            tags: Vec::new(),
        };
        key.content().map_err(|error| {
            format!(
                "key `{}`: {error} (plurals: `plural_arg` and `plural_forms`)",
                key.r#ref.chars().take(100).collect::<String>()
            )
        })?;
        Ok(key)
    }
}

/// Codes of languages; an empty list is a mistake.
pub(super) fn languages(call: &Call<'_>, codes: Option<Vec<String>>) -> Result<Option<Vec<LanguageCode>>, Failure> {
    match codes {
        Some(codes) if codes.is_empty() => Err(call.wrong("`languages` is empty; leave it out for all languages")),
        codes => Ok(codes.map(|codes| codes.into_iter().map(Into::into).collect())),
    }
}

impl Source {
    pub(super) async fn read(call: &Call<'_>, arguments: Arguments) -> Result<Self, Failure> {
        let languages = languages(call, arguments.languages)?;
        if let Some(keys) = arguments.keys {
            if arguments.file_path.is_some() || arguments.content.is_some() || arguments.format.is_some() {
                return Err(call.wrong("give either `keys` or a file, not both"));
            }
            let keys: Vec<Key> =
                keys.into_iter().map(KeyInput::key).collect::<Result<_, _>>().map_err(|problem| call.wrong(problem))?;
            if keys.is_empty() {
                return Err(call.wrong("`keys` is empty"));
            }
            return Ok(Self::Keys(TranslateBody { keys, languages, retranslate: None, operation_id: None }));
        }
        let Some(path) = arguments.file_path else {
            return Err(call.wrong("give `keys`, or `file_path` of a source file (with `content`: its text)"));
        };
        let format: Option<FormatId> = arguments
            .format
            .map(|format| format.parse())
            .transpose()
            .map_err(|error| call.wrong(format!("`format`: {error}")))?;
        let file = match arguments.content {
            Some(content) => file::NamedFile { path, bytes: content.into_bytes() },
            None => file::read(call, &path, SYNC_FILE_CAP).await?,
        };
        let mut upload = file_upload(&file.path, &file.bytes)?;
        upload.format = format;
        Ok(Self::File(SyncBody { languages, ..sync_body(upload) }))
    }

    /// Identifies the key, the work and the texts.
    pub(super) fn digest(&self, call: &Call<'_>) -> Digest {
        match self {
            Self::Keys(_) => call.work(),
            Self::File(body) => call.work_on(&body.file.content),
        }
    }

    pub(super) fn languages(&self) -> Option<Vec<LanguageCode>> {
        match self {
            Self::Keys(body) => body.languages.clone(),
            Self::File(body) => body.languages.clone(),
        }
    }

    /// The price. Changes nothing.
    pub(super) async fn preview(&self, project: &Project) -> Result<Run, Error> {
        match self {
            Self::Keys(body) => project.translations().translate_dry_run(body).await,
            Self::File(body) => project.translations().sync_dry_run(body).await,
        }
    }

    /// Registers the texts and begins to translate them.
    pub(super) async fn run(&mut self, project: &Project, operation: Option<OperationId>) -> Result<Run, Error> {
        match self {
            Self::Keys(body) => {
                body.operation_id = operation;
                project.translations().translate(body).await
            }
            Self::File(body) => {
                body.operation_id = operation;
                project.translations().sync(body).await
            }
        }
    }
}

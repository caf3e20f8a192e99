//! `l10n://manifest`: the files of the live version. Calls `delivery::manifest`.

use l10n_client::api::Scope;
use l10n_client::api::delivery::ManifestFile;
use serde::Serialize;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::reading::ReadContext;
use crate::resource::Resource;

#[derive(Debug)]
pub(super) enum Manifest {}

#[derive(Debug, Serialize)]
pub(super) struct Output {
    version_id: String,
    label: String,
    published_at: String,
    base_language: String,
    languages: Vec<String>,
    /// All of them, however many are shown.
    file_count: usize,
    files: Vec<Value>,
}

impl Resource for Manifest {
    const KIND: &'static str = "manifest";
    const TITLE: &'static str = "The live version";
    const DESCRIPTION: &'static str = "The version that apps read: label, languages, and its files with path, URL, size and \
         SHA-256.";
    const SCOPES: &'static [Scope] = &[];
    type Output = Output;

    async fn read(reading: ReadContext<'_>, _name: String) -> Result<Output, Failure> {
        let manifest = reading.project().await?.delivery().manifest().await?;
        let file = |file: &ManifestFile| {
            json!({
                "path": file.path,
                "language": file.language.as_str(),
                "format": file.format.as_str(),
                "url": file.url,
                "bytes": file.bytes,
                "sha256": file.sha256,
            })
        };
        Ok(Output {
            version_id: manifest.version_id.to_string(),
            label: manifest.label,
            published_at: manifest.published_at.to_string(),
            base_language: manifest.base_language.to_string(),
            languages: manifest.languages.iter().map(|language| language.code.to_string()).collect(),
            file_count: manifest.files.len(),
            files: manifest.files.iter().map(file).collect(),
        })
    }
}

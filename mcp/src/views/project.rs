//! The project, its progress and the rights of the key.

use l10n_client::ErrorCode;
use l10n_client::api::Scope;
use l10n_client::api::credential::Credential;
use l10n_client::api::meta::Meta;
use l10n_client::api::output_formats::OutputFormat;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::language::LanguageView;
use crate::account::Account;
use crate::credits::Credits;
use crate::failure::Failure;
use crate::memory::Memory;
use crate::words::counted;

/// The project and what the key may do with it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ProjectView {
    #[serde(flatten)]
    project: Option<Facts>,
    key: Key,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Facts {
    project: String,
    name: String,
    base_language: String,
    languages: Vec<LanguageView>,
    keys: u64,
    captured_keys: u64,
    documents: u64,
    unpublished_changes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    live: Option<Map<String, Value>>,
    balance_credits: Credits,
    #[serde(skip_serializing_if = "Option::is_none")]
    credits_per_1000_characters: Option<i64>,
    engine: String,
    file_formats: Vec<String>,
    output_formats: Vec<Value>,
    remaining: Map<String, Value>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Key {
    scopes: Vec<&'static str>,
    needs_person_for: Vec<&'static str>,
}

impl ProjectView {
    /// Reads both. A key without scope `read` still learns its own rights.
    pub(crate) async fn read(account: &Account, memory: &Memory) -> Result<Self, Failure> {
        let project = account.project(memory).await?;
        let credential = project.credential().await?;
        let meta = match project.meta().await {
            Ok(meta) => Some(meta),
            Err(error) if error.code() == Some(&ErrorCode::Forbidden) => None,
            Err(error) => return Err(error.into()),
        };
        memory.keep_credential(account.key(), credential.clone());
        Ok(Self { project: meta.map(Into::into), key: credential.into() })
    }

    /// The state in a sentence, without texts of others.
    pub(crate) fn sentence(&self) -> String {
        match &self.project {
            Some(project) => format!(
                "{} in {}; {}.",
                counted(project.keys, "key"),
                counted(project.languages.len(), "language"),
                counted(project.unpublished_changes, "unpublished change")
            ),
            None => "This key cannot read the project; `key` lists its scopes.".to_owned(),
        }
    }
}

impl From<Credential> for Key {
    fn from(credential: Credential) -> Self {
        let may = |scope| Scope::grants(&credential.scopes, &[scope]);
        let mut needs_person_for = Vec::new();
        if credential.requires_operation_approval {
            needs_person_for
                .extend(may(Scope::Translate).then_some(["translate", "translate_document"]).into_iter().flatten());
            needs_person_for
                .extend(may(Scope::Publish).then_some(["publish", "restore_version"]).into_iter().flatten());
        }
        Self { scopes: credential.scopes.iter().map(|scope| scope.as_str()).collect(), needs_person_for }
    }
}

impl From<Meta> for Facts {
    fn from(meta: Meta) -> Self {
        let left = meta.remaining;
        let counts = [
            ("requests_this_minute", left.requests),
            ("publishes_today", left.publishes),
            ("restores_today", left.restores),
            ("captures_today", left.captures),
            ("imports_today", left.imports),
            ("runs_today", left.runs),
        ];
        let mut remaining: Map<String, Value> =
            counts.into_iter().filter_map(|(name, left)| Some((name.to_owned(), left?.into()))).collect();
        if let Some(cap) = left.cap {
            remaining.insert("spending_cap_credits".into(), json!(Credits::from(cap)));
        }
        let live = meta.live.map(|live| {
            let facts = json!({
                "version_id": live.version_id.as_str(),
                "label": live.label,
                "published_at": live.published_at.to_string(),
            });
            facts.as_object().cloned().unwrap_or_default()
        });
        let written = |format: OutputFormat| {
            let (name, empty_as) = (format.format.as_str(), format.empty_as.as_str());
            let mut shown = json!({ "format": name, "path": format.path, "empty_as": empty_as });
            if let (Some(namespaces), Some(shown)) = (format.namespaces, shown.as_object_mut()) {
                shown.insert("namespaces".to_owned(), namespaces.into());
            }
            shown
        };
        Self {
            project: format!("{}/{}", meta.handle, meta.slug),
            name: meta.name,
            base_language: meta.base_language.to_string(),
            languages: meta.languages.into_iter().map(Into::into).collect(),
            keys: meta.key_count,
            captured_keys: meta.captured_count,
            documents: meta.document_count,
            unpublished_changes: meta.unpublished_changes,
            live,
            balance_credits: meta.balance.into(),
            // A thousandth of a credit for each character is a credit for a thousand.
            credits_per_1000_characters: meta.limits.millicredits_per_character,
            engine: meta.engine.name,
            file_formats: meta.formats.iter().map(|format| format.format.to_string()).collect(),
            output_formats: meta.output_formats.into_iter().map(written).collect(),
            remaining,
        }
    }
}

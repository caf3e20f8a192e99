//! `get_project`: the project, its progress and the rights of the key. Calls `meta::read` and `credential::read`.

use l10n_client::ErrorCode;
use l10n_client::api::Scope;
use l10n_client::api::credential::Credential;
use l10n_client::api::languages::Language;
use l10n_client::api::meta::Meta;
use l10n_client::api::output_formats::OutputFormat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::answer::Answer;
use crate::call::Call;
use crate::credits::Credits;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};

#[derive(Debug)]
pub(super) enum GetProject {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    project: Option<Project>,
    key: Key,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Project {
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

/// Progress of a language.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LanguageView {
    code: String,
    name: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_base: bool,
    translated: u64,
    reviewed: u64,
    needs_review: u64,
    stale: u64,
    missing: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Key {
    scopes: Vec<&'static str>,
    needs_person_for: Vec<&'static str>,
}

impl From<Language> for LanguageView {
    fn from(language: Language) -> Self {
        Self {
            code: language.code.to_string(),
            name: language.name,
            is_base: language.is_base,
            translated: language.translated,
            reviewed: language.reviewed,
            needs_review: language.needs_review,
            stale: language.stale,
            missing: language.missing,
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

impl From<Meta> for Project {
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
        let written = |format: OutputFormat| json!({"format": format.format.as_str(), "path": format.path});
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

impl Tool for GetProject {
    const NAME: &'static str = "get_project";
    const TITLE: &'static str = "Show the project";
    const DESCRIPTION: &'static str = "Languages with progress, balance, live version, remaining budgets, and what this \
         key may do and what needs a person. Free. Call it first.";
    const RESULT: &'static [&'static str] = &["languages", "unpublished_changes", "balance_credits", "key"];
    const EFFECT: Effect = Effect::Reads;
    const SCOPES: &'static [Scope] = &[];
    type Input = Input;
    type Output = Output;

    async fn run(call: &Call<'_>, _input: Input) -> Result<Answer<Output>, Failure> {
        let project = call.project().await?;
        let credential = project.credential().await?;
        let meta = match project.meta().await {
            Ok(meta) => Some(meta),
            // A key without scope `read` still learns its own rights.
            Err(error) if error.code() == Some(&ErrorCode::Forbidden) => None,
            Err(error) => return Err(error.into()),
        };
        call.memory.keep_credential(call.account.key(), credential.clone());
        Ok(Answer::done(Output { project: meta.map(Into::into), key: credential.into() }))
    }

    fn sentence(output: &Output) -> String {
        match &output.project {
            Some(project) => format!(
                "{} keys in {} languages; {} unpublished changes.",
                project.keys,
                project.languages.len(),
                project.unpublished_changes
            ),
            None => "This key cannot read the project; `key` lists its scopes.".to_owned(),
        }
    }
}

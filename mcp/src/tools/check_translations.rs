//! `check_translations`: translations that a publish would hold back. Calls `translations::get`.

use l10n_client::api::translations::{GetQuery, KeyDetail};
use l10n_client::api::{Scope, Severity, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::page::page;
use crate::answer::CallOutcome;
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::views::key::{KeyView, TranslationView};
use crate::views::plural::PluralText;
use crate::words::counted;

/// Entries of a page.
const PAGE: u32 = 25;

#[derive(Debug)]
pub(super) enum CheckTranslations {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    language: Option<String>,
    cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    /// Each key with the translations that are held back.
    held: Vec<HeldTranslation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct HeldTranslation {
    r#ref: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_plural: Option<PluralText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_length: Option<u32>,
    translations: Vec<TranslationView>,
}

impl Tool for CheckTranslations {
    const NAME: &'static str = "check_translations";
    const TITLE: &'static str = "Check translations";
    const DESCRIPTION: &'static str = "Translations that a publish would hold back: by key and language, errors first, with \
         check, message and place. One without an error waits for a person's review. Free. Call it before publish.";
    const RESULT: &'static [&'static str] = &["held", "next_cursor"];
    const EFFECT: Effect = Effect::Reads;
    const SCOPES: &'static [Scope] = &[Scope::Read];
    type Input = Input;
    type Output = Output;

    async fn run(call: &Call<'_>, input: Input) -> Result<CallOutcome<Output>, Failure> {
        let query = GetQuery {
            state: Some(State::NeedsReview),
            language: input.language.map(Into::into),
            cursor: input.cursor,
            ..GetQuery::default()
        };
        let project = call.project().await?;
        let (held, next_cursor) = page(PAGE, |limit| {
            let (translations, query) = (project.translations(), GetQuery { limit: Some(limit), ..query.clone() });
            async move {
                let found = translations.list(&query).await?;
                Ok((found.keys.into_iter().map(HeldTranslation::of).collect(), found.next_cursor))
            }
        })
        .await?;
        Ok(CallOutcome::done(Output { held, next_cursor }))
    }

    fn sentence(output: &Output) -> String {
        let all = output.held.iter().flat_map(|held| &held.translations);
        let errors = all
            .clone()
            .filter(|translation| translation.issues.iter().any(|issue| issue.severity == Severity::Error.as_str()));
        let more = if output.next_cursor.is_some() { "; there are more" } else { "" };
        format!("{} held back, {} with errors{more}.", counted(all.clone().count(), "translation"), errors.count())
    }
}

impl HeldTranslation {
    fn of(key: KeyDetail) -> Self {
        let key = KeyView::from(key);
        let is_held = |translation: &TranslationView| translation.state == State::NeedsReview.as_str();
        Self {
            r#ref: key.r#ref,
            source: key.text,
            source_plural: key.plural,
            max_length: key.max_length,
            translations: key.translations.into_iter().filter(is_held).collect(),
        }
    }
}

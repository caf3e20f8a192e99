//! `find_keys`: keys by filters. Calls `translations::get`.

use l10n_client::Translations;
use l10n_client::api::translations::GetQuery;
use l10n_client::api::{Scope, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::page::page;
use crate::answer::CallOutcome;
use crate::arguments::limit;
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::views::key::KeyView;
use crate::words::counted;

/// Most requests for a page.
const MOST_REQUESTS: u32 = 5;

#[derive(Debug)]
pub(super) enum FindKeys {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Part of ref, source or translation
    query: Option<String>,
    language: Option<String>,
    state: Option<StateFilter>,
    stale: Option<bool>,
    namespace: Option<String>,
    /// Start of the ref
    prefix: Option<String>,
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
    cursor: Option<String>,
}

/// A state of a translation.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum StateFilter {
    Missing,
    Translated,
    NeedsReview,
    Reviewed,
}

impl From<StateFilter> for State {
    fn from(state: StateFilter) -> Self {
        match state {
            StateFilter::Missing => Self::Missing,
            StateFilter::Translated => Self::Translated,
            StateFilter::NeedsReview => Self::NeedsReview,
            StateFilter::Reviewed => Self::Reviewed,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    keys: Vec<KeyView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

impl Tool for FindKeys {
    const NAME: &'static str = "find_keys";
    const TITLE: &'static str = "Find keys";
    const DESCRIPTION: &'static str = "Lists keys with source and translations, by part of ref or text, language, \
         state, stale, namespace or start of ref. Use it before you add a text, to reuse a key. Free. 25 a page; \
         next_cursor continues.";
    const RESULT: &'static [&'static str] = &["keys", "next_cursor"];
    const EFFECT: Effect = Effect::Reads;
    const SCOPES: &'static [Scope] = &[Scope::Read];
    type Input = Input;
    type Output = Output;

    async fn run(call: &Call<'_>, input: Input) -> Result<CallOutcome<Output>, Failure> {
        let limit = limit(input.limit, 25, 100).map_err(|problem| call.wrong(problem))?;
        let query = GetQuery {
            query: input.query,
            language: input.language.map(Into::into),
            state: input.state.map(Into::into),
            stale: input.stale,
            namespace: input.namespace,
            prefix: input.prefix,
            cursor: input.cursor,
            ..GetQuery::default()
        };
        let project = call.project().await?;
        let (keys, next_cursor) = page(limit, |limit| {
            let (translations, query) = (project.translations(), query.clone());
            async move { found(&translations, query, limit).await }
        })
        .await?;
        Ok(CallOutcome::done(Output { keys, next_cursor }))
    }

    fn sentence(output: &Output) -> String {
        let more = if output.next_cursor.is_some() { "; there are more" } else { "" };
        format!("{}{more}.", counted(output.keys.len(), "key"))
    }
}

/// Reads until the page is full: of a search, the service may answer with fewer keys although there are more.
async fn found(
    translations: &Translations,
    mut query: GetQuery,
    limit: u32,
) -> Result<(Vec<KeyView>, Option<String>), Failure> {
    let mut keys: Vec<KeyView> = Vec::new();
    for _ in 0..MOST_REQUESTS {
        query.limit = Some(limit - u32::try_from(keys.len()).unwrap_or(limit));
        let more = translations.list(&query).await?;
        keys.extend(more.keys.into_iter().map(KeyView::from));
        query.cursor = more.next_cursor;
        if query.cursor.is_none() || keys.len() >= usize::try_from(limit).unwrap_or(usize::MAX) {
            break;
        }
    }
    Ok((keys, query.cursor))
}

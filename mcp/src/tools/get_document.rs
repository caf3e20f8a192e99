//! `get_document`: documents, or the text of one. Calls `content::list` and `content::read`.

use l10n_client::api::Scope;
use l10n_client::api::content::{ListQuery, ReadQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::page::page;
use crate::answer::CallOutcome;
use crate::arguments::limit;
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::views::document::{self, DocumentView, part};
use crate::words::counted;

#[derive(Debug)]
pub(super) enum GetDocument {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    document_id: Option<String>,
    external_id: Option<String>,
    /// The translation; the source if left out
    language: Option<String>,
    /// The unpublished translation
    draft: Option<bool>,
    /// First character of the part to show
    offset: Option<u32>,
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
    cursor: Option<String>,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    document: Option<DocumentView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    documents: Option<Vec<DocumentView>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

impl Tool for GetDocument {
    const NAME: &'static str = "get_document";
    const TITLE: &'static str = "Show documents";
    const DESCRIPTION: &'static str = "Without an id: lists documents with their states. With one: the source, or the \
         published (draft: unpublished) translation in a language, in parts of 20,000 characters; next_offset continues. \
         Free.";
    const RESULT: &'static [&'static str] = &["text", "documents", "next_offset", "next_cursor"];
    const EFFECT: Effect = Effect::Reads;
    const SCOPES: &'static [Scope] = &[Scope::Read];
    type Input = Input;
    type Output = Output;

    async fn run(call: &Call<'_>, input: Input) -> Result<CallOutcome<Output>, Failure> {
        let project = call.project().await?;
        let id = match (input.document_id, input.external_id) {
            (Some(_), Some(_)) => return Err(call.wrong("give either `document_id` or `external_id`, not both")),
            (Some(id), None) => id.into(),
            (None, Some(name)) => document::id_of(&project, &name).await?,
            (None, None) => return list(call, input.limit, input.cursor).await,
        };
        let query = ReadQuery { language: input.language.map(Into::into), version: None, draft: input.draft };
        let mut document = project.content().get(id, &query).await?;
        let body = document.body.take().unwrap_or_default();
        let (text, next_offset) = part(&body, usize::try_from(input.offset.unwrap_or(0)).unwrap_or(usize::MAX));
        let document = Some(document.into());
        Ok(CallOutcome::done(Output { document, text: Some(text), next_offset, ..Output::default() }))
    }

    fn sentence(output: &Output) -> String {
        match (&output.documents, output.next_offset) {
            (Some(documents), _) => format!("{}.", counted(documents.len(), "document")),
            (None, Some(next)) => format!("A part of the document; call again with offset {next}."),
            (None, None) => "The document to its end.".to_owned(),
        }
    }
}

async fn list(call: &Call<'_>, wanted: Option<u32>, cursor: Option<String>) -> Result<CallOutcome<Output>, Failure> {
    let limit = limit(wanted, 25, 100).map_err(|problem| call.wrong(problem))?;
    let project = call.project().await?;
    let (documents, next_cursor) = page(limit, |limit| {
        let query = ListQuery { limit: Some(limit), cursor: cursor.clone(), ..ListQuery::default() };
        let content = project.content();
        async move {
            let found = content.list(&query).await?;
            Ok((found.documents.into_iter().map(DocumentView::from).collect(), found.next_cursor))
        }
    })
    .await?;
    Ok(CallOutcome::done(Output { documents: Some(documents), next_cursor, ..Output::default() }))
}

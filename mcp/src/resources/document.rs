//! `l10n://documents/{docId}`: a document with its source. Calls `content::read`.

use l10n_client::api::Scope;
use l10n_client::api::content::ListQuery;
use serde::Serialize;

use crate::completions::Completions;
use crate::failure::Failure;
use crate::reading::ReadContext;
use crate::resource::Resource;
use crate::views::document::{DocumentView, part};

/// Longest id.
const LONGEST: usize = 64;

/// Most requests for ids, each of as many documents as the service lists at once.
const MOST_REQUESTS: u32 = 5;
const PAGE: u32 = 500;

#[derive(Debug)]
pub(super) enum Document {}

#[derive(Debug, Serialize)]
pub(super) struct Output {
    document: DocumentView,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'static str>,
}

impl Resource for Document {
    const KIND: &'static str = "documents";
    const EACH: Option<&'static str> = Some("docId");
    const TITLE: &'static str = "A document";
    const DESCRIPTION: &'static str = "A document by its id: its source, up to 20,000 characters, and the state of each \
         language. get_document shows the rest and the translations.";
    const SCOPES: &'static [Scope] = &[Scope::Read];
    type Output = Output;

    async fn read(reading: ReadContext<'_>, id: String) -> Result<Output, Failure> {
        // Any other character would make it part of another address of the service.
        let is_id = id.len() <= LONGEST && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_id {
            return Err(Failure::arguments(
                "l10n://documents/{docId}",
                "the id is not one of a document, such as doc_1",
            ));
        }
        let mut document = reading.project().await?.content().source(id).await?;
        let (text, next_offset) = part(&document.body.take().unwrap_or_default(), 0);
        let next = next_offset.map(|_| "Call get_document with document_id and offset for the next part of the text.");
        Ok(Output { document: document.into(), text, next_offset, next })
    }

    /// The person may type the id or the external id.
    async fn complete(reading: ReadContext<'_>, start: String) -> Result<Completions, Failure> {
        let content = reading.project().await?.content();
        let mut query = ListQuery { limit: Some(PAGE), ..ListQuery::default() };
        let mut ids = Vec::new();
        for _ in 0..MOST_REQUESTS {
            let page = content.list(&query).await?;
            let matching = page.documents.into_iter().filter(|document| {
                let external_id = document.external_id.as_deref().unwrap_or_default();
                document.doc_id.as_str().starts_with(&start) || external_id.starts_with(&start)
            });
            ids.extend(matching.map(|document| document.doc_id.to_string()));
            query.cursor = page.next_cursor;
            if query.cursor.is_none() || ids.len() > 100 {
                break;
            }
        }
        Ok(Completions::of(ids, query.cursor.is_some()))
    }
}

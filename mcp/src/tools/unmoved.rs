//! Documents that a publish would leave as they are: the service asks an agent for an approval before it looks.

use l10n_client::api::content::{Document, DocumentState, ListQuery};
use l10n_client::api::events::ContentSummary;
use l10n_client::api::publish::Publish;
use l10n_client::{ErrorCode, Project};
use sha2::{Digest as _, Sha256};

use crate::failure::Failure;

/// Most texts that are read to find it out.
const MOST: usize = 20;

/// Most documents that are looked at.
const PAGE: u32 = 100;

/// The reason why a publish would leave a document as it is.
enum UnmovedReason {
    /// Its live version is the same.
    Unchanged,
    Held,
    TooLarge,
    /// Nothing of it is translated.
    Skipped,
}

/// The summary of a publish of documents that would move none; `None` where it would, or where that is not certain.
pub(super) async fn summary(project: &Project, body: &Publish) -> Result<Option<ContentSummary>, Failure> {
    let documents = match documents(project, body).await {
        Err(error) if error.code() == Some(&ErrorCode::Forbidden) => return Ok(None),
        documents => documents?,
    };
    let Some(documents) = documents else { return Ok(None) };
    let (mut summary, mut left) = (ContentSummary::default(), MOST);
    for document in &documents {
        match unmoved(project, body, document, &mut left).await? {
            None => return Ok(None),
            Some(UnmovedReason::Unchanged) => summary.docs_unchanged += 1,
            Some(UnmovedReason::Held) => summary.docs_held += 1,
            Some(UnmovedReason::TooLarge) => {
                summary.docs_held += 1;
                summary.docs_too_large += 1;
            }
            Some(UnmovedReason::Skipped) => summary.docs_skipped += 1,
        }
    }
    Ok(Some(summary))
}

/// The documents of a publish, unless there are too many.
async fn documents(project: &Project, body: &Publish) -> Result<Option<Vec<Document>>, l10n_client::Error> {
    let content = project.content();
    match &body.doc_ids {
        Some(ids) if ids.len() > MOST => Ok(None),
        Some(ids) => {
            let mut documents = Vec::with_capacity(ids.len());
            for id in ids {
                documents.push(content.source(id.clone()).await?);
            }
            Ok(Some(documents))
        }
        None => {
            let page = content.list(&ListQuery { limit: Some(PAGE), ..ListQuery::default() }).await?;
            Ok(page.next_cursor.is_none().then_some(page.documents))
        }
    }
}

/// `left` is the number of texts that may still be read.
async fn unmoved(
    project: &Project,
    body: &Publish,
    document: &Document,
    left: &mut usize,
) -> Result<Option<UnmovedReason>, Failure> {
    let live = |language: &str| {
        let files = document.live.as_ref().map(|live| &live.files)?;
        files.iter().find(|file| file.language.as_str() == language).map(|file| file.sha256.as_str())
    };
    let is_wanted =
        |code: &str| body.languages.as_ref().is_none_or(|only| only.iter().any(|only| only.as_str() == code));
    // A code in another spelling names a language as well.
    let is_known = |code: &str| {
        code == document.language.as_str() || document.languages.iter().any(|known| known.code.as_str() == code)
    };
    if !body.languages.iter().flatten().all(|code| is_known(code.as_str())) {
        return Ok(None);
    }
    let wanted = || document.languages.iter().filter(|language| is_wanted(language.code.as_str()));
    if wanted().all(|language| language.state == DocumentState::Missing) {
        return Ok(Some(UnmovedReason::Skipped));
    }
    let is_held = wanted().any(|language| match language.state {
        DocumentState::Translated => false,
        DocumentState::Missing => live(language.code.as_str()).is_some(),
        _ => true,
    });
    if is_held {
        return Ok(Some(UnmovedReason::Held));
    }
    let source = document.source_sha256.as_deref();
    if source.is_none() || source != live(document.language.as_str()) {
        return Ok(None);
    }
    for language in wanted().filter(|language| language.state == DocumentState::Translated) {
        if *left == 0 {
            return Ok(None);
        }
        *left -= 1;
        let draft = project.content().draft(document.doc_id.clone(), language.code.clone()).await?;
        match (&draft.too_large, draft.problems.is_empty()) {
            (Some(_), _) => return Ok(Some(UnmovedReason::TooLarge)),
            (None, false) => return Ok(Some(UnmovedReason::Held)),
            (None, true) if draft.body.as_deref().map(sha256).as_deref() == live(language.code.as_str()) => {}
            (None, true) => return Ok(None),
        }
    }
    Ok(Some(UnmovedReason::Unchanged))
}

fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

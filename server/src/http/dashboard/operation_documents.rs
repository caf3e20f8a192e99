//! Documents on the page of an operation: what they lack and its price, and what a publish of them would change.

use l10n_api_types::operations::Operation;
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::view::differences::{SHOWN, SHOWN_OF_ONE, differences};
use super::view::time::money;
use super::visit::Visit;
use crate::domain::differences::{DisplayedTexts, of_documents};
use crate::domain::publish::comparison_turn;
use crate::domain::{ServiceError, content};
use crate::store::Tx;
use crate::store::documents::Document;
use crate::store::projects::Project;

/// Returns whether an operation is about a language.
pub(super) fn is_of(operation: &Operation, language: &str) -> bool {
    operation.languages.as_ref().is_none_or(|all| all.iter().any(|one| one.as_str() == language))
}

/// The differences from the live documents to those that a publish would make live.
pub(super) async fn changes(visit: &Visit, operation: &Operation) -> Result<Markup, ServiceError> {
    let (project, language) = (visit.project()?, visit.query.get("language"));
    let _turn = comparison_turn(visit.service.publishing(), project).await?;
    let mut tx = visit.service.store.begin_read().await?;
    let wanted = |language: &str| is_of(operation, language);
    let preview = content::preview(&mut tx, &project.id, operation.doc_id.as_ref(), wanted).await?;
    tx.rollback().await?;
    let Some(preview) = preview else { return Ok(html! { p { (visit.t("operation.documents-too-many")) } }) };
    let number = |count: usize| Value::Number(i64::try_from(count).unwrap_or(i64::MAX));
    let counts = visit.tf(
        "operation.documents-change",
        &[
            ("n", number(preview.changed.len())),
            ("held", number(preview.held)),
            ("same", number(preview.unchanged)),
            ("skipped", number(preview.skipped)),
        ],
    );
    let shown = DisplayedTexts { language, most: if language.is_some() { SHOWN_OF_ONE } else { SHOWN } };
    let found = of_documents(preview.changed, shown).await?;
    Ok(html! { p { (counts) } (differences(visit, &found)) })
}

/// The paragraphs that the document of an operation lacks, or all documents do, and their price.
pub(super) async fn lacking(
    visit: &Visit,
    tx: &mut Tx,
    project: &Project,
    operation: &Operation,
    document: Option<&Document>,
) -> Result<Vec<(String, Markup)>, ServiceError> {
    let (runs, wanted) = (visit.service.runs(), |language: &str| is_of(operation, language));
    let lacking = match (document, &operation.doc_id) {
        (Some(document), _) => Some(content::price(tx, runs, &project.id, document, wanted).await?),
        // It is not there any more.
        (None, Some(_)) => return Ok(Vec::new()),
        (None, None) => content::price_of_all(tx, runs, &project.id, wanted).await?,
    };
    let Some(lacking) = lacking else {
        return Ok(vec![(visit.t("operation.missing-price"), html! { (visit.t("operation.documents-too-large")) })]);
    };
    let segments = i64::try_from(lacking.segments).unwrap_or(i64::MAX);
    Ok(vec![
        (visit.t("operation.missing-segments"), html! { (visit.texts.number(segments)) }),
        (visit.t("operation.missing-price"), money(visit, lacking.price)),
    ])
}

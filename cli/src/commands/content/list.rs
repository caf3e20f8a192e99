//! `l10n content list`: documents and their progress.
//!
//! Calls `content::list`, `meta::read`.

use l10n_client::api::content::{Document, DocumentState};
use serde::Serialize;

use crate::args::ListContentArgs;
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::lookup::{documents, name, selection};
use crate::session::Session;
use crate::table::{Align, Table};

#[derive(Serialize)]
struct Listed<'a> {
    documents: &'a [Document],
}

pub(crate) async fn list(context: &Context, args: &ListContentArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let mut documents = documents(&session).await?;
    if !args.paths.is_empty() {
        let chosen = selection(context, &session, &session.meta().await?, &args.paths)?;
        documents.retain(|document| chosen.has(document));
    }
    documents.sort_by(|a, b| name(a).cmp(name(b)));
    let printer = &context.printer;
    printer.json(&Listed { documents: &documents });
    if documents.is_empty() {
        printer.line(if args.paths.is_empty() { "There are no documents yet." } else { "No document matches." });
        return Ok(ExitStatus::Success);
    }
    let mut languages: Vec<&str> = Vec::new();
    for language in documents.iter().flat_map(|document| &document.languages) {
        if !languages.contains(&language.code.as_str()) {
            languages.push(language.code.as_str());
        }
    }
    let titles: Vec<String> = languages.iter().map(|code| code.to_uppercase()).collect();
    let columns =
        [("DOCUMENT", Align::Left), ("FORMAT", Align::Left), ("CHARACTERS", Align::Right), ("LIVE", Align::Left)];
    let mut table = Table::new(columns.into_iter().chain(titles.iter().map(|title| (title.as_str(), Align::Left))));
    for document in &documents {
        let live = document.live.as_ref().map_or("-", |live| live.version_id.as_str());
        let cells =
            [name(document).to_owned(), document.format.to_string(), document.characters.to_string(), live.to_owned()];
        table.row(cells.into_iter().chain(languages.iter().map(|code| state(document, code))));
    }
    printer.table(&table);
    Ok(ExitStatus::Success)
}

/// The state of a document in a language: `translated`, or `outdated 3/12`.
fn state(document: &Document, code: &str) -> String {
    match document.languages.iter().find(|language| language.code.as_str() == code) {
        None => "-".to_owned(),
        Some(language) => match language.state {
            DocumentState::Outdated => format!("outdated {}/{}", language.translated, language.segments),
            state => state.to_string(),
        },
    }
}

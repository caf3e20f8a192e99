//! `l10n diff`: how a publish now would differ from the live version, and the translations that it would hold back. Changes
//! nothing.
//!
//! Calls `unpublished_changes::list`.

use l10n_client::api::VersionId;
use l10n_client::api::pending_code_changes::Side;
use l10n_client::api::unpublished_changes::{ChangeClass, LanguageChanges, ListQuery, UnpublishedChange};
use serde::Serialize;

use crate::args::DiffArgs;
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::printer::Printer;
use crate::session::Session;
use crate::table::{Align, Table};
use crate::words::{counted, shortened};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Diff {
    live_version_id: Option<VersionId>,
    languages: Vec<LanguageChanges>,
    items: Vec<UnpublishedChange>,
    /// True if there are more than `--limit`.
    has_more: bool,
}

pub(crate) async fn diff(context: &Context, args: &DiffArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let wanted = usize::try_from(args.limit).unwrap_or(usize::MAX);
    let changes = session.project.unpublished_changes();
    let language = args.language.as_deref().map(Into::into);
    let mut query = ListQuery { language, limit: Some(args.limit.min(500)), cursor: None };
    let first = changes.list(&query).await.doing("comparing with the live version")?;
    let (live_version_id, languages) = (first.live_version_id, first.languages);
    let (mut items, mut cursor) = (first.items, first.next_cursor);
    while items.len() < wanted && cursor.is_some() {
        query.cursor = cursor;
        let page = changes.list(&query).await.doing("comparing with the live version")?;
        items.extend(page.items);
        cursor = page.next_cursor;
    }
    let has_more = cursor.is_some() || items.len() > wanted;
    items.truncate(wanted);
    let found = Diff { live_version_id, languages, items, has_more };
    show(&context.printer, &found);
    context.printer.json(&found);
    Ok(ExitStatus::Success)
}

fn show(printer: &Printer, found: &Diff) {
    for item in &found.items {
        let name = item.namespace.iter().map(|namespace| format!("{namespace}:")).collect::<String>() + &item.r#ref;
        printer.line(format!("{} {} {name}", item.language, item.class));
        let sides = match item.class {
            ChangeClass::Held => ["source", "translation"],
            _ => ["-", "+"],
        };
        for (mark, side) in sides.iter().zip([&item.from, &item.to]) {
            side.iter().flat_map(said).for_each(|text| printer.line(format!("  {mark} {text}")));
        }
    }
    let is_unchanged = |one: &LanguageChanges| {
        [one.added, one.changed, one.removed].iter().all(|count| *count == Some(0)) && one.held == 0
    };
    if found.languages.iter().all(is_unchanged) {
        let state = if found.live_version_id.is_some() {
            "Nothing has changed since the last publish"
        } else {
            "Nothing to publish"
        };
        printer.done(state);
        return;
    }
    printer.table(&table(&found.languages));
    if found.languages.iter().any(|one| one.added.is_none()) {
        printer.note("The files of some languages are too large to be compared (-).");
    }
    if found.has_more {
        printer.note(format!("The first {} are shown; see --limit.", counted(found.items.len() as u64, "text")));
    }
    if found.live_version_id.is_none() {
        printer.note("Nothing has been published yet.");
    }
}

fn table(languages: &[LanguageChanges]) -> Table {
    let mut table = Table::new([
        ("LANGUAGE", Align::Left),
        ("ADDED", Align::Right),
        ("CHANGED", Align::Right),
        ("REMOVED", Align::Right),
        ("HELD BACK", Align::Right),
    ]);
    for one in languages {
        let count = |count: Option<u64>| count.map_or_else(|| "-".to_owned(), |count| count.to_string());
        table.row([
            one.code.to_string(),
            count(one.added),
            count(one.changed),
            count(one.removed),
            one.held.to_string(),
        ]);
    }
    table
}

/// A line for each text.
fn said(side: &Side) -> Vec<String> {
    match side {
        Side::Text(text) => vec![shortened(text)],
        Side::Plural(plural) => {
            plural.forms.iter().map(|(category, text)| format!("{category}: {}", shortened(text))).collect()
        }
    }
}

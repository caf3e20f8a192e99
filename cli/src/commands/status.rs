//! `l10n status`: the progress of each language, the live version, and the remaining budget.
//!
//! Calls `meta::read`.

use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::language_table::languages_table;
use crate::session::Session;
use crate::words::{counted, time};

pub(crate) async fn status(context: &Context) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let meta = session.meta().await?;
    let printer = &context.printer;
    printer.json(&meta);
    printer.line(format!(
        "{} ({}/{}), {} in {}",
        meta.name,
        meta.handle,
        meta.slug,
        counted(meta.key_count, "key"),
        meta.base_language
    ));
    printer.table(&languages_table(&meta.languages));
    match &meta.live {
        Some(live) => {
            printer.line(format!("Live: {} ({}), published {}", live.label, live.version_id, time(live.published_at)))
        }
        None => printer.line("Live: nothing yet"),
    }
    if meta.unpublished_changes > 0 {
        printer.line(format!(
            "{} not published; `l10n publish` makes them live",
            counted(meta.unpublished_changes, "change")
        ));
    }
    printer.line(format!("Balance: {} credits", meta.balance));
    if let Some(cap) = meta.remaining.cap {
        printer.line(format!("Remaining of this month's cap: {cap} credits"));
    }
    let review: u64 = meta.languages.iter().map(|language| language.needs_review).sum();
    if review > 0 {
        printer.note(format!("{} held back until a person has reviewed them.", counted(review, "translation")));
    }
    let stale: u64 = meta.languages.iter().map(|language| language.stale).sum();
    if stale > 0 {
        printer.note(format!(
            "{} of a source that has changed since. `l10n sync` replaces those of machines and keeps those of people, which \
             `l10n sync --retranslate` replaces.",
            counted(stale, "translation")
        ));
    }
    Ok(ExitStatus::Success)
}

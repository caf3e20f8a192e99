//! The table of a project's languages.

use l10n_client::api::languages::Language;

use crate::table::{Align, Table};

/// A row for each language. The counts of finished keys are those that would be published.
pub(crate) fn languages_table(languages: &[Language]) -> Table {
    let mut table = Table::new([
        ("LANGUAGE", Align::Left),
        ("NAME", Align::Left),
        ("DONE", Align::Right),
        ("TRANSLATED", Align::Right),
        ("REVIEWED", Align::Right),
        ("NEEDS REVIEW", Align::Right),
        ("STALE", Align::Right),
        ("MISSING", Align::Right),
    ]);
    for language in languages {
        if language.is_base {
            let blank = String::new;
            table.row([
                language.code.to_string(),
                language.name.clone(),
                "base".into(),
                blank(),
                blank(),
                blank(),
                blank(),
                blank(),
            ]);
            continue;
        }
        let done = language.translated + language.reviewed;
        // Rounded down, so that 100% means all.
        let percent = (done * 100).checked_div(language.keys).map_or("-".to_owned(), |percent| format!("{percent}%"));
        table.row([
            language.code.to_string(),
            language.name.clone(),
            percent,
            language.translated.to_string(),
            language.reviewed.to_string(),
            language.needs_review.to_string(),
            language.stale.to_string(),
            language.missing.to_string(),
        ]);
    }
    table
}

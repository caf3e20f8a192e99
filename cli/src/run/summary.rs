//! Describes the result of a run in words.

use l10n_client::api::translations::{Class, Classification, OnRemoved, Run};

use crate::printer::Printer;
use crate::words::counted;

/// Number of removed keys that are listed.
const NAMED: usize = 20;

/// `12 new · 1 changed · 40 unchanged`
pub(crate) fn classes(classification: Classification) -> String {
    let Classification { new, changed, unchanged, removed } = classification;
    let parts = [(new, "new"), (changed, "changed"), (unchanged, "unchanged"), (removed, "removed")];
    let said: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    if said.is_empty() { "no keys".to_owned() } else { said.join(" · ") }
}

/// Lists the keys that a file no longer has, and their treatment. A silent removal would destroy work.
pub(crate) fn print_removed(printer: &Printer, path: &str, run: &Run, on_removed: OnRemoved) {
    let removed: Vec<&str> =
        run.items.iter().filter(|item| item.class == Class::Removed).map(|item| item.r#ref.as_str()).collect();
    if run.classification.removed == 0 {
        return;
    }
    let what = match (on_removed, run.dry_run) {
        (OnRemoved::Keep, _) => "kept (with --on-removed archive, the next version leaves them out)",
        (OnRemoved::Archive, false) => "archived (a sync that brings them back undoes it)",
        (OnRemoved::Archive, true) => "to be archived",
    };
    let keys = counted(run.classification.removed, "key");
    printer.note(format!("{path}: {keys} no longer in the file, {what}:"));
    for name in removed.iter().take(NAMED) {
        printer.note(format!("  {name}"));
    }
    let rest = run.classification.removed.saturating_sub(removed.len().min(NAMED) as u64);
    if rest > 0 {
        printer.note(format!("  and {rest} more"));
    }
}

/// The server's warnings, and renamed keys.
pub(crate) fn print_warnings(printer: &Printer, path: &str, run: &Run) {
    for renamed in &run.renamed {
        printer.note(format!("{path}: `{}` is now `{}`; its translations were kept", renamed.from, renamed.to));
    }
    if run.kept > 0 {
        let (texts, verb) = (counted(run.kept, "translation"), if run.kept == 1 { "stays" } else { "stay" });
        printer.note(format!(
            "{path}: {texts} of people {verb} although their source has changed (stale); --retranslate replaces them"
        ));
    }
    for warning in &run.warnings {
        printer.warn(format!("{path}: {warning}"));
    }
}

//! Errors of references: other messages, terms and attributes than those that the source refers to.

use std::collections::BTreeMap;
use std::ops::Range;

use l10n_api_types::Check;

use super::Report;
use super::report::list;
use super::view::View;
use crate::text::Syntax;
use crate::text::placeholders::{Span, SpanKind};

/// References that the source lacks, or that the translation does, as they are compared: of a term of Fluent the name alone,
/// since each language asks it for its own forms.
pub(super) fn references(source: &View<'_>, target: &View<'_>, report: &mut Report<'_>) {
    let is_message = source.message.is_some() || target.message.is_some();
    // For each: its count in the source, its count in the translation, and its first place in the translation.
    let mut counts: BTreeMap<String, (usize, usize, Option<Range<usize>>)> = BTreeMap::new();
    for name in source.spans.iter().filter_map(|span| name(source, span)) {
        counts.entry(name).or_default().0 += 1;
    }
    for (name, span) in target.spans.iter().filter_map(|span| Some((name(target, span)?, span))) {
        let entry = counts.entry(name).or_default();
        entry.1 += 1;
        entry.2.get_or_insert_with(|| span.range.clone());
    }
    let (mut lost, mut added, mut place) = (Vec::new(), Vec::new(), None);
    for (name, (wanted, found, first)) in &counts {
        // Branches say the same several times, in some languages more often than in others.
        let (wanted, found) = if is_message { (*wanted.min(&1), *found.min(&1)) } else { (*wanted, *found) };
        if wanted > found {
            lost.push(name.as_str());
        } else if wanted < found {
            added.push(name.as_str());
            place = place.or_else(|| first.clone());
        }
    }
    let parts = [("missing", lost), ("more than in the source", added)];
    let parts: Vec<_> = parts.iter().filter(|(_, names)| !names.is_empty()).collect();
    if !parts.is_empty() {
        let parts: Vec<_> = parts.iter().map(|(what, names)| format!("{what} {}", list(names))).collect();
        report.error(Check::References, format!("references: {}", parts.join("; ")), place);
    }
}

/// A reference in the form that it is compared in; `None` for any other part.
pub(super) fn name(view: &View<'_>, span: &Span) -> Option<String> {
    let text = view.of(span);
    match span.kind {
        SpanKind::Nesting => Some(text.split_whitespace().collect()),
        SpanKind::Argument if view.syntax == Syntax::Fluent => of_fluent(text),
        _ => None,
    }
}

/// `-term`, `message` or `message.attribute` of a placeable; variables, functions and literals are none.
fn of_fluent(placeable: &str) -> Option<String> {
    let inside = placeable.strip_prefix('{')?.strip_suffix('}')?.trim();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let end = inside.find(|c| !is_part(c)).unwrap_or(inside.len());
    let (name, rest) = inside.split_at_checked(end)?;
    let begins = name.strip_prefix('-').unwrap_or(name).starts_with(|c: char| c.is_ascii_alphabetic());
    let is_call = rest.trim_start().starts_with('(');
    (begins && (name.starts_with('-') || !is_call)).then(|| name.to_owned())
}

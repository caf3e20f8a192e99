//! Errors of a text as its format and syntax read it: signs that need an escape, and line ends at the edges.

use std::ops::Range;

use l10n_api_types::{Check, FormatId};

use super::view::View;
use super::{Comparison, Report};
use crate::text::placeholders::SpanKind;
use crate::text::{Brace, Printf, Syntax};

/// Signs that the syntax or the file would read as something else, where those of the source are well.
pub(super) fn format_escapes(source: &View<'_>, target: &View<'_>, pair: Comparison<'_>, report: &mut Report<'_>) {
    let in_xml = matches!(pair.facts.in_file, Some(FormatId::Android | FormatId::Resx | FormatId::AppleStringsdict));
    let unfit = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{85}');
    if in_xml && let Some((at, c)) = target.text.char_indices().find(|(_, c)| unfit(*c) && u32::from(*c) < 0x20) {
        let message = format!("XML has no control character U+{:04X}", u32::from(c));
        report.error(Check::FormatEscapes, message, Some(at..at + c.len_utf8()));
        return;
    }
    match target.syntax {
        Syntax::Printf(Printf::Java) if unnumbered(source).len() < 2 => {
            if let [_, second, ..] = unnumbered(target).as_slice() {
                let message = "of several placeholders each needs a number, such as `%1$s`".to_owned();
                report.error(Check::FormatEscapes, message, Some(second.clone()));
            }
        }
        Syntax::Vue => bare(source, target, &['@', '{', '}'], "write it as `{'…'}`", report),
        // Elsewhere a lone apostrophe is doubled when the file is written.
        Syntax::Brace(Brace::JavaMessage) if pair.facts.in_file.is_some() => {
            bare(source, target, &['\''], "in MessageFormat an apostrophe is `''`", report);
        }
        _ => {}
    }
}

/// Placeholders that take the next argument.
fn unnumbered(view: &View<'_>) -> Vec<Range<usize>> {
    let is_next = |text: &str| !text.contains('$') && !matches!(text, "%%" | "%n");
    let spans = view.spans.iter().filter(|span| span.kind == SpanKind::Percent && is_next(view.of(span)));
    spans.map(|span| span.range.clone()).collect()
}

/// A sign in the prose that the prose of the source lacks.
fn bare(source: &View<'_>, target: &View<'_>, signs: &[char], advice: &str, report: &mut Report<'_>) {
    if source.pieces().any(|piece| piece.contains(signs)) {
        return;
    }
    for range in &target.prose {
        if let Some((at, sign)) = target.text[range.clone()].char_indices().find(|(_, c)| signs.contains(c)) {
            let at = range.start + at;
            let message = format!("`{sign}` is no text here: {advice}");
            report.error(Check::FormatEscapes, message, Some(at..at + sign.len_utf8()));
            return;
        }
    }
}

/// msgfmt refuses a translation whose first or last line end is not that of the source.
pub(super) fn newline_edges(pair: Comparison<'_>, report: &mut Report<'_>) {
    if pair.facts.in_file != Some(FormatId::Gettext) {
        return;
    }
    let (theirs, ours) = (pair.source, pair.target);
    if theirs.starts_with('\n') != ours.starts_with('\n') {
        let message = "source and translation begin with a line end both, or neither".to_owned();
        report.error(Check::NewlineEdges, message, None);
    }
    if theirs.ends_with('\n') != ours.ends_with('\n') {
        let message = "source and translation end with a line end both, or neither".to_owned();
        report.error(Check::NewlineEdges, message, None);
    }
}

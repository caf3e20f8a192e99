//! Warnings about what stands in pairs: brackets, and the links of Markdown.

use std::ops::Range;

use l10n_api_types::Check;

use super::Report;
use super::view::View;

/// Opening and closing brackets; the wide ones of East Asia count as the narrow ones.
const BRACKETS: [(char, char); 6] = [('(', ')'), ('[', ']'), ('{', '}'), ('（', '）'), ('［', '］'), ('｛', '｝')];

/// Brackets that are not closed in order, where those of the source are.
pub(super) fn brackets(source: &View<'_>, target: &View<'_>, report: &mut Report<'_>) {
    if source.message.is_some() || target.message.is_some() || unbalanced(source).is_some() {
        return;
    }
    if let Some(at) = unbalanced(target) {
        let message = format!("the bracket `{}` has no partner", &target.text[at.clone()]);
        report.warning(Check::Brackets, message, Some(at));
    }
}

/// The first bracket of the prose that has no partner.
fn unbalanced(view: &View<'_>) -> Option<Range<usize>> {
    let mut open: Vec<(usize, Range<usize>)> = Vec::new();
    for range in &view.prose {
        let text = &view.text[range.clone()];
        for (at, c) in text.char_indices() {
            let place = range.start + at..range.start + at + c.len_utf8();
            if let Some(kind) = BRACKETS.iter().position(|(opens, _)| *opens == c) {
                open.push((kind % 3, place));
            } else if let Some(kind) = BRACKETS.iter().position(|(_, closes)| *closes == c) {
                // `:)` and `a)` are no brackets.
                let lone = text[..at].ends_with([':', ';', '-']) || is_label(&view.text[..place.start]);
                match open.last() {
                    Some((last, _)) if *last == kind % 3 => {
                        open.pop();
                    }
                    _ if lone => {}
                    _ => return Some(place),
                }
            }
        }
    }
    open.pop().map(|(_, place)| place).filter(|place| !view.text[..place.start].ends_with([':', ';', '-']))
}

/// `a)` or `1)` at the beginning of a line or after a blank.
fn is_label(before: &str) -> bool {
    let mut last = before.chars().rev();
    last.next().is_some_and(char::is_alphanumeric)
        && last.next().is_none_or(|c| c.is_whitespace() || c.is_ascii_digit())
}

/// Another number of links `[text](address)` than the source has.
pub(super) fn markdown_links(source: &View<'_>, target: &View<'_>, report: &mut Report<'_>) {
    let (theirs, ours) = (links(source.text), links(target.text));
    if theirs != ours && theirs > 0 {
        let message = format!("{ours} links `[text](address)`, and {theirs} in the source");
        report.warning(Check::MarkdownLinks, message, None);
    }
}

fn links(text: &str) -> usize {
    let first = text.find('[').unwrap_or(text.len());
    text.match_indices("](").filter(|(at, _)| *at > first).count()
}

//! Errors of markup: other tags than the source, tags closed out of order, markup that can run scripts.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use l10n_api_types::Check;

use super::everywhere::{Branches, Shown, has_parts, is_number_of_parts};
use super::report::list;
use super::view::View;
use super::{Comparison, Report};
use crate::text::message::{Choice, Message, Part};
use crate::text::placeholders::{Span, SpanKind};

/// Elements that are never closed.
const VOID: [&str; 8] = ["br", "hr", "img", "input", "wbr", "source", "link", "meta"];

/// Attributes that hold text for people, so that a translation changes them.
const TRANSLATABLE: [&str; 4] = ["title=", "alt=", "placeholder=", "aria-label="];

/// Other tags than the source has, or tags closed in another order.
pub(super) fn tags(source: &View<'_>, target: &View<'_>, report: &mut Report<'_>) {
    let is_tag = |span: &&Span| span.kind == SpanKind::Tag;
    if !source.spans.iter().chain(&target.spans).any(|span| is_tag(&span)) {
        return;
    }
    let tags_of = |view: &View<'_>| -> Vec<(Range<usize>, String)> {
        view.spans.iter().filter(is_tag).map(|span| (span.range.clone(), normal(view.of(span)))).collect()
    };
    let (theirs, ours) = (tags_of(source), tags_of(target));
    let mut counts: BTreeMap<&str, (usize, usize, Option<Range<usize>>)> = BTreeMap::new();
    for (_, tag) in &theirs {
        counts.entry(tag).or_default().0 += 1;
    }
    for (range, tag) in &ours {
        let entry = counts.entry(tag).or_default();
        entry.1 += 1;
        entry.2.get_or_insert_with(|| range.clone());
    }
    // The branches of a message say the same thing several times, in some languages more often than in others.
    let is_message = source.message.is_some() || target.message.is_some();
    let count = |number: usize| if is_message { number.min(1) } else { number };
    let names = |lost: bool| -> Vec<&str> {
        let differs = |(wanted, found, _): &(usize, usize, _)| {
            if lost { count(*wanted) > count(*found) } else { count(*wanted) < count(*found) }
        };
        counts.iter().filter(|(_, counts)| differs(counts)).map(|(tag, _)| *tag).collect()
    };
    let (lost, added) = (names(true), names(false));
    let is_everywhere_lost = |tag: &str| counts.get(tag).is_some_and(|(_, found, _)| *found == 0);
    let not_in_all = if is_message { lost_in_branches((source, &theirs), (target, &ours)) } else { Vec::new() };
    let not_in_all: Vec<&str> = not_in_all.into_iter().filter(|tag| !is_everywhere_lost(tag)).collect();
    let place = added.first().and_then(|tag| counts[*tag].2.clone());
    let parts = [("missing", &lost), ("missing in some branches", &not_in_all), ("more than in the source", &added)];
    let parts: Vec<_> = parts.iter().filter(|(_, tags)| !tags.is_empty()).collect();
    if !parts.is_empty() {
        let parts: Vec<_> = parts.iter().map(|(what, tags)| format!("{what} {}", list(tags))).collect();
        report.error(Check::Tags, format!("tags: {}", parts.join("; ")), place);
    } else if out_of_order(source).is_none()
        && let Some(place) = out_of_order(target)
    {
        let message = format!("the tag `{}` is not closed in order", &target.text[place.clone()]);
        report.error(Check::Tags, message, Some(place));
    }
}

/// Tags that the source has in all branches, and the translation in some.
fn lost_in_branches<'a>(
    (source, theirs): (&View<'_>, &'a [(Range<usize>, String)]),
    (target, ours): (&View<'_>, &'a [(Range<usize>, String)]),
) -> Vec<&'a str> {
    let shown = |tags: &'a [(Range<usize>, String)]| -> Shown<'a> {
        tags.iter().map(|(range, tag)| (range.start, tag.as_str())).collect()
    };
    let around_number = tags_around_number(source);
    let may_omit = |_: &Choice, tag: &str| around_number.contains(tag);
    let branches = Branches { may_omit: &may_omit, chosen: &|_| None };
    let (wanted, found) = (branches.common(source, &shown(theirs)), branches.common(target, &shown(ours)));
    let is_free = |tag: &str| has_parts(source.syntax) && around_number.contains(tag);
    let lost: BTreeSet<&str> = wanted.into_iter().filter(|tag| !found.contains(tag) && !is_free(tag)).collect();
    lost.into_iter().collect()
}

/// Tags around nothing but the number of a plural: a form that does without the number does without them.
fn tags_around_number(view: &View<'_>) -> HashSet<String> {
    let arguments = view.message.as_ref().map(super::icu::arguments).unwrap_or_default();
    let is_number = |span: &Span| {
        let text: String = view.of(span).split_whitespace().collect();
        text == "#" || arguments.contains(&text) || is_number_of_parts(view.syntax, &text.to_ascii_lowercase())
    };
    let around = view.spans.windows(3).filter(|spans| {
        let [before, number, after] = spans else { return false };
        before.range.end == number.range.start
            && number.range.end == after.range.start
            && [before, after].iter().all(|span| span.kind == SpanKind::Tag)
            && is_number(number)
    });
    around.flat_map(|spans| spans.iter().step_by(2)).map(|span| normal(view.of(span))).collect()
}

/// A tag in the form that it is compared in: blanks, quotes around values, the slash of `<br/>` and texts for people do not
/// count. A file of Android may lose the quotes of `href="#"` on the way to the app.
fn normal(tag: &str) -> String {
    let inside = tag[1..tag.len() - 1].trim_end().trim_end_matches('/');
    let mut words = Vec::new();
    let mut quote: Option<char> = None;
    for word in inside.split_whitespace() {
        let hidden = quote.is_some();
        if !hidden {
            let known = TRANSLATABLE.iter().find(|name| word.to_ascii_lowercase().starts_with(*name));
            words.push(known.copied().unwrap_or(word));
            let value = known.and_then(|name| word.get(name.len()..)).unwrap_or_default();
            quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
            if quote.is_some_and(|quote| value.len() > 1 && value.ends_with(quote)) {
                quote = None;
            }
        } else if quote.is_some_and(|quote| word.ends_with(quote)) {
            quote = None;
        }
    }
    format!("<{}>", words.iter().map(|word| bare(word)).collect::<Vec<_>>().join(" "))
}

/// An attribute without the quotes around its value.
fn bare(word: &str) -> String {
    let Some((name, value)) = word.split_once('=') else { return word.trim_end_matches(['"', '\'']).to_owned() };
    format!("{name}={}", value.trim_matches(['"', '\'']))
}

/// The first tag that closes an element that is not open, or that is never closed; in a message, within one branch.
fn out_of_order(view: &View<'_>) -> Option<Range<usize>> {
    match &view.message {
        None => unbalanced(view, view.spans.iter()),
        Some(message) => in_message(view, message),
    }
}

fn in_message(view: &View<'_>, message: &Message) -> Option<Range<usize>> {
    let spans = message.parts.iter().flat_map(|part| match part {
        Part::Text(range) => {
            let at = |byte| view.spans.partition_point(|span| span.range.start < byte);
            &view.spans[at(range.start)..at(range.end)]
        }
        Part::Choice(_) => &[],
    });
    unbalanced(view, spans).or_else(|| {
        message.parts.iter().find_map(|part| match part {
            Part::Text(_) => None,
            Part::Choice(choice) => choice.branches.iter().find_map(|branch| in_message(view, &branch.message)),
        })
    })
}

fn unbalanced<'a>(view: &View<'_>, spans: impl Iterator<Item = &'a Span>) -> Option<Range<usize>> {
    let mut open: Vec<(&str, Range<usize>)> = Vec::new();
    for span in spans.filter(|span| span.kind == SpanKind::Tag) {
        let tag = view.of(span);
        let inside = &tag[1..tag.len() - 1];
        if let Some(closed) = inside.strip_prefix('/') {
            if open.pop().is_none_or(|(opened, _)| opened != closed.trim()) {
                return Some(span.range.clone());
            }
        } else {
            let name = inside.split([' ', '\n', '\t', '/']).next().unwrap_or_default();
            if !inside.ends_with('/') && !VOID.contains(&name) {
                open.push((name, span.range.clone()));
            }
        }
    }
    open.pop().map(|(_, range)| range)
}

/// Script elements, event handlers and `javascript:` addresses that the source lacks.
pub(super) fn unsafe_html(pair: Comparison<'_>, report: &mut Report<'_>) {
    let ours = dangers(pair.target);
    if ours.is_empty() {
        return;
    }
    let theirs: BTreeSet<String> = dangers(pair.source).into_iter().map(|(danger, _)| danger).collect();
    if let Some((danger, place)) = ours.into_iter().find(|(danger, _)| !theirs.contains(danger)) {
        let message = format!("`{danger}` can run a script, and the source has none");
        report.error(Check::UnsafeHtml, message, Some(place));
    }
}

/// Markup that could run a script, and its place. It is read as browsers do: in any case, and tags need no end.
fn dangers(text: &str) -> Vec<(String, Range<usize>)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut in_tag, mut quote, mut after_equals, mut at) = (false, None, false, 0);
    let (mut blank, last_quotes) = (true, [text.rfind('\''), text.rfind('"')]);
    while at < bytes.len() {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        match bytes[at] {
            byte if quote == Some(byte) => quote = None,
            _ if quote.is_some() => {}
            // A quote that is never closed hides nothing.
            byte @ (b'"' | b'\'') if in_tag && after_equals && last_quotes[usize::from(byte == b'"')] > Some(at) => {
                quote = Some(byte);
            }
            b'<' => {
                in_tag = bytes.get(at + 1).is_some_and(|byte| byte.is_ascii_alphabetic());
                if in_tag && starts_with(&bytes[at + 1..], b"script") {
                    found.push(("<script".to_owned(), at..at + 7));
                }
            }
            b'>' => in_tag = false,
            b'o' | b'O' if in_tag && before.is_some_and(|byte| b" \t\r\n\x0c/\"'".contains(&byte)) => {
                let name = bytes[at..].iter().take(40).take_while(|byte| byte.is_ascii_alphabetic()).count();
                let value = bytes[at + name..].iter().find(|byte| !byte.is_ascii_whitespace());
                if name > 2 && value == Some(&b'=') && starts_with(&bytes[at..], b"on") {
                    let handler = text[at..at + name].to_ascii_lowercase();
                    found.push((format!("{handler}="), at..at + name));
                }
            }
            _ => {}
        }
        let begins_address = blank || before.is_some_and(|byte| b"\"'=(".contains(&byte) || (in_tag && byte <= b' '));
        blank &= bytes[at] <= b' ';
        after_equals = bytes[at] == b'=' || (after_equals && bytes[at].is_ascii_whitespace());
        if begins_address && let Some(length) = script_address(&text[at..], in_tag) {
            found.push(("javascript:".to_owned(), at..at + length));
            at += length;
        } else {
            at += 1;
            while !text.is_char_boundary(at) {
                at += 1;
            }
        }
    }
    found
}

fn starts_with(bytes: &[u8], start: &[u8]) -> bool {
    bytes.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

/// Length of `javascript:`, in which browsers overlook blanks and read character references.
fn script_address(text: &str, in_tag: bool) -> Option<usize> {
    let mut at = 0;
    for expected in "javascript:".chars() {
        loop {
            let rest = &text[at..];
            let (character, length) = reference(rest).or_else(|| rest.chars().next().map(|c| (c, c.len_utf8())))?;
            if at > 64 {
                return None;
            }
            at += length;
            if at > length && (character.is_ascii_whitespace() || character.is_ascii_control()) {
                continue;
            }
            if !character.eq_ignore_ascii_case(&expected) {
                return None;
            }
            break;
        }
    }
    // `JavaScript: the good parts` is a title.
    (in_tag || text[at..].starts_with(|next: char| !next.is_whitespace())).then_some(at)
}

/// The character that `&#106;`, `&#x6a;` or `&colon;` stands for, and the length of the reference.
fn reference(text: &str) -> Option<(char, usize)> {
    let inside = text.strip_prefix('&')?;
    let end = inside.bytes().take(12).position(|byte| byte == b';')?;
    let character = match &inside[..end] {
        "colon" => ':',
        "Tab" => '\t',
        "NewLine" => '\n',
        name => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    };
    Some((character, end + 2))
}

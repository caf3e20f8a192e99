//! Errors of a text as such: empty, too long, other placeholders than the source.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use l10n_api_types::Check;

use super::everywhere::{Branches, Shown, is_number_of_parts, is_own};
use super::report::list;
use super::rules::is_for_one_number;
use super::view::View;
use super::{Comparison, Number, Report, branches};
use crate::text::message::{Choice, Message, Part};
use crate::text::placeholders::{SpanKind, scan_inside};
use crate::text::{Brace, Printf, Syntax};

/// Reports an empty translation of a source that is not empty.
pub(super) fn empty(pair: Comparison<'_>, report: &mut Report<'_>) {
    if !pair.source.trim().is_empty() {
        report.error(Check::Empty, "the translation is empty and the source is not".to_owned(), None);
    }
}

/// Longer than allowed.
pub(super) fn length(pair: Comparison<'_>, report: &mut Report<'_>) {
    let Some(most) = pair.facts.max_length.map(|most| most as usize) else { return };
    if pair.target.len() <= most {
        return;
    }
    let message = branches::read(pair.target, pair.facts.syntax, false).ok().flatten();
    let length = match &message {
        Some(message) => longest(pair.target, message),
        None => pair.target.chars().count(),
    };
    if length > most {
        let over = pair.target.char_indices().nth(most).filter(|_| message.is_none());
        let text = format!("{length} characters, and {most} are allowed");
        report.error(Check::MaxLength, text, over.map(|(at, _)| at..pair.target.len()));
    }
}

/// Characters of the longest text that a message can become, its placeholders as they are written.
fn longest(text: &str, message: &Message) -> usize {
    let of = |part: &Part| match part {
        Part::Text(range) => text[range.clone()].chars().count(),
        Part::Choice(choice) => {
            choice.branches.iter().map(|branch| longest(text, &branch.message)).max().unwrap_or_default()
        }
    };
    message.parts.iter().map(of).sum()
}

/// Returns the placeholder that shows a plural's number, judged by the form `other`.
pub(super) fn number<'a>(other: &str, arg: &'a str, syntax: Syntax) -> Number<'a> {
    let view = View::new(other, syntax, None);
    let tokens = tokens(&view, false);
    let whole = tokens.iter().filter(|token| is_whole_number(&token.key)).count();
    if whole == 1 && !tokens.iter().any(|token| token.name == Some(arg)) { Number::Printf } else { Number::Named(arg) }
}

fn is_whole_number(key: &str) -> bool {
    key == "%arg" || (key.starts_with('%') && key.contains('$') && key.ends_with(['d', 'i', 'u']))
}

/// A placeholder in the form that it is compared in.
#[derive(Debug)]
struct ComparedPlaceholder<'a> {
    key: String,
    name: Option<&'a str>,
    range: Range<usize>,
}

/// The placeholders of a text, in order. In messages an argument is its name alone, since a choice is one as well. Those within
/// tags and addresses are among them.
fn tokens<'a>(view: &View<'a>, names_only: bool) -> Vec<ComparedPlaceholder<'a>> {
    let mut sequential = 0;
    let mut tokens = Vec::new();
    for span in &view.spans {
        let text = view.of(span);
        if matches!(span.kind, SpanKind::Tag | SpanKind::Url) {
            // Behind the sign that begins it.
            for inner in scan_inside(&text[1..], view.syntax) {
                let range = span.range.start + 1 + inner.range.start..span.range.start + 1 + inner.range.end;
                let text = &view.text[range.clone()];
                if let Some((key, name)) = compared(inner.kind, text, view.syntax, names_only, &mut sequential) {
                    tokens.push(ComparedPlaceholder { key, name, range });
                }
            }
        // References have a check of their own.
        } else if super::references::name(view, span).is_none()
            && let Some((key, name)) = compared(span.kind, text, view.syntax, names_only, &mut sequential)
        {
            tokens.push(ComparedPlaceholder { key, name, range: span.range.clone() });
        }
    }
    tokens
}

/// A placeholder in the form that it is compared in, and its name. `None` for parts that are none.
fn compared<'a>(
    kind: SpanKind,
    text: &'a str,
    syntax: Syntax,
    names_only: bool,
    sequential: &mut usize,
) -> Option<(String, Option<&'a str>)> {
    Some(match kind {
        SpanKind::Tag | SpanKind::Url | SpanKind::Syntax | SpanKind::Entity | SpanKind::Escape | SpanKind::Nesting => {
            return None;
        }
        // A literal of Fluent is a word in quotes.
        SpanKind::Argument if syntax == Syntax::Fluent && text[1..].trim_start().starts_with('"') => return None,
        SpanKind::Argument if syntax == Syntax::Fluent => placeable(text),
        SpanKind::Argument => {
            // The width beside a name of .NET and the format of Python are no kind of argument.
            let names_only = names_only || matches!(syntax, Syntax::Brace(Brace::CSharp | Brace::Python));
            braced(&text[1..text.len() - 1], "{", "}", names_only)
        }
        SpanKind::DoubleBrace => braced(&text[2..text.len() - 2], "{{", "}}", false),
        SpanKind::Dollar => (text.to_owned(), Some(text[2..text.len() - 1].trim())),
        SpanKind::Named => (text.to_ascii_lowercase(), Some(text.trim_matches(['$', ':']))),
        SpanKind::Percent if text == "%%" => (text.to_owned(), None),
        // Both are the same number; `%n` is that of a plural.
        SpanKind::Percent if syntax == Syntax::Printf(Printf::Qt) => {
            let key = text.replace('L', "");
            let name = (key == "%n").then_some("n");
            (key, name)
        }
        SpanKind::Percent if matches!(text, "%n" | "%arg") || text.starts_with("%#@") => (text.to_owned(), None),
        SpanKind::Percent => match text.as_bytes().get(1) {
            // In C it is the name of a macro.
            Some(b'<') if syntax != Syntax::Printf(Printf::C) => (text.to_owned(), text[2..].split('>').next()),
            Some(b'{') => (text.to_owned(), Some(&text[2..text.len() - 1])),
            Some(b'(') => (text.to_owned(), text[2..].split(')').next()),
            _ => (positional(text, sequential), None),
        },
    })
}

/// A placeable of Fluent without blanks and options, and the variable that it shows.
fn placeable(text: &str) -> (String, Option<&str>) {
    let variable = text.split_once('$').map(|(_, after)| {
        let end = after.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-')).unwrap_or(after.len());
        &after[..end]
    });
    let key = match text.split_once(',') {
        Some((call, _)) if call.contains('(') => call.split_whitespace().chain([")}"]).collect(),
        _ => text.split_whitespace().collect(),
    };
    (key, variable)
}

/// Name and type of an argument; its style may differ between languages.
fn braced<'a>(inside: &'a str, open: &str, close: &str, name_only: bool) -> (String, Option<&'a str>) {
    let mut parts = inside.split(',').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let kind = parts.next().filter(|_| !name_only).map(|kind| kind.split('(').next().unwrap_or_default());
    let name_end = name.find([':', '!']).unwrap_or(name.len());
    let name = if open == "{" { &name[..name_end] } else { name };
    let key = match kind {
        Some(kind) => format!("{open}{name}, {kind}{close}"),
        None => format!("{open}{name}{close}"),
    };
    (key, Some(name.trim_start_matches('-').trim_start()))
}

/// `%s` as `%1$s`, and `%*d` as `%2$*1$d`, so that a translation may change the order.
fn positional(text: &str, sequential: &mut usize) -> String {
    let inside = &text[1..];
    if inside.contains('$') {
        return text.to_owned();
    }
    let mut numbered = String::new();
    for sign in inside.chars() {
        numbered.push(sign);
        if sign == '*' {
            *sequential += 1;
            numbered.push_str(&format!("{sequential}$"));
        }
    }
    *sequential += 1;
    format!("%{sequential}${numbered}")
}

/// Takes the first placeholder that is there with another type out of what is lost and added. Where the syntax is not known, a
/// type is part of the name.
fn other_type<'a>(lost: &mut Vec<&'a str>, added: &mut Vec<&'a str>, syntax: Syntax) -> Option<(&'a str, &'a str)> {
    if matches!(syntax, Syntax::Mixed | Syntax::I18next) {
        return None;
    }
    let name = |key: &'a str| key.split_inclusive(['$', ',']).next().filter(|name| name.len() < key.len());
    // Either list is as long as a text may be.
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for (at, key) in added.iter().enumerate() {
        if let Some(name) = name(key) {
            by_name.entry(name).or_insert(at);
        }
    }
    let (was, is) = lost.iter().enumerate().find_map(|(at, key)| Some((at, *by_name.get(name(key)?)?)))?;
    Some((lost.remove(was), added.remove(is)))
}

/// Other placeholders than the source has, or another number of them.
pub(super) fn placeholders(source: &View<'_>, target: &View<'_>, pair: Comparison<'_>, report: &mut Report<'_>) {
    let is_message = source.message.is_some() || target.message.is_some();
    let (ours, theirs) = (tokens(target, is_message), tokens(source, is_message));
    if ours.is_empty() && theirs.is_empty() && !is_message {
        return;
    }
    // For each: its count in the source, its count in the translation, and its first place in the translation.
    let mut counts: BTreeMap<&str, (usize, usize, Option<Range<usize>>)> = BTreeMap::new();
    let choices = [source, target].map(|view| view.message.as_ref().map(super::icu::arguments).unwrap_or_default());
    for (key, count) in theirs.iter().map(|token| (token.key.as_str(), 1)) {
        counts.entry(key).or_default().0 += count;
    }
    for token in &ours {
        let entry = counts.entry(&token.key).or_default();
        entry.1 += 1;
        entry.2.get_or_insert_with(|| token.range.clone());
    }
    for key in &choices[0] {
        counts.entry(key).or_default().0 += 1;
    }
    // In Fluent, what a selector depends on is not shown by it, and each language has selectors of its own.
    let is_fluent = pair.facts.syntax == Syntax::Fluent;
    let shown: HashSet<&str> = theirs.iter().filter(|_| is_fluent).map(|token| token.key.as_str()).collect();
    for key in &choices[1] {
        let (wanted, found, _) = counts.entry(key).or_default();
        *found += usize::from(!is_fluent || *wanted == 0);
    }
    let numbers: BTreeSet<&str> = ours
        .iter()
        .chain(&theirs)
        .filter(|token| match pair.number {
            Number::None => false,
            Number::Printf => is_whole_number(&token.key),
            Number::Named(arg) => token.name == Some(arg),
        })
        .map(|token| token.key.as_str())
        .collect();
    let (mut lost, mut added, mut place) = (Vec::new(), Vec::new(), None);
    for (key, (wanted, found, first)) in counts {
        let (wanted, found) = if is_message { (wanted.min(1), found.min(1)) } else { (wanted, found) };
        if wanted == found {
            continue;
        }
        if key == "%%" {
            let message = format!("`%%` stands {found} times here and {wanted} times in the source");
            report.warning(Check::Placeholders, message, first);
        } else if numbers.contains(key) && (wanted == 0 || pair.form.is_some_and(is_for_one_number)) {
            // The form of one number may do without it, and any form may have it.
        } else if is_fluent && wanted > found && !shown.contains(key) {
            // It is what a selector of the source depends on.
        } else if wanted > found {
            lost.push(key);
        } else {
            added.push(key);
            place = place.or(first);
        }
    }
    let not_in_all: Vec<&str> = match is_message {
        true => lost_in_branches((source, &theirs), (target, &ours)),
        false => Vec::new(),
    };
    let not_in_all: Vec<&str> = {
        let lost: HashSet<&str> = lost.iter().copied().collect();
        // The form of one number may do without it.
        let is_free = |key: &str| numbers.contains(key) && pair.form.is_some_and(is_for_one_number);
        not_in_all.into_iter().filter(|key| !lost.contains(key) && !is_free(key)).collect()
    };
    if let Some((was, is)) = other_type(&mut lost, &mut added, pair.facts.syntax) {
        let message = format!("`{is}` is another kind of value than `{was}` of the source");
        report.error(
            Check::PlaceholderType,
            message,
            ours.iter().find(|token| token.key == is).map(|token| token.range.clone()),
        );
    }
    let mut message = Vec::new();
    if !lost.is_empty() {
        message.push(format!("missing {}", list(&lost)));
    }
    if !not_in_all.is_empty() {
        message.push(format!("missing in some branches {}", list(&not_in_all)));
    }
    if !added.is_empty() {
        message.push(format!("more than in the source {}", list(&added)));
    }
    if !message.is_empty() {
        report.error(Check::Placeholders, format!("placeholders: {}", message.join("; ")), place);
    }
}

/// Placeholders that the source shows in all branches, and the translation in some.
fn lost_in_branches<'a>(
    (source, theirs): (&View<'_>, &'a [ComparedPlaceholder<'_>]),
    (target, ours): (&View<'_>, &'a [ComparedPlaceholder<'_>]),
) -> Vec<&'a str> {
    let is_compared = |key: &str| key != "%%" && !is_number_of_parts(source.syntax, key);
    let shown = |tokens: &'a [ComparedPlaceholder<'_>]| -> Shown<'a> {
        let compared = tokens.iter().filter(|token| is_compared(&token.key));
        compared.map(|token| (token.range.start, token.key.as_str())).collect()
    };
    let theirs = shown(theirs);
    let known: HashSet<&str> = theirs.iter().map(|(_, key)| *key).collect();
    let ours: Shown<'a> = shown(ours).into_iter().filter(|(_, key)| known.contains(key)).collect();
    let wanted = Branches { may_omit: &is_own, chosen: &|_| None }.common(source, &theirs);
    // A plural of ICU shows its number as `#`, which has a check of its own.
    let chosen = |choice: &Choice| -> Option<&'a str> {
        let is_checked = target.syntax.has_choices() && !choice.argument.is_empty();
        if is_checked { known.get(format!("{{{}}}", choice.argument).as_str()).copied() } else { None }
    };
    let found = Branches { may_omit: &is_own, chosen: &chosen }.common(target, &ours);
    let lost: BTreeSet<&str> = wanted.into_iter().filter(|key| !found.contains(key)).collect();
    lost.into_iter().collect()
}

//! Warnings about the words of a text: numbers, addresses, a word twice.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use l10n_api_types::Check;

use super::Report;
use super::report::list;
use super::rules::Rules;
use super::view::View;
use crate::text::placeholders::{Span, SpanKind};

/// The zero of every script's decimal digits that software writes numbers in.
const ZEROS: [u32; 19] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20,
    0x1040, 0x17e0, 0xff10,
];

/// The value of a decimal digit of any script.
fn digit(character: char) -> Option<u8> {
    if character.is_ascii() {
        return character.is_ascii_digit().then(|| character as u8 - b'0');
    }
    let offset = |zero: u32| (character as u32).checked_sub(zero).filter(|value| *value < 10);
    ZEROS.iter().find_map(|zero| offset(*zero)).and_then(|value| u8::try_from(value).ok())
}

/// Other numbers than the source. Separators, their order and the script of the digits do not count.
pub(super) fn numbers(source: &View<'_>, target: &View<'_>, rules: &Rules, report: &mut Report<'_>) {
    let (theirs, ours) = (digits(source), digits(target));
    // `January` is `1月` there.
    let may_add = matches!(rules.target_base.as_str(), "ja" | "zh" | "ko" | "yue");
    let differs = match source.message.is_some() || target.message.is_some() {
        // Branches repeat each other's text.
        true => theirs.iter().zip(ours).any(|(theirs, ours)| (*theirs > 0) != (ours > 0) && (*theirs > 0 || !may_add)),
        false => theirs.iter().zip(ours).any(|(theirs, ours)| if may_add { *theirs > ours } else { *theirs != ours }),
    };
    if differs {
        let numbers = |view| numbers_of(view).into_iter().map(|(number, _)| number).collect::<BTreeSet<_>>();
        let (theirs, ours) = (numbers(source), numbers(target));
        let list = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
            let names: Vec<&str> = one.difference(other).map(String::as_str).collect();
            if names.is_empty() { "none".to_owned() } else { list(&names) }
        };
        let message = format!("numbers: missing {}; not in the source {}", list(&theirs, &ours), list(&ours, &theirs));
        let added = numbers_of(target).into_iter().find(|(number, _)| !theirs.contains(number));
        report.warning(Check::Numbers, message, added.map(|(_, range)| range));
    }
}

/// Counts each digit outside of placeholders.
fn digits(view: &View<'_>) -> [usize; 10] {
    let mut counts = [0; 10];
    for value in view.pieces().flat_map(str::chars).filter_map(digit) {
        counts[usize::from(value)] += 1;
    }
    counts
}

/// The runs of digits outside of placeholders, in ASCII.
fn numbers_of(view: &View<'_>) -> Vec<(String, Range<usize>)> {
    let mut numbers: Vec<(String, Range<usize>)> = Vec::new();
    for range in &view.prose {
        for (at, character) in view.text[range.clone()].char_indices() {
            let Some(value) = digit(character) else { continue };
            let (start, value) = (range.start + at, char::from(b'0' + value));
            match numbers.last_mut() {
                Some((number, place)) if place.end == start => {
                    number.push(value);
                    place.end += character.len_utf8();
                }
                _ => numbers.push((value.to_string(), start..start + character.len_utf8())),
            }
        }
    }
    numbers
}

/// Other addresses than the source; `/en/` may be `/de/`.
pub(super) fn urls(source: &View<'_>, target: &View<'_>, rules: &Rules, report: &mut Report<'_>) {
    let (theirs, ours) = (addresses(source, rules), addresses(target, rules));
    let missing = |from: &BTreeMap<String, &Span>, in_other: &BTreeMap<String, &Span>, view: &View<'_>| {
        let alone = from.iter().filter(|(key, _)| !in_other.contains_key(*key));
        let named: Vec<&str> = alone.map(|(_, span)| view.of(span)).collect();
        (!named.is_empty()).then(|| list(&named))
    };
    let lost = missing(&theirs, &ours, source).map(|names| format!("missing {names}"));
    let added = missing(&ours, &theirs, target).map(|names| format!("not in the source {names}"));
    let parts: Vec<String> = lost.into_iter().chain(added).collect();
    if parts.is_empty() {
        return;
    }
    let place = ours.iter().filter(|(key, _)| !theirs.contains_key(*key)).map(|(_, span)| span.range.clone());
    let first = place.min_by_key(|range| range.start);
    report.warning(Check::Urls, format!("addresses: {}", parts.join("; ")), first);
}

/// The addresses of a text, by the form that they are compared in; of several with one form the first.
fn addresses<'v>(view: &'v View<'_>, rules: &Rules) -> BTreeMap<String, &'v Span> {
    let mut found = BTreeMap::new();
    for span in view.spans.iter().filter(|span| span.kind == SpanKind::Url) {
        found.entry(without_language(view.of(span), rules)).or_insert(span);
    }
    found
}

fn without_language(url: &str, rules: &Rules) -> String {
    let is_language = |part: &&str| {
        let base = part.split(['-', '_']).next().unwrap_or_default();
        part.len() <= 7
            && [&rules.source_base, &rules.target_base].iter().any(|language| language.eq_ignore_ascii_case(base))
    };
    url.trim_end_matches('/').split(['/', '.', '=']).filter(|part| !is_language(part)).collect::<Vec<_>>().join("/")
}

/// Languages that say a word twice to mean more of it.
const DOUBLING: [&str; 19] =
    ["tr", "az", "uz", "kk", "vi", "id", "ms", "jv", "tl", "fil", "hi", "bn", "mr", "ta", "te", "ur", "fa", "th", "sw"];

/// Words that may well stand twice in a row.
const DOUBLED: [&str; 10] = ["nous", "vous", "die", "der", "das", "sie", "that", "had", "ha", "se"];

/// A word twice in a row. With a placeholder in between it is not.
pub(super) fn doubled_word(source: &View<'_>, target: &View<'_>, rules: &Rules, report: &mut Report<'_>) {
    if DOUBLING.contains(&rules.target_base.as_str()) {
        return;
    }
    if let Some(place) = first_doubled(target).filter(|_| first_doubled(source).is_none()) {
        let message = format!("`{}` stands here twice", &target.text[place.clone()]);
        report.warning(Check::DoubledWord, message, Some(place));
    }
}

/// The place of the second of two equal words in a row.
fn first_doubled(view: &View<'_>) -> Option<Range<usize>> {
    view.prose.iter().find_map(|range| {
        let text = &view.text[range.clone()];
        let mut last: Option<&str> = None;
        // A comma ends a word's run, so that `no, no` and `ha! ha!` are not doubled.
        for word in text.split_whitespace() {
            let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            let is_word = bare.chars().nth(1).is_some() && bare.chars().all(char::is_alphabetic);
            if is_word
                && last.is_some_and(|last| same_word(last, bare))
                && !DOUBLED.contains(&bare.to_lowercase().as_str())
            {
                let start = range.start + (bare.as_ptr() as usize - text.as_ptr() as usize);
                return Some(start..start + bare.len());
            }
            last = (bare.len() == word.len()).then_some(bare);
        }
        None
    })
}

fn same_word(one: &str, other: &str) -> bool {
    one.chars().flat_map(char::to_lowercase).eq(other.chars().flat_map(char::to_lowercase))
}

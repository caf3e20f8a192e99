//! Errors of ICU messages: branches that are missing, unknown, or lack their number. Those of other syntaxes fall back on a
//! default.

use std::collections::{BTreeSet, HashMap};

use l10n_api_types::{Check, PluralCategory, PluralKey};

use super::Report;
use super::report::list;
use super::rules::{Rules, is_exact};
use super::view::View;
use crate::text::message::{Branch, Choice, ChoiceKind, Message, Part};
use crate::text::placeholders::SpanKind;

/// Most choices on one argument whose branches are compared: each is held against each.
const MOST_CHOICES: usize = 16;

/// The arguments of a message's choices, as placeholders, each once.
pub(super) fn arguments(message: &Message) -> BTreeSet<String> {
    let named = choices_of(message).into_iter().filter(|choice| !choice.argument.is_empty());
    named.map(|choice| format!("{{{}}}", choice.argument)).collect()
}

/// All choices of a message, outer before inner.
fn choices_of(message: &Message) -> Vec<&Choice> {
    fn collect<'a>(message: &'a Message, found: &mut Vec<&'a Choice>) {
        for part in &message.parts {
            if let Part::Choice(choice) = part {
                found.push(choice);
                choice.branches.iter().for_each(|branch| collect(&branch.message, found));
            }
        }
    }
    let mut found = Vec::new();
    collect(message, &mut found);
    found
}

/// Faults of the translation's choices, one issue of a kind.
pub(super) fn choices(source: &View<'_>, target: &View<'_>, rules: &Rules, report: &mut Report<'_>) {
    let Some(message) = target.message.as_ref().filter(|_| target.syntax.has_choices()) else { return };
    let mut known: HashMap<(&str, ChoiceKind), Vec<SourceChoice<'_>>> = HashMap::new();
    for choice in source.message.as_ref().map(choices_of).unwrap_or_default() {
        let alike = known.entry((&choice.argument, choice.kind)).or_default();
        // One more than are compared tells that there are too many.
        if alike.len() <= MOST_CHOICES {
            alike.push(SourceChoice::new(choice, source, rules));
        }
    }
    known.retain(|_, choices| choices.len() <= MOST_CHOICES);
    let (mut lacks_category, mut lacks_selector, mut lacks_number) = (false, false, false);
    for choice in choices_of(message) {
        let place = choice.branches.first().map(|branch| branch.start..branch.start + branch.selector.len());
        let theirs = known.get(&(choice.argument.as_str(), choice.kind)).map(Vec::as_slice).unwrap_or_default();
        if choice.kind == ChoiceKind::Select {
            if lacks_selector {
                continue;
            }
            let ours = selectors(choice);
            if let Some(first) = theirs.first()
                && theirs.iter().all(|theirs| theirs.selectors != ours)
            {
                lacks_selector = true;
                report.error(Check::IcuSyntax, other_selectors(&first.selectors, &ours, &choice.argument), place);
            }
            continue;
        }
        let lacking = if lacks_category { Vec::new() } else { lacking(choice, rules) };
        if !lacking.is_empty() {
            lacks_category = true;
            let message = format!("the plural of `{}` lacks {}", choice.argument, list(&lacking));
            report.error(Check::PluralCategories, message, place);
        }
        if lacks_number {
            continue;
        }
        if let Some(branch) = without_number(theirs, target, choice) {
            lacks_number = true;
            let message = format!("branch `{}` of `{}` lacks the number `#`", branch.selector, choice.argument);
            report.error(Check::Placeholders, message, Some(branch.message.range.clone()));
        }
    }
}

/// Facts about a choice of the source, found once, since many choices of the translation may be compared with it.
struct SourceChoice<'a> {
    selectors: BTreeSet<&'a str>,
    /// For each category of the target language, `true` if the source's branch for it shows the number.
    shows_number: Vec<bool>,
}

impl<'a> SourceChoice<'a> {
    fn new(choice: &'a Choice, view: &View<'_>, rules: &Rules) -> Self {
        let ordinal = choice.kind == ChoiceKind::Ordinal;
        let branch = |selector: &str| choice.branches.iter().find(|branch| branch.selector == selector);
        let shown = |category: &PluralCategory| {
            let matching = rules.matching(ordinal, *category).find_map(|category| branch(category.as_str()));
            let said = matching.or_else(|| branch("other"));
            said.is_some_and(|branch| shows_number(view, &branch.message, &choice.argument))
        };
        let shows_number = match choice.kind {
            ChoiceKind::Select => Vec::new(),
            _ => PluralCategory::ALL.iter().map(shown).collect(),
        };
        Self { selectors: selectors(choice), shows_number }
    }
}

fn selectors(choice: &Choice) -> BTreeSet<&str> {
    choice.branches.iter().map(|branch| branch.selector.as_str()).collect()
}

/// The target language's categories that a plural has no branch for, nor one for each of their numbers.
fn lacking<'a>(choice: &Choice, rules: &'a Rules) -> Vec<&'a str> {
    let selectors = selectors(choice);
    let ordinal = choice.kind == ChoiceKind::Ordinal;
    let has = |key: PluralKey| selectors.contains(key.to_string().as_str());
    let needed = rules.categories(ordinal).iter();
    needed.filter(|category| !rules.is_covered(ordinal, **category, has)).map(|category| category.as_str()).collect()
}

/// Describes the difference between the selectors of a select and those of the source.
fn other_selectors(theirs: &BTreeSet<&str>, ours: &BTreeSet<&str>, argument: &str) -> String {
    let difference = |one: &BTreeSet<&str>, other: &BTreeSet<&str>| {
        let names: Vec<&str> = one.difference(other).copied().collect();
        (!names.is_empty()).then(|| list(&names))
    };
    let lost = difference(theirs, ours).map(|names| format!("lacks {names}"));
    let added = difference(ours, theirs).map(|names| format!("has {names}, which the source lacks"));
    let what: Vec<String> = lost.into_iter().chain(added).collect();
    format!("the select of `{argument}` {}", what.join(" and "))
}

/// A branch for many numbers that does not show the number, though the source's does.
fn without_number<'a>(theirs: &[SourceChoice<'_>], view: &View<'_>, choice: &'a Choice) -> Option<&'a Branch> {
    if theirs.is_empty() {
        return None;
    }
    choice.branches.iter().find(|ours| {
        let category = PluralCategory::ALL.iter().position(|category| category.as_str() == ours.selector);
        let many = category.filter(|at| !is_exact(PluralCategory::ALL[*at]));
        many.is_some_and(|at| theirs.iter().all(|theirs| theirs.shows_number.get(at) == Some(&true)))
            && !shows_number(view, &ours.message, &choice.argument)
    })
}

/// Returns whether `#` or the argument itself stands anywhere in a branch.
fn shows_number(view: &View<'_>, message: &Message, argument: &str) -> bool {
    let first = view.spans.partition_point(|span| span.range.start < message.range.start);
    view.spans[first..].iter().take_while(|span| span.range.end <= message.range.end).any(|span| match span.kind {
        SpanKind::Syntax => view.of(span) == "#",
        SpanKind::Argument => {
            let inside = &view.of(span)[1..];
            inside.split([',', '}']).next().is_some_and(|name| name.trim() == argument)
        }
        _ => false,
    })
}

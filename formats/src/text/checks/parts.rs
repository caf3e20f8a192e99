//! Parts between `|` that a translation lacks, or that no number has. Each framework counts them in its own way.

use std::ops::RangeInclusive;

use l10n_api_types::{Check, PluralCategory};

use super::Report;
use super::rules::Rules;
use super::view::View;
use crate::text::message::{Branch, Part};
use crate::text::parts::{condition, laravel_categories};
use crate::text::{Brace, Syntax};

/// Numbers for which Laravel's choice is tried.
const TRIED: u64 = 120;

/// Warns of a number of parts that the language does not have. The programs show another part then, and no error.
pub(super) fn parts(source: &View<'_>, target: &View<'_>, rules: &Rules, report: &mut Report<'_>) {
    let (theirs, ours) = (branches(source), branches(target));
    if theirs.is_empty() || !is_plural(source, theirs) {
        return;
    }
    let found = ours.len().max(1);
    match target.syntax {
        Syntax::Laravel if of(source, theirs).chain(of(target, ours)).any(|part| condition(part).is_some()) => {
            let (theirs, ours) = (conditions(source, theirs), conditions(target, ours));
            let lacking = (0..=TRIED).find(|number| {
                laravel(&theirs, rules.category_for(false, *number), &rules.source_base, *number)
                    && !laravel(&ours, rules.category_for(true, *number), &rules.target_base, *number)
            });
            if let Some(number) = lacking {
                let message = format!("no part between `|` is for the number {number}");
                report.warning(Check::PluralCategories, message, None);
            }
        }
        Syntax::Laravel => {
            let count = laravel_categories(&rules.target_base).len();
            wrong_count(found, count..=count, report);
        }
        Syntax::Brace(Brace::Named) => wrong_count(found, rules.counts(), report),
        // The rule is the code of the app: more parts are for a language that has more.
        Syntax::Vue if found < theirs.len() => {
            let message = format!("{found} parts between `|`, and the source has {}", theirs.len());
            report.warning(Check::PluralCategories, message, None);
        }
        _ => {}
    }
}

fn wrong_count(found: usize, wanted: RangeInclusive<usize>, report: &mut Report<'_>) {
    if !wanted.contains(&found) {
        let message = format!("{found} parts between `|`, and the language has {}", wanted.start());
        report.warning(Check::PluralCategories, message, None);
    }
}

fn branches<'a>(view: &'a View<'_>) -> &'a [Branch] {
    match view.message.as_ref().map(|message| message.parts.as_slice()) {
        Some([Part::Choice(choice)]) if !view.syntax.has_choices() && view.syntax != Syntax::Fluent => &choice.branches,
        _ => &[],
    }
}

fn of<'a>(view: &'a View<'_>, branches: &'a [Branch]) -> impl Iterator<Item = &'a str> {
    // A text without `|` is its only part.
    let whole = branches.is_empty().then_some(view.text);
    branches.iter().filter_map(|branch| view.text.get(branch.message.range.clone())).chain(whole)
}

/// Tells plurals from titles such as `Shop | Basket`: those have blanks around `|` and no number.
fn is_plural(view: &View<'_>, branches: &[Branch]) -> bool {
    let shows = |part: &str| ["count", "{n}", ":n "].iter().any(|name| part.contains(name));
    let is_bare = |pair: &[&str]| matches!(pair, [one, two] if !one.ends_with(' ') || !two.starts_with(' '));
    let parts: Vec<&str> = of(view, branches).collect();
    parts.iter().any(|part| shows(part) || condition(part).is_some()) || parts.windows(2).any(is_bare)
}

/// The numbers that each part names as its own; `None` for a part without a condition.
type Conditions = Vec<Option<RangeInclusive<u64>>>;

fn conditions(view: &View<'_>, branches: &[Branch]) -> Conditions {
    of(view, branches).map(condition).collect()
}

/// Returns true if Laravel finds a part that is meant for a number: by its condition, else by its place among all parts.
fn laravel(conditions: &Conditions, category: PluralCategory, language: &str, number: u64) -> bool {
    if conditions.iter().flatten().any(|numbers| numbers.contains(&number)) {
        return true;
    }
    let categories = laravel_categories(language);
    let place = categories.iter().position(|known| *known == category).unwrap_or(categories.len() - 1);
    conditions.get(place).is_some_and(Option::is_none)
}

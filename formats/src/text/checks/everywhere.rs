//! Placeholders and tags that a message shows whichever of its branches is taken.

use std::collections::HashSet;
use std::ops::Range;

use l10n_api_types::PluralKey;

use super::rules::is_for_one_number;
use super::view::View;
use crate::text::message::{Branch, Choice, ChoiceKind, Message, Part};
use crate::text::{Brace, Syntax};

/// Keys that a text shows, each with its place, in order.
pub(super) type Shown<'k> = Vec<(usize, &'k str)>;

/// The rules by which keys of a message are found.
pub(super) struct Branches<'k, 'f> {
    /// Returns true for a key that a branch for one number may omit.
    pub(super) may_omit: &'f dyn Fn(&Choice, &str) -> bool,
    /// The key that a choice shows in all of its branches.
    pub(super) chosen: &'f dyn Fn(&Choice) -> Option<&'k str>,
}

impl<'k> Branches<'k, '_> {
    /// The keys that are shown whichever branches are taken: all of a text, and those that all branches of a choice have in
    /// common. Takes linear time.
    pub(super) fn common(&self, view: &View<'_>, shown: &[(usize, &'k str)]) -> HashSet<&'k str> {
        match &view.message {
            None => shown.iter().map(|(_, key)| *key).collect(),
            Some(message) => self.of_message(message, shown),
        }
    }

    fn of_message(&self, message: &Message, shown: &[(usize, &'k str)]) -> HashSet<&'k str> {
        let mut all = HashSet::new();
        for part in &message.parts {
            match part {
                Part::Text(range) => all.extend(within(shown, range).iter().map(|(_, key)| *key)),
                Part::Choice(choice) => {
                    all.extend(self.of_choice(choice, shown));
                    all.extend((self.chosen)(choice));
                }
            }
        }
        all
    }

    fn of_choice(&self, choice: &Choice, shown: &[(usize, &'k str)]) -> HashSet<&'k str> {
        let (for_one, for_many): (Vec<&Branch>, Vec<&Branch>) =
            choice.branches.iter().partition(|branch| is_for_one(choice, branch));
        let mut common = self.intersection(None, &for_many, shown);
        // Branches for one number alone have nothing beside them that they could omit.
        let omitted: HashSet<&str> =
            common.iter().flatten().copied().filter(|key| (self.may_omit)(choice, key)).collect();
        common = self.intersection(common, &for_one, shown);
        let mut common = common.unwrap_or_default();
        common.extend(omitted);
        common
    }

    /// The keys of a set that all branches show. Each step takes as long as the set before it, which is no larger than a branch.
    fn intersection(
        &self,
        mut common: Option<HashSet<&'k str>>,
        branches: &[&Branch],
        shown: &[(usize, &'k str)],
    ) -> Option<HashSet<&'k str>> {
        for branch in branches {
            let keys = self.of_message(&branch.message, shown);
            match &mut common {
                None => common = Some(keys),
                Some(common) => common.retain(|key| keys.contains(key)),
            }
        }
        common
    }
}

fn within<'s, 'k>(shown: &'s [(usize, &'k str)], range: &Range<usize>) -> &'s [(usize, &'k str)] {
    let at = |byte: usize| shown.partition_point(|(start, _)| *start < byte);
    &shown[at(range.start)..at(range.end)]
}

/// Returns true for the branch of one number: `one` and `=1` of a plural, `[one]` and `[1]` of Fluent.
fn is_for_one(choice: &Choice, branch: &Branch) -> bool {
    let key = || branch.selector.parse().or_else(|_| format!("={}", branch.selector).parse::<PluralKey>());
    is_plural(choice) && key().is_ok_and(is_for_one_number)
}

/// Fluent tells plurals from other choices by their branches alone.
fn is_plural(choice: &Choice) -> bool {
    choice.kind != ChoiceKind::Select || choice.argument.starts_with('$')
}

/// Returns true if a key is that of a choice's own argument.
pub(super) fn is_own(choice: &Choice, key: &str) -> bool {
    let name = key.strip_prefix('{').and_then(|key| key.strip_suffix('}'));
    !choice.argument.is_empty() && name == Some(choice.argument.as_str())
}

/// Returns true for the number of a text with parts between `|`, which the parts for one number omit. Nothing says which parts
/// those are.
pub(super) fn is_number_of_parts(syntax: Syntax, key: &str) -> bool {
    has_parts(syntax) && matches!(key, ":count" | ":n" | "{count}" | "{n}")
}

/// Returns true for a syntax in which the branches of a text stand between `|`.
pub(super) fn has_parts(syntax: Syntax) -> bool {
    matches!(syntax, Syntax::Laravel | Syntax::Vue | Syntax::Brace(Brace::Named))
}

//! Turns findings into issues.

use std::ops::Range;

use l10n_api_types::{Check, Issue, PluralKey, Severity};

use super::Comparison;

/// Most things that one message names.
const MOST_NAMED: usize = 5;

/// Most characters of a thing that a message names.
const LONGEST_NAME: usize = 80;

/// Collects the findings about one text as issues.
pub(super) struct Report<'a> {
    text: &'a str,
    form: Option<PluralKey>,
    issues: &'a mut Vec<Issue>,
}

impl<'a> Report<'a> {
    pub(super) fn new(pair: Comparison<'a>, issues: &'a mut Vec<Issue>) -> Self {
        Self { text: pair.target, form: pair.form, issues }
    }

    /// An error, where it concerns some bytes of the translation.
    pub(super) fn error(&mut self, check: Check, message: String, range: Option<Range<usize>>) {
        self.add(check, Severity::Error, message, range);
    }

    /// An error at a Unicode scalar value of the translation.
    pub(super) fn error_at(&mut self, check: Check, message: String, at: usize) {
        let start = self.text.char_indices().nth(at).map_or(self.text.len(), |(byte, _)| byte);
        let end = self.text[start..].chars().next().map_or(start, |character| start + character.len_utf8());
        self.add(check, Severity::Error, message, Some(start..end));
    }

    /// A warning, where it concerns some bytes of the translation.
    pub(super) fn warning(&mut self, check: Check, message: String, range: Option<Range<usize>>) {
        self.add(check, Severity::Warning, message, range);
    }

    fn add(&mut self, check: Check, severity: Severity, message: String, range: Option<Range<usize>>) {
        let message = match self.form {
            Some(form) => format!("form `{form}`: {message}"),
            None => message,
        };
        let position = |byte: usize| u32::try_from(self.text[..byte].chars().count()).unwrap_or(u32::MAX);
        let (start, end) = range.map(|range| (position(range.start), position(range.end))).unzip();
        self.issues.push(Issue { check, severity, message, start, end });
    }
}

/// An error about the forms of a plural as a whole.
pub(super) fn kind(message: &str, issues: &mut Vec<Issue>) {
    let (check, severity) = (Check::PluralCategories, Severity::Error);
    issues.push(Issue { check, severity, message: message.to_owned(), start: None, end: None });
}

/// A warning that all forms of a plural say the same.
pub(super) fn same_plurals(issues: &mut Vec<Issue>) {
    let message = "all forms say the same, and those of the source differ".to_owned();
    issues.push(Issue { check: Check::SamePlurals, severity: Severity::Warning, message, start: None, end: None });
}

/// `` `a`, `b` and 3 more ``; long names are cut, since a message is kept with its translation.
pub(super) fn list(names: &[&str]) -> String {
    let shown = |name: &&str| match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("`{}…`", &name[..end]),
        None => format!("`{name}`"),
    };
    let named: Vec<_> = names.iter().take(MOST_NAMED).map(shown).collect();
    match names.len().saturating_sub(MOST_NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

//! The checks of a translation.

use l10n_api_types::{Check, Content, Issue, Severity};

/// Checks translations between two languages.
#[derive(Debug)]
pub struct Checker;

impl Checker {
    /// For translations from one language into another (canonical BCP 47 tags).
    #[must_use]
    pub fn new(_source_language: &str, _target_language: &str) -> Self {
        Self
    }

    /// Everything that is wrong with a translation, errors first.
    #[must_use]
    pub fn check(&self, source: &Content, target: &Content, max_length: Option<u32>) -> Vec<Issue> {
        let longest = forms(target).map(|form| form.chars().count()).max().unwrap_or_default();
        let mut issues = Vec::new();
        let mut error = |check, message: String| {
            issues.push(Issue { check, severity: Severity::Error, message, start: None, end: None });
        };
        if forms(target).any(|form| form.trim().is_empty()) && forms(source).all(|form| !form.trim().is_empty()) {
            error(Check::Empty, "the translation is empty and the source is not".to_owned());
        }
        if let Some(most) = max_length.filter(|most| longest > *most as usize) {
            error(Check::MaxLength, format!("{longest} characters are more than {most}"));
        }
        issues
    }
}

fn forms(content: &Content) -> impl Iterator<Item = &String> {
    let (text, plural) = match content {
        Content::Text(text) => (Some(text), None),
        Content::Plural(plural) => (None, Some(plural.forms.values())),
    };
    text.into_iter().chain(plural.into_iter().flatten())
}

/// Whether an issue holds the translation back.
#[must_use]
pub fn has_error(issues: &[Issue]) -> bool {
    issues.iter().any(|issue| issue.severity == Severity::Error)
}

//! The checks' findings in a translation, and the state that follows from them.

use l10n_api_types::{Check, Content, Issue, Severity, State};
use l10n_formats::documents::{SegmentFault, SegmentFaultKind, check_text};
use l10n_formats::text::checks::{Checker, Facts, has_error};

/// Checks a translation: an error holds it back for a person's review.
pub(super) fn of(checker: &Checker, source: &Content, translation: &Content, facts: Facts) -> (State, Vec<Issue>) {
    let issues = checker.check(source, translation, facts);
    (if has_error(&issues) { State::NeedsReview } else { State::Translated }, issues)
}

/// The messages of the errors that hold a translation back.
pub(super) fn errors(issues: &[Issue]) -> String {
    let errors = issues.iter().filter(|issue| issue.severity == Severity::Error);
    errors.map(|issue| issue.message.as_str()).collect::<Vec<_>>().join("; ")
}

/// Adds the faults that keep a document from being written to the findings in the translation of its segment.
pub(super) fn of_segment(
    text: &str,
    translated: &str,
    (state, mut issues): (State, Vec<Issue>),
) -> (State, Vec<Issue>) {
    let faults = check_text(text, translated);
    if faults.is_empty() {
        return (state, issues);
    }
    // A fault that the checks of texts have found is not reported twice.
    let told: Vec<Check> =
        issues.iter().filter(|issue| issue.severity == Severity::Error).map(|issue| issue.check).collect();
    issues.extend(faults.iter().filter(|fault| !told.contains(&check_of(fault))).map(of_fault));
    (State::NeedsReview, issues)
}

/// Findings with those about terms that were made anew; `None` if these are the same. They are warnings, which come last.
pub(super) fn with_terms_of(held: &[Issue], found: Vec<Issue>) -> Option<Vec<Issue>> {
    let is_ours = |issue: &&Issue| issue.check == Check::Glossary;
    if held.iter().filter(is_ours).eq(found.iter().filter(is_ours)) {
        return None;
    }
    let others = held.iter().filter(|issue| !is_ours(issue)).cloned();
    Some(others.chain(found.iter().filter(is_ours).cloned()).collect())
}

/// The issue for a fault that keeps a translation from being written in its document.
pub(super) fn of_fault(fault: &SegmentFault) -> Issue {
    let (check, message) = (check_of(fault), fault.to_string());
    Issue { check, severity: Severity::Error, message, start: None, end: None }
}

fn check_of(fault: &SegmentFault) -> Check {
    match (fault.kind, fault.what.as_str()) {
        (SegmentFaultKind::Emptied, "") => Check::Empty,
        (SegmentFaultKind::Added, "{") => Check::IcuSyntax,
        (SegmentFaultKind::Structure, _) => Check::Tags,
        (_, "https://") => Check::Urls,
        (_, what) if what.starts_with('<') => Check::Tags,
        _ => Check::Placeholders,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, translated: &str) -> (State, Vec<(Check, Severity)>) {
        let content = |text: &str| Content::Text(text.to_owned());
        let of_texts = of(&Checker::new("en", "de"), &content(text), &content(translated), Facts::default());
        let (state, issues) = of_segment(text, translated, of_texts);
        (state, issues.into_iter().map(|issue| (issue.check, issue.severity)).collect())
    }

    /// A link, a code span and a placeholder that were lost hold a segment back, each reported once.
    #[test]
    fn what_a_document_could_not_be_written_with_is_held_back() {
        let text = "Read <1>the manual</1> of <2/> for %{name}.";
        assert_eq!(found(text, "Lies <1>das Handbuch</1> von <2/> für %{name}.").0, State::Translated);
        for (translated, check) in [
            ("Lies das Handbuch von <2/> für %{name}.", Check::Tags),
            ("Lies <1>das Handbuch</1> für %{name}.", Check::Tags),
            ("Lies <1>das Handbuch von <2/></1> für %{name}.", Check::Tags),
            ("Lies <1>das Handbuch</1> von <2/>.", Check::Placeholders),
        ] {
            let (state, issues) = found(text, translated);
            assert_eq!(state, State::NeedsReview, "{translated}");
            assert!(issues.contains(&(check, Severity::Error)), "{translated}: {issues:?}");
        }
        let (state, issues) = found("Lost", "…");
        assert_eq!(state, State::NeedsReview);
        assert!(issues.contains(&(Check::Empty, Severity::Error)), "{issues:?}");
    }
}

//! Warnings about terms of the glossary.

use l10n_api_types::Check;
use l10n_api_types::glossary::GlossaryRule;

use super::Report;
use super::glossary::{Glossary, Term, TermViolation};
use super::report::list;
use super::view::View;

/// Most findings about one text.
const MOST_FINDINGS: usize = 10;

/// A term whose translation is missing, a term that was translated though it stays, a word that is not to be used.
pub(super) fn terms(source: &View<'_>, target: &View<'_>, glossary: &Glossary, report: &mut Report<'_>) {
    if glossary.is_empty() {
        return;
    }
    for TermViolation { term, place } in
        glossary.broken(&pieces(source), &pieces(target)).into_iter().take(MOST_FINDINGS)
    {
        report.warning(Check::Glossary, message(term), place);
    }
}

fn message(term: &Term) -> String {
    let name = list(&[&term.term]);
    match (term.rule, &term.translation) {
        (GlossaryRule::Translate, Some(translation)) => {
            format!("the glossary has {} for {name}", list(&[translation]))
        }
        (GlossaryRule::Forbidden, _) => format!("the glossary forbids {name}"),
        _ => format!("the glossary keeps {name} as it is"),
    }
}

/// The prose of a text, each piece with the byte at which it begins.
fn pieces<'a>(view: &View<'a>) -> Vec<(usize, &'a str)> {
    view.prose.iter().filter_map(|range| Some((range.start, view.text.get(range.clone())?))).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use l10n_api_types::{Content, Issue, Severity};

    use super::*;
    use crate::text::checks::Checker;

    fn term(term: &str, rule: GlossaryRule, translation: Option<&str>) -> Term {
        let translation = translation.map(Into::into);
        Term { term: term.into(), rule, case_sensitive: false, translation, note: None, is_own: false }
    }

    fn findings(source: &str, target: &str) -> Vec<(String, Option<u32>, Option<u32>)> {
        let glossary = Glossary::new(vec![
            term("cart", GlossaryRule::Translate, Some("Warenkorb")),
            term("Acme Pay", GlossaryRule::Keep, None),
            term("Kasse", GlossaryRule::Forbidden, None),
        ]);
        let checker = Checker::new("en", "de").with_glossary(Arc::new(glossary));
        let texts = (Content::Text(source.to_owned()), Content::Text(target.to_owned()));
        let issues: Vec<Issue> = checker.check(&texts.0, &texts.1, crate::text::checks::Facts::default());
        let ours = issues.into_iter().filter(|issue| issue.check == Check::Glossary);
        ours.map(|issue| {
            assert_eq!(issue.severity, Severity::Warning);
            (issue.message, issue.start, issue.end)
        })
        .collect()
    }

    #[test]
    fn a_finding_names_the_term_and_its_place() {
        let nowhere = |message: &str| (message.to_owned(), None, None);
        assert_eq!(findings("{n} in your cart", "{n} im Wagen"), [nowhere("the glossary has `Warenkorb` for `cart`")]);
        assert_eq!(
            findings("<b>Acme Pay</b>", "<b>Acme Zahlung</b>"),
            [nowhere("the glossary keeps `Acme Pay` as it is")]
        );
        let forbidden = ("the glossary forbids `Kasse`".to_owned(), Some(9), Some(14));
        assert_eq!(findings("{n} Check", "Für {n} ‚Kasse‘"), [forbidden]);
        assert!(findings("Your cart with Acme Pay", "Ihr Warenkorb mit Acme Pay").is_empty());
        // Placeholders and tags are no prose.
        assert!(findings("<cart>{cart}</cart>", "<cart>{cart}</cart>").is_empty());
    }

    #[test]
    fn each_branch_and_form_is_held_against_its_own() {
        let source = "{n, plural, one {the cart} other {# carts}}";
        assert!(findings(source, "{n, plural, one {der Warenkorb} other {# Warenkörbe}}").is_empty());
        assert_eq!(findings(source, "{n, plural, one {der Korb} other {# Körbe}}").len(), 1);
    }

    #[test]
    fn findings_are_bounded() {
        let target = "Kasse ".repeat(50);
        assert_eq!(findings("Check", target.trim()).len(), MOST_FINDINGS);
    }
}

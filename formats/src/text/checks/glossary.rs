//! The glossary of a project in a pair of languages: which of its terms a text has.
//!
//! A term is found as it is written, at the borders of words; capitals count where it says so. Inflection is left alone:
//! `carts` does not have the term `cart`. Where terms overlap, the one that begins first counts, and of those the longest:
//! `shopping cart` is not `cart`. Scripts that write without blanks have no borders of words.
//!
//! All that is held is as large as the terms are, however they are made: anybody may state a list.

use std::collections::BTreeSet;
use std::ops::{Deref, Range};
use std::sync::Arc;

use l10n_api_types::Content;
use l10n_api_types::glossary::GlossaryRule;

use super::term_finder::{Finder, choose, folded};

/// A term, for one pair of languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The term, as texts have it.
    pub term: TermText,
    /// The rule that it states.
    pub rule: GlossaryRule,
    /// True if capitals count.
    pub case_sensitive: bool,
    /// Its translation; [`Glossary::new`] leaves out a term of the rule `translate` that has none.
    pub translation: Option<TermText>,
    /// A note for those who translate.
    pub note: Option<Arc<str>>,
    /// True if its list serves the project of the texts alone.
    pub is_own: bool,
}

impl Term {
    /// The text that a translation has for the term.
    fn expected(&self) -> Option<&TermText> {
        let expected = match self.rule {
            GlossaryRule::Translate => self.translation.as_ref(),
            GlossaryRule::Keep => Some(&self.term),
            // A rule of a later version is none that this one can check.
            _ => None,
        };
        expected.filter(|text| !text.is_empty())
    }
}

/// A term or its translation, as it is written and in small letters. Clones share both.
#[derive(Debug, Clone)]
pub struct TermText(Arc<WrittenAndFolded>);

#[derive(Debug)]
struct WrittenAndFolded {
    written: Arc<str>,
    /// The same where it has small letters alone.
    folded: Arc<str>,
}

impl TermText {
    /// Bytes that it holds, which its clones share.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<WrittenAndFolded>() + self.0.written.len() + self.0.folded.len()
    }

    pub(super) fn folded(&self) -> &Arc<str> {
        &self.0.folded
    }
}

impl From<&str> for TermText {
    fn from(written: &str) -> Self {
        let folded: String = written.chars().flat_map(folded).collect();
        let is_folded = folded == written;
        let written: Arc<str> = written.into();
        let folded = if is_folded { Arc::clone(&written) } else { folded.into() };
        Self(Arc::new(WrittenAndFolded { written, folded }))
    }
}

impl Deref for TermText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.written
    }
}

impl PartialEq for TermText {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for TermText {}

/// The terms that matter for translations from one language into another.
#[derive(Debug, Default)]
pub struct Glossary {
    terms: Vec<Term>,
    /// Finds the terms that sources have.
    sources: Finder,
    /// Finds what translations are to have, and what they are not to have.
    targets: Finder,
}

/// A term that a translation breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TermViolation<'a> {
    pub(super) term: &'a Term,
    /// The place of a forbidden word, in bytes of the translation.
    pub(super) place: Option<Range<usize>>,
}

impl Glossary {
    /// Makes a glossary of these terms: of the source language, and those that the target language is not to have.
    #[must_use]
    pub fn new(terms: impl IntoIterator<Item = Term>) -> Self {
        let matters =
            |term: &Term| !term.term.is_empty() && (term.rule == GlossaryRule::Forbidden || term.expected().is_some());
        let mut terms: Vec<Term> = terms.into_iter().filter(matters).collect();
        terms.shrink_to_fit();
        let sources = Finder::new(&terms, |term| (term.rule != GlossaryRule::Forbidden).then_some(&term.term));
        let targets = Finder::new(&terms, |term| term.expected().or(Some(&term.term)));
        Self { terms, sources, targets }
    }

    /// Returns true if no term matters.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns true if a list that serves the project of the texts alone says how something is translated.
    #[must_use]
    pub fn has_own_translations(&self) -> bool {
        self.terms.iter().any(|term| term.is_own && term.rule != GlossaryRule::Forbidden)
    }

    /// Bytes that it holds, beside the texts of terms, which it shares with those that it was made of.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(self) + self.terms.capacity() * size_of::<Term>() + self.sources.bytes() + self.targets.bytes()
    }

    /// The terms that a source has, each once.
    #[must_use]
    pub fn of_source(&self, source: &Content) -> Vec<&Term> {
        let texts: Vec<(usize, &str)> = source.texts().map(|text| (0, text)).collect();
        self.numbers(&texts).into_iter().filter_map(|at| self.terms.get(at)).collect()
    }

    /// The numbers of the terms that a source has.
    fn numbers(&self, pieces: &[(usize, &str)]) -> BTreeSet<usize> {
        choose(self.sources.all(pieces)).into_iter().map(|(term, _)| term).collect()
    }

    /// The terms that a translation breaks. Pieces are the prose of a text, each with the byte at which it begins.
    pub(super) fn broken(&self, source: &[(usize, &str)], target: &[(usize, &str)]) -> Vec<TermViolation<'_>> {
        let all = self.targets.all(target);
        let present: BTreeSet<usize> = all.iter().map(|(term, _)| *term).collect();
        let missing = self.numbers(source).into_iter().filter(|term| !present.contains(term)).map(|term| (term, None));
        let chosen = choose(all).into_iter().map(|(term, place)| (term, Some(place)));
        let forbidden = |term: usize| self.terms.get(term).is_some_and(|term| term.rule == GlossaryRule::Forbidden);
        let used = chosen.filter(|(term, _)| forbidden(*term));
        missing
            .chain(used)
            .filter_map(|(term, place)| Some(TermViolation { term: self.terms.get(term)?, place }))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::string::string_regex;

    use super::super::term_finder::{Folded, MOST_PLACES, TermMatch, stands_alone};
    use super::*;

    fn term(term: &str, rule: GlossaryRule, translation: Option<&str>) -> Term {
        let translation = translation.map(TermText::from);
        Term { term: term.into(), rule, case_sensitive: false, translation, note: None, is_own: false }
    }

    fn translate(from: &str, to: &str) -> Term {
        term(from, GlossaryRule::Translate, Some(to))
    }

    fn keep(text: &str) -> Term {
        term(text, GlossaryRule::Keep, None)
    }

    fn forbidden(text: &str) -> Term {
        term(text, GlossaryRule::Forbidden, None)
    }

    fn exactly(one: Term) -> Term {
        Term { case_sensitive: true, ..one }
    }

    fn in_source(glossary: &Glossary, text: &str) -> Vec<String> {
        let found = glossary.of_source(&Content::Text(text.to_owned()));
        found.into_iter().map(|term| term.term.to_string()).collect()
    }

    fn broken(glossary: &Glossary, source: &str, target: &str) -> Vec<String> {
        let broken = glossary.broken(&[(0, source)], &[(0, target)]);
        broken.into_iter().map(|one| one.term.term.to_string()).collect()
    }

    #[test]
    fn a_term_stands_between_borders_of_words() {
        let glossary =
            Glossary::new(vec![translate("cart", "Warenkorb"), translate("C++", "C++"), translate("カート", "x")]);
        for text in ["cart", "Your CART.", "the-cart", "(cart)", "cart's", "cart\u{a0}1"] {
            assert_eq!(in_source(&glossary, text), ["cart"], "{text}");
        }
        for text in ["carts", "cartoon", "a la carte", "discart", "cart1", "cärt", ""] {
            assert_eq!(in_source(&glossary, text), Vec::<String>::new(), "{text}");
        }
        assert_eq!(in_source(&glossary, "In C++."), ["C++"]);
        assert_eq!(in_source(&glossary, "空のカートです"), ["カート"]);
    }

    #[test]
    fn capitals_count_where_a_term_says_so() {
        let glossary = Glossary::new(vec![
            exactly(keep("Mark")),
            translate("ÄRGER", "x"),
            translate("straße", "y"),
            translate("İz", "z"),
        ]);
        assert_eq!(in_source(&glossary, "Mark it"), ["Mark"]);
        assert_eq!(in_source(&glossary, "mark it, MARK"), Vec::<String>::new());
        assert_eq!(in_source(&glossary, "ärger in der Straße, İZ"), ["ÄRGER", "straße", "İz"]);
    }

    #[test]
    fn of_terms_that_overlap_the_longest_counts() {
        let glossary = Glossary::new(vec![
            translate("cart", "Korb"),
            translate("shopping cart", "Einkaufswagen"),
            translate("shop c", "x"),
            translate("shop", "Laden"),
        ]);
        assert_eq!(in_source(&glossary, "a shopping cart"), ["shopping cart"]);
        assert_eq!(in_source(&glossary, "shopping cart, cart"), ["cart", "shopping cart"]);
        // What goes on as another word hides nothing.
        assert_eq!(in_source(&glossary, "the shop cart"), ["cart", "shop"]);
    }

    #[test]
    fn what_a_translation_breaks_is_found() {
        let glossary = Glossary::new(vec![
            translate("cart", "Warenkorb"),
            exactly(keep("Acme Pay")),
            forbidden("Kasse"),
            forbidden("Korb"),
            translate("basket", "roter Korb"),
            term("checkout", GlossaryRule::Translate, None),
        ]);
        assert_eq!(broken(&glossary, "Your cart", "Ihr Warenkorb"), Vec::<String>::new());
        assert_eq!(broken(&glossary, "Your cart", "Ihr Wagen"), ["cart"]);
        // Inflection is left alone.
        assert_eq!(broken(&glossary, "Of the cart", "Des Warenkorbs"), ["cart"]);
        assert_eq!(broken(&glossary, "With Acme Pay", "Mit Acme Pay"), Vec::<String>::new());
        assert_eq!(broken(&glossary, "With Acme Pay", "Mit Acme Zahlung"), ["Acme Pay"]);
        assert_eq!(broken(&glossary, "With Acme Pay", "Mit acme pay"), ["Acme Pay"]);
        assert_eq!(broken(&glossary, "Checkout", "Zur Kasse, kasse"), ["Kasse", "Kasse"]);
        assert_eq!(broken(&glossary, "A basket", "Ein roter Korb"), Vec::<String>::new());
        let glossary = Glossary::new(Vec::new());
        assert!(glossary.is_empty() && broken(&glossary, "a", "b").is_empty());
    }

    #[test]
    fn an_empty_text_is_no_term() {
        let glossary = Glossary::new(vec![keep(""), forbidden(""), translate("", "a"), translate("cart", "")]);
        assert!(glossary.is_empty() && broken(&glossary, "cart", "b").is_empty());
    }

    #[test]
    fn its_own_list_tells_how_a_project_translates() {
        let own = |term: Term| Glossary::new(vec![translate("a", "b"), Term { is_own: true, ..term }]);
        assert!(own(keep("c")).has_own_translations() && own(translate("c", "d")).has_own_translations());
        assert!(!own(forbidden("c")).has_own_translations());
        assert!(!Glossary::new(vec![keep("c")]).has_own_translations());
    }

    /// A large glossary of nested terms against the text that has most of them: the places that are looked at are bounded,
    /// however many pieces the text has.
    #[test]
    fn the_worst_glossary_and_text_come_to_an_end() {
        let terms = (1..=128).map(|words| translate(vec!["a"; words].join(" ").as_str(), "b"));
        let others = (0..5_000).map(|at| translate(&format!("a{at}"), "c"));
        let glossary = Glossary::new(terms.chain(others));
        let text = "a ".repeat(50_000);
        assert!(!in_source(&glossary, &text).is_empty());
        let piece = "a ".repeat(300);
        let pieces: Vec<(usize, &str)> = (0..1_000).map(|number| (number * piece.len(), piece.as_str())).collect();
        assert_eq!(glossary.sources.all(&pieces).len(), MOST_PLACES);
        // All terms are translated in the same way.
        assert_eq!(glossary.targets.all(&[(0, "c ".repeat(50_000).as_str())]).len(), MOST_PLACES);
    }

    /// Each of thousands of terms ends with hundreds of others. What is held is as large as the terms are all the same.
    #[test]
    fn what_is_held_is_as_large_as_the_terms() {
        let letters = |number: usize| {
            [number / 676, number / 26 % 26, number % 26].map(|letter| char::from(b'a' + u8::try_from(letter).unwrap()))
        };
        let nested = (1..=256).map(|length| "a".repeat(length));
        let ending =
            (1..=3_578).map(|number| format!("{}{}", letters(number).iter().collect::<String>(), "a".repeat(253)));
        let texts: Vec<String> = nested.chain(ending).collect();
        let stated: usize = texts.iter().map(String::len).sum();
        let glossary = Glossary::new(texts.iter().map(|text| keep(text)));
        let held: usize = glossary.terms.iter().map(|term| term.term.bytes()).sum::<usize>() + glossary.bytes();
        assert!(held < 4 * stated, "{held} bytes for {stated}");
        assert_eq!(glossary.sources.texts.len(), texts.iter().collect::<BTreeSet<_>>().len());

        let longest = texts.last().unwrap();
        assert_eq!(in_source(&glossary, &format!("{longest} aaa, {longest}a")), ["aaa", longest.as_str()]);
        assert_eq!(glossary.sources.all(&[(0, "a".repeat(100_000).as_str())]), []);
        let text = "aaa ".repeat(50_000);
        assert_eq!(glossary.sources.all(&[(0, text.as_str())]).len(), 50_000);
    }

    /// Every place of every term, looked for one after the other.
    fn looked_for(terms: &[Term], text: &str) -> Vec<TermMatch> {
        let folded_text = Folded::new(text);
        let mut found = Vec::new();
        for (number, term) in terms.iter().enumerate() {
            let folded = Folded::new(&term.term).text;
            for start in 0..folded_text.text.len() {
                if !folded_text.text.as_bytes()[start..].starts_with(folded.as_bytes()) {
                    continue;
                }
                let Some(range) = folded_text.original(start..start + folded.len()) else { continue };
                let is_same = !term.case_sensitive || text[range.clone()] == *term.term;
                if is_same && stands_alone(text, &range) {
                    found.push((number, range));
                }
            }
        }
        found.sort_by_key(|(number, range)| (*number, range.start));
        found
    }

    /// Letters whose small ones have other bytes, or more; scripts with blanks and without; marks.
    const LETTERS: &str = "[aAbäÄßİiIςΣσ \u{300}\u{307}カ漢กา가1,'-]";

    proptest! {
        /// Any terms and texts are compared without a panic, at places that are of the text.
        #[test]
        fn any_text_is_looked_through(
            terms in proptest::collection::vec("[aAäßİς \u{300}カ-]{1,3}", 1..6), text in "[aAäßİΣς \u{300}カ-]{0,20}"
        ) {
            let glossary = Glossary::new(terms.iter().map(|text| forbidden(text)));
            for one in glossary.broken(&[], &[(0, &text)]) {
                prop_assert!(text.get(one.place.unwrap()).is_some());
            }
        }

        /// The ordered list finds the same as a look for one term after the other.
        #[test]
        fn all_terms_are_found(
            terms in proptest::collection::vec((string_regex(&format!("{LETTERS}{{1,4}}")).unwrap(), any::<bool>()), 1..40),
            text in string_regex(&format!("{LETTERS}{{0,40}}")).unwrap(),
        ) {
            let terms: Vec<Term> = terms
                .iter()
                .map(|(text, case_sensitive)| Term { case_sensitive: *case_sensitive, ..keep(text) })
                .collect();
            let glossary = Glossary::new(terms.clone());
            let mut found = glossary.sources.all(&[(0, &text)]);
            found.sort_by_key(|(number, range)| (*number, range.start));
            prop_assert_eq!(found, looked_for(&terms, &text));
        }
    }
}

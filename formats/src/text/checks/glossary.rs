//! The glossary of a project in a pair of languages: which of its terms a text has.
//!
//! A term is found as it is written, at the borders of words; capitals count where it says so. Inflection is left alone:
//! `carts` does not have the term `cart`. Where terms overlap, the one that begins first counts, and of those the longest:
//! `shopping cart` is not `cart`. Scripts that write without blanks have no borders of words.

use std::collections::BTreeSet;
use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};
use l10n_api_types::Content;
use l10n_api_types::glossary::GlossaryRule;

/// Most places at which a text is looked into, in all its pieces. Beyond them nothing is found: no prose has as many.
const MOST_PLACES: usize = 100_000;

/// A term, for one pair of languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The term, as texts have it.
    pub term: String,
    /// The rule that it states.
    pub rule: GlossaryRule,
    /// True if capitals count.
    pub case_sensitive: bool,
    /// Its translation; [`Glossary::new`] leaves out a term of the rule `translate` that has none.
    pub translation: Option<String>,
    /// A note for those who translate.
    pub note: Option<String>,
}

impl Term {
    /// The text that a translation has for the term.
    fn expected(&self) -> Option<&str> {
        match self.rule {
            GlossaryRule::Translate => self.translation.as_deref(),
            GlossaryRule::Keep => Some(&self.term),
            // A rule of a later version is none that this one can check.
            _ => None,
        }
    }
}

/// The terms that matter for translations from one language into another.
#[derive(Debug, Default)]
pub struct Glossary {
    terms: Vec<Term>,
    /// Finds the terms that sources have.
    sources: Option<Finder>,
    /// Finds what translations are to have, and what they are not to have.
    targets: Option<Finder>,
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
    pub fn new(terms: Vec<Term>) -> Self {
        let terms: Vec<Term> = terms
            .into_iter()
            .filter(|term| term.rule == GlossaryRule::Forbidden || term.expected().is_some())
            .collect();
        let patterns = |text: fn(&Term) -> Option<&str>| {
            let all = terms.iter().enumerate().filter_map(|(at, term)| Some((at, text(term)?, term.case_sensitive)));
            Finder::new(all)
        };
        let sources = patterns(|term| (term.rule != GlossaryRule::Forbidden).then_some(term.term.as_str()));
        let targets = patterns(|term| term.expected().or(Some(term.term.as_str())));
        Self { terms, sources, targets }
    }

    /// Returns true if no term matters.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The terms that a source has, each once.
    #[must_use]
    pub fn of_source(&self, source: &Content) -> Vec<&Term> {
        let texts: Vec<(usize, &str)> = source.texts().map(|text| (0, text)).collect();
        self.numbers(&texts).into_iter().filter_map(|at| self.terms.get(at)).collect()
    }

    /// The numbers of the terms that a source has.
    fn numbers(&self, pieces: &[(usize, &str)]) -> BTreeSet<usize> {
        let found = self.sources.iter().flat_map(|finder| choose(finder.all(pieces)));
        found.map(|(term, _)| term).collect()
    }

    /// The terms that a translation breaks. Pieces are the prose of a text, each with the byte at which it begins.
    pub(super) fn broken(&self, source: &[(usize, &str)], target: &[(usize, &str)]) -> Vec<TermViolation<'_>> {
        let all = self.targets.iter().flat_map(|finder| finder.all(target)).collect::<Vec<_>>();
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

/// A term, by its number, and its place in a text.
type TermMatch = (usize, Range<usize>);

/// Finds many patterns at once.
#[derive(Debug)]
struct Finder {
    automaton: AhoCorasick,
    patterns: Vec<TermPattern>,
}

#[derive(Debug)]
struct TermPattern {
    term: usize,
    text: String,
    case_sensitive: bool,
}

impl Finder {
    /// `None` without patterns, or where they are too many for an automaton.
    fn new<'a>(patterns: impl Iterator<Item = (usize, &'a str, bool)>) -> Option<Self> {
        let patterns: Vec<TermPattern> = patterns
            .map(|(term, text, case_sensitive)| TermPattern { term, text: text.to_owned(), case_sensitive })
            .collect();
        if patterns.is_empty() {
            return None;
        }
        let folded = patterns.iter().map(|pattern| Folded::new(&pattern.text).text);
        let automaton = AhoCorasick::builder().match_kind(MatchKind::Standard).build(folded).ok()?;
        Some(Self { automaton, patterns })
    }

    /// Every place at which a term stands between borders of words.
    fn all(&self, pieces: &[(usize, &str)]) -> Vec<TermMatch> {
        let (mut found, mut left) = (Vec::new(), MOST_PLACES);
        for (begin, text) in pieces {
            if left == 0 {
                break;
            }
            let folded = Folded::new(text);
            for place in self.automaton.find_overlapping_iter(&folded.text).take(left) {
                left -= 1;
                let Some(pattern) = self.patterns.get(place.pattern().as_usize()) else { continue };
                let Some(range) = folded.original(place.range()) else { continue };
                let is_same = !pattern.case_sensitive || text.get(range.clone()) == Some(pattern.text.as_str());
                if is_same && stands_alone(text, &range) {
                    found.push((pattern.term, begin + range.start..begin + range.end));
                }
            }
        }
        found
    }
}

/// Of places that overlap, the one that begins first, and of those the longest. Of the same place, all.
fn choose(mut found: Vec<TermMatch>) -> Vec<TermMatch> {
    found.sort_by_key(|(term, place)| (place.start, std::cmp::Reverse(place.end), *term));
    let mut last: Option<Range<usize>> = None;
    found.retain(|(_, place)| {
        let counts = last.as_ref().is_none_or(|last| place == last || place.start >= last.end);
        if counts {
            last = Some(place.clone());
        }
        counts
    });
    found
}

/// Returns whether no letter or digit goes on beyond the ends of a place.
fn stands_alone(text: &str, place: &Range<usize>) -> bool {
    let (before, within, after) = (text.get(..place.start), text.get(place.clone()), text.get(place.end..));
    let (Some(before), Some(within), Some(after)) = (before, within, after) else { return false };
    let goes_on = |one: Option<char>, other: Option<char>| one.is_some_and(is_of_word) && other.is_some_and(is_of_word);
    !goes_on(before.chars().next_back(), within.chars().next())
        && !goes_on(within.chars().next_back(), after.chars().next())
}

/// Returns whether words of this character's script end with a blank or a mark.
fn is_of_word(c: char) -> bool {
    // Thai to Myanmar, Khmer, and from the radicals of Han on: kana and ideographs. Hangul has blanks.
    let without_blanks = matches!(c as u32, 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x2e80..=0x9fff
        | 0xf900..=0xfaff | 0xff66..=0xff9f | 0x20000..=0x3ffff);
    c.is_alphanumeric() && !without_blanks
}

/// A text in small letters, and the places of its bytes in the original.
struct Folded {
    text: String,
    /// For each byte, the byte of the original at which its character begins; and the end of the text.
    origins: Vec<usize>,
}

impl Folded {
    fn new(text: &str) -> Self {
        let mut folded = Self { text: String::with_capacity(text.len()), origins: Vec::with_capacity(text.len() + 1) };
        for (at, c) in text.char_indices() {
            // A capital sigma at the end of a word is the same letter.
            folded.text.extend(c.to_lowercase().map(|c| if c == 'ς' { 'σ' } else { c }));
            folded.origins.resize(folded.text.len(), at);
        }
        folded.origins.push(text.len());
        folded
    }

    /// The place in the original; `None` for one that ends within a character of it.
    fn original(&self, place: Range<usize>) -> Option<Range<usize>> {
        let start = *self.origins.get(place.start)?;
        let end = *self.origins.get(place.end)?;
        let begins = place.start == 0 || self.origins.get(place.start - 1) != Some(&start);
        let ends = place.end == 0 || self.origins.get(place.end - 1) != Some(&end);
        (begins && ends).then_some(start..end)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn term(term: &str, rule: GlossaryRule, translation: Option<&str>) -> Term {
        let translation = translation.map(str::to_owned);
        Term { term: term.to_owned(), rule, case_sensitive: false, translation, note: None }
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
        found.into_iter().map(|term| term.term.clone()).collect()
    }

    fn broken(glossary: &Glossary, source: &str, target: &str) -> Vec<String> {
        let broken = glossary.broken(&[(0, source)], &[(0, target)]);
        broken.into_iter().map(|one| one.term.term.clone()).collect()
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

    /// A large glossary of nested terms against the text that has most of them: the places that are looked at are bounded,
    /// however many pieces the text has.
    #[test]
    fn the_worst_glossary_and_text_come_to_an_end() {
        let terms = (1..=128).map(|words| translate(vec!["a"; words].join(" ").as_str(), "b"));
        let others = (0..5_000).map(|at| translate(&format!("a{at}"), "c"));
        let glossary = Glossary::new(terms.chain(others).collect());
        let text = "a ".repeat(50_000);
        assert!(!in_source(&glossary, &text).is_empty());
        let piece = "a ".repeat(300);
        let pieces: Vec<(usize, &str)> = (0..1_000).map(|number| (number * piece.len(), piece.as_str())).collect();
        assert_eq!(glossary.sources.as_ref().unwrap().all(&pieces).len(), MOST_PLACES);
    }

    proptest! {
        /// Any terms and texts are compared without a panic, at places that are of the text.
        #[test]
        fn any_text_is_looked_through(
            terms in proptest::collection::vec("[aAäßİς \u{300}カ-]{1,3}", 1..6), text in "[aAäßİΣς \u{300}カ-]{0,20}"
        ) {
            let glossary = Glossary::new(terms.iter().map(|text| forbidden(text)).collect());
            for one in glossary.broken(&[], &[(0, &text)]) {
                prop_assert!(text.get(one.place.unwrap()).is_some());
            }
        }
    }
}

//! The places of terms in texts: found at the borders of words, by searches in an ordered list that is as large as the terms are.

use std::ops::Range;
use std::sync::Arc;

use super::glossary::{Term, TermText};

/// Most places at which a text is looked into, in all its pieces. Beyond them nothing is found: no prose has as many.
pub(super) const MOST_PLACES: usize = 100_000;

/// A term, by its number, and its place in a text.
pub(super) type TermMatch = (usize, Range<usize>);

/// Finds many texts at once: at each border of a word one search in an ordered list.
#[derive(Debug, Default)]
pub(super) struct Finder {
    /// Each text once, in small letters, in the order of bytes.
    pub(super) texts: Vec<SortedText>,
    /// The terms of all texts, in their order.
    terms: Vec<TextTerm>,
}

#[derive(Debug)]
pub(super) struct SortedText {
    folded: Arc<str>,
    /// The longest other text with which it begins, by its place.
    beginning: Option<u32>,
    /// Its terms.
    terms: Range<u32>,
}

#[derive(Debug)]
struct TextTerm {
    number: usize,
    /// The text as it is written, where capitals count.
    exact: Option<TermText>,
}

impl Finder {
    /// Finds the texts that terms have by this.
    pub(super) fn new(terms: &[Term], text: fn(&Term) -> Option<&TermText>) -> Self {
        let of_terms = terms.iter().enumerate().filter_map(|(number, term)| Some((number, text(term)?, term)));
        let mut all: Vec<(usize, &TermText, &Term)> = of_terms.collect();
        all.sort_unstable_by(|(one, text, _), (other, other_text, _)| {
            text.folded().cmp(other_text.folded()).then(one.cmp(other))
        });
        let mut made = Self { texts: Vec::with_capacity(all.len()), terms: Vec::with_capacity(all.len()) };
        // Those with which the last text begins, and itself, the longest last.
        let mut open: Vec<u32> = Vec::new();
        for (number, text, term) in all {
            let first = short(made.terms.len());
            made.terms.push(TextTerm { number, exact: term.case_sensitive.then(|| text.clone()) });
            let end = short(made.terms.len());
            if let Some(last) = made.texts.last_mut().filter(|last| last.folded == *text.folded()) {
                last.terms.end = end;
                continue;
            }
            while open.pop_if(|one| !made.begins(text.folded(), *one)).is_some() {}
            let beginning = open.last().copied();
            open.push(short(made.texts.len()));
            made.texts.push(SortedText { folded: Arc::clone(text.folded()), beginning, terms: first..end });
        }
        made.texts.shrink_to_fit();
        made
    }

    /// Returns whether a text begins with the one at a place.
    fn begins(&self, text: &str, at: u32) -> bool {
        self.texts.get(at as usize).is_some_and(|one| text.starts_with(&*one.folded))
    }

    pub(super) fn bytes(&self) -> usize {
        self.texts.capacity() * size_of::<SortedText>() + self.terms.capacity() * size_of::<TextTerm>()
    }

    /// Every place at which a term stands between borders of words.
    pub(super) fn all(&self, pieces: &[(usize, &str)]) -> Vec<TermMatch> {
        let (mut found, mut left) = (Vec::new(), MOST_PLACES);
        if self.texts.is_empty() {
            return found;
        }
        for (begin, text) in pieces {
            if left == 0 {
                break;
            }
            let folded = Folded::new(text);
            for start in folded.starts().filter(|start| may_begin(text, start.of_original)) {
                let Some(rest) = folded.text.get(start.of_folded..) else { continue };
                for one in self.beginnings(rest) {
                    let range = folded.original(start.of_folded..start.of_folded + one.folded.len());
                    let Some(range) = range.filter(|range| stands_alone(text, range)) else { continue };
                    let terms = self.terms.get(one.terms.start as usize..one.terms.end as usize).unwrap_or_default();
                    let looked_at = terms.get(..terms.len().min(left)).unwrap_or_default();
                    left -= looked_at.len();
                    let is_same = |term: &&TextTerm| {
                        term.exact.as_ref().is_none_or(|exact| text.get(range.clone()) == Some(&**exact))
                    };
                    let place = begin + range.start..begin + range.end;
                    found.extend(looked_at.iter().filter(is_same).map(|term| (term.number, place.clone())));
                }
            }
        }
        found
    }

    /// The texts with which this one begins, the longest first.
    fn beginnings<'s>(&'s self, rest: &str) -> impl Iterator<Item = &'s SortedText> {
        // Each of them is the last text before this one in the order, or that one begins with it.
        let before = self.texts.partition_point(|one| *one.folded <= *rest);
        let last = before.checked_sub(1).and_then(|at| self.texts.get(at));
        let same =
            |last: &SortedText| last.folded.bytes().zip(rest.bytes()).take_while(|(one, other)| one == other).count();
        let common = last.map_or(0, same);
        let shorter = |one: &&'s SortedText| self.texts.get(one.beginning? as usize);
        std::iter::successors(last, shorter).filter(move |one| one.folded.len() <= common)
    }
}

/// A number of terms, of which there are thousands, in few bytes.
fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Of places that overlap, the one that begins first, and of those the longest. Of the same place, all.
pub(super) fn choose(mut found: Vec<TermMatch>) -> Vec<TermMatch> {
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
pub(super) fn stands_alone(text: &str, place: &Range<usize>) -> bool {
    let within = text.get(place.clone()).unwrap_or_default();
    let after = text.get(place.end..).and_then(|after| after.chars().next());
    may_begin(text, place.start) && !goes_on(within.chars().next_back(), after)
}

/// Returns whether a place may begin here: no letter or digit comes before one.
fn may_begin(text: &str, at: usize) -> bool {
    let Some((before, from)) = text.split_at_checked(at) else { return false };
    !goes_on(before.chars().next_back(), from.chars().next())
}

/// Returns whether a word goes on from one character to the next.
fn goes_on(one: Option<char>, next: Option<char>) -> bool {
    one.is_some_and(is_of_word) && next.is_some_and(is_of_word)
}

/// Returns whether words of this character's script end with a blank or a mark.
fn is_of_word(c: char) -> bool {
    // Thai to Myanmar, Khmer, and from the radicals of Han on: kana and ideographs. Hangul has blanks.
    let without_blanks = matches!(c as u32, 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x2e80..=0x9fff
        | 0xf900..=0xfaff | 0xff66..=0xff9f | 0x20000..=0x3ffff);
    c.is_alphanumeric() && !without_blanks
}

/// The small letters of a character.
pub(super) fn folded(c: char) -> impl Iterator<Item = char> {
    // A capital sigma at the end of a word is the same letter.
    c.to_lowercase().map(|c| if c == 'ς' { 'σ' } else { c })
}

/// A text in small letters, and the places of its bytes in the original.
pub(super) struct Folded {
    pub(super) text: String,
    /// For each byte, the byte of the original at which its character begins; and the end of the text.
    origins: Vec<usize>,
}

/// The beginning of a character of the original.
struct CharStart {
    of_folded: usize,
    of_original: usize,
}

impl Folded {
    pub(super) fn new(text: &str) -> Self {
        let mut made = Self { text: String::with_capacity(text.len()), origins: Vec::with_capacity(text.len() + 1) };
        for (at, c) in text.char_indices() {
            made.text.extend(folded(c));
            made.origins.resize(made.text.len(), at);
        }
        made.origins.push(text.len());
        made
    }

    /// The beginnings of all characters.
    fn starts(&self) -> impl Iterator<Item = CharStart> {
        let mut last = None;
        let of_text = self.origins.iter().take(self.text.len()).enumerate();
        of_text.filter_map(move |(of_folded, origin)| {
            (last.replace(*origin) != Some(*origin)).then_some(CharStart { of_folded, of_original: *origin })
        })
    }

    /// The place in the original; `None` for one that ends within a character of it.
    pub(super) fn original(&self, place: Range<usize>) -> Option<Range<usize>> {
        let start = *self.origins.get(place.start)?;
        let end = *self.origins.get(place.end)?;
        let begins = place.start == 0 || self.origins.get(place.start - 1) != Some(&start);
        let ends = place.end == 0 || self.origins.get(place.end - 1) != Some(&end);
        (begins && ends).then_some(start..end)
    }
}

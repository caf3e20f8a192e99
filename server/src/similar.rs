//! Similar texts: how alike two texts are, and the tokens by which an index finds those that may be.
//!
//! The tokens of a text are the hashes of its sequences of characters. Of a long text those with the smallest hashes alone count
//! (a bottom-k sketch): two texts share about the part of these that they share of all. An index keeps a few of a text's tokens,
//! those that the fewest other texts have. So what many texts have in common fills no lists, and what is rare finds its text
//! whatever else has changed.

use std::collections::BTreeSet;

use rapidfuzz::distance::levenshtein::{Args, BatchComparator};

use crate::fold::folded;

/// Most tokens of a text.
pub const TOKENS: usize = 48;
/// Most characters of a text that is compared.
pub const LONGEST_COMPARED: usize = 1_000;
/// Characters from here on belong to scripts whose words are short: ideographs, kana, hangul.
const SHORT_WORDS: char = '\u{2e80}';
/// Stand before and behind a text. No text has them: they are control characters.
const EDGES: [char; 2] = ['\u{2}', '\u{3}'];

/// A text, ready to be compared: folded, each run of white space one blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Similar {
    original: String,
    folded: Vec<char>,
}

impl Similar {
    /// Reads a text; `None` if there is nothing to compare, or more than [`LONGEST_COMPARED`] characters.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        if text.chars().nth(LONGEST_COMPARED).is_some() {
            return None;
        }
        let words = folded(text);
        let folded: Vec<char> = words.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
        (!folded.is_empty()).then(|| Self { original: text.to_owned(), folded })
    }

    /// The number of characters that are compared.
    #[must_use]
    pub fn length(&self) -> usize {
        self.folded.len()
    }

    /// The shortest and the longest text that may be alike by `percent`.
    #[must_use]
    pub fn lengths(&self, percent: u8) -> (usize, usize) {
        let percent = usize::from(percent.clamp(1, 100));
        (self.length() * percent / 100, (self.length() * 100).div_ceil(percent))
    }

    /// The tokens in a space, which keeps its tokens apart from those of all other spaces; at most [`TOKENS`].
    #[must_use]
    pub fn tokens(&self, space: &str) -> Vec<i64> {
        let seed = space.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| mixed(hash, u64::from(byte)));
        let [before, behind] = EDGES;
        let text: Vec<char> =
            std::iter::once(before).chain(self.folded.iter().copied()).chain(std::iter::once(behind)).collect();
        let widths = self.widths();
        let most = TOKENS / widths.len().max(1);
        let mut tokens = BTreeSet::new();
        for width in widths {
            let sequences: BTreeSet<u64> =
                text.windows(width.min(text.len())).map(|sequence| hash(seed, sequence)).collect();
            tokens.extend(sequences.into_iter().take(most));
        }
        tokens.into_iter().map(u64::cast_signed).collect()
    }

    /// The lengths of the sequences. Long ones are rare, so that they say more, but a change spoils more of them, and short texts
    /// have few. Texts of which one is at least 60 percent as long as the other have a length of sequences in common; each length
    /// has its own part of the tokens.
    fn widths(&self) -> Vec<usize> {
        let short_words = self.folded.iter().filter(|one| **one >= SHORT_WORDS).count() * 2 > self.length();
        let widths = if short_words {
            [(0..10, 2), (6..20, 3), (10..usize::MAX, 4)]
        } else {
            [(0..20, 3), (12..40, 5), (20..usize::MAX, 8)]
        };
        widths.into_iter().filter(|(texts, _)| texts.contains(&self.length())).map(|(_, width)| width).collect()
    }
}

/// Compares one text with many.
pub struct Comparator {
    text: Similar,
    batch: BatchComparator<char>,
}

impl std::fmt::Debug for Comparator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Comparator").field("text", &self.text).finish_non_exhaustive()
    }
}

impl Comparator {
    /// Prepares the comparison with a text.
    #[must_use]
    pub fn new(text: Similar) -> Self {
        let batch = BatchComparator::new(text.folded.iter().copied());
        Self { text, batch }
    }

    /// The likeness of another text, from 0 to 100: 100 for the same text, 99 where case and white space alone differ, else the
    /// part of the longer text that needs no change (by Levenshtein's distance), rounded down. `None` below `least`.
    #[must_use]
    pub fn percent(&self, other: &Similar, least: u8) -> Option<u8> {
        if self.text.original == other.original {
            return Some(100);
        }
        let longer = self.text.length().max(other.length());
        let most_changes = longer * usize::from(100 - least.min(100)) / 100;
        let distance = Args::default().score_cutoff(most_changes);
        let changes = self.batch.distance_with_args(other.folded.iter().copied(), &distance)?;
        let percent = (longer - changes.min(longer)) * 100 / longer.max(1);
        Some(u8::try_from(percent).unwrap_or(99).min(99)).filter(|percent| *percent >= least)
    }
}

fn hash(seed: u64, sequence: &[char]) -> u64 {
    finished(sequence.iter().fold(seed, |hash, one| mixed(hash, u64::from(u32::from(*one)))))
}

/// A step of FNV-1a.
fn mixed(hash: u64, next: u64) -> u64 {
    (hash ^ next).wrapping_mul(0x0000_0100_0000_01b3)
}

/// Spreads a hash over all of its bits, as SplitMix64 ends.
fn finished(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(text: &str) -> Similar {
        Similar::of(text).unwrap()
    }

    fn percent(one: &str, other: &str) -> u8 {
        Comparator::new(text(one)).percent(&text(other), 0).unwrap()
    }

    fn shared(one: &str, other: &str) -> usize {
        let tokens = text(one).tokens("a");
        text(other).tokens("a").iter().filter(|token| tokens.contains(token)).count()
    }

    #[test]
    fn the_percentage_is_the_part_that_needs_no_change() {
        assert_eq!(percent("Save", "Save"), 100);
        assert_eq!(percent("Save", " SAVE "), 99);
        assert_eq!(percent("Save the file", "Save the files"), 92);
        assert_eq!(percent("abcd", "abxd"), 75);
        assert_eq!(percent("abcd", "wxyz"), 0);
        assert_eq!(Comparator::new(text("abcd")).percent(&text("abxd"), 76), None);
        assert_eq!(Comparator::new(text("abcd")).percent(&text("abxd"), 75), Some(75));
    }

    #[test]
    fn what_cannot_be_compared_is_none() {
        assert_eq!((Similar::of(""), Similar::of(" \n ")), (None, None));
        assert!(Similar::of(&"x".repeat(LONGEST_COMPARED)).is_some());
        assert_eq!(Similar::of(&"x".repeat(LONGEST_COMPARED + 1)), None);
    }

    #[test]
    fn similar_texts_share_tokens() {
        for (one, other) in [
            ("Save", "Saved"),
            ("OK", "ok"),
            ("Log in", "Log on"),
            ("Open the file", "Open the files"),
            ("Delete this message?", "Delete these messages?"),
            ("Are you sure that you want to leave?", "Are you sure you want to leave this page?"),
            ("設定を開く", "設定を閉じる"),
            ("파일을 열 수 없습니다", "파일을 저장할 수 없습니다"),
        ] {
            assert!(shared(one, other) > 0, "{one} and {other}");
        }
        assert_eq!(shared("Save the file", "Nothing like it"), 0);
    }

    #[test]
    fn tokens_are_few_and_belong_to_one_space() {
        let long = text(&(100..140).map(|number| format!("Line {number} of the poem. ")).collect::<String>());
        assert_eq!(long.tokens("a").len(), TOKENS);
        let other = long.tokens("b");
        assert!(long.tokens("a").iter().all(|token| !other.contains(token)));
        assert!(!text("x").tokens("a").is_empty());
    }

    #[test]
    fn texts_of_fitting_lengths_have_sequences_of_one_length() {
        for letter in ["a", "字"] {
            let widths = |length: usize| text(&letter.repeat(length)).widths();
            for shorter in 1..200 {
                for longer in shorter..=shorter * 100 / 60 {
                    let (some, others) = (widths(shorter), widths(longer));
                    assert!(some.iter().any(|width| others.contains(width)), "{shorter} and {longer} of {letter}");
                }
            }
        }
    }

    proptest! {
        /// No pair of texts that are alike has lengths that the index leaves out.
        #[test]
        fn lengths_leave_out_no_text_that_is_alike(one in "[ab]{1,30}", other in "[ab]{1,30}", least in 1u8..=100) {
            let (one, other) = (text(&one), text(&other));
            let (from, to) = one.lengths(least);
            if Comparator::new(one).percent(&other, least).is_some() {
                prop_assert!((from..=to).contains(&other.length()));
            }
        }
    }
}

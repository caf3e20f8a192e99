//! Sequences of characters, which the index knows as tokens.

use std::collections::BTreeSet;

use l10n_api_types::ProjectId;

use crate::fold::folded;

/// Most sequences of a key. One that has more is found by every query that the index answers.
const MOST: usize = 4_096;
/// Most sequences that a query is looked up by.
const MOST_OF_QUERY: usize = 24;
/// Characters from here on belong to scripts whose words are short: ideographs, kana, hangul.
const SHORT_WORDS: char = '\u{2e80}';
/// Digits of a token, which consist of `0-9a-z`: 60 million tokens.
pub(super) const DIGITS: usize = 5;

/// The sequences of some texts, folded.
#[derive(Debug, Default)]
pub(super) struct Grams {
    grams: BTreeSet<[char; 3]>,
    too_many: bool,
}

/// Stands where a sequence is shorter than three characters. No text has it.
const NONE: char = '\0';

impl Grams {
    /// The sequences of all these texts, as the index keeps them.
    pub(super) fn of_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut grams = Self::default();
        for text in texts {
            grams.add(&folded(text));
        }
        grams
    }

    fn add(&mut self, folded: &str) {
        let mut last = [NONE; 3];
        for next in folded.chars() {
            if self.grams.len() > MOST {
                self.too_many = true;
                return;
            }
            last = [last[1], last[2], next];
            if last[0] != NONE {
                self.grams.insert(last);
            }
            if next >= SHORT_WORDS {
                self.grams.insert([NONE, NONE, next]);
                if last[1] >= SHORT_WORDS {
                    self.grams.insert([NONE, last[1], next]);
                }
            }
        }
    }

    /// The sequences that a text has to have to contain this folded query; none if the index cannot say.
    pub(super) fn of_query(folded: &str) -> Self {
        let all: Vec<char> = folded.chars().collect();
        let has_short_words = all.iter().all(|one| *one >= SHORT_WORDS);
        let grams: Vec<[char; 3]> = match all.as_slice() {
            [one] if has_short_words => vec![[NONE, NONE, *one]],
            [one, other] if has_short_words => vec![[NONE, *one, *other]],
            longer => longer.windows(3).filter_map(|three| three.try_into().ok()).collect(),
        };
        // Of a long query some, from all of its parts.
        let step = grams.len().div_ceil(MOST_OF_QUERY).max(1);
        Self { grams: grams.into_iter().step_by(step).collect(), too_many: false }
    }

    /// The sequences as tokens of a project.
    pub(super) fn tokens(&self, project: &ProjectId) -> String {
        if self.too_many {
            return long(project);
        }
        let tokens: BTreeSet<String> = self.grams.iter().map(|gram| token(project, gram)).collect();
        tokens.into_iter().collect::<Vec<_>>().join(" ")
    }
}

/// The token of keys of a project whose texts have too many sequences.
pub(super) fn long(project: &ProjectId) -> String {
    token(project, &[NONE; 3])
}

/// A hash (FNV-1a) of a sequence in a project.
fn token(project: &ProjectId, gram: &[char; 3]) -> String {
    let bytes = project.as_str().bytes().chain(gram.iter().flat_map(|one| u32::from(*one).to_le_bytes()));
    let hash = bytes
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let mut rest = hash ^ (hash >> 32);
    let digits = (0..DIGITS).map(|_| {
        let digit = u32::try_from(rest % 36).unwrap_or_default();
        rest /= 36;
        char::from_digit(digit, 36).unwrap_or('0')
    });
    digits.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_too_many_sequences_has_one_token() {
        let text: String = (0..20_000_u32).filter_map(|n| char::from_u32(0x4e00 + n)).collect();
        assert_eq!(Grams::of_texts([text.as_str()]).tokens(&"prj_1".into()), long(&"prj_1".into()));
    }

    #[test]
    fn tokens_are_words_of_the_index() {
        let tokens = Grams::of_texts(["Ein \"Satz\" AND * mit 設定"]).tokens(&"prj_1".into());
        let is_word =
            |word: &str| word.len() == 5 && word.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase());
        assert!(tokens.split(' ').count() > 15 && tokens.split(' ').all(is_word), "{tokens}");
    }

    #[test]
    fn a_long_query_is_looked_up_by_some_of_its_sequences() {
        let query = "the quick brown fox jumps over the lazy dog ".repeat(11);
        let tokens = Grams::of_query(&query).tokens(&"prj_1".into());
        assert!((2..=MOST_OF_QUERY).contains(&tokens.split(' ').count()), "{tokens}");
        assert_eq!(Grams::of_query("ab").tokens(&"prj_1".into()), "");
    }
}

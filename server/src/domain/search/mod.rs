//! Search in refs, sources and translations.
//!
//! A text is found in any case, and however its accents are typed: both sides are folded alike. The index (`store::search`)
//! has the sequences of three folded characters of each key; of scripts without blanks between words, whose words are
//! short, also those of one and two. It only narrows what is read: the keys that it finds are read, so that the answer is
//! exact on both engines, and no query can be wrong about it. A query that is too short for the index, or that finds very many
//! keys, walks through the keys instead, a bounded number for each request. So does one that has nothing but sequences that many
//! keys of a large project have.

mod common;
mod grams;
mod index;

use l10n_api_types::{Content, ProjectId};

pub use self::common::sample_all;
pub(crate) use self::common::{AskedTokens, asked_tokens};
use self::grams::Grams;
pub use self::index::{IndexCursors, Indexed, index_all, index_some};
use super::ServiceError;
use crate::fold::folded;
use crate::store::search::Tokens;

/// Most characters of a query.
const LONGEST: usize = 500;

/// A text to search for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Query {
    folded: String,
    /// Tokens of the index; empty if the query is too short for it.
    all: String,
    long: String,
}

impl Query {
    /// Reads a query; `None` if it is empty.
    ///
    /// # Errors
    ///
    /// [`ServiceError::InvalidArgument`] if it is too long or has control characters.
    pub(crate) fn read(project: &ProjectId, text: &str) -> Result<Option<Self>, ServiceError> {
        let invalid = |problem: &str| Err(ServiceError::InvalidArgument(format!("`query` {problem}")));
        if text.len() > LONGEST * 4 || text.chars().count() > LONGEST {
            return invalid(&format!("must have at most {LONGEST} characters"));
        }
        if text.chars().any(char::is_control) {
            return invalid("must not contain control characters");
        }
        if text.is_empty() {
            return Ok(None);
        }
        let folded = folded(text);
        let all = Grams::of_query(&folded).tokens(project);
        Ok(Some(Self { folded, all, long: grams::long(project) }))
    }

    /// Returns whether the query is long enough for the index.
    pub(crate) fn has_tokens(&self) -> bool {
        !self.all.is_empty()
    }

    /// The query as the index is asked for it, with these of its tokens ([`asked_tokens`]); `None` if there are none.
    pub(crate) fn with_tokens<'a>(&'a self, tokens: &'a str) -> Option<Tokens<'a>> {
        (!tokens.is_empty()).then_some(Tokens { all: tokens, long: &self.long })
    }

    /// Returns whether a text contains the query.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        folded(text).contains(&self.folded)
    }

    /// Returns whether a content contains the query, in any of its forms.
    pub(crate) fn is_in_content(&self, content: &Content) -> bool {
        content.texts().any(|text| self.is_in(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> Query {
        Query::read(&"prj_1".into(), text).unwrap().unwrap()
    }

    #[test]
    fn a_query_is_found_in_any_case_and_nowhere_else() {
        for (text, asked) in [
            ("Jetzt Ändern", "ändern"),
            ("jetzt ändern", "ÄNDERN"),
            ("Über die STRASSE", "straße"),
            ("Straße", "STRASSE"),
            ("Привет, Мир", "мИР"),
            ("ΟΔΟΣ", "οδος"),
            ("οδός", "ΌΣ"),
            ("cafe\u{301}", "CAFÉ"),
            ("CAFÉ", "cafe\u{301}"),
            ("設定を開く", "定"),
            ("100 % of it_all", "0 % of it_"),
        ] {
            assert!(query(asked).is_in(text), "{asked} in {text}");
        }
        for (text, asked) in [("abc", "a%"), ("abc", "a_c"), ("abc", "cba"), ("cafe", "café"), ("", "a")] {
            assert!(!query(asked).is_in(text), "{asked} in {text}");
        }
    }

    #[test]
    fn a_query_is_bounded_and_one_line() {
        assert_eq!(Query::read(&"prj_1".into(), "").unwrap(), None);
        assert!(Query::read(&"prj_1".into(), &"ü".repeat(500)).unwrap().is_some());
        for wrong in
            ["ü".repeat(501), "x".repeat(10_000), "a\0b".into(), "a\nb".into(), "\u{7f}".into(), "\u{85}".into()]
        {
            let error = Query::read(&"prj_1".into(), &wrong).unwrap_err();
            assert!(
                matches!(&error, ServiceError::InvalidArgument(message) if message.contains("`query`")),
                "{error:?}"
            );
        }
    }

    #[test]
    fn the_index_never_misses_a_text_that_contains_the_query() {
        let texts = [
            "Jetzt ÄNDERN und sichern",
            "Straße",
            "設定を開く",
            "ab",
            "x",
            "\"quoted\" AND NOT (OR) *",
            "İstanbul",
            "ﬁn",
        ];
        for text in texts {
            let tokens = Grams::of_texts([text]).tokens(&"prj_1".into());
            let known: Vec<&str> = tokens.split(' ').collect();
            let folded: Vec<char> = folded(text).chars().collect();
            for from in 0..folded.len() {
                for to in from + 1..=folded.len() {
                    let part: String = folded[from..to].iter().collect();
                    let query = query(&part);
                    assert!(query.is_in(text), "{part:?} in {text}");
                    assert!(
                        query.all.split(' ').all(|one| one.is_empty() || known.contains(&one)),
                        "{part:?} in {text}"
                    );
                }
            }
        }
    }

    #[test]
    fn tokens_belong_to_one_project() {
        let (one, other) =
            (Query::read(&"prj_1".into(), "cart").unwrap(), Query::read(&"prj_2".into(), "cart").unwrap());
        assert_ne!(one, other);
    }
}

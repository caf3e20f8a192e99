//! Reading a document's text, before any transaction is open.

use std::collections::{HashMap, HashSet};

use l10n_api_types::content::{DocumentFormat, SegmentCounts};
use l10n_formats::SourceHash;
use l10n_formats::documents::{self, DocumentError};
use sha2::{Digest as _, Sha256};

use super::fields::LONGEST_TITLE;
use crate::domain::ServiceError;
use crate::store::segments::Segment;

/// A document's text and its parsed segments.
#[derive(Debug, Clone)]
pub(crate) struct Parsed {
    pub(super) body: String,
    /// SHA-256 of it.
    pub(super) sha256: [u8; 32],
    /// The title in its text, in one line.
    pub(super) title: Option<String>,
    pub(super) characters: i64,
    /// Its segments in their order.
    pub(super) hashes: Vec<SourceHash>,
    /// Its distinct segments.
    pub(super) segments: Vec<Segment>,
}

/// Reads a text. A large one takes milliseconds of computing: no other request waits for it.
///
/// # Errors
///
/// 400 with line and column, when it cannot be read.
pub(crate) async fn parse(format: DocumentFormat, body: String) -> Result<Parsed, ServiceError> {
    let parsed = tokio::task::spawn_blocking(move || Parsed::read(format, body));
    parsed.await.map_err(ServiceError::internal)?
}

impl Parsed {
    fn read(format: DocumentFormat, body: String) -> Result<Self, ServiceError> {
        let document = documents::parse(format, &body).map_err(unreadable)?;
        let mut seen = HashSet::new();
        let distinct = document.segments().iter().filter(|segment| seen.insert(segment.hash));
        let count = |characters: usize| i64::try_from(characters).unwrap_or(i64::MAX);
        Ok(Self {
            title: document.title().map(one_line).filter(|title| !title.is_empty()),
            characters: count(document.characters()),
            hashes: document.segments().iter().map(|segment| segment.hash).collect(),
            segments: distinct
                .map(|segment| Segment {
                    hash: segment.hash,
                    text: segment.text.clone(),
                    characters: count(segment.characters()),
                })
                .collect(),
            sha256: Sha256::digest(&body).into(),
            body,
        })
    }
}

fn unreadable(error: DocumentError) -> ServiceError {
    let DocumentError { message, line, column } = error;
    ServiceError::DocumentUnparseable { message, line, column }
}

/// Puts a title on one line and limits its length: the text of a document may give it several lines and any length.
fn one_line(title: &str) -> String {
    let words = title.split(|character: char| character.is_whitespace() || character.is_control());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    line.chars().take(LONGEST_TITLE).collect()
}

/// Compares the segments of a source with those of the source before, each counted as often as it occurs.
pub(super) fn compare(before: &[SourceHash], now: &[SourceHash]) -> SegmentCounts {
    let mut left: HashMap<SourceHash, u64> = HashMap::new();
    for hash in before {
        *left.entry(*hash).or_default() += 1;
    }
    let mut came = 0;
    for hash in now {
        match left.get_mut(hash) {
            Some(times) if *times > 0 => *times -= 1,
            _ => came += 1,
        }
    }
    let went: u64 = left.values().sum();
    let total = now.len() as u64;
    let changed = u64::min(came, went);
    SegmentCounts { total, new: came - changed, changed, unchanged: total - came, removed: went - changed }
}

#[cfg(test)]
mod tests {
    use l10n_api_types::Content;
    use proptest::prelude::*;

    use super::*;

    fn hashes(texts: &str) -> Vec<SourceHash> {
        texts.chars().map(|text| SourceHash::of(&Content::Text(text.into()))).collect()
    }

    fn counts(before: &str, now: &str) -> [u64; 5] {
        let SegmentCounts { total, new, changed, unchanged, removed } = compare(&hashes(before), &hashes(now));
        [total, new, changed, unchanged, removed]
    }

    #[test]
    fn segments_are_counted_as_often_as_they_occur_wherever_they_stand() {
        assert_eq!(counts("", "abc"), [3, 3, 0, 0, 0]);
        assert_eq!(counts("abc", "cab"), [3, 0, 0, 3, 0]);
        assert_eq!(counts("abc", "axc"), [3, 0, 1, 2, 0]);
        assert_eq!(counts("aab", "abx"), [3, 0, 1, 2, 0]);
        assert_eq!(counts("abc", "a"), [1, 0, 0, 1, 2]);
        assert_eq!(counts("ab", "axyz"), [4, 2, 1, 1, 0]);
    }

    proptest! {
        #[test]
        fn every_segment_is_in_one_class(before in "[a-e]{0,12}", now in "[a-e]{0,12}") {
            let [total, new, changed, unchanged, removed] = counts(&before, &now);
            prop_assert_eq!(total, new + changed + unchanged);
            prop_assert_eq!(before.len() as u64, removed + changed + unchanged);
            prop_assert!(new == 0 || removed == 0);
        }
    }

    #[test]
    fn what_a_document_calls_itself_becomes_one_line() {
        assert_eq!(one_line(" A\n\ttitle\u{7} of  it "), "A title of it");
        assert_eq!(one_line(&"é".repeat(600)).chars().count(), 500);
    }
}

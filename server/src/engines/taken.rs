//! Answers of engines for texts, and whether they are taken.

use l10n_api_types::{Content, Severity};
use l10n_formats::text::checks::{Checker, Facts};

use super::leaf::MaskedLeaf;
use super::pipeline::TranslationFailure;
use super::{BatchItem, TextSegment, UnitError, blanks};

/// The reason why an answer is not taken.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RejectedAnswer {
    /// It may be better when it is asked for once more.
    Again(TranslationFailure),
    /// The engine will not translate it.
    Refused(TranslationFailure),
}

/// The translation that an engine's answer for a text is.
pub(super) fn taken(
    leaf: &MaskedLeaf,
    item: &BatchItem,
    target: &str,
    result: Result<Vec<TextSegment>, UnitError>,
) -> Result<String, RejectedAnswer> {
    let again = |reason: &str| Err(RejectedAnswer::Again(TranslationFailure::Refused(reason.to_owned())));
    let segments = match result {
        Ok(segments) => blanks::put_back(&item.segments, segments, target),
        Err(error @ UnitError::Refused(_)) => {
            return Err(RejectedAnswer::Refused(TranslationFailure::Refused(error.to_string())));
        }
        Err(error @ UnitError::Unusable(_)) => return again(&error.to_string()),
    };
    match leaf.unmask(&segments) {
        None => Err(RejectedAnswer::Again(TranslationFailure::PlaceholdersLost(leaf.text.clone()))),
        Some(text) if text.trim().is_empty() => again("the engine gave an empty translation"),
        // As with all that comes in: PostgreSQL takes no text with it. Other control characters are taken everywhere.
        Some(text) if text.contains('\0') => again("the engine gave a translation with the character NUL"),
        Some(text) => Ok(text),
    }
}

/// The errors that the checks find in a translation, as the reason for which it is asked for once more. Inside a message a text
/// is a part of what is checked, and is not looked at.
pub(super) fn flaw(checker: &Checker, leaf: &MaskedLeaf, item: &BatchItem, text: &str) -> Option<TranslationFailure> {
    if leaf.in_message {
        return None;
    }
    let source = Content::Text(leaf.text.clone());
    let facts = Facts { syntax: leaf.syntax, max_length: item.max_length, in_file: None };
    let issues = checker.check(&source, &Content::Text(text.to_owned()), facts).into_iter();
    let errors = issues.filter(|issue| issue.severity == Severity::Error).map(|issue| issue.message);
    let said: Vec<String> = errors.collect();
    (!said.is_empty())
        .then(|| TranslationFailure::Refused(format!("the translation has an error: {}", said.join("; "))))
}

#[cfg(test)]
mod tests {
    use l10n_formats::text::Syntax;

    use super::*;

    fn answered(text: &str) -> Result<String, RejectedAnswer> {
        let leaf = MaskedLeaf {
            text: "Save".to_owned(),
            in_message: false,
            in_plural: false,
            plural: None,
            syntax: Syntax::Mixed,
        };
        let item = BatchItem::of(leaf.segments());
        taken(&leaf, &item, "de", Ok(vec![TextSegment::Text(text.to_owned())]))
    }

    /// Imports take them, too.
    #[test]
    fn of_control_characters_nul_alone_is_not_taken() {
        let Err(RejectedAnswer::Again(failure)) = answered("Si\0chern") else { panic!("it is asked for once more") };
        assert!(failure.to_string().contains("NUL"), "{failure}");
        for character in (1..0x20).chain([0x7f, 0x85]).filter_map(char::from_u32) {
            let text = format!("Si{character}chern");
            assert_eq!(answered(&text), Ok(text));
        }
    }
}

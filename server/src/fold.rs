//! Folding of texts, so that two that differ only in case or in the composition of accents are the same.

use icu_normalizer::ComposingNormalizerBorrowed;

/// Folds a text: each character to the lower case of its upper case (`ß` is `ss`, `ς` is `σ`), accents composed.
pub(crate) fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let lower: String = text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    ComposingNormalizerBorrowed::new_nfc().normalize(&lower).into_owned()
}

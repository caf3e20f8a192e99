//! Checks that look at many texts together: one source translated in two ways, one translation of two sources.

use std::collections::HashMap;

use l10n_api_types::{Check, Content, Issue, Severity};

/// Fewest words of a text that says one thing wherever it stands.
const WORDS: usize = 3;

/// A text and its translation.
#[derive(Debug, Clone, Copy)]
pub struct TranslationPair<'a> {
    /// The key.
    pub key: &'a str,
    /// The text in the source language.
    pub source: &'a Content,
    /// Its translation.
    pub translation: &'a Content,
}

/// Warnings about texts that are translated differently, or alike, without a reason. Each is given with the place of its text;
/// the first of several is not reported. Short texts say different things in different places and are left out.
#[must_use]
pub fn check_many(texts: &[TranslationPair<'_>]) -> Vec<(usize, Issue)> {
    let mut found = Vec::new();
    let mut by_source: HashMap<&str, (&str, &str)> = HashMap::new();
    let mut by_translation: HashMap<&str, (&str, String)> = HashMap::new();
    for (at, TranslationPair { key, source, translation }) in texts.iter().enumerate() {
        let (Content::Text(source), Content::Text(translation)) = (source, translation) else { continue };
        if source.split_whitespace().count() < WORDS || translation.trim().is_empty() {
            continue;
        }
        let (first, said) = *by_source.entry(source).or_insert((key, translation));
        if said != translation {
            let message = format!("`{first}` has the same source and another translation");
            found.push((at, warning(Check::Inconsistent, message)));
        }
        // What was left as it is, is reported as such.
        let bare = letters(source);
        let (first, other) = by_translation.entry(translation).or_insert_with(|| (key, bare.clone()));
        if *other != bare && source != translation {
            let message = format!("`{first}` has the same translation and another source");
            found.push((at, warning(Check::Reused, message)));
        }
    }
    found
}

/// The letters and digits of a text without case: what differs in nothing else says the same.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn warning(check: Check, message: String) -> Issue {
    Issue { check, severity: Severity::Warning, message, start: None, end: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_translations_of_one_text_and_one_of_two_are_noticed() {
        let texts = [
            ("a", "Open the file", "Datei öffnen"),
            ("b", "Open the file", "Die Datei öffnen"),
            ("c", "Close the file", "Datei öffnen"),
            ("d", "Open the file!", "Datei öffnen"),
            ("e", "Open", "Offen"),
            ("f", "Open", "Öffnen"),
        ];
        let texts: Vec<_> = texts
            .map(|(key, source, said)| (key, Content::Text(source.to_owned()), Content::Text(said.to_owned())))
            .into();
        let texts: Vec<_> =
            texts.iter().map(|(key, source, translation)| TranslationPair { key, source, translation }).collect();
        let found: Vec<_> = check_many(&texts).into_iter().map(|(at, issue)| (texts[at].key, issue.check)).collect();
        assert_eq!(found, [("b", Check::Inconsistent), ("c", Check::Reused)]);
    }
}

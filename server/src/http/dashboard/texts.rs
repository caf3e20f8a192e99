//! The dashboard's own texts: ICU messages from `server/locales`, one file for each language.
//!
//! The pseudo language `en-XA` is made from the English texts by the pseudo engine, so that what was forgotten shows.

use std::collections::HashMap;
use std::sync::LazyLock;

use futures_util::FutureExt as _;
use http::HeaderMap;
use http::header::ACCEPT_LANGUAGE;
use l10n_api_types::Content;
use l10n_api_types::languages::Direction;
use l10n_formats::locales;
use l10n_formats::text::checks::Facts;
use l10n_formats::text::format::{self, MessagePart, Value};
use maud::{Markup, PreEscaped, html};

use crate::engines::Pseudo;
use crate::engines::pipeline::{SourceText, translate_contents};

const BASE: &str = "en";
const PSEUDO: &str = "en-XA";

/// Languages with their files.
const FILES: &[(&str, &str)] = &[(BASE, include_str!("../../../locales/en.json"))];

static LANGUAGES: LazyLock<Vec<LanguageTexts>> = LazyLock::new(|| {
    let mut all: Vec<LanguageTexts> =
        FILES.iter().map(|(language, file)| LanguageTexts::read(language, file)).collect();
    let pseudo = all.first().and_then(LanguageTexts::pseudo);
    all.extend(pseudo);
    all
});

/// The texts in one language.
#[derive(Debug)]
pub(super) struct LanguageTexts {
    /// BCP 47
    pub(super) language: &'static str,
    messages: HashMap<String, String>,
}

/// The languages that there are.
pub(super) fn languages() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|texts| texts.language)
}

/// The name of a language of the dashboard, in itself; what the pseudo language is for.
pub(super) fn name(texts: &LanguageTexts, language: &str) -> String {
    match language {
        BASE => "English".to_owned(),
        PSEUDO => texts.text("account.looks.pseudo", &[]),
        other => other.to_owned(),
    }
}

/// The texts in the language that was chosen, or in the one that the browser likes best of those that there are. The pseudo
/// language has to be chosen.
pub(super) fn of(chosen: Option<&str>, headers: &HeaderMap) -> &'static LanguageTexts {
    let named = |name: &str| LANGUAGES.iter().find(|texts| locales::is_same_tag(texts.language, name));
    let accepted = || {
        let sent = headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?;
        let tags = sent.split(',').take(16).filter_map(|item| item.split(';').next()).map(str::trim);
        tags.flat_map(|tag| [tag, tag.split('-').next().unwrap_or_default()])
            .filter(|tag| !locales::is_same_tag(tag, PSEUDO))
            .find_map(named)
    };
    chosen.and_then(named).or_else(accepted).unwrap_or(&LANGUAGES[0])
}

impl LanguageTexts {
    fn read(language: &'static str, file: &str) -> Self {
        let mut messages = HashMap::new();
        // A test reads every file; one that cannot be read shows its keys.
        let tree = serde_json::from_str(file).unwrap_or_default();
        flatten("", &tree, &mut messages);
        Self { language, messages }
    }

    /// The same texts in the pseudo language. The engine answers at once.
    fn pseudo(&self) -> Option<Self> {
        let (keys, texts): (Vec<_>, Vec<_>) = self.messages.iter().unzip();
        let units: Vec<_> = texts
            .into_iter()
            .map(|text: &String| SourceText {
                content: Content::Text(text.clone()),
                description: None,
                facts: Facts::default(),
            })
            .collect();
        let translated = translate_contents(&Pseudo, self.language, PSEUDO, &units).now_or_never()?.ok()?;
        let messages =
            keys.into_iter().zip(units).zip(translated).map(|((key, unit), translated): ((&String, _), _)| {
                match translated.map_or(unit.content, |translated| translated.content) {
                    Content::Text(text) => (key.clone(), text),
                    Content::Plural(_) => (key.clone(), String::new()),
                }
            });
        Some(Self { language: PSEUDO, messages: messages.collect() })
    }

    /// The direction that the language is written in.
    pub(super) fn direction(&self) -> &'static str {
        match locales::direction(self.language) {
            Direction::Rtl => "rtl",
            _ => "ltr",
        }
    }

    /// Returns true if there is such a text.
    pub(super) fn has(&self, key: &str) -> bool {
        self.messages.contains_key(key)
    }

    /// A text, with values put in. A key without a text is shown in brackets that no text has, which tests look for.
    pub(super) fn text(&self, key: &str, values: &[(&str, Value<'_>)]) -> String {
        match self.messages.get(key) {
            Some(message) => format::format_text(message, self.language, values),
            None => format!("⟦{key}⟧"),
        }
    }

    /// A text with elements in it, such as links or code, by their names.
    pub(super) fn rich(&self, key: &str, values: &[(&str, Value<'_>)], elements: &[(&str, Markup)]) -> Markup {
        let Some(message) = self.messages.get(key) else { return html! { "⟦" (key) "⟧" } };
        let all: Vec<_> =
            values.iter().copied().chain(elements.iter().map(|(name, _)| (*name, Value::Element))).collect();
        let pieces = format::format(message, self.language, &all);
        let empty = PreEscaped(String::new());
        html! {
            @for piece in &pieces {
                @match piece {
                    MessagePart::Text(text) => (text),
                    MessagePart::Element(name) => (elements.iter().find(|(known, _)| known == name).map_or(&empty, |(_, markup)| markup)),
                }
            }
        }
    }

    /// A whole number as the language writes it.
    pub(super) fn number(&self, number: i64) -> String {
        format::number(number, self.language)
    }
}

/// Nested objects become keys with dots. The depth is that of the server's own files.
fn flatten(prefix: &str, tree: &serde_json::Value, messages: &mut HashMap<String, String>) {
    match tree {
        serde_json::Value::Object(members) => {
            for (name, value) in members {
                let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                flatten(&key, value, messages);
            }
        }
        serde_json::Value::String(text) => {
            messages.insert(prefix.to_owned(), text.clone());
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use l10n_formats::text::message;

    use super::*;

    #[test]
    fn every_text_is_a_message_without_faults() {
        for (language, file) in FILES {
            serde_json::from_str::<serde_json::Value>(file).unwrap();
            let texts = LanguageTexts::read(language, file);
            assert!(texts.messages.len() > 50, "{language}");
            for (key, text) in &texts.messages {
                assert!(!text.trim().is_empty(), "{language} {key}");
                message::parse(text).unwrap_or_else(|error| panic!("{language} {key}: {error}"));
            }
        }
    }

    #[test]
    fn the_pseudo_language_has_every_text_and_keeps_its_arguments() {
        let pseudo = LANGUAGES.iter().find(|texts| texts.language == PSEUDO).unwrap();
        assert_eq!(pseudo.messages.len(), LANGUAGES[0].messages.len());
        let text = pseudo.text("common.ago.minutes", &[("n", Value::Number(1_000))]);
        assert!(text.starts_with('[') && text.contains("1,000"), "{text}");
    }

    #[test]
    fn a_browser_gets_a_language_that_there_is_and_the_pseudo_language_only_by_choice() {
        let by = |chosen: Option<&str>, accepted: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_str(accepted).unwrap());
            of(chosen, &headers).language
        };
        assert_eq!(by(None, "xx, en-GB;q=0.8"), "en");
        assert_eq!(by(None, "en-XA"), "en");
        assert_eq!(by(Some("en-XA"), "en"), "en-XA");
        assert_eq!(by(Some("nonsense"), "*"), "en");
    }
}

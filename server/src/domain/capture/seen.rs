//! The keys of a call, checked, each once.

use std::collections::HashMap;
use std::fmt::Write as _;

use l10n_api_types::capture::{CapturedKey, MOST_CAPTURED_KEYS, SeenAt};
use l10n_formats::locales;

use crate::domain::ServiceError;
use crate::domain::run::incoming::{LONGEST_DESCRIPTION, check_ref};

/// Longest text, in bytes.
const LONGEST_TEXT: usize = 10_000;
/// Longest URL of a context, in bytes.
const LONGEST_URL: usize = 2_048;
/// Longest file name of a context, in bytes.
const LONGEST_FILE: usize = 512;

/// A key that an app misses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MissedKey {
    /// Its `ref`.
    pub name: String,
    /// The text that the app shows in its place.
    pub text: Option<String>,
    /// The canonical tag of the text's language, where the call says it.
    pub language: Option<String>,
    at: Option<String>,
}

impl MissedKey {
    /// A note about the key for people and translators: the place where it was missed, and its text if that is no
    /// source text.
    #[must_use]
    pub(crate) fn note(&self, is_source: bool) -> Option<String> {
        let mut note = String::new();
        if let Some(at) = &self.at {
            note.push_str(at);
        }
        if let (Some(text), Some(language), false) = (&self.text, &self.language, is_source) {
            let gap = if note.is_empty() { "" } else { "\n" };
            // Writing into a String does not fail.
            let _ = write!(note, "{gap}Shown in {language}: {text}");
        }
        note.truncate(note.floor_char_boundary(LONGEST_DESCRIPTION));
        (!note.is_empty()).then_some(note)
    }
}

/// Checks the keys of a call. Of those with one ref, the first that has a text is taken.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`], naming the field, such as `keys[3].ref`.
pub(crate) fn read(keys: Vec<CapturedKey>) -> Result<Vec<MissedKey>, ServiceError> {
    if keys.is_empty() || keys.len() > MOST_CAPTURED_KEYS {
        let count = keys.len();
        return Err(invalid(format!(
            "`keys` must have 1 to {MOST_CAPTURED_KEYS} keys, not {count}: split it into several requests"
        )));
    }
    let mut all: Vec<MissedKey> = Vec::with_capacity(keys.len());
    let mut places: HashMap<String, usize> = HashMap::with_capacity(keys.len());
    for (index, key) in keys.into_iter().enumerate() {
        let seen = read_one(key, &format!("keys[{index}]"))?;
        match places.get(&seen.name).and_then(|place| all.get_mut(*place)) {
            Some(first) if first.text.is_none() && seen.text.is_some() => *first = seen,
            Some(_) => {}
            None => {
                places.insert(seen.name.clone(), all.len());
                all.push(seen);
            }
        }
    }
    Ok(all)
}

fn read_one(key: CapturedKey, at: &str) -> Result<MissedKey, ServiceError> {
    check_ref(&key.r#ref, at)?;
    if key.text.as_ref().is_some_and(|text| text.len() > LONGEST_TEXT) {
        return Err(invalid(format!("`{at}.text` must be at most {LONGEST_TEXT} bytes long")));
    }
    let language = key.language.as_ref().map(|code| locales::canonicalize(code.as_str())).transpose();
    let language = language.map_err(|error| invalid(format!("`{at}.language`: {error}")))?;
    let context = key.context.map(|context| place(&context, &format!("{at}.context"))).transpose()?;
    Ok(MissedKey { name: key.r#ref, text: key.text, language, at: context.flatten() })
}

/// The place where the key was missed, for people.
fn place(context: &SeenAt, at: &str) -> Result<Option<String>, ServiceError> {
    check(context.url.as_deref(), LONGEST_URL, &format!("{at}.url"))?;
    check(context.file.as_deref(), LONGEST_FILE, &format!("{at}.file"))?;
    if context.line == Some(0) {
        return Err(invalid(format!("`{at}.line` must be at least 1")));
    }
    let url = context.url.as_deref().map(without_secrets).filter(|url| !url.is_empty());
    let file = context.file.as_deref().filter(|file| !file.is_empty()).map(|file| match context.line {
        Some(line) => format!("{file}:{line}"),
        None => file.to_owned(),
    });
    Ok(match (url, file) {
        (Some(url), Some(file)) => Some(format!("Missed at {url}, in {file}")),
        (Some(url), None) => Some(format!("Missed at {url}")),
        (None, Some(file)) => Some(format!("Missed in {file}")),
        (None, None) => None,
    })
}

fn check(text: Option<&str>, longest: usize, at: &str) -> Result<(), ServiceError> {
    match text {
        Some(text) if text.len() > longest => Err(invalid(format!("`{at}` must be at most {longest} bytes long"))),
        Some(text) if text.chars().any(char::is_control) => {
            Err(invalid(format!("`{at}` must not contain control characters")))
        }
        _ => Ok(()),
    }
}

/// A URL without parts that may be secret: user and password, query, fragment.
fn without_secrets(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (authority, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

fn invalid(message: String) -> ServiceError {
    ServiceError::InvalidArgument(message)
}

#[cfg(test)]
mod tests {
    use l10n_api_types::LanguageCode;

    use super::*;

    fn key(name: &str, text: Option<&str>) -> CapturedKey {
        CapturedKey { r#ref: name.to_owned(), text: text.map(str::to_owned), ..CapturedKey::default() }
    }

    fn note(url: Option<&str>, file: Option<&str>, line: Option<u32>) -> Option<String> {
        let context = SeenAt { url: url.map(str::to_owned), file: file.map(str::to_owned), line };
        let seen = read(vec![CapturedKey { context: Some(context), ..key("a", None) }]).unwrap();
        seen[0].note(true)
    }

    #[test]
    fn a_ref_counts_once_and_the_first_text_speaks_for_it() {
        let seen = read(vec![key("a", None), key("b", Some("B")), key("a", Some("A")), key("a", Some("Z"))]).unwrap();
        let seen: Vec<_> = seen.iter().map(|seen| (seen.name.as_str(), seen.text.as_deref())).collect();
        assert_eq!(seen, [("a", Some("A")), ("b", Some("B"))]);
    }

    #[test]
    fn a_note_says_where_and_holds_no_secret() {
        let url = "https://ann:pw@shop.example:8443/cart/7?token=1#x@y";
        assert_eq!(note(Some(url), None, None).as_deref(), Some("Missed at https://shop.example:8443/cart/7"));
        assert_eq!(note(Some("/cart?t=1"), Some("a.ts"), Some(3)).as_deref(), Some("Missed at /cart, in a.ts:3"));
        assert_eq!(note(None, Some("a.ts"), None).as_deref(), Some("Missed in a.ts"));
        assert_eq!(note(Some("?t=1"), None, Some(3)), None);
        assert_eq!(note(Some("https://user:pw@h"), None, None).as_deref(), Some("Missed at https://h"));
    }

    #[test]
    fn a_text_in_another_language_is_part_of_the_note_and_never_makes_it_too_long() {
        let german = Some(LanguageCode::new("DE"));
        let seen = read(vec![CapturedKey { language: german, ..key("a", Some(&"ä".repeat(5_000))) }]).unwrap();
        assert_eq!(seen[0].language.as_deref(), Some("de"));
        assert_eq!(seen[0].note(true), None);
        let note = seen[0].note(false).unwrap();
        assert!(note.starts_with("Shown in de: ä") && note.len() <= LONGEST_DESCRIPTION, "{}", note.len());
    }

    #[test]
    fn refusals_name_the_field() {
        let refused = |key: CapturedKey| read(vec![self::key("first", None), key]).unwrap_err().to_string();
        let context = |context| CapturedKey { context: Some(context), ..key("a", None) };
        insta::assert_snapshot!(refused(key("", None)), @"`keys[1].ref` must be 1 to 512 bytes long, not 0");
        insta::assert_snapshot!(refused(key("a\n", None)), @"`keys[1].ref` must not contain control characters");
        insta::assert_snapshot!(refused(key("a", Some(&"x".repeat(10_001)))), @"`keys[1].text` must be at most 10000 bytes long");
        insta::assert_snapshot!(refused(CapturedKey { language: Some("english!".into()), ..key("a", None) }), @"`keys[1].language`: `english!` is not a BCP 47 language tag such as de or pt-BR");
        insta::assert_snapshot!(refused(context(SeenAt { line: Some(0), ..SeenAt::default() })), @"`keys[1].context.line` must be at least 1");
        insta::assert_snapshot!(refused(context(SeenAt { url: Some("a\u{7f}".into()), ..SeenAt::default() })), @"`keys[1].context.url` must not contain control characters");
        insta::assert_snapshot!(read(Vec::new()).unwrap_err().to_string(), @"`keys` must have 1 to 500 keys, not 0: split it into several requests");
    }
}

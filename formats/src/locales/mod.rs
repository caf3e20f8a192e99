//! Facts about languages, from ICU4X with the data of CLDR compiled in: canonical tags, names, direction, plurals.

#[cfg(feature = "names")]
mod known;
#[cfg(feature = "names")]
mod names;
mod plurals;

use icu_locale::{LanguageIdentifier, Locale, LocaleCanonicalizer, LocaleDirectionality};
use l10n_api_types::languages::Direction;

#[cfg(feature = "names")]
pub use self::known::{UnknownSubtag, check_known};
#[cfg(feature = "names")]
pub use self::names::name;
pub use self::plurals::{Plurals, plural_categories, source_categories};

/// Longest tag that is read, in bytes.
const LONGEST_TAG: usize = 64;

/// The text is no language tag.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a BCP 47 language tag such as de or pt-BR")]
pub struct LanguageError(String);

/// The canonical form of a tag: `pt_br` → `pt-BR`, `iw` → `he`. Script, region and variants are kept, extensions too.
///
/// # Errors
///
/// Returns an error if it is not a BCP 47 tag with a language: `und` and private use alone name none.
pub fn canonicalize(tag: &str) -> Result<String, LanguageError> {
    let wrong = || LanguageError(tag.chars().take(LONGEST_TAG).collect());
    if tag.len() > LONGEST_TAG {
        return Err(wrong());
    }
    let mut locale: Locale = tag.replace('_', "-").parse().map_err(|_| wrong())?;
    if locale.id.language.is_unknown() {
        return Err(wrong());
    }
    LocaleCanonicalizer::new_extended().canonicalize(&mut locale);
    Ok(locale.to_string())
}

/// Returns true if a text could be a language tag, as paths and tags spell it: `de`, `pt-BR`, `zh_Hant_TW`. The language need
/// not exist.
#[must_use]
pub fn is_tag_like(text: &str) -> bool {
    let mut parts = text.split(['-', '_']);
    let primary = parts.next().unwrap_or_default();
    (2..=3).contains(&primary.len())
        && primary.chars().all(|c| c.is_ascii_alphabetic())
        && parts.all(|part| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// Languages whose code has changed: the code that old files of Android and Java have, and that of today. Each is what
/// [`canonicalize`] makes of it.
const RENAMED: [(&str, &str); 6] =
    [("iw", "he"), ("in", "id"), ("ji", "yi"), ("jw", "jv"), ("mo", "ro"), ("tl", "fil")];

/// Returns true if two spellings are one tag: `pt_br` and `pt-BR`, `iw` and `he`.
#[must_use]
pub fn is_same_tag(a: &str, b: &str) -> bool {
    let split = |tag| {
        let (language, rest) = str::split_at(tag, tag.find(['-', '_']).unwrap_or(tag.len()));
        let renamed = RENAMED.iter().find(|(old, _)| old.eq_ignore_ascii_case(language));
        (renamed.map_or(language, |(_, new)| new), rest)
    };
    let is_same_byte = |(a, b): (u8, u8)| {
        let plain = |byte: u8| if byte == b'_' { b'-' } else { byte.to_ascii_lowercase() };
        plain(a) == plain(b)
    };
    let ((a, a_rest), (b, b_rest)) = (split(a), split(b));
    a.eq_ignore_ascii_case(b) && a_rest.len() == b_rest.len() && a_rest.bytes().zip(b_rest.bytes()).all(is_same_byte)
}

/// The tag as files have it that are older than its language's code: `iw-IL` for `he-IL`; `None` where the code has not
/// changed.
#[must_use]
pub fn old_tag(tag: &str) -> Option<String> {
    let (language, rest) = tag.split_at(tag.find(['-', '_']).unwrap_or(tag.len()));
    let (old, _) = RENAMED.iter().find(|(_, new)| *new == language)?;
    Some(format!("{old}{rest}"))
}

/// The direction that the language is written in; left to right where CLDR does not say.
#[must_use]
pub fn direction(code: &str) -> Direction {
    let directions = LocaleDirectionality::new_extended();
    match code.parse::<LanguageIdentifier>() {
        Ok(id) if directions.is_right_to_left(&id) => Direction::Rtl,
        _ => Direction::Ltr,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_made_canonical_or_refused() {
        let canonical =
            [("pt_br", "pt-BR"), ("DE", "de"), ("zh-hans-cn", "zh-Hans-CN"), ("iw", "he"), ("en-XA", "en-XA")];
        for (tag, expected) in canonical {
            assert_eq!(canonicalize(tag).as_deref(), Ok(expected));
        }
        for wrong in ["", "x", "und", "x-private", "english!", "de DE", "d\u{0}e", "../de", "*", &"x".repeat(10_000)] {
            assert!(canonicalize(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn spellings_of_one_tag_are_one() {
        assert!(is_same_tag("pt_br", "pt-BR"));
        assert!(!is_same_tag("pt", "pt-BR") && !is_same_tag("pt-BR", "pt-PT"));
        assert!(is_same_tag("iw_IL", "he-IL") && is_same_tag("he", "IW") && !is_same_tag("in", "he"));
        for (old, new) in RENAMED {
            assert_eq!(canonicalize(old).as_deref(), Ok(new));
            assert!(is_same_tag(old, new));
        }
        assert_eq!((old_tag("he-IL").as_deref(), old_tag("de")), (Some("iw-IL"), None));
        assert!(is_tag_like("zh-Hant-TW") && is_tag_like("en") && !is_tag_like("english"));
    }

    #[test]
    fn languages_have_a_direction() {
        assert_eq!(direction("ar"), Direction::Rtl);
        assert_eq!(direction("ja"), Direction::Ltr);
    }

    #[test]
    fn the_worst_tags_take_no_more_stack_than_any_other() {
        use crate::small_stack::{filled, on_small_stack};

        on_small_stack(|| {
            for unit in
                ["a", "-", "_", "de-", "a-", "x-", "u-", "u-ca-", "t-", "abcde-", "1994-", "-x-a", "é", "1", "a-a-"]
            {
                for size in [LONGEST_TAG - 8, LONGEST_TAG, 1024 * 1024] {
                    for tag in [
                        filled(size, unit),
                        format!("de-{}", filled(size - 3, unit)),
                        format!("de-x-{}", filled(size - 8, unit)),
                    ] {
                        if let Ok(code) = canonicalize(&tag) {
                            let _ = (direction(&code), Plurals::cardinal(&code).categories());
                            #[cfg(feature = "names")]
                            let _ = name(&code);
                        }
                    }
                }
            }
        });
    }
}

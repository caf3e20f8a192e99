//! Values of flags.

use std::time::Duration;

use l10n_client::api::{LanguageCode, Millicredits};
use l10n_formats::locales::is_tag_like;

/// An amount of credits with up to three decimals.
pub(super) fn credits(text: &str) -> Result<Millicredits, String> {
    let wrong = || "not an amount of credits such as 5 or 0.25".to_owned();
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.chars().all(|c| c.is_ascii_digit());
    if whole.is_empty() || decimals.len() > 3 || !digits(whole) || !digits(decimals) {
        return Err(wrong());
    }
    let whole: i64 = whole.parse().map_err(|_| wrong())?;
    let decimals: i64 = format!("{decimals:0<3}").parse().map_err(|_| wrong())?;
    whole.checked_mul(1_000).and_then(|amount| amount.checked_add(decimals)).map(Millicredits).ok_or_else(wrong)
}

/// A language tag, judged by its form.
pub(super) fn language(text: &str) -> Result<String, String> {
    let text = text.trim();
    if is_tag_like(text) { Ok(text.to_owned()) } else { Err("not a language tag such as de or pt-BR".to_owned()) }
}

/// An idempotency key: 1 to 255 visible ASCII characters.
pub(super) fn idempotency_key(text: &str) -> Result<String, String> {
    if (1..=255).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(text.to_owned())
    } else {
        Err("not a key of 1 to 255 visible ASCII characters".to_owned())
    }
}

/// A span of time: `90`, `90s`, `30m`, `2h`. At most 25 hours, which is longer than every approval.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "not a time such as 90s, 30m or 2h".to_owned();
    let (number, unit) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1),
        Some((at, 'm')) => (&text[..at], 60),
        Some((at, 'h')) => (&text[..at], 3_600),
        _ => (text, 1),
    };
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    let seconds = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit)).ok_or_else(wrong)?;
    match seconds {
        1..=90_000 => Ok(Duration::from_secs(seconds)),
        _ => Err("must be from 1 second to 25 hours".to_owned()),
    }
}

/// The languages of a flag, or `None` for all.
pub(crate) fn language_codes(codes: &[String]) -> Option<Vec<LanguageCode>> {
    (!codes.is_empty()).then(|| codes.iter().map(|code| code.as_str().into()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_up_to_three_decimals() {
        assert_eq!(credits("5"), Ok(Millicredits(5_000)));
        assert_eq!(credits("0.25"), Ok(Millicredits(250)));
        assert_eq!(credits("0"), Ok(Millicredits(0)));
        for wrong in ["", "-1", ".5", "1.2345", "1e3", "99999999999999999999"] {
            assert!(credits(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_key_is_visible_ascii() {
        assert_eq!(idempotency_key("publish-1/2"), Ok("publish-1/2".to_owned()));
        for wrong in ["", "a b", "ä", &"a".repeat(256)] {
            assert!(idempotency_key(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_have_a_unit_or_are_seconds() {
        for (text, seconds) in [("90", 90), ("90s", 90), ("30m", 1_800), ("2h", 7_200), ("25h", 90_000)] {
            assert_eq!(duration(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for wrong in ["", "0", "m", "-1s", "1.5h", "1d", "30 m", "26h", "99999999999999999999s", "5µ"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}

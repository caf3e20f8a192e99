//! Tells bare words that are strings, in YAML 1.1 and 1.2 alike.

/// Words that are values of other kinds, for some readers at least.
const WORDS: [&str; 9] = ["null", "y", "n", "yes", "no", "true", "false", "on", "off"];

/// Returns true for a word in small letters, in capitals, or with one that begins it.
fn is_spelled(text: &str, word: &str) -> bool {
    let is_small = |text: &[u8]| text.iter().all(u8::is_ascii_lowercase);
    text.eq_ignore_ascii_case(word)
        && (is_small(text.as_bytes().get(1..).unwrap_or_default())
            || text.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// Returns true if a plain scalar is a string for every reader: for Psych (Ruby), which reads YAML 1.1 and symbols, and for
/// those that read 1.2.
pub(super) fn is_string(text: &str) -> bool {
    let is_other = text.is_empty()
        || matches!(text, "~" | "=" | "<<")
        || text.starts_with(':')
        || WORDS.iter().any(|word| is_spelled(text, word))
        || is_number(text)
        || is_date(text);
    !is_other
}

/// Returns true for whole numbers, also in groups, with other bases and sixties, and for fractions.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if [".inf", ".nan"].iter().any(|word| digits.eq_ignore_ascii_case(word)) {
        return true;
    }
    for (sign, is_digit) in [
        ("0x", char::is_ascii_hexdigit as fn(&char) -> bool),
        ("0o", char::is_ascii_digit),
        ("0b", char::is_ascii_digit),
    ] {
        if let Some(rest) = digits.strip_prefix(sign) {
            return !rest.is_empty() && rest.chars().all(|c| is_digit(&c) || c == '_');
        }
    }
    let begins = digits.strip_prefix('.').unwrap_or(digits).starts_with(|c: char| c.is_ascii_digit());
    let (mantissa, exponent) = digits.split_once(['e', 'E']).map_or((digits, None), |(a, b)| (a, Some(b)));
    let ends = exponent.is_none_or(|exponent| {
        let rest = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit())
    });
    begins
        && ends
        && mantissa.matches('.').count() < 2
        && mantissa.chars().all(|c| c.is_ascii_digit() || matches!(c, '_' | ',' | '.' | ':'))
}

/// Returns true for what begins as `2001-12-14` and goes on as a time, if at all.
fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let (Some(year), Some(month), Some(rest)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let day = rest.bytes().take_while(u8::is_ascii_digit).count();
    let time = rest.get(day..).unwrap_or_default();
    year.len() == 4
        && is_digits(year)
        && is_digits(month)
        && month.len() <= 2
        && (1..=2).contains(&day)
        && time.chars().all(|c| c.is_ascii_digit() || matches!(c, 'T' | 't' | 'Z' | ' ' | ':' | '.' | '+' | '-'))
}

/// Returns true if a text can stand as it is, without quotes. In doubt it cannot.
pub(super) fn can_be_plain(text: &str, is_flow: bool) -> bool {
    let first = text.chars().next();
    let is_odd = |c: char| c.is_control() || matches!(c, '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{85}');
    let only_numbers = text.contains(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || "+-.,:_eExXoObBtTzZ ".contains(c));
    is_string(text)
        && text.trim() == text
        && !first.is_some_and(|c| "-?:,[]{}#&*!|>'\"%@`=~<.+".contains(c))
        && !text.contains(is_odd)
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && !only_numbers
        && !(is_flow && text.contains([',', '[', ']', '{', '}', ':', '#']))
}

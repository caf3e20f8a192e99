//! Near misses: the results of common mistakes with a secret or a body, and the fix for each.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// A variant of the given value.
#[derive(Debug, Clone)]
pub(super) struct ValueVariant {
    pub(super) bytes: Vec<u8>,
    /// Problem and fix; `None` for the given value itself.
    pub(super) mistake: Option<(&'static str, &'static str)>,
}

impl ValueVariant {
    fn new(bytes: impl Into<Vec<u8>>, problem: &'static str, fix: &'static str) -> Self {
        Self { bytes: bytes.into(), mistake: Some((problem, fix)) }
    }
}

/// The given value and its variants, without consecutive duplicates.
fn distinct(given: &[u8], others: Vec<ValueVariant>) -> Vec<ValueVariant> {
    let mut all = vec![ValueVariant { bytes: given.to_vec(), mistake: None }];
    for other in others {
        if all.iter().all(|known| known.bytes != other.bytes) {
            all.push(other);
        }
    }
    all
}

/// Variants of a secret.
pub(super) fn secrets(given: &str) -> Vec<ValueVariant> {
    let trimmed = given.trim();
    let unquoted = trimmed.trim_matches(['"', '\'']);
    let bare = unquoted.strip_prefix("whsec_").unwrap_or(unquoted);
    let mut others = vec![
        ValueVariant::new(
            trimmed,
            "the secret was given with blanks or a line end around it",
            "trim it when you read it",
        ),
        ValueVariant::new(unquoted, "the secret was given with quotes around it", "remove the quotes"),
        ValueVariant::new(
            format!("whsec_{bare}"),
            "the secret was given without its prefix `whsec_`, which is part of the key",
            "use the whole string that was shown, `whsec_` included",
        ),
        ValueVariant::new(
            bare,
            "it was signed with the secret without its prefix `whsec_`",
            "sign with the whole string, `whsec_` included",
        ),
        ValueVariant::new(
            format!("{unquoted}\n"),
            "it was signed with a line end behind the secret",
            "trim the secret before signing",
        ),
    ];
    let padless = bare.trim_end_matches('=');
    for decoded in [STANDARD_NO_PAD.decode(padless), URL_SAFE_NO_PAD.decode(padless)].into_iter().flatten() {
        others.push(ValueVariant::new(
            decoded,
            "it was signed with the base64-decoded secret",
            "use the text itself as the key, without decoding it",
        ));
    }
    distinct(given.as_bytes(), others)
}

/// Variants of a body.
pub(super) fn bodies(given: &[u8]) -> Vec<ValueVariant> {
    let raw = "keep the bytes as received, and verify them before parsing them";
    let mut others = vec![
        ValueVariant::new(
            trim_end(given),
            "the body was given with a line end that was not sent, as editors and `echo` add it",
            "save the bytes as received: `printf %s` instead of `echo`",
        ),
        ValueVariant::new(
            given.strip_prefix(b"\xef\xbb\xbf").unwrap_or(given),
            "the body was given with a byte order mark that was not sent",
            raw,
        ),
        ValueVariant::new(
            [trim_end(given), b"\n"].concat(),
            "the body was given without the line end that was sent",
            raw,
        ),
        ValueVariant::new(replaced(given), "the line ends of the body were changed", raw),
        ValueVariant::new(
            Vec::new(),
            "it was signed over an empty body",
            "read the body before you sign it: something else may have read it already",
        ),
    ];
    if let Ok(text) = std::str::from_utf8(given) {
        if let Some(minified) = minified(text) {
            let problem = "the body was parsed and serialized again, with other blanks";
            others.push(ValueVariant::new(minified.clone(), problem, raw));
            let problem = "the body was parsed and serialized again, with characters escaped that were sent unescaped";
            others.push(ValueVariant::new(unescaped(&minified), problem, raw));
        }
        if let Ok(serde_json::Value::String(inner)) = serde_json::from_str(text) {
            others.push(ValueVariant::new(inner, "the body is JSON within a JSON string", raw));
        }
        if let Ok(value) = serde_json::from_str::<serde_json::Value>(text) {
            for text in [serde_json::to_string(&value), serde_json::to_string_pretty(&value)].into_iter().flatten() {
                others.push(ValueVariant::new(
                    text,
                    "it was signed over the body after parsing and serializing it again",
                    raw,
                ));
            }
        }
    }
    distinct(given, others)
}

fn trim_end(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    while let [before @ .., b'\r' | b'\n'] = rest {
        rest = before;
    }
    rest
}

fn replaced(bytes: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(bytes).replace("\r\n", "\n").into_bytes()
}

/// JSON without the blanks between its parts; `None` if it is not JSON.
fn minified(json: &str) -> Option<String> {
    serde_json::from_str::<serde::de::IgnoredAny>(json).ok()?;
    let (mut out, mut inside, mut escaped) = (String::with_capacity(json.len()), false, false);
    for c in json.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => inside = !inside,
            ' ' | '\t' | '\r' | '\n' if !inside => continue,
            _ => {}
        }
        out.push(c);
    }
    Some(out)
}

/// JSON whose strings contain non-ASCII characters and slashes unescaped.
fn unescaped(json: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(json.len()), json);
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        // The longest escape is a surrogate pair.
        let length = match rest.as_bytes().get(1) {
            Some(b'u')
                if rest.get(6..8) == Some("\\u") && rest.get(2..3).is_some_and(|c| c.eq_ignore_ascii_case("d")) =>
            {
                12
            }
            Some(b'u') => 6,
            _ => 2,
        };
        let escape = rest.get(..length).unwrap_or(rest);
        let read = serde_json::from_str::<String>(&format!("\"{escape}\"")).ok();
        match read.filter(|text| !text.is_ascii() || text == "/") {
            Some(text) => out.push_str(&text),
            None => out.push_str(escape),
        }
        rest = &rest[escape.len()..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_written_as_compactly_as_can_be() {
        let given = "{ \"a b\" :\n [1, \"\\\" \\u00e9 \\ud83d\\ude00 \\n \\/\"] }";
        let compact = minified(given).unwrap();
        assert_eq!(compact, "{\"a b\":[1,\"\\\" \\u00e9 \\ud83d\\ude00 \\n \\/\"]}");
        assert_eq!(unescaped(&compact), "{\"a b\":[1,\"\\\" é 😀 \\n /\"]}");
        assert_eq!(minified("{"), None);
        assert_eq!(unescaped("\\"), "\\");
        assert_eq!(unescaped("\\u12"), "\\u12");
        assert_eq!(unescaped("\\ud83dä"), "\\ud83dä");
    }

    #[test]
    fn no_reading_is_there_twice() {
        for given in ["whsec_abc", " \"whsec_abc\"\n", "abc", ""] {
            let readings = secrets(given);
            for (index, reading) in readings.iter().enumerate() {
                assert!(readings[..index].iter().all(|other| other.bytes != reading.bytes), "{given:?}");
            }
        }
        assert!(bodies(b"").len() < bodies(b"{ }\r\n").len());
    }
}

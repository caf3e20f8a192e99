//! Entity tags (RFC 9110 §8.8.3, §13.1.2). A file's tag is the SHA-256 of its bytes, in lowercase hex, quoted.

use base16ct::lower::encode as hex;
use http::HeaderValue;

/// Bytes of the tag of a file: its hash in hex, within quotes.
const TAG_BYTES: usize = 2 + 2 * 32;

/// The strong tag of bytes with this SHA-256.
#[must_use]
fn strong(sha256: &[u8; 32]) -> [u8; TAG_BYTES] {
    let mut tag = [b'"'; TAG_BYTES];
    // There is room for all digits.
    let _ = hex(sha256, &mut tag[1..TAG_BYTES - 1]);
    tag
}

/// The entity tag of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EntityTag {
    /// As the header has it.
    pub value: HeaderValue,
    /// True if the client has the bytes already.
    pub is_held: bool,
}

impl EntityTag {
    /// The tag of bytes with this SHA-256, for a client that sent these `If-None-Match` headers.
    #[must_use]
    pub(crate) fn of<'a>(sha256: &[u8; 32], if_none_match: impl IntoIterator<Item = &'a HeaderValue>) -> Self {
        let strong = strong(sha256);
        match held(if_none_match, &strong) {
            Some(value) => Self { value, is_held: true },
            None => Self { value: header_value(&strong), is_held: false },
        }
    }

    /// The weak tag of a compressed form: it is equal in meaning only to the bytes that the strong tag names.
    #[must_use]
    pub(crate) fn weak(&self) -> HeaderValue {
        header_value(&[b"W/", self.value.as_bytes()].concat())
    }
}

/// The tag under which a client holds `strong` already, by its `If-None-Match` headers; `None` when it does not.
///
/// Comparison is weak, as RFC 9110 §13.1.2 asks: a compressed answer bore `W/` before the tag, and a proxy may have put it
/// there. The tag is given back as the client sent it, so that a cache finds its stored answer again; for `*` it is `strong`.
fn held<'a>(if_none_match: impl IntoIterator<Item = &'a HeaderValue>, strong: &[u8]) -> Option<HeaderValue> {
    if_none_match.into_iter().find_map(|header| {
        // Most clients have one tag, the last that they were given.
        if header.as_bytes() == strong {
            return Some(header.clone());
        }
        let text = header.to_str().ok()?;
        if text.trim() == "*" {
            return Some(header_value(strong));
        }
        let found = tags(text).find(|tag| tag.strip_prefix("W/").unwrap_or(tag).as_bytes() == strong)?;
        Some(header_value(found.as_bytes()))
    })
}

/// A tag as a header. All of them are visible ASCII.
fn header_value(tag: &[u8]) -> HeaderValue {
    HeaderValue::from_bytes(tag).unwrap_or_else(|_| HeaderValue::from_static("\"\""))
}

/// The tags of a header, with their `W/`. Reading ends where the header is no list of tags any more.
fn tags(header: &str) -> impl Iterator<Item = &str> {
    let mut rest = header;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        let quote = if rest.starts_with("W/") { 2 } else { 0 };
        let opaque = rest.get(quote..)?.strip_prefix('"')?;
        let end = quote + 1 + opaque.find('"')? + 1;
        let (tag, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(tag)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: [u8; 32] = [0xab; 32];
    /// The tag of this hash, without its quotes.
    const HEX: &str = "abababababababababababababababababababababababababababababababab";

    fn values(headers: &[&str]) -> Vec<HeaderValue> {
        headers.iter().map(|header| HeaderValue::from_str(header).unwrap()).collect()
    }

    fn found(headers: &[&str]) -> Option<String> {
        held(&values(headers), &strong(&HASH)).map(|value| value.to_str().unwrap().to_owned())
    }

    #[test]
    fn a_tag_is_the_quoted_lowercase_hex_of_the_hash() {
        assert_eq!(strong(&HASH), format!("\"{HEX}\"").as_bytes());
    }

    #[test]
    fn a_tag_is_found_in_lists_weak_or_strong_and_by_a_star() {
        let tag = format!("\"{HEX}\"");
        for (header, expected) in [
            (tag.clone(), tag.clone()),
            (format!("W/{tag}"), format!("W/{tag}")),
            (format!("\"x\", W/\"y,z\" ,{tag}"), tag.clone()),
            (format!("\"x\",,\t{tag}"), tag.clone()),
            (" * ".to_owned(), tag.clone()),
        ] {
            assert_eq!(found(&[&header]), Some(expected), "{header}");
        }
        assert_eq!(found(&["\"x\"", &tag]), Some(tag), "in the second of two headers");
    }

    #[test]
    fn an_answer_bears_the_tag_as_the_client_has_it_or_a_strong_one() {
        let (strong, weak) = (format!("\"{HEX}\""), format!("W/\"{HEX}\""));
        for (sent, value, is_held) in [
            (vec![&*weak], &weak, true),
            (vec![&*strong], &strong, true),
            (vec!["\"x\""], &strong, false),
            (vec![], &strong, false),
        ] {
            let tag = EntityTag::of(&HASH, &values(&sent));
            assert_eq!((tag.value.to_str().unwrap(), tag.is_held), (value.as_str(), is_held), "{sent:?}");
        }
        assert_eq!(EntityTag::of(&HASH, &[]).weak(), weak);
    }

    #[test]
    fn nothing_else_is_a_match() {
        for header in [
            String::new(),
            ",".to_owned(),
            HEX.to_owned(),
            format!("\"{}\"", HEX.to_uppercase()),
            format!("\"{}\"", &HEX[1..]),
            format!("\"{HEX}"),
            format!("w/\"{HEX}\""),
            "W/".to_owned(),
            "W".to_owned(),
            format!("\"x\" y, \"{HEX}\""),
            "**".to_owned(),
            "\"*\"".to_owned(),
        ] {
            assert_eq!(found(&[&header]), None, "{header}");
        }
        assert_eq!(found(&[]), None);
    }
}

//! Entity tags (RFC 9110 §8.8.3, §13.1.2). A file's tag is the SHA-256 of its bytes, in lowercase hex, quoted.

use base16ct::lower::encode_string as hex;

/// The strong tag of bytes with this SHA-256.
#[must_use]
fn strong(sha256: &[u8]) -> String {
    format!("\"{}\"", hex(sha256))
}

/// The entity tag of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EntityTag {
    /// As the header has it.
    pub text: String,
    /// True if the client has the bytes already.
    pub is_held: bool,
}

impl EntityTag {
    /// The tag of bytes with this SHA-256, for a client that sent these `If-None-Match` headers.
    #[must_use]
    pub(crate) fn of<'a>(sha256: &[u8], if_none_match: impl IntoIterator<Item = &'a str>) -> Self {
        let strong = strong(sha256);
        match held(if_none_match, &strong) {
            Some(text) => Self { text, is_held: true },
            None => Self { text: strong, is_held: false },
        }
    }
}

/// The tag under which a client holds `strong` already, by its `If-None-Match` headers; `None` when it does not.
///
/// Comparison is weak, as RFC 9110 §13.1.2 asks: a compressed answer bore `W/` before the tag, and a proxy may have put it
/// there. The tag is given back as the client sent it, so that a cache finds its stored answer again; for `*` it is `strong`.
fn held<'a>(if_none_match: impl IntoIterator<Item = &'a str>, strong: &str) -> Option<String> {
    if_none_match.into_iter().find_map(|header| {
        if header.trim() == "*" {
            return Some(strong.to_owned());
        }
        tags(header).find(|tag| tag.strip_prefix("W/").unwrap_or(tag) == strong).map(str::to_owned)
    })
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

    const TAG: &str = "\"ab12\"";

    #[test]
    fn a_tag_is_the_quoted_lowercase_hex_of_the_hash() {
        assert_eq!(strong(&[0xab, 0x02]), "\"ab02\"");
    }

    #[test]
    fn a_tag_is_found_in_lists_weak_or_strong_and_by_a_star() {
        for (header, found) in [
            ("\"ab12\"", "\"ab12\""),
            ("W/\"ab12\"", "W/\"ab12\""),
            ("\"x\", W/\"y,z\" ,\"ab12\"", "\"ab12\""),
            ("\"x\",,\t\"ab12\"", "\"ab12\""),
            (" * ", "\"ab12\""),
        ] {
            assert_eq!(held([header], TAG).as_deref(), Some(found), "{header}");
        }
        assert_eq!(held(["\"x\"", "\"ab12\""], TAG).as_deref(), Some(TAG), "in the second of two headers");
    }

    #[test]
    fn an_answer_bears_the_tag_as_the_client_has_it_or_a_strong_one() {
        let hash = [0xab, 0x12];
        assert_eq!(EntityTag::of(&hash, ["W/\"ab12\""]), EntityTag { text: "W/\"ab12\"".into(), is_held: true });
        assert_eq!(EntityTag::of(&hash, ["\"x\""]), EntityTag { text: TAG.into(), is_held: false });
        assert_eq!(EntityTag::of(&hash, []), EntityTag { text: TAG.into(), is_held: false });
    }

    #[test]
    fn nothing_else_is_a_match() {
        for header in [
            "",
            ",",
            "ab12",
            "\"AB12\"",
            "\"ab1\"",
            "\"ab12",
            "w/\"ab12\"",
            "W/",
            "W",
            "\"x\" y, \"ab12\"",
            "**",
            "\"*\"",
        ] {
            assert_eq!(held([header], TAG), None, "{header}");
        }
        assert_eq!(held([], TAG), None);
    }
}

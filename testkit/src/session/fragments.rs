//! Parts of secrets. Checks send keys that are cut, changed or written in another way; a deployment repeats what it likes. Each
//! word that has a part of a secret in it is replaced as a whole, so that no secret can be put together from a report.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// So many characters in a row of a secret are a part of it.
const PART: usize = 8;

/// Every part of every secret, in lower case, with the placeholder of its secret.
#[derive(Debug, Default)]
pub(super) struct Fragments(HashMap<[u8; PART], String>);

impl Fragments {
    /// Learns the parts of a secret, whose placeholder is `name`.
    pub(super) fn add(&mut self, secret: &str, name: &str) {
        let name = format!("‹part of {}›", name.trim_matches(['‹', '›']));
        for part in parts(secret.as_bytes()) {
            self.0.entry(part).or_insert_with(|| name.clone());
        }
    }

    /// The text with a placeholder in place of each word that holds a part of a secret, as it is or in Base64.
    pub(super) fn redact(&self, text: &str) -> String {
        if self.0.is_empty() {
            return text.to_owned();
        }
        let mut redacted = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(is_of_a_word) {
            let (before, word) = rest.split_at(start);
            let (word, after) = word.split_at(word.find(|one| !is_of_a_word(one)).unwrap_or(word.len()));
            redacted.push_str(before);
            self.word(word, &mut redacted);
            rest = after;
        }
        redacted.push_str(rest);
        redacted
    }

    fn word(&self, word: &str, redacted: &mut String) {
        // Base64 has `/` and `+` in it, which divide words everywhere else.
        let parts = || word.split_inclusive(['/', '+']);
        if parts().any(|part| self.find(part.as_bytes()).is_some()) {
            for part in parts() {
                let end = part.strip_suffix(['/', '+']).map_or("", |name| &part[name.len()..]);
                match self.find(part.as_bytes()) {
                    Some(name) => redacted.extend([name, end]),
                    None => redacted.push_str(part),
                }
            }
        } else {
            redacted.push_str(self.encoded_in(word).unwrap_or(word));
        }
    }

    /// The placeholder for a word that holds a part of a secret in Base64, wherever that begins and ends in it.
    fn encoded_in(&self, word: &str) -> Option<&str> {
        (0..4.min(word.len())).find_map(|start| {
            let word = &word[start..];
            let whole = &word[..word.len() - word.len() % 4];
            let bytes = STANDARD_NO_PAD.decode(whole).or_else(|_| URL_SAFE_NO_PAD.decode(whole)).ok()?;
            self.find(&bytes)
        })
    }

    /// The placeholder for bytes that hold a part of a secret.
    fn find(&self, bytes: &[u8]) -> Option<&str> {
        parts(bytes).find_map(|part| self.0.get(&part)).map(String::as_str)
    }
}

/// Every part of these bytes, in lower case.
fn parts(bytes: &[u8]) -> impl Iterator<Item = [u8; PART]> {
    bytes.array_windows::<PART>().map(|window| window.map(|byte| byte.to_ascii_lowercase()))
}

const fn is_of_a_word(one: char) -> bool {
    one.is_ascii_alphanumeric() || matches!(one, '_' | '-' | '+' | '/')
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    const KEY: &str = "eik_5f1kQ9zP2mX7vB4nT8cL";

    fn redacted(text: &str) -> String {
        let mut fragments = Fragments::default();
        fragments.add(KEY, "‹key›");
        fragments.redact(text)
    }

    #[test]
    fn a_word_with_a_part_of_a_secret_is_replaced_as_a_whole() {
        let (half, changed) = (&KEY[..12], KEY.replace("X7", "aa"));
        assert_eq!(redacted(&format!("key={half}, {changed}!")), "key=‹part of key›, ‹part of key›!");
        assert_eq!(redacted(&format!("/v1/{}/x", KEY.to_uppercase())), "/v1/‹part of key›/x");
        assert_eq!(redacted(&format!("«{}»", &KEY[9..17])), "«‹part of key›»");
        for harmless in ["", "eik_5f1", "é eik_00000000000000 /v1/projects?x=1", "aGVsbG8gd29ybGQ="] {
            assert_eq!(redacted(harmless), harmless);
        }
    }

    #[test]
    fn a_secret_in_base64_is_found_wherever_it_begins() {
        for before in ["", ":", "me:", "key:"] {
            let credentials = STANDARD.encode(format!("{before}{KEY}"));
            assert!(redacted(&format!("Basic {credentials}")).starts_with("Basic ‹part of key›"), "{before}");
            let cut = &credentials[1..credentials.len() - 5];
            assert_eq!(redacted(cut), "‹part of key›", "{before}");
        }
    }
}

//! The API key: sent in one header, never shown.

use std::fmt;

use http::HeaderValue;
use l10n_api_types::API_KEY_PREFIX;
use secrecy::{ExposeSecret as _, SecretString};

use crate::error::ConfigError;

const LONGEST: usize = 256;

/// Replaces the key in an error if a server sent it back.
const SCRUBBED: &str = "[API key]";

/// A key whose form has been checked.
#[derive(Clone)]
pub(crate) struct ApiKey {
    secret: SecretString,
    header: HeaderValue,
}

impl ApiKey {
    /// Parses a key and drops the white space that reading it from a file leaves around it.
    pub(crate) fn parse(secret: &SecretString) -> Result<Self, ConfigError> {
        let key = secret.expose_secret().trim();
        let problem = if key.is_empty() {
            Some("it is empty")
        } else if !key.starts_with(API_KEY_PREFIX) {
            Some("it does not start with `eik_`")
        } else if key.len() == API_KEY_PREFIX.len() {
            Some("nothing follows `eik_`")
        } else if key.len() > LONGEST {
            Some("it is longer than any key")
        } else if !key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-') {
            Some("it holds a character that no key has; was it copied with quotes or a line break?")
        } else {
            None
        };
        if let Some(problem) = problem {
            return Err(ConfigError::ApiKey { problem });
        }
        let mut header = HeaderValue::try_from(format!("Bearer {key}"))
            .map_err(|_| ConfigError::ApiKey { problem: "it cannot be sent in a header" })?;
        header.set_sensitive(true);
        Ok(Self { secret: SecretString::from(key), header })
    }

    /// The value of `Authorization`, marked sensitive.
    pub(crate) fn header(&self) -> HeaderValue {
        self.header.clone()
    }

    /// Removes this key from a text: servers and proxies sometimes send back what they received.
    pub(crate) fn scrub(&self, text: String) -> String {
        let key = self.secret.expose_secret();
        if text.contains(key) { text.replace(key, SCRUBBED) } else { text }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_a_key_is_checked_before_anything_is_sent() {
        for bad in ["", "  ", "eik_", "sk_abc", "eik_a b", "\"eik_abc\"", "eik_a\nb", "eik_ä", &"eik_".repeat(80)] {
            let error = ApiKey::parse(&SecretString::from(bad)).unwrap_err().to_string();
            assert!(bad.trim().len() < 5 || !error.contains(bad.trim()), "the key is in the error: {error}");
        }
        assert!(ApiKey::parse(&SecretString::from(" eik_abc\n")).is_ok());
    }

    #[test]
    fn the_key_is_in_no_debug_output() {
        let key = ApiKey::parse(&SecretString::from("eik_topsecret")).unwrap();
        assert!(!format!("{key:?} {:?}", key.header()).contains("topsecret"));
        assert_eq!(key.scrub("got eik_topsecret!".into()), "got [API key]!");
    }
}

//! A setting that is a secret.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use secrecy::zeroize::Zeroizing;
use serde::{Deserialize, Serialize};

/// The text of a secret setting. `Debug` does not show it; its memory is wiped.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct SecretText(Zeroizing<String>);

impl SecretText {
    /// The text itself.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for SecretText {
    fn from(text: String) -> Self {
        Self(Zeroizing::new(text))
    }
}

impl From<SecretText> for String {
    fn from(secret: SecretText) -> Self {
        secret.0.to_string()
    }
}

impl FromStr for SecretText {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(text.to_owned().into())
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(…)")
    }
}

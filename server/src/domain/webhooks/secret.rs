//! The secret of a webhook.

use secrecy::{ExposeSecret as _, SecretString};

/// Characters of a secret that later reads show (§2).
const HINT: usize = 4;

/// The last four characters.
pub(super) fn hint(secret: &SecretString) -> String {
    let text = secret.expose_secret();
    let begin = text.char_indices().rev().nth(HINT - 1).map_or(0, |(at, _)| at);
    text[begin..].to_owned()
}

//! Makes signature headers: for senders, and for tests of receivers.

use alloc::string::{String, ToString as _};

use crate::key::Key;

/// The signature header of a body sent at `t` (Unix seconds): `t=…` and a `v1=…` for each secret, in their order.
///
/// The newest secret goes first. Without a secret there is no `v1`, and no receiver accepts the header.
///
/// ```
/// use l10n_webhook_verify::{Verifier, sign};
///
/// let header = sign::header(&["whsec_new", "whsec_old"], 1_800_000_000, b"{}");
/// let receiver = Verifier::new("whsec_old")?;
/// assert!(receiver.verify_at(&header, b"{}", 1_800_000_000).is_ok());
/// # Ok::<(), l10n_webhook_verify::SecretError>(())
/// ```
#[must_use]
pub fn header(secrets: &[&str], t: i64, body: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let t = t.to_string();
    let mut header = String::with_capacity(2 + t.len() + secrets.len() * 68);
    header.push_str("t=");
    header.push_str(&t);
    for secret in secrets {
        header.push_str(",v1=");
        for byte in Key::new(secret.as_bytes()).tag(t.as_bytes(), body).into_bytes() {
            header.push(char::from(DIGITS[usize::from(byte >> 4)]));
            header.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    }
    header
}

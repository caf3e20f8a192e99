//! HMAC-SHA256 of the suite's own, so that it does not judge the server by the server's code.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// HMAC-SHA256.
pub(crate) fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    // Every length of key will do.
    Hmac::<Sha256>::new_from_slice(key)
        .map(|mut mac| {
            mac.update(message);
            mac.finalize().into_bytes().to_vec()
        })
        .unwrap_or_default()
}

/// Lowercase hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4231, case 2.
    #[test]
    fn it_is_hmac_sha256() {
        let mac = hex(&hmac(b"Jefe", b"what do ya want for nothing?"));
        assert_eq!(mac, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }
}

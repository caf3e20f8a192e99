//! HMAC-SHA256 of the suite's own, so that it does not judge the server by the server's code, and what is taken for it by
//! mistake.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha1::Sha1;
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

/// HMAC-SHA1.
pub(crate) fn hmac_sha1(key: &[u8], message: &[u8]) -> Vec<u8> {
    Hmac::<Sha1>::new_from_slice(key)
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

/// The bytes of base64, as a lenient decoder reads it; empty where it is none.
pub(crate) fn decoded(text: &str) -> Vec<u8> {
    const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(&STANDARD, LENIENT).decode(text).unwrap_or_default()
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

    /// RFC 2202, case 2.
    #[test]
    fn the_other_is_hmac_sha1() {
        let mac = hex(&hmac_sha1(b"Jefe", b"what do ya want for nothing?"));
        assert_eq!(mac, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
    }

    #[test]
    fn base64_is_read_with_and_without_padding() {
        assert_eq!(decoded("Zm9vYg=="), b"foob");
        assert_eq!(decoded("Zm9vYg"), b"foob");
    }
}

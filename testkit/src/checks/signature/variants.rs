//! Signatures as senders compute them who misread the specification: told apart, so that a failure says what to mend.

use serde_json::Value;

use crate::checks::arrival::Signature;
use crate::mac::{decoded, hex, hmac, hmac_sha1};
use crate::receiver::Delivery;

/// A known mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SignatureMistake {
    NoPrefix,
    Decoded,
    NoTime,
    Compact,
    Pretty,
    Sha1,
    UpperHex,
}

impl SignatureMistake {
    const ALL: [Self; 7] =
        [Self::NoPrefix, Self::Decoded, Self::NoTime, Self::Compact, Self::Pretty, Self::Sha1, Self::UpperHex];

    /// The mistake that explains the signature of a delivery.
    pub(super) fn of(delivery: &Delivery, secret: &str, signature: &Signature) -> Option<Self> {
        let t = signature.t.unwrap_or_default();
        let is = |variant: &Self| signature.values.contains(&variant.value(&delivery.body, secret, t));
        Self::ALL.into_iter().find(is)
    }

    fn value(self, body: &[u8], secret: &str, t: i64) -> String {
        let bare = secret.strip_prefix("whsec_").unwrap_or(secret);
        let message = |body: &[u8]| [format!("{t}.").as_bytes(), body].concat();
        let parsed = || serde_json::from_slice::<Value>(body).unwrap_or_default();
        match self {
            Self::NoPrefix => hex(&hmac(bare.as_bytes(), &message(body))),
            Self::Decoded => hex(&hmac(&decoded(bare), &message(body))),
            Self::NoTime => hex(&hmac(secret.as_bytes(), body)),
            Self::Compact => hex(&hmac(secret.as_bytes(), &message(parsed().to_string().as_bytes()))),
            Self::Pretty => hex(&hmac(secret.as_bytes(), &message(format!("{:#}", parsed()).as_bytes()))),
            Self::Sha1 => hex(&hmac_sha1(secret.as_bytes(), &message(body))),
            Self::UpperHex => hex(&hmac(secret.as_bytes(), &message(body))).to_uppercase(),
        }
    }

    /// For people.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::NoPrefix => "the key without its prefix whsec_",
            Self::Decoded => "the key decoded from base64",
            Self::NoTime => "the body alone, without t and the dot",
            Self::Compact => "the body parsed and written anew",
            Self::Pretty => "the body parsed and written anew, indented",
            Self::Sha1 => "HMAC-SHA1",
            Self::UpperHex => "uppercase hex",
        }
    }
}

//! Errors of secrets, and of a delivery's header, time and signature.

use thiserror::Error;

/// The reason why a delivery is refused. The texts say what to do and never repeat the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The signature header is missing or malformed.
    #[error("the x-service-signature header {0}")]
    Header(HeaderError),
    /// The delivery's time is too far from now.
    #[error(transparent)]
    Time(#[from] TimeError),
    /// Header and time are valid, but no signature matches these bytes under any secret.
    #[error(
        "no signature of the delivery matches: check that the secret is the whole `whsec_…` string of this webhook, \
         and that the body is verified byte for byte as it was received, before anything parses it"
    )]
    Signature,
}

// Not `#[from]`, which makes a source of it: the text says it already.
impl From<HeaderError> for VerifyError {
    fn from(error: HeaderError) -> Self {
        Self::Header(error)
    }
}

/// The problem of a signature header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// There is none, or it is empty.
    #[error("is missing: the request does not come from the service, or a proxy has dropped the header")]
    Missing,
    /// There is more than one header.
    #[error("appears more than once: a delivery has exactly one")]
    Repeated,
    /// Longer than [`MAX_HEADER_BYTES`](crate::MAX_HEADER_BYTES).
    #[error("is longer than {} bytes", crate::MAX_HEADER_BYTES)]
    TooLong,
    /// It contains a blank, a control character or a non-ASCII character.
    #[error("contains a blank or another byte that is not a visible ASCII character")]
    Character,
    /// A part between two commas is not `<scheme>=<value>`.
    #[error("is not a comma-separated list of `<scheme>=<value>`")]
    Part,
    /// No `t=`.
    #[error("has no `t=<unix seconds>`")]
    NoTime,
    /// `t=` twice: libraries disagree about which one counts.
    #[error("has `t=` more than once")]
    RepeatedTime,
    /// `t` is not decimal digits without a sign or leading zeros, below 2⁶³.
    #[error("has a `t` that is not a plain decimal number of seconds")]
    TimeFormat,
    /// No `v1=`; other schemes do not count.
    #[error("has no `v1=<signature>`")]
    NoSignature,
    /// No `v1` is 64 lower-case hexadecimal digits.
    #[error("has a `v1` that is not 64 lower-case hexadecimal digits")]
    SignatureFormat,
    /// There are more than [`MAX_SIGNATURES`](crate::MAX_SIGNATURES) `v1`.
    #[error("has more than {} signatures", crate::MAX_SIGNATURES)]
    TooManySignatures,
}

/// The distance between a delivery's time and the receiver's, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TimeError {
    /// Signed more than the tolerance ago.
    #[error(
        "the delivery was signed {age} s ago and {tolerance} s are allowed: it has been held up or replayed, \
         or the clock of this machine is fast"
    )]
    TooOld {
        /// Seconds since it was signed.
        age: u64,
        /// Allowed seconds.
        tolerance: u64,
    },
    /// Signed more than the tolerance ahead of now.
    #[error(
        "the delivery was signed {ahead} s from now and {tolerance} s are allowed: \
         the clock of this machine is slow, or that of the sender fast"
    )]
    TooNew {
        /// Seconds until the signed time.
        ahead: u64,
        /// Allowed seconds.
        tolerance: u64,
    },
}

/// The reason why a secret is not valid. The texts never repeat it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SecretError {
    /// It is empty: anyone who knows that could sign.
    #[error("the webhook secret is empty: check that its setting exists")]
    Empty,
    /// It contains blanks or line ends, often the last one of a file.
    #[error("the webhook secret contains blanks or line ends: trim it")]
    Blank,
    /// It does not start with `whsec_`.
    #[error("the webhook secret does not start with `whsec_`: use the whole string that the service showed")]
    Prefix,
    /// More than [`MAX_SECRETS`](crate::MAX_SECRETS).
    #[error("more than {} webhook secrets: keep one verifier for each webhook", crate::MAX_SECRETS)]
    TooMany,
}

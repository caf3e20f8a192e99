//! What can be wrong: with a secret, or with one of a delivery's header, time and signature.

use thiserror::Error;

/// Why a delivery is refused. Texts say what to do, and never repeat what was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The signature header is missing, or none that the service writes.
    #[error("the x-service-signature header {0}")]
    Header(#[from] HeaderError),
    /// The delivery was signed too far from now.
    #[error(transparent)]
    Time(#[from] TimeError),
    /// Header and time are fine, but no signature is that of these bytes under one of the secrets.
    #[error(
        "no signature of the delivery matches: see that the secret is the whole `whsec_…` string of this webhook, \
         and that the body is verified byte for byte as it was received, before anything parses it"
    )]
    Signature,
}

/// What is wrong with the signature header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// There is none, or it is empty.
    #[error("is missing: the request does not come from the service, or a proxy has dropped the header")]
    Missing,
    /// There is more than one.
    #[error("is there more than once: a delivery has exactly one")]
    Repeated,
    /// Longer than [`MAX_HEADER_BYTES`](crate::MAX_HEADER_BYTES).
    #[error("is longer than {} bytes", crate::MAX_HEADER_BYTES)]
    TooLong,
    /// It holds a blank, a control character or something outside ASCII.
    #[error("holds a blank or another byte that is no visible ASCII character")]
    Character,
    /// A part between two commas is not `<scheme>=<value>`.
    #[error("is not a list of `<scheme>=<value>` with commas between")]
    Part,
    /// No `t=`.
    #[error("has no `t=<unix seconds>`")]
    NoTime,
    /// `t=` twice: libraries disagree about which one counts.
    #[error("has `t=` more than once")]
    RepeatedTime,
    /// `t` is not decimal digits without a sign or leading zeros, below 2⁶³.
    #[error("has a `t` that is no plain decimal number of seconds")]
    TimeFormat,
    /// No `v1=`; other schemes do not count.
    #[error("has no `v1=<signature>`")]
    NoSignature,
    /// No `v1` is 64 lower-case hexadecimal digits.
    #[error("has a `v1` that is not 64 lower-case hexadecimal digits")]
    SignatureFormat,
    /// More than [`MAX_SIGNATURES`](crate::MAX_SIGNATURES) `v1`.
    #[error("has more than {} signatures", crate::MAX_SIGNATURES)]
    TooManySignatures,
}

/// How far a delivery's time is from the receiver's, in seconds.
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
        /// Seconds that are allowed.
        tolerance: u64,
    },
    /// Signed more than the tolerance ahead of now.
    #[error(
        "the delivery was signed {ahead} s from now and {tolerance} s are allowed: \
         the clock of this machine is slow, or that of the sender fast"
    )]
    TooNew {
        /// Seconds until the time that it names.
        ahead: u64,
        /// Seconds that are allowed.
        tolerance: u64,
    },
}

/// Why a secret is none. Texts never repeat it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SecretError {
    /// It is empty: whoever knows that could sign.
    #[error("the webhook secret is empty: see that the setting it comes from is there")]
    Empty,
    /// It holds blanks or line ends, mostly the last one of a file.
    #[error("the webhook secret holds blanks or line ends: trim what it was read from")]
    Blank,
    /// It does not start with `whsec_`.
    #[error("the webhook secret does not start with `whsec_`: give the whole string that the service showed")]
    Prefix,
    /// More than [`MAX_SECRETS`](crate::MAX_SECRETS).
    #[error("more than {} webhook secrets: keep one verifier for each webhook", crate::MAX_SECRETS)]
    TooMany,
}

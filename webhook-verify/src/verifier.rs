//! The verifier: secrets, tolerance and clock, and the one decision.

use core::time::Duration;

use subtle::{Choice, ConstantTimeEq as _};

use crate::header::Signatures;
use crate::key::{Key, Tag};
use crate::{SecretError, TimeError, VerifyError};

/// How far a delivery's time may be from the receiver's, in both directions (§6, §8).
pub const DEFAULT_TOLERANCE: Duration = Duration::from_secs(300);

/// Most secrets of one verifier. A webhook has one, and two in the 24 hours after a rotation.
pub const MAX_SECRETS: usize = 8;

/// Decides whether a delivery comes from the service. Made once, used for every request.
#[derive(Debug, Clone)]
pub struct Verifier {
    keys: [Option<Key>; MAX_SECRETS],
    /// Whole seconds.
    tolerance: u64,
}

/// A delivery that has been verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// When the attempt was signed, in Unix seconds.
    pub time: i64,
    /// Which of the verifier's secrets has signed, counted from 0 in the order they were given.
    pub secret: usize,
}

impl Verifier {
    /// A verifier for one webhook: `secret` is the whole `whsec_…` string that creating or rotating it showed.
    ///
    /// # Errors
    ///
    /// [`SecretError`], when it cannot be such a string.
    pub fn new(secret: impl AsRef<str>) -> Result<Self, SecretError> {
        Self { keys: [const { None }; MAX_SECRETS], tolerance: DEFAULT_TOLERANCE.as_secs() }.or_secret(secret)
    }

    /// Accepts what this secret has signed too.
    ///
    /// # Errors
    ///
    /// [`SecretError`], when it cannot be a secret, or there are [`MAX_SECRETS`] already.
    pub fn or_secret(mut self, secret: impl AsRef<str>) -> Result<Self, SecretError> {
        let secret = secret.as_ref();
        if secret.is_empty() {
            return Err(SecretError::Empty);
        }
        if secret.contains(char::is_whitespace) {
            return Err(SecretError::Blank);
        }
        if !secret.starts_with("whsec_") {
            return Err(SecretError::Prefix);
        }
        let free = self.keys.iter_mut().find(|key| key.is_none()).ok_or(SecretError::TooMany)?;
        *free = Some(Key::new(secret.as_bytes()));
        Ok(self)
    }

    /// Allows a delivery's time to be this far from now in both directions, in whole seconds, instead of
    /// [`DEFAULT_TOLERANCE`].
    #[must_use]
    pub fn tolerance(mut self, tolerance: Duration) -> Self {
        self.tolerance = tolerance.as_secs();
        self
    }

    /// Verifies a delivery that is received at `now` (Unix seconds). `body` is what was received, byte for byte.
    ///
    /// # Errors
    ///
    /// [`VerifyError`], which says whether header, time or signature is wrong, in this order.
    pub fn verify_at(
        &self,
        header: impl AsRef<[u8]>,
        body: impl AsRef<[u8]>,
        now: i64,
    ) -> Result<Verified, VerifyError> {
        let signatures = Signatures::parse(header.as_ref())?;
        let (time, tolerance) = (signatures.time, self.tolerance);
        if time.abs_diff(now) > tolerance {
            let away = time.abs_diff(now);
            Err(if time < now {
                TimeError::TooOld { age: away, tolerance }
            } else {
                TimeError::TooNew { ahead: away, tolerance }
            })?;
        }
        self.keys
            .iter()
            .flatten()
            .position(|key| any_is(&key.tag(signatures.written, body.as_ref()), signatures.tags()))
            .map(|secret| Verified { time, secret })
            .ok_or(VerifyError::Signature)
    }

    /// Verifies a delivery that is received now. `body` is what was received, byte for byte.
    ///
    /// # Errors
    ///
    /// [`VerifyError`], which says whether header, time or signature is wrong, in this order.
    #[cfg(feature = "std")]
    pub fn verify(&self, header: impl AsRef<[u8]>, body: impl AsRef<[u8]>) -> Result<Verified, VerifyError> {
        self.verify_at(header, body, crate::clock::system())
    }
}

/// Compares with each one to its end: the time taken tells nothing about the right tag.
fn any_is(right: &Tag, tags: &[Tag]) -> bool {
    tags.iter().fold(Choice::from(0), |any, tag| any | right.ct_eq(tag)).into()
}

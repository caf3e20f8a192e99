//! The verifier: secrets, tolerance and clock.

use core::time::Duration;

#[cfg(feature = "std")]
use crate::clock::Clock;
use crate::header::Signatures;
use crate::key::Key;
use crate::{SecretError, TimeError, VerifyError};

/// Default limit for the distance of a delivery's time from the receiver's, in both directions (§6, §8).
pub const DEFAULT_TOLERANCE: Duration = Duration::from_secs(300);

/// Most secrets of one verifier. A webhook has one, and two in the 24 hours after a rotation.
pub const MAX_SECRETS: usize = 8;

/// Decides if a delivery comes from the service. Make it once and use it for every request.
///
/// Verifying allocates nothing, cannot panic, and takes time that depends on the lengths of header and body and on the
/// number of secrets, not on how much of a signature is right.
///
/// ```
/// use l10n_webhook_verify::Verifier;
///
/// // While a webhook's secret is rotated: what the old one signs is accepted too, until it is taken out here.
/// let verifier = Verifier::new("whsec_new")?.or_secret("whsec_old")?;
/// # Ok::<(), l10n_webhook_verify::SecretError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Verifier {
    keys: [Option<Key>; MAX_SECRETS],
    /// Whole seconds.
    tolerance: u64,
    #[cfg(feature = "std")]
    clock: Clock,
}

/// A delivery that has been verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// The time at which the attempt was signed, in Unix seconds.
    pub time: i64,
    /// The index of the verifier's secret that matched, in the order in which they were given.
    pub secret: usize,
}

impl Verifier {
    /// A verifier for one webhook. `secret` is the whole `whsec_…` string that creating the webhook or rotating its
    /// secret showed.
    ///
    /// # Errors
    ///
    /// [`SecretError`] if it is not such a string.
    pub fn new(secret: impl AsRef<str>) -> Result<Self, SecretError> {
        let none = Self {
            keys: [const { None }; MAX_SECRETS],
            tolerance: DEFAULT_TOLERANCE.as_secs(),
            #[cfg(feature = "std")]
            clock: Clock::default(),
        };
        none.or_secret(secret)
    }

    /// Also accepts signatures of this secret. Each further secret costs another pass over the body if those before it
    /// do not match.
    ///
    /// # Errors
    ///
    /// [`SecretError`] if it is not a valid secret, or if there are [`MAX_SECRETS`] already.
    pub fn or_secret(mut self, secret: impl AsRef<str>) -> Result<Self, SecretError> {
        let secret = secret.as_ref();
        if secret.is_empty() {
            return Err(SecretError::Empty);
        }
        if secret.contains(char::is_whitespace) {
            return Err(SecretError::Blank);
        }
        if secret.strip_prefix("whsec_").unwrap_or_default().is_empty() {
            return Err(SecretError::Prefix);
        }
        let free = self.keys.iter_mut().find(|key| key.is_none()).ok_or(SecretError::TooMany)?;
        *free = Some(Key::new(secret.as_bytes()));
        Ok(self)
    }

    /// Sets the largest distance of a delivery's time from now, in both directions and in whole seconds, instead of
    /// [`DEFAULT_TOLERANCE`].
    #[must_use]
    pub fn tolerance(mut self, tolerance: Duration) -> Self {
        self.tolerance = tolerance.as_secs();
        self
    }

    /// Takes the time from this function (Unix seconds) instead of the system's clock.
    ///
    /// ```
    /// use l10n_webhook_verify::Verifier;
    ///
    /// let verifier = Verifier::new("whsec_1")?.clock(|| 1_800_000_000);
    /// # Ok::<(), l10n_webhook_verify::SecretError>(())
    /// ```
    #[cfg(feature = "std")]
    #[must_use]
    pub fn clock(mut self, now: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        self.clock = Clock::from_fn(now);
        self
    }

    /// Verifies a delivery that arrives now. `header` is the value of [`SIGNATURE_HEADER`](crate::SIGNATURE_HEADER),
    /// `body` the received bytes.
    ///
    /// # Errors
    ///
    /// [`VerifyError`], which says whether header, time or signature is wrong, in this order.
    #[cfg(feature = "std")]
    pub fn verify(&self, header: impl AsRef<[u8]>, body: impl AsRef<[u8]>) -> Result<Verified, VerifyError> {
        self.verify_at(header, body, self.clock.now())
    }

    /// Verifies a delivery that arrives at `now` (Unix seconds), like [`verify`](Self::verify).
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
        self.signed(&self.admit(header.as_ref(), now)?, body.as_ref())
    }

    /// Checks the parts that need no body: the header's grammar and its time.
    pub(crate) fn admit<'h>(&self, header: &'h [u8], now: i64) -> Result<Signatures<'h>, VerifyError> {
        let signatures = Signatures::parse(header)?;
        let (away, tolerance) = (signatures.time.abs_diff(now), self.tolerance);
        if away <= tolerance {
            Ok(signatures)
        } else if signatures.time < now {
            Err(TimeError::TooOld { age: away, tolerance }.into())
        } else {
            Err(TimeError::TooNew { ahead: away, tolerance }.into())
        }
    }

    /// Finds the secret that has signed these bytes.
    pub(crate) fn signed(&self, signatures: &Signatures<'_>, body: &[u8]) -> Result<Verified, VerifyError> {
        self.keys
            .iter()
            .flatten()
            .position(|key| key.tag(signatures.written, body).is_any_of(signatures.all()))
            .map(|secret| Verified { time: signatures.time, secret })
            .ok_or(VerifyError::Signature)
    }

    #[cfg(feature = "http")]
    pub(crate) fn now(&self) -> i64 {
        self.clock.now()
    }
}

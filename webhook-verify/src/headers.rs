//! Deliveries as requests of the `http` crate.

use http::HeaderMap;

use crate::header::Signatures;
use crate::{HeaderError, SIGNATURE_HEADER, Verified, Verifier, VerifyError};

impl Verifier {
    /// Verifies a delivery that is received now, with all the headers of its request.
    ///
    /// # Errors
    ///
    /// [`VerifyError`], which says whether header, time or signature is wrong, in this order. A second signature header
    /// is an error, too: readers would disagree about which one counts.
    pub fn verify_request(&self, headers: &HeaderMap, body: impl AsRef<[u8]>) -> Result<Verified, VerifyError> {
        self.verify_request_at(headers, body, self.now())
    }

    /// Verifies a delivery that is received at `now` (Unix seconds), as [`verify_request`](Self::verify_request) does.
    ///
    /// # Errors
    ///
    /// The errors of [`verify_request`](Self::verify_request).
    pub fn verify_request_at(
        &self,
        headers: &HeaderMap,
        body: impl AsRef<[u8]>,
        now: i64,
    ) -> Result<Verified, VerifyError> {
        self.signed(&self.admit_request(headers, now)?, body.as_ref())
    }

    pub(crate) fn admit_request<'h>(&self, headers: &'h HeaderMap, now: i64) -> Result<Signatures<'h>, VerifyError> {
        let mut values = headers.get_all(SIGNATURE_HEADER).iter();
        let header = values.next().ok_or(HeaderError::Missing)?;
        if values.next().is_some() {
            return Err(HeaderError::Repeated.into());
        }
        self.admit(header.as_bytes(), now)
    }
}

//! What one call may ask for, and what its answer says beside its body.

use std::time::Duration;

/// Options of one call, for [`Client::call_with`](crate::Client::call_with).
///
/// ```
/// use l10n_client::CallOptions;
///
/// let options = CallOptions::default().correlation_id("deploy-1234.sync-en");
/// # let _ = options;
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CallOptions {
    pub(crate) correlation_id: Option<String>,
    pub(crate) extra_time: Duration,
}

impl CallOptions {
    /// The call's `x-correlation-id`, in place of a random one: 1 to 128 of `A-Za-z0-9._-`. Never the same for two
    /// calls: a write is found by it later.
    #[must_use]
    pub fn correlation_id(mut self, id: impl Into<String>) -> Self {
        self.correlation_id = Some(id.into());
        self
    }

    /// Time on top of the client's request and total timeouts, for an answer that the server is asked to hold back.
    #[must_use]
    pub fn extra_time(mut self, time: Duration) -> Self {
        self.extra_time = time;
        self
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reply<T> {
    /// Its body.
    pub value: T,
    /// HTTP status: 202 rather than 200 where work was queued.
    pub status: u16,
    /// The call's `x-correlation-id`, as the server answered it.
    pub correlation_id: String,
    /// `ETag` of the body.
    pub etag: Option<String>,
}

//! Options of one call, and the answer's status and headers.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

/// Options of a call, for [`Client::call_with`](crate::Client::call_with) and [`Project::with`](crate::Project::with).
///
/// ```
/// use l10n_client::CallOptions;
///
/// let options = CallOptions::default().correlation_id("deploy-1234.publish").idempotency_key("deploy-1234");
/// # let _ = options;
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CallOptions {
    pub(crate) correlation_id: Option<String>,
    pub(crate) idempotency: Idempotency,
    pub(crate) extra_time: Duration,
    pub(crate) canceled: Option<CancellationToken>,
}

/// The `idempotency-key` header of a call.
#[derive(Debug, Clone, Default)]
pub(crate) enum Idempotency {
    /// No header.
    #[default]
    Off,
    /// The application's own key.
    Key(String),
    /// A random key for each call.
    PerCall,
}

impl CallOptions {
    /// Sets the call's `x-correlation-id`, in place of a random one: 1 to 128 of `A-Za-z0-9._-`, of which the first is no dot.
    /// Never use the same id for two calls: it finds a write later ([`Project::outcome_of`](crate::Project::outcome_of)).
    ///
    /// If a write is resent although an earlier request may have been carried out, the next request has the id with
    /// `.2` appended, then `.3` and so on: each has a receipt of its own.
    #[must_use]
    pub fn correlation_id(mut self, id: impl Into<String>) -> Self {
        self.correlation_id = Some(id.into());
        self
    }

    /// Sets the call's `idempotency-key`: 1 to 255 visible ASCII characters, best a UUID. The server carries out one
    /// request with this key and gives its answer to every other one, for 24 hours and across processes.
    ///
    /// Sent only with writes, not with reads and dry runs. A write with a key is resent in cases in which it could not
    /// be without ([`Resend::Keyed`](crate::Resend::Keyed)). This is safe only with a server that supports the header.
    #[must_use]
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.idempotency = Idempotency::Key(key.into());
        self
    }

    /// Like [`idempotency_key`](Self::idempotency_key), with a random key for each call: retries of one call are done
    /// once, two calls are done twice.
    #[must_use]
    pub fn idempotent(mut self) -> Self {
        self.idempotency = Idempotency::PerCall;
        self
    }

    /// Adds time to the client's request and total timeouts, for an answer that the server delays on request.
    #[must_use]
    pub fn extra_time(mut self, time: Duration) -> Self {
        self.extra_time = time;
        self
    }

    /// Sets a token that cancels the call. Once it is canceled, no request is sent: a call fails at once
    /// ([`Error::Canceled`](crate::Error::Canceled)), and so does a wait that pauses between polls; a call that pauses
    /// before a retry fails with the error of its last request. A request that is under way is brought to its end, since the
    /// server may carry it out in any case.
    #[must_use]
    pub fn canceled_by(mut self, token: CancellationToken) -> Self {
        self.canceled = Some(token);
        self
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reply<T> {
    /// Its body.
    pub value: T,
    /// HTTP status: 202 rather than 200 if work was queued.
    pub status: u16,
    /// The call's `x-correlation-id` from the answer.
    pub correlation_id: String,
    /// `ETag` of the body.
    pub etag: Option<String>,
    /// True if an earlier request with the same `idempotency-key` was carried out and this is its answer again.
    pub replayed: bool,
}

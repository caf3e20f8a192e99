//! What one call may ask for, and what its answer says beside its body.

use std::time::Duration;

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
}

/// What goes into `idempotency-key`.
#[derive(Debug, Clone, Default)]
pub(crate) enum Idempotency {
    /// Nothing.
    #[default]
    Off,
    /// The application's own.
    Key(String),
    /// A random one for each call.
    PerCall,
}

impl CallOptions {
    /// The call's `x-correlation-id`, in place of a random one: 1 to 128 of `A-Za-z0-9._-`. Never the same for two
    /// calls: a write is found by it later ([`Project::outcome_of`](crate::Project::outcome_of)).
    ///
    /// Where a write is sent again although the request before may have been carried out, that next request carries the
    /// id with `.2` behind it, then `.3` and so on: each has a receipt of its own.
    #[must_use]
    pub fn correlation_id(mut self, id: impl Into<String>) -> Self {
        self.correlation_id = Some(id.into());
        self
    }

    /// The call's `idempotency-key`: 1 to 255 visible ASCII characters, best a UUID. The server carries out one request
    /// with it and answers every other, for 24 hours and also to another process, as it answered that one.
    ///
    /// Sent with writes alone, not with reads and dry runs. A write that has it is sent again where it could not be
    /// without ([`Resend::Keyed`](crate::Resend::Keyed)), which is safe with a server that knows the header alone.
    #[must_use]
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.idempotency = Idempotency::Key(key.into());
        self
    }

    /// As [`idempotency_key`](Self::idempotency_key), with a random key for each call: what one call sends again is done
    /// once; two calls are two.
    #[must_use]
    pub fn idempotent(mut self) -> Self {
        self.idempotency = Idempotency::PerCall;
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
    /// Whether an earlier request with the same `idempotency-key` was carried out, and this is its answer once more.
    pub replayed: bool,
}

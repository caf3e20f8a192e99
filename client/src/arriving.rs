//! The body of an answer that is read as it arrives.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use tokio::time::Instant;

use crate::error::{DecodeError, Result, TransportError};
use crate::exchange::Incoming;
use crate::inner::Inner;
use crate::resend::Resend;
use crate::transport::{TransportBody, until};

/// A body on its way. It may be of any length, and take any time as long as bytes keep coming.
pub(crate) struct Arriving {
    inner: Arc<Inner>,
    resend: Resend,
    head: Incoming,
    body: TransportBody,
}

impl Arriving {
    /// Takes the body that `head` left unread.
    pub(crate) fn new(inner: Arc<Inner>, resend: Resend, mut head: Incoming) -> Self {
        let body = head.unread.take().unwrap_or_default();
        Self { inner, resend, head, body }
    }

    /// Returns the next bytes; `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>> {
        let end = Instant::now().checked_add(self.inner.request_timeout);
        let read = async {
            while let Some(frame) = self.body.frame().await {
                match frame?.into_data() {
                    Ok(bytes) if !bytes.is_empty() => return Ok(Some(bytes)),
                    _ => {}
                }
            }
            Ok(None)
        };
        until(end, read).await.map_err(|error| {
            let (base_url, id) = (self.inner.base_url.to_string(), self.head.correlation_id.clone());
            TransportError::read(self.head.endpoint, self.resend, base_url, id, error).into()
        })
    }

    /// The error for a body that is not as it should be.
    pub(crate) fn not_as_declared(&self, problem: impl Into<String>) -> DecodeError {
        self.head.not_as_declared(problem)
    }
}

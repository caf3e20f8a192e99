//! Requests that the client no longer wants: by a notification, or by closing the stream of the answer.

use std::future::Future;

use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};

/// Breaks work off when the client no longer wants its result. For reads alone: a write that was sent is brought to its end.
pub(crate) async fn unless_canceled<T>(
    context: &RequestContext<RoleServer>,
    work: impl Future<Output = Result<T, ErrorData>>,
) -> Result<T, ErrorData> {
    tokio::select! {
        answer = work => answer,
        // Nobody reads it.
        () = context.ct.cancelled() => Err(ErrorData::internal_error("the client canceled the request", None)),
    }
}

//! A request whose answer is read, for URLs that the operator states: on a connection of its own, to a size.

use std::pin::pin;

use bytes::{Bytes, BytesMut};
use http::{Request, Response, Uri, header};
use http_body::Body as _;
use http_body_util::Full;
use l10n_api_types::deliveries::DeliveryErrorKind;
use tokio::time::{Instant, timeout_at};

use super::failure::SendFailure;
use super::target::Target;
use super::{Egress, attempt};

impl Egress {
    /// Sends a request to a target, whose path replaces the request's, and reads the answer to its end: at most `most` bytes,
    /// within the time that opening and answering may take.
    ///
    /// # Errors
    ///
    /// Returns a failure if the target may not or cannot be reached, or if the answer is late or too large.
    pub(crate) async fn fetch(
        &self,
        target: &Target,
        request: Request<Bytes>,
        most: usize,
    ) -> Result<Response<Bytes>, SendFailure> {
        let parts = &self.0;
        let open_by = Instant::now() + parts.timeouts.open;
        let addresses = parts.addresses(target, open_by).await?;
        let mut connection = parts.open(target, &addresses, open_by).await?;
        let mut request = request.map(Full::new);
        request.headers_mut().insert(header::HOST, target.host_header.clone());
        *request.uri_mut() = Uri::from(target.path.clone());
        let answer_by = Instant::now() + parts.timeouts.answer;
        let exchange = async {
            let answer = attempt::answer(&mut connection, request).await?;
            let (head, body) = answer.into_parts();
            let mut body = pin!(body);
            let mut read = BytesMut::new();
            loop {
                let frame = std::future::poll_fn(|cx| body.as_mut().poll_frame(cx));
                let Some(frame) = attempt::drive(&mut connection.driver, frame).await else { break };
                let frame = frame.map_err(|error| SendFailure::exchanging(&error))?;
                let Some(data) = frame.data_ref() else { continue };
                if read.len() + data.len() > most {
                    return Err(too_large(most));
                }
                read.extend_from_slice(data);
            }
            Ok(Response::from_parts(head, read.freeze()))
        };
        timeout_at(answer_by, exchange).await.map_err(|_| SendFailure::response_timeout(parts.timeouts.answer))?
    }
}

fn too_large(most: usize) -> SendFailure {
    SendFailure::new(DeliveryErrorKind::Network, format!("the answer is larger than {most} bytes."))
}

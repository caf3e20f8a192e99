//! The HTTP client of sign-ins: the server's own way out.

use bytes::Bytes;
use futures_util::future::BoxFuture;
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};

use crate::egress::Egress;

/// Most bytes of an answer of the provider.
const LARGEST_ANSWER: usize = 256 * 1024;

/// Asks the provider.
pub(super) struct ProviderClient(pub(super) Egress);

/// The reason why the provider has not answered, for the log.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct NoAnswer(String);

impl<'c> AsyncHttpClient<'c> for ProviderClient {
    type Error = NoAnswer;
    type Future = BoxFuture<'c, Result<HttpResponse, NoAnswer>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let url = request.uri().to_string();
            let target = self.0.parse(&url).map_err(|error| NoAnswer(error.to_string()))?;
            let answer = self.0.fetch(&target, request.map(Bytes::from), LARGEST_ANSWER).await;
            let answer = answer.map_err(|failure| NoAnswer(format!("{}: {}", target.host(), failure.text)))?;
            Ok(answer.map(|body| body.to_vec()))
        })
    }
}

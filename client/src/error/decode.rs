use std::fmt;

use l10n_api_types::EndpointInfo;

/// An answer that does not match its declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeError {
    /// The endpoint.
    pub endpoint: &'static EndpointInfo,
    /// HTTP status.
    pub status: u16,
    /// The problem and its place: field, line and column.
    pub problem: String,
    /// The body's media type.
    pub media_type: Option<String>,
    /// The call's `x-correlation-id`.
    pub correlation_id: String,
    pub(crate) open: Vec<String>,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { endpoint, status, problem, media_type, correlation_id, .. } = self;
        let media_type = media_type.as_deref().unwrap_or("no content type");
        write!(
            f,
            "{endpoint}: the server's answer ({status}, {media_type}) does not match the API: {problem}; check that the base \
             URL is the service's and that client and server have matching versions [x-correlation-id {correlation_id}]"
        )
    }
}

impl std::error::Error for DecodeError {}

use std::fmt;

use l10n_api_types::EndpointInfo;

/// A redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RedirectError {
    /// The endpoint.
    pub endpoint: &'static EndpointInfo,
    /// HTTP status: of the redirect, or of its target if the application's own HTTP client followed it.
    pub status: u16,
    /// The target of the redirect, shortened to 200 characters.
    pub location: Option<String>,
    /// The call's correlation id.
    pub correlation_id: String,
    pub(crate) open: Vec<String>,
    /// True if the application's own HTTP client sent the request to the target as well.
    pub(crate) followed: bool,
}

impl fmt::Display for RedirectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { endpoint, status, location, correlation_id, followed, .. } = self;
        let location = location.as_deref().unwrap_or("nowhere");
        if *followed {
            write!(
                f,
                "{endpoint}: the given HTTP client followed a redirect to {location}, which answered {status}; a write may \
                 have been carried out there. Build that client with `redirect::Policy::none()`, so that the API key stays on \
                 its host"
            )?;
        } else {
            write!(
                f,
                "{endpoint}: the server answered with a redirect ({status}) to {location}; redirects are not followed, so that \
                 the API key stays on its host"
            )?;
        }
        write!(f, ". If that is the service's address, set it as the base URL [x-correlation-id {correlation_id}]")
    }
}

impl std::error::Error for RedirectError {}

//! The settings of a client and its connections.

use std::time::Duration;

use reqwest::header::HeaderValue;

use crate::base_url::BaseUrl;
use crate::ids::IdSource;
use crate::retry::Policy;
use crate::secret::ApiKey;

/// The parts that clones of a client share.
pub(crate) struct Inner {
    pub(crate) http: reqwest::Client,
    pub(crate) base_url: BaseUrl,
    pub(crate) api_key: Option<ApiKey>,
    pub(crate) user_agent: HeaderValue,
    pub(crate) request_timeout: Duration,
    pub(crate) total_timeout: Duration,
    pub(crate) max_response_bytes: usize,
    pub(crate) policy: Policy,
    pub(crate) ids: IdSource,
}

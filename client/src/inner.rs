//! The settings of a client and its way to the service.

use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;

use crate::base_url::BaseUrl;
use crate::ids::IdSource;
use crate::retry::Policy;
use crate::secret::ApiKey;
use crate::transport::Transport;

/// The parts that clones of a client share.
pub(crate) struct Inner {
    pub(crate) transport: Arc<dyn Transport>,
    /// True if requests travel over connections, not by a transport of the application's own.
    pub(crate) opens_connections: bool,
    pub(crate) base_url: BaseUrl,
    pub(crate) api_key: Option<ApiKey>,
    pub(crate) user_agent: HeaderValue,
    pub(crate) request_timeout: Duration,
    pub(crate) total_timeout: Duration,
    pub(crate) max_response_bytes: usize,
    pub(crate) policy: Policy,
    pub(crate) ids: IdSource,
}

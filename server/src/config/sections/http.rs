//! The section `[http]`.

use std::time::Duration;

use confique::Config;
use ipnet::IpNet;

use crate::config::values::{at_least_one, between, networks};

/// Connections of clients.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub struct Http {
    /// Networks or addresses of trusted proxies, such as ["10.0.0.0/8"]. The server believes what they say about a
    /// client's address in X-Forwarded-For or Forwarded, and ignores these headers from anybody else. Without this
    /// setting, all clients behind a proxy share its address.
    #[config(default = [], deserialize_with = networks)]
    pub trusted_proxies: Vec<IpNet>,
    /// Connections of clients at a time. Beyond them each request is answered with 503, except health checks. The
    /// server raises its limit of open files as far as the system allows, and accepts fewer connections where that
    /// does not suffice.
    #[config(default = 4096, validate = at_least_one)]
    pub max_connections: u32,
    /// Connections of one client address at a time. Beyond them each request is answered with 429. For IPv6 the limit
    /// counts the whole /64 network. It does not apply to trusted proxies.
    #[config(default = 256, validate = at_least_one)]
    pub max_connections_per_address: u32,
    /// Seconds a client has to send the head of a request. They count from the end of the request before, so that idle
    /// connections end as well.
    #[config(default = 60, validate = between::<1, 3600, _>)]
    pub head_timeout_seconds: u32,
    /// Seconds a client has to send the body of a request.
    #[config(default = 60, validate = between::<1, 3600, _>)]
    pub body_timeout_seconds: u32,
    /// Seconds a client may fall behind an average of 16 KiB a second while an answer waits for it. The connection of a
    /// slower one is closed.
    #[config(default = 30, validate = between::<1, 3600, _>)]
    pub write_timeout_seconds: u32,
    /// Seconds between a termination signal and the refusal of new connections. Meanwhile /readyz answers 503 and
    /// everything else is served, so that a load balancer can take the server out first.
    #[config(default = 0, validate = between::<0, 3600, _>)]
    pub drain_seconds: u32,
}

impl Http {
    pub(crate) fn head_timeout(&self) -> Duration {
        Duration::from_secs(self.head_timeout_seconds.into())
    }

    pub(crate) fn body_timeout(&self) -> Duration {
        Duration::from_secs(self.body_timeout_seconds.into())
    }

    pub(crate) fn write_timeout(&self) -> Duration {
        Duration::from_secs(self.write_timeout_seconds.into())
    }

    pub(crate) fn drain(&self) -> Duration {
        Duration::from_secs(self.drain_seconds.into())
    }
}

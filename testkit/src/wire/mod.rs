//! Requests on the wire: the HTTP client, bytes on bare connections, and the counter of failed connections.

mod breaker;
mod client;
mod exchange;
mod raw;

pub(crate) use self::client::{Http, USER_AGENT, WireEvent};
pub use self::exchange::{Exchange, Request};

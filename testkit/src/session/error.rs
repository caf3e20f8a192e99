//! The reason why a session cannot begin.

use std::net::SocketAddr;

use crate::receiver::StartError;

/// The reason why a session cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The receiver does not listen.
    #[error("the suite's receiver cannot listen on {0}")]
    Receiver(SocketAddr, #[source] StartError),
    /// A file of the profile cannot be used.
    #[error("{0}")]
    Setup(String),
}

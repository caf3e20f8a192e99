//! The treatment of a connection before its first request.

use std::time::Duration;

/// The treatment of a connection before its first request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Handshake {
    /// TLS is agreed on.
    #[default]
    Complete,
    /// TLS is agreed on, after so much time.
    Late(Duration),
    /// The connection is accepted and nothing is ever said.
    Stall,
    /// The connection is accepted and closed.
    Close,
}

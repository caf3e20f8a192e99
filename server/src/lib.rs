//! Reference server.

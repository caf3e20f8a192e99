//! Whether the server is able to serve.

pub(super) mod read;

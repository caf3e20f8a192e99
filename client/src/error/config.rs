/// A client that cannot be built as it was described, or was not described for the call that was made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The base URL.
    #[error("the base URL cannot be used: {problem}")]
    BaseUrl {
        /// What is wrong with it.
        problem: String,
    },
    /// The form of the API key. The key itself is not shown.
    #[error("the API key cannot be used: {problem}; a key looks like `eik_` and 49 letters and digits")]
    ApiKey {
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A call needs a key and the client has none.
    #[error("{endpoint} needs an API key; give one to the builder with `api_key`")]
    NoApiKey {
        /// The endpoint that was called.
        endpoint: &'static str,
    },
    /// The user agent.
    #[error("the user agent cannot be sent: it holds a line break or another control character")]
    UserAgent,
    /// A root certificate.
    #[error("the root certificates cannot be read as PEM: {problem}")]
    RootCertificate {
        /// What is wrong with them.
        problem: String,
    },
    /// TLS.
    #[error("TLS cannot be set up: {problem}")]
    Tls {
        /// What is wrong.
        problem: String,
    },
    /// A limit that cannot be kept.
    #[error("{setting} cannot be zero")]
    Zero {
        /// The builder's method.
        setting: &'static str,
    },
    /// Two settings that exclude each other.
    #[error("{setting} has no effect on a finished HTTP client; set it there, or use `http_builder`")]
    Conflict {
        /// The builder's method.
        setting: &'static str,
    },
    /// The HTTP client.
    #[error("the HTTP client cannot be built: {problem}")]
    Http {
        /// What is wrong.
        problem: String,
    },
}

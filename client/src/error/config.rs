/// An error in the settings of a client, or a setting that a call lacks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The base URL cannot be used.
    #[error("the base URL cannot be used: {problem}")]
    BaseUrl {
        /// The problem.
        problem: String,
    },
    /// The API key has the wrong form. The key itself is not shown.
    #[error("the API key cannot be used: {problem}; a key looks like `eik_` and 49 letters and digits")]
    ApiKey {
        /// The problem.
        problem: &'static str,
    },
    /// A call needs a key and the client has none.
    #[error("{endpoint} needs an API key; give one to the builder with `api_key`")]
    NoApiKey {
        /// The endpoint that was called.
        endpoint: &'static str,
    },
    /// The user agent cannot be sent.
    #[error("the user agent cannot be sent: it holds a line break or another control character")]
    UserAgent,
    /// A root certificate cannot be read.
    #[error("the root certificates cannot be read as PEM: {problem}")]
    RootCertificate {
        /// The problem.
        problem: String,
    },
    /// TLS cannot be set up.
    #[error("TLS cannot be set up: {problem}")]
    Tls {
        /// The problem.
        problem: String,
    },
    /// A limit is zero.
    #[error("{setting} cannot be zero")]
    Zero {
        /// The builder's method.
        setting: &'static str,
    },
    /// Two settings exclude each other.
    #[error("`{setting}` has no effect beside `{beside}`: leave one of the two out")]
    Conflict {
        /// The builder's method.
        setting: &'static str,
        /// The builder's method that takes its place.
        beside: &'static str,
    },
    /// The client has no connections of its own (feature `http`) and was given no transport.
    #[error(
        "there is no way to the service: give the builder a `transport`, or build this client with its feature `http`"
    )]
    NoTransport,
    /// The HTTP client cannot be built.
    #[error("the HTTP client cannot be built: {problem}")]
    Http {
        /// The problem.
        problem: String,
    },
}

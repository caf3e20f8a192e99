//! The address of the service.

use std::fmt;

use url::{Host, Url};

use crate::error::ConfigError;

/// A base URL that ends in the version segment `v1`, without a slash behind it (§1).
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct BaseUrl(Url);

impl BaseUrl {
    pub(crate) fn parse(text: &str) -> Result<Self, ConfigError> {
        let text = text.trim();
        let refuse = |problem: &str| ConfigError::BaseUrl { problem: problem.to_owned() };
        let mut url = Url::parse(text).map_err(|error| {
            refuse(&format!("it is not a URL ({error}); a base URL looks like `https://l10n.example.com/v1`"))
        })?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refuse("it holds a user name or password; give the API key to the builder instead"));
        }
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refuse("it starts with neither `https://` nor `http://`"));
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(refuse("it has no host"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(refuse("it has a query or a fragment"));
        }
        let path = url.path().trim_end_matches('/').to_owned();
        if path.rsplit('/').next() != Some("v1") {
            return Err(refuse("its path does not end in `/v1`, the version that this client speaks"));
        }
        url.set_path(&path);
        Ok(Self(url))
    }

    /// The URL of a route: `path` starts with a slash, both parts are percent-encoded.
    pub(crate) fn join(&self, path: &str, query: &str) -> Result<Url, String> {
        let mark = if query.is_empty() { "" } else { "?" };
        Url::parse(&format!("{}{path}{mark}{query}", self.0))
            .map_err(|error| format!("it cannot be made into a URL: {error}"))
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub(crate) fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Returns true for an address of this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        is_loopback(&self.0)
    }
}

/// Returns true if a URL names this machine. Requests to it never go through a proxy.
///
/// ```
/// let url = "http://app.localhost:8787/v1".parse()?;
/// assert!(l10n_client::is_loopback(&url));
/// # Ok::<(), url::ParseError>(())
/// ```
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.to_canonical().is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

impl fmt::Debug for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_ends_in_v1_and_slashes_behind_it_are_tolerated() {
        for good in ["https://x.example/v1", " https://x.example/v1/ ", "https://x.example/v1//"] {
            assert_eq!(BaseUrl::parse(good).unwrap().to_string(), "https://x.example/v1", "{good}");
        }
        assert_eq!(BaseUrl::parse("http://[::1]:8787/l10n/v1").unwrap().to_string(), "http://[::1]:8787/l10n/v1");
        for bad in [
            "",
            "x.example/v1",
            "ftp://x.example/v1",
            "https://x.example",
            "https://x.example/v2",
            "https://x.example/v1/projects",
            "https://x.example/av1",
            "https://x.example/v1?a=b",
            "https://x.example/v1#a",
            "https://user:hunter2@x.example/v1",
            "unix:/v1",
        ] {
            let error = BaseUrl::parse(bad).unwrap_err().to_string();
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn this_machine_is_known_by_its_addresses() {
        for (url, loopback) in [
            ("http://127.0.0.1:8787/v1", true),
            ("http://127.8.8.8/v1", true),
            ("http://localhost/v1", true),
            ("http://APP.localhost:8787/v1", true),
            ("http://applocalhost/v1", false),
            ("http://[::1]/v1", true),
            ("http://[::ffff:127.0.0.1]/v1", true),
            ("http://localhost.example/v1", false),
            ("http://10.0.0.1/v1", false),
        ] {
            assert_eq!(BaseUrl::parse(url).unwrap().is_loopback(), loopback, "{url}");
        }
    }
}

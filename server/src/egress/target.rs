//! A webhook's URL, judged by its spelling. What its host resolves to is judged later, each time anew.

use std::fmt;
use std::net::IpAddr;

use http::HeaderValue;
use http::uri::PathAndQuery;
use rustls::pki_types::{DnsName, ServerName};
use url::{Host, Url};

/// Bytes that a URL may have.
pub(crate) const LONGEST_URL: usize = 2_048;

/// Names that never lead to a public address, or only by accident: each stands for itself and for all names below.
const NAMES_OF_INSIDE: &[&str] = &["localhost", "local", "localdomain", "internal", "home.arpa"];

/// A URL that deliveries may be sent to as far as its text can tell. Made by [`Egress::parse`](super::Egress::parse).
#[derive(Clone)]
pub struct Target {
    text: String,
    host: String,
    pub(super) place: Destination,
    pub(super) port: u16,
    pub(super) secured: bool,
    pub(super) server_name: ServerName<'static>,
    pub(super) host_header: HeaderValue,
    pub(super) path: PathAndQuery,
}

/// The place of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Destination {
    /// At an address that the URL states itself.
    Address(IpAddr),
    /// At the machine itself, if an operator allows that.
    Localhost,
    /// At the addresses that name servers return for this name, which has no dot at the end.
    Name(String),
}

/// The reason why a URL is refused. The texts are sentences for the person who registers a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// Longer than [`LONGEST_URL`].
    #[error("the URL is longer than 2048 bytes")]
    TooLong,
    /// Parsers remove these or read them differently; we take no URL that means two things.
    #[error("the URL holds a blank, a control character or a backslash; such characters must be percent-encoded")]
    Characters,
    /// Another scheme than https, or none.
    #[error("the URL must begin with https://")]
    Scheme,
    /// A user name or a password, be they empty.
    #[error("the URL holds credentials (an @ before the path); it must have none")]
    Credentials,
    /// The part after `#` is never sent.
    #[error("the URL holds a fragment (the part from #), which is never sent; leave it away")]
    Fragment,
    /// Port 0.
    #[error("the URL names port 0; it takes 1 to 65535")]
    PortZero,
    /// A host that no name and no address is spelled like.
    #[error("the URL's host is neither a public host name such as hooks.example.com nor a public address")]
    Host,
    /// A host name that leads to the inside of a network.
    #[error("the URL's host is a name for use inside a network; it takes a public host name such as hooks.example.com")]
    InsideName,
    /// Any other error of the parser.
    #[error("the URL cannot be read: {0}")]
    Unreadable(url::ParseError),
}

/// Settings that parsing depends on beside the text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Permissions {
    /// `localhost` is a host like any other.
    pub(super) localhost: bool,
    /// Names for use inside a network are hosts like any other.
    pub(super) inside_names: bool,
    /// `http://` is taken as well.
    pub(super) plain_http: bool,
}

impl Target {
    pub(super) fn parse(text: &str, permissions: Permissions) -> Result<Self, TargetError> {
        if text.len() > LONGEST_URL {
            return Err(TargetError::TooLong);
        }
        if text.chars().any(|character| character.is_control() || character.is_whitespace() || character == '\\') {
            return Err(TargetError::Characters);
        }
        let secured = match split_scheme(text) {
            Some(("https", _)) => true,
            Some(("http", _)) if permissions.plain_http => false,
            _ => return Err(TargetError::Scheme),
        };
        // The parser drops an empty user name without a word.
        let authority = split_scheme(text).map_or("", |(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or(""));
        if authority.contains('@') {
            return Err(TargetError::Credentials);
        }
        if authority.is_empty() {
            return Err(TargetError::Host);
        }
        let url = Url::parse(text).map_err(TargetError::Unreadable)?;
        if url.fragment().is_some() {
            return Err(TargetError::Fragment);
        }
        let port = match url.port_or_known_default() {
            None | Some(0) => return Err(TargetError::PortZero),
            Some(port) => port,
        };
        let place = match url.host() {
            None => return Err(TargetError::Host),
            Some(Host::Ipv4(address)) => Destination::Address(address.into()),
            Some(Host::Ipv6(address)) => Destination::Address(address.into()),
            Some(Host::Domain(name)) => judge_name(name, permissions)?,
        };
        let host = url.host_str().unwrap_or_default().trim_end_matches('.').to_owned();
        let authority = url.port().map_or_else(|| host.clone(), |port| format!("{host}:{port}"));
        let path = match url.query() {
            None => url.path().to_owned(),
            Some(query) => format!("{}?{query}", url.path()),
        };
        Ok(Self {
            text: text.to_owned(),
            port,
            secured,
            server_name: match &place {
                Destination::Address(address) => ServerName::from(*address),
                Destination::Localhost | Destination::Name(_) => {
                    ServerName::DnsName(DnsName::try_from(host.clone()).map_err(|_| TargetError::Host)?)
                }
            },
            host_header: HeaderValue::try_from(authority).map_err(|_| TargetError::Host)?,
            path: path.parse().map_err(|_| TargetError::Characters)?,
            host,
            place,
        })
    }

    /// The URL as it was registered.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
    /// The `Host` header of its requests.
    pub(crate) fn host_header(&self) -> &HeaderValue {
        &self.host_header
    }

    /// The host in its one spelling: lower case, punycode, addresses in canonical form, no dot at the end. Two URLs with
    /// the same host lead to the same machines.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }
}

impl fmt::Debug for Target {
    /// Paths and queries of webhooks hold tokens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Target").field("host", &self.host).field("port", &self.port).finish_non_exhaustive()
    }
}

fn split_scheme(text: &str) -> Option<(&'static str, &str)> {
    let (scheme, rest) = text.split_once("://")?;
    ["https", "http"].into_iter().find(|known| scheme.eq_ignore_ascii_case(known)).map(|known| (known, rest))
}

fn judge_name(name: &str, permissions: Permissions) -> Result<Destination, TargetError> {
    let name = name.strip_suffix('.').unwrap_or(name);
    if name.len() > 253 || name.split('.').any(|label| label.is_empty() || label.len() > 63) {
        return Err(TargetError::Host);
    }
    if is_or_below(name, "localhost") && permissions.localhost {
        return Ok(Destination::Localhost);
    }
    if permissions.inside_names && !is_or_below(name, "localhost") {
        return Ok(Destination::Name(name.to_owned()));
    }
    if !name.contains('.') || NAMES_OF_INSIDE.iter().any(|inside| is_or_below(name, inside)) {
        return Err(TargetError::InsideName);
    }
    Ok(Destination::Name(name.to_owned()))
}

fn is_or_below(name: &str, parent: &str) -> bool {
    name.strip_suffix(parent).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

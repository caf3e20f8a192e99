//! Readers and checks of single settings' values.

use std::fmt::Display;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use ipnet::IpNet;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use tracing_subscriber::EnvFilter;
use url::Url;

/// Refuses a number outside of `LEAST..=MOST`.
pub(super) fn between<const LEAST: i128, const MOST: i128, N>(value: &N) -> Result<(), String>
where
    N: Copy + Into<i128>,
{
    if (LEAST..=MOST).contains(&(*value).into()) {
        return Ok(());
    }
    Err(format!("{} is not between {LEAST} and {MOST}", (*value).into()))
}

/// Refuses 0 where it would lock everybody out.
pub(super) fn at_least_one(value: &u32) -> Result<(), &'static str> {
    (*value > 0).then_some(()).ok_or("0 would refuse every request; it takes 1 and more")
}

/// Reads an address with its port.
pub(super) fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    parse_address(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// Reads an address with its port, or none from an empty text.
pub(super) fn optional_address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SocketAddr>, D::Error> {
    let text = String::deserialize(deserializer)?;
    (!text.is_empty()).then(|| parse_address(&text)).transpose().map_err(D::Error::custom)
}

fn parse_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| format!("`{text}` is not an address and port such as 127.0.0.1:8787 or [::]:80"))
}

/// Reads a path, or none from an empty text.
pub(super) fn optional_path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(Some(PathBuf::deserialize(deserializer)?).filter(|path| !path.as_os_str().is_empty()))
}

/// Reads networks, and addresses as networks of one address. Empty texts count for nothing.
pub(super) fn networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpNet>, D::Error> {
    let stated = Vec::<String>::deserialize(deserializer)?;
    let stated = stated.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
    stated.map(|text| network(text).map_err(D::Error::custom)).collect()
}

fn network(text: &str) -> Result<IpNet, impl Display> {
    let network = text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
    network.ok_or_else(|| format!("`{text}` is not a network or address such as 10.1.0.0/16, 127.0.0.1 or fd00::/8"))
}

/// Reads domains of addresses, in lower case. Empty texts count for nothing.
pub(super) fn domains<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let stated = Vec::<String>::deserialize(deserializer)?;
    let stated = stated.iter().map(|text| text.trim().trim_start_matches('@').to_lowercase());
    let domains: Vec<String> = stated.filter(|text| !text.is_empty()).collect();
    match domains.iter().find(|domain| domain.contains(['@', '*', '/', ' '])) {
        Some(wrong) => Err(D::Error::custom(format!("`{wrong}` is not a domain such as example.com"))),
        None => Ok(domains),
    }
}

/// Reads origins, as browsers write them. Empty texts count for nothing.
pub(super) fn origins<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let stated = Vec::<String>::deserialize(deserializer)?;
    let stated = stated.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
    stated.map(|text| origin(text).map_err(D::Error::custom)).collect()
}

fn origin(text: &str) -> Result<String, String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.filter(|url| url.path() == "/" && url.query().is_none() && url.fragment().is_none());
    let url = url.filter(|url| url.username().is_empty() && url.password().is_none());
    let origin = url.map(|url| url.origin().ascii_serialization());
    origin.ok_or_else(|| format!("`{text}` is not an origin such as https://tools.example.com"))
}

/// Reads the URL of an identity provider as it stands: providers compare it byte by byte.
pub(super) fn issuer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    match Url::parse(&text) {
        _ if text.is_empty() => Ok(text),
        Ok(url) if url.scheme() == "https" && url.query().is_none() && url.fragment().is_none() => Ok(text),
        _ => Err(D::Error::custom(format!("`{text}` is not an https URL such as https://id.example.com"))),
    }
}

/// URL of the API without a slash at its end; empty where it follows from the address that the server listens on.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct BaseUrl(pub(super) String);

impl TryFrom<String> for BaseUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let text = text.trim_end_matches('/').to_owned();
        let wrong = |what: &str| Err(format!("`{text}` {what}; it takes a URL such as https://l10n.example.com/v1"));
        match Url::parse(&text) {
            _ if text.is_empty() => Ok(Self(text)),
            Err(_) => wrong("is not a URL"),
            Ok(url) if !matches!(url.scheme(), "http" | "https") => wrong("is neither http nor https"),
            Ok(url) if url.query().is_some() || url.fragment().is_some() => wrong("has a query or a fragment"),
            Ok(url) if !url.path().ends_with("/v1") => wrong("does not end in /v1"),
            Ok(_) => Ok(Self(text)),
        }
    }
}

/// Filter of log lines, checked.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct LogFilter(pub(super) String);

impl TryFrom<String> for LogFilter {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        EnvFilter::try_new(&text).map(|_| Self(text)).map_err(|error| error.to_string())
    }
}

//! The cookies of the dashboard: the session, and what a person chose about the looks on this device.

use http::header::COOKIE;
use http::{HeaderMap, HeaderValue};
use url::{Host, Url};

/// Seconds that a browser keeps a session's cookie; the server ends the session by itself.
const SESSION_SECONDS: u32 = 30 * 24 * 60 * 60;
/// Seconds that a browser keeps the looks.
const LOOKS_SECONDS: u32 = 365 * 24 * 60 * 60;
const LOOKS: &str = "l10n-looks";
/// Longest value that is read.
const LONGEST: usize = 256;
/// Seconds that a browser keeps a sign-in that it has begun.
const SIGN_IN_SECONDS: u32 = 10 * 60;
/// Longest sealed sign-in, in bytes.
const LONGEST_SIGN_IN: usize = 3 * 1_024;

/// The name of the session's cookie, and whether the browser may send it over TLS alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SessionCookie {
    /// Bound to this host, and sent over TLS or to this machine alone.
    Host,
    /// Over plain http to another machine browsers keep no cookie of the other kind.
    Plain,
}

impl SessionCookie {
    /// The cookie of a server that is reached under `base_url`.
    pub(super) fn of(base_url: &str) -> Self {
        let Ok(url) = Url::parse(base_url) else { return Self::Host };
        let is_here = match url.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            None => false,
        };
        if url.scheme() == "http" && !is_here { Self::Plain } else { Self::Host }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Host => "__Host-l10n",
            Self::Plain => "l10n",
        }
    }

    const fn attributes(self) -> &'static str {
        match self {
            Self::Host => "Path=/; HttpOnly; SameSite=Lax; Secure",
            Self::Plain => "Path=/; HttpOnly; SameSite=Lax",
        }
    }

    /// The token that a request brings; `None` where it has none, or two that differ.
    pub(super) fn token(self, headers: &HeaderMap) -> Option<&str> {
        let token = read(headers, self.name())?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        (!token.is_empty() && token.bytes().all(plain)).then_some(token)
    }

    /// Gives a browser the token of a new session.
    pub(super) fn give(self, token: &str) -> Option<HeaderValue> {
        let text = format!("{}={token}; Max-Age={SESSION_SECONDS}; {}", self.name(), self.attributes());
        let mut value = HeaderValue::from_str(&text).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// Takes the token of a session that has ended from a browser.
    pub(super) fn take_back(self) -> Option<HeaderValue> {
        HeaderValue::from_str(&format!("{}=; Max-Age=0; {}", self.name(), self.attributes())).ok()
    }

    const fn sign_in_name(self) -> &'static str {
        match self {
            Self::Host => "__Host-l10n-sign-in",
            Self::Plain => "l10n-sign-in",
        }
    }

    /// The sealed sign-in that a browser has begun with an identity provider.
    pub(super) fn sign_in(self, headers: &HeaderMap) -> Option<&str> {
        read_of(headers, self.sign_in_name(), LONGEST_SIGN_IN)
    }

    /// Gives a browser the sealed sign-in that it has begun, for some minutes. `Lax` cookies come along when the provider leads
    /// back here.
    pub(super) fn give_sign_in(self, sealed: &str) -> Option<HeaderValue> {
        let (name, attributes) = (self.sign_in_name(), self.attributes());
        let mut value =
            HeaderValue::from_str(&format!("{name}={sealed}; Max-Age={SIGN_IN_SECONDS}; {attributes}")).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// Takes the sign-in back: an answer is looked at once.
    pub(super) fn end_sign_in(self) -> Option<HeaderValue> {
        HeaderValue::from_str(&format!("{}=; Max-Age=0; {}", self.sign_in_name(), self.attributes())).ok()
    }
}

/// A colour scheme.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Scheme {
    /// As the system says.
    #[default]
    System,
    /// Dark text on light ground.
    Light,
    /// Light text on dark ground.
    Dark,
}

impl Scheme {
    /// Every scheme.
    pub(super) const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// Its name in the cookie, in forms, in texts and in the style sheet.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The scheme of this name.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.as_str() == name)
    }
}

/// The choices of a person. The account has them, and a cookie for pages before the sign-in; it tells nothing about who it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Preferences {
    /// The colour scheme.
    pub(super) scheme: Scheme,
    /// The language of the dashboard; `None` for the browser's.
    pub(super) language: Option<String>,
    /// True where single keys do nothing.
    pub(super) no_shortcuts: bool,
}

/// The choice against single keys.
const NO_SHORTCUTS: &str = "no-shortcuts";

impl Preferences {
    /// Reads them from a request; what cannot be read counts as not chosen.
    pub(super) fn read(headers: &HeaderMap) -> Self {
        read(headers, LOOKS).map(Self::parse).unwrap_or_default()
    }

    /// Reads them from a text; what cannot be read counts as not chosen.
    pub(super) fn parse(text: &str) -> Self {
        let mut parts = text.split('.');
        let scheme = parts.next().and_then(Scheme::parse).unwrap_or_default();
        let language = parts.next().filter(|language| !language.is_empty()).map(str::to_owned);
        Self { scheme, language, no_shortcuts: parts.next() == Some(NO_SHORTCUTS) }
    }

    /// The text that [`parse`](Self::parse) reads.
    pub(super) fn text(&self) -> String {
        let shortcuts = if self.no_shortcuts { NO_SHORTCUTS } else { "" };
        format!("{}.{}.{shortcuts}", self.scheme.as_str(), self.language.as_deref().unwrap_or_default())
    }

    /// Gives them to a browser.
    pub(super) fn give(&self) -> Option<HeaderValue> {
        let text = format!("{LOOKS}={}; Max-Age={LOOKS_SECONDS}; Path=/dashboard; SameSite=Lax", self.text());
        HeaderValue::from_str(&text).ok()
    }
}

/// The value of a cookie; `None` where it is not there, too long, or there twice with two values.
fn read<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    read_of(headers, name, LONGEST)
}

fn read_of<'a>(headers: &'a HeaderMap, name: &str, longest: usize) -> Option<&'a str> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(known, _)| *known == name).map(|(_, value)| value);
    let value = values.next()?;
    (value.len() <= longest && values.all(|other| other == value)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(lines: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(COOKIE, HeaderValue::from_str(line).unwrap());
        }
        headers
    }

    #[test]
    fn only_plain_http_to_another_machine_goes_without_secure() {
        for (base_url, cookie) in [
            ("https://l10n.example.com/v1", SessionCookie::Host),
            ("http://127.0.0.1:8787/v1", SessionCookie::Host),
            ("http://[::1]:8787/v1", SessionCookie::Host),
            ("http://localhost:8787/v1", SessionCookie::Host),
            ("http://10.0.0.7:8787/v1", SessionCookie::Plain),
            ("http://l10n.internal/v1", SessionCookie::Plain),
            ("http://localhost.example.com/v1", SessionCookie::Plain),
        ] {
            assert_eq!(SessionCookie::of(base_url), cookie, "{base_url}");
        }
        let given = SessionCookie::Host.give("abc").unwrap();
        assert_eq!(given, "__Host-l10n=abc; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure");
        assert!(!SessionCookie::Plain.give("abc").unwrap().to_str().unwrap().contains("Secure"));
    }

    #[test]
    fn a_token_is_read_only_where_it_is_one() {
        let long = format!("__Host-l10n={}", "a".repeat(257));
        for (lines, token) in [
            (vec!["__Host-l10n=aB-_9"], Some("aB-_9")),
            (vec!["x=1; __Host-l10n=abc; y=2"], Some("abc")),
            (vec!["__Host-l10n=abc", "__Host-l10n=abc"], Some("abc")),
            (vec!["__Host-l10n=abc; __Host-l10n=abd"], None),
            (vec!["l10n=abc"], None),
            (vec!["__Host-l10n="], None),
            (vec!["__Host-l10n=a b"], None),
            (vec!["__Host-l10n=a'b"], None),
            (vec![long.as_str()], None),
            (vec![], None),
        ] {
            assert_eq!(SessionCookie::Host.token(&sent(&lines)), token, "{lines:?}");
        }
    }

    #[test]
    fn the_looks_survive_and_nonsense_is_no_choice() {
        for no_shortcuts in [false, true] {
            let looks = Preferences { scheme: Scheme::Dark, language: Some("en-XA".to_owned()), no_shortcuts };
            let given = looks.give().unwrap();
            let pair = given.to_str().unwrap().split(';').next().unwrap();
            assert_eq!(Preferences::read(&sent(&[pair])), looks);
        }
        for nonsense in ["l10n-looks=", "l10n-looks=x", "l10n-looks=pink.", "x=1"] {
            assert_eq!(Preferences::read(&sent(&[nonsense])), Preferences::default(), "{nonsense}");
        }
    }
}

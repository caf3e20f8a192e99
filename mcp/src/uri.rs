//! Addresses of resources: `l10n://kind`, or `l10n://kind/name` with the name percent-encoded.

/// The scheme of every address.
pub(crate) const SCHEME: &str = "l10n://";

/// Longest address. A ref has at most 512 bytes, each of which is encoded in at most three.
pub(crate) const LONGEST_URI: usize = 2_048;

/// The parts of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Uri<'a> {
    pub(crate) kind: &'a str,
    /// Decoded.
    pub(crate) name: Option<String>,
}

impl<'a> Uri<'a> {
    /// Splits an address. The error says what is wrong with it.
    pub(crate) fn parse(uri: &'a str) -> Result<Self, &'static str> {
        if uri.len() > LONGEST_URI {
            return Err("the URI is longer than 2,048 bytes");
        }
        let Some(path) = uri.strip_prefix(SCHEME) else { return Err("the URI does not begin with `l10n://`") };
        let (kind, name) = match path.split_once('/') {
            Some((kind, name)) => (kind, Some(decoded(name)?)),
            None => (path, None),
        };
        Ok(Self { kind, name })
    }
}

/// Decodes a name. What would end it elsewhere has to be encoded, so that an address has one meaning.
fn decoded(name: &str) -> Result<String, &'static str> {
    if name.contains(['/', '?', '#']) {
        return Err("`/`, `?` and `#` of a name are written %2F, %3F and %23");
    }
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || rest.next().and_then(|byte| char::from(byte).to_digit(16));
                let encoded = digit().and_then(|high| Some(high * 16 + digit()?));
                encoded.and_then(|byte| u8::try_from(byte).ok()).ok_or("a `%` is not followed by two hex digits")?
            }
            byte => byte,
        });
    }
    let name = String::from_utf8(bytes).map_err(|_| "the name is not UTF-8 once it is decoded")?;
    match name.as_str() {
        "" => Err("the name is empty"),
        name if name.chars().any(char::is_control) => Err("the name has control characters"),
        _ => Ok(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_decoded_once() {
        let name = |uri| Uri::parse(uri).map(|uri| uri.name.unwrap_or_default());
        for (uri, expected) in [
            ("l10n://project", ""),
            ("l10n://keys/cart.empty", "cart.empty"),
            ("l10n://keys/nav%2Fhome%3f%23", "nav/home?#"),
            ("l10n://keys/gr%C3%BC%c3%9Fe", "grüße"),
            ("l10n://keys/grüße ja", "grüße ja"),
            ("l10n://keys/100%2525", "100%25"),
            ("l10n://keys/..", ".."),
        ] {
            assert_eq!(name(uri).as_deref(), Ok(expected), "{uri}");
        }
        assert_eq!(Uri::parse("l10n://keys/a").unwrap().kind, "keys");
    }

    #[test]
    fn an_address_with_no_or_two_meanings_is_refused() {
        let long = format!("l10n://keys/{}", "a".repeat(10_000));
        for uri in [
            "",
            "keys/a",
            "L10N://keys/a",
            "file:///etc/passwd",
            "l10n:/keys/a",
            "l10n://keys/",
            "l10n://keys/%",
            "l10n://keys/%z",
            "l10n://keys/%zz",
            "l10n://keys/%+1",
            "l10n://keys/%4",
            "l10n://keys/%é9",
            "l10n://keys/%ff",
            "l10n://keys/%00",
            "l10n://keys/a\0",
            "l10n://keys/a%0Ab",
            "l10n://keys/../x",
            "l10n://keys//a",
            "l10n://keys/a/",
            "l10n://keys/a?b",
            "l10n://keys/a#b",
            &long,
        ] {
            assert!(Uri::parse(uri).is_err(), "{uri:?}");
        }
    }
}

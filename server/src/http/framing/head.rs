//! Judges the complete head of a request.

use std::mem::MaybeUninit;

use http::uri::Authority;
use httparse::{Error, Header, Request};

use super::{BodyLength, FramingRefusal, is_reserved, is_tunnel};
use crate::http::path;

/// Most fields of a head: as many as the HTTP library takes.
const MOST_FIELDS: usize = 100;

/// Returns the length of the body after this head.
///
/// # Errors
///
/// Returns the reason why no server may guess the length.
pub(super) fn judge(head: &[u8]) -> Result<BodyLength, FramingRefusal> {
    let mut fields = [const { MaybeUninit::uninit() }; MOST_FIELDS];
    let mut request = Request::new(&mut []);
    match request.parse_with_uninit_headers(head, &mut fields) {
        Ok(status) if status.is_complete() => {}
        Err(Error::TooManyHeaders) => return Err(FramingRefusal::HeadTooLarge),
        _ => return Err(FramingRefusal::Malformed),
    }
    let (Some(method), Some(target), Some(version)) = (request.method, request.path, request.version) else {
        return Err(FramingRefusal::Malformed);
    };
    if is_tunnel(method) {
        return Err(FramingRefusal::Connect);
    }
    if is_reserved(method) || !(is_plain(target) || http::Uri::try_from(target).is_ok()) {
        return Err(FramingRefusal::Malformed);
    }
    host(request.headers, version)?;
    body_length(request.headers, version)
}

/// Longest target that counts as plain, in bytes.
const LONGEST_PLAIN: usize = 8 * 1024;

/// Returns true for the usual targets: paths of characters that stand in every URI. They need not be parsed.
fn is_plain(target: &str) -> bool {
    const PLAIN: [bool; 256] = path::letters_digits_and(b"/-_.~%@");
    target.starts_with('/') && path::consists_of(target, &PLAIN, LONGEST_PLAIN)
}

fn host(fields: &[Header<'_>], version: u8) -> Result<(), FramingRefusal> {
    let mut values = values(fields, "host");
    match (values.next(), values.next(), version) {
        (None, _, 0) => Ok(()),
        (None, _, _) => Err(FramingRefusal::HostMissing),
        // A target that names no authority leaves the field empty.
        (Some(b""), None, _) => Ok(()),
        (Some(one), None, _) => match Authority::try_from(one) {
            Ok(authority) if !authority.as_str().contains('@') => Ok(()),
            _ => Err(FramingRefusal::HostInvalid),
        },
        (Some(_), Some(_), _) => Err(FramingRefusal::HostRepeated),
    }
}

fn body_length(fields: &[Header<'_>], version: u8) -> Result<BodyLength, FramingRefusal> {
    let (mut lengths, mut encodings) = (values(fields, "content-length"), values(fields, "transfer-encoding"));
    match ((lengths.next(), lengths.next()), (encodings.next(), encodings.next())) {
        ((None, _), (None, _)) => Ok(BodyLength::Sized(0)),
        ((Some(_), _), (Some(_), _)) => Err(FramingRefusal::LengthAndEncoding),
        ((Some(length), None), _) => decimal(length).map(BodyLength::Sized).ok_or(FramingRefusal::Length),
        ((Some(_), Some(_)), _) => Err(FramingRefusal::Length),
        (_, (Some(encoding), None)) if version > 0 && encoding.eq_ignore_ascii_case(b"chunked") => {
            Ok(BodyLength::Chunked)
        }
        _ => Err(FramingRefusal::Encoding),
    }
}

/// The values of a field, without the blanks around them.
fn values<'a>(fields: &[Header<'a>], name: &str) -> impl Iterator<Item = &'a [u8]> {
    fields.iter().filter(move |field| field.name.eq_ignore_ascii_case(name)).map(|field| field.value.trim_ascii())
}

fn decimal(value: &[u8]) -> Option<u64> {
    let digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    digits.then(|| std::str::from_utf8(value).ok()?.parse().ok())?
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Nothing passes unparsed that the parser would refuse.
        #[test]
        fn a_plain_target_is_a_uri(target in "/[a-zA-Z0-9/._~%@-]{0,300}|[ -~]{0,6}") {
            prop_assert!(!is_plain(&target) || http::Uri::try_from(&*target).is_ok());
            prop_assert!(is_plain(&target) || !target.starts_with('/') || target.len() < 7);
        }
    }
}

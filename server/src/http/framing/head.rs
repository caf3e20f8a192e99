//! Judges the complete head of a request.

use std::mem::MaybeUninit;

use http::uri::Authority;
use httparse::{Error, Header, Request};

use super::{BodyLength, FramingRefusal, is_reserved, is_tunnel};

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
    if is_reserved(method) || http::Uri::try_from(target).is_err() {
        return Err(FramingRefusal::Malformed);
    }
    host(request.headers, version)?;
    body_length(request.headers, version)
}

fn host(fields: &[Header<'_>], version: u8) -> Result<(), FramingRefusal> {
    match (values(fields, "host").as_slice(), version) {
        ([], 0) => Ok(()),
        ([], _) => Err(FramingRefusal::HostMissing),
        // A target that names no authority leaves the field empty.
        ([b""], _) => Ok(()),
        ([one], _) => match Authority::try_from(*one) {
            Ok(authority) if !authority.as_str().contains('@') => Ok(()),
            _ => Err(FramingRefusal::HostInvalid),
        },
        _ => Err(FramingRefusal::HostRepeated),
    }
}

fn body_length(fields: &[Header<'_>], version: u8) -> Result<BodyLength, FramingRefusal> {
    match (values(fields, "content-length").as_slice(), values(fields, "transfer-encoding").as_slice()) {
        ([], []) => Ok(BodyLength::Sized(0)),
        ([_, ..], [_, ..]) => Err(FramingRefusal::LengthAndEncoding),
        ([length], []) => decimal(length).map(BodyLength::Sized).ok_or(FramingRefusal::Length),
        (_, []) => Err(FramingRefusal::Length),
        ([], [encoding]) if version > 0 && encoding.eq_ignore_ascii_case(b"chunked") => Ok(BodyLength::Chunked),
        _ => Err(FramingRefusal::Encoding),
    }
}

/// The values of a field, without the blanks around them.
fn values<'a>(fields: &[Header<'a>], name: &str) -> Vec<&'a [u8]> {
    let named = fields.iter().filter(|field| field.name.eq_ignore_ascii_case(name));
    named.map(|field| field.value.trim_ascii()).collect()
}

fn decimal(value: &[u8]) -> Option<u64> {
    let digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    digits.then(|| std::str::from_utf8(value).ok()?.parse().ok())?
}

//! Taking bodies in: to the byte of the route's cap, within a time, and without leaving a connection out of step.

use std::time::Duration;

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use http::{HeaderMap, HeaderValue};
use http_body_util::BodyExt as _;

use crate::domain::ServiceError;

/// Most of a refused body that is read and thrown away, so that the client gets to see the answer and may go on using
/// the connection; beyond it the connection is closed.
const DISCARD_BYTES: usize = 16 * 1024 * 1024;

/// Longest time that reading a refused body may take.
const DISCARD_TIME: Duration = Duration::from_secs(10);

/// A body that may still be on its way.
pub(super) struct Incoming {
    body: Option<Body>,
    length: Option<u64>,
    awaits_continue: bool,
}

/// The reason why a body was refused.
pub(super) struct RejectedBody {
    /// The answer.
    pub(super) error: ServiceError,
    /// True if nothing more can be read from this connection.
    pub(super) close: bool,
}

impl From<ServiceError> for RejectedBody {
    fn from(error: ServiceError) -> Self {
        Self { error, close: false }
    }
}

impl Incoming {
    pub(super) fn new(headers: &HeaderMap, body: Body) -> Self {
        let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        Self { body: Some(body), length, awaits_continue: headers.contains_key(EXPECT) }
    }

    /// Reads the whole body.
    ///
    /// # Errors
    ///
    /// A body over `cap` bytes (said before anything is read where the length is declared), one that takes longer than
    /// `time`, one that breaks off.
    pub(super) async fn read(&mut self, cap: usize, time: Duration) -> Result<Bytes, RejectedBody> {
        let too_large = || ServiceError::PayloadTooLarge { what: "the body", limit: cap };
        if self.length.is_some_and(|length| length > cap as u64) {
            return Err(too_large().into());
        }
        let Some(body) = self.body.as_mut() else { return Ok(Bytes::new()) };
        // From here on the client has been told to go on.
        self.awaits_continue = false;
        let mut read = BytesMut::with_capacity(usize::try_from(self.length.unwrap_or_default()).unwrap_or_default());
        let all = async {
            while let Some(frame) = body.frame().await {
                let frame = frame.map_err(|_| RejectedBody {
                    error: ServiceError::InvalidArgument(
                        "the body broke off or is not framed as its headers say".into(),
                    ),
                    close: true,
                })?;
                let Ok(data) = frame.into_data() else { continue };
                if read.len() + data.len() > cap {
                    return Err(RejectedBody::from(too_large()));
                }
                read.extend_from_slice(&data);
            }
            Ok(())
        };
        match tokio::time::timeout(time, all).await {
            Ok(Ok(())) => {
                self.body = None;
                Ok(read.freeze())
            }
            Ok(Err(refused)) => {
                if refused.close {
                    self.body = None;
                }
                Err(refused)
            }
            Err(_) => {
                self.body = None;
                Err(RejectedBody {
                    error: ServiceError::InvalidArgument(format!(
                        "the body did not arrive within {} s",
                        time.as_secs()
                    )),
                    close: true,
                })
            }
        }
    }
}

impl Drop for Incoming {
    /// Throws away what was not read, beside the answer. A client that awaits a `100 Continue` has sent nothing, and its
    /// connection is closed after the answer.
    fn drop(&mut self) {
        let Some(mut body) = self.body.take() else { return };
        if self.awaits_continue || http_body::Body::is_end_stream(&body) {
            return;
        }
        tokio::spawn(tokio::time::timeout(DISCARD_TIME, async move {
            let mut left = DISCARD_BYTES;
            while let Some(Ok(frame)) = body.frame().await {
                match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
                    Some(rest) => left = rest,
                    None => return,
                }
            }
        }));
    }
}

/// Refuses what says of itself that it is not UTF-8 JSON; a body that says nothing is taken for JSON.
pub(super) fn check_media_type(headers: &HeaderMap) -> Result<(), ServiceError> {
    if headers.get_all(CONTENT_ENCODING).iter().any(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(ServiceError::InvalidArgument("`content-encoding`: send the body as it is, uncompressed".into()));
    }
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(()),
        (Some(value), None) if is_json(value) => Ok(()),
        _ => Err(ServiceError::InvalidArgument("`content-type`: the body must be application/json in UTF-8".into())),
    }
}

fn is_json(value: &HeaderValue) -> bool {
    let Ok(text) = value.to_str() else { return false };
    let mut parts = text.split(';').map(str::trim);
    let media_type = parts.next().unwrap_or_default().to_ascii_lowercase();
    let json =
        media_type == "application/json" || (media_type.starts_with("application/") && media_type.ends_with("+json"));
    json && parts.all(|parameter| match parameter.split_once('=') {
        Some((name, value)) if name.trim().eq_ignore_ascii_case("charset") => {
            let charset = value.trim().trim_matches('"');
            charset.eq_ignore_ascii_case("utf-8") || charset.eq_ignore_ascii_case("utf8")
        }
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ERR-415-1
    #[test]
    fn a_body_that_says_it_is_not_json_is_refused() {
        let check = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(CONTENT_TYPE, HeaderValue::from_str(value).unwrap());
            }
            check_media_type(&headers).is_ok()
        };
        for good in [
            "application/json",
            "Application/JSON; charset=UTF-8",
            "application/json;charset=\"utf-8\"",
            "application/merge-patch+json",
        ] {
            assert!(check(&[good]), "{good}");
        }
        assert!(check(&[]));
        for bad in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/json; charset=utf-16",
            "application/jsonp",
            "",
        ] {
            assert!(!check(&[bad]), "{bad}");
        }
        assert!(!check(&["application/json", "application/json"]));
    }
}

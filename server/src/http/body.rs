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
pub(super) struct RequestBody {
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

impl RequestBody {
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
        self.check_length(cap)?;
        let mut read = BytesMut::with_capacity(self.declared());
        self.fill(&mut read, cap, cap, time).await?;
        Ok(read.freeze())
    }

    /// Reads the whole body. One of more than `small` bytes waits for a `place` before more of it is in memory.
    ///
    /// # Errors
    ///
    /// Those of [`RequestBody::read`], and those of `place`.
    pub(super) async fn read_large<P>(
        &mut self,
        cap: usize,
        time: Duration,
        small: usize,
        place: impl Future<Output = Result<P, ServiceError>>,
    ) -> Result<(Bytes, Option<P>), RejectedBody> {
        self.check_length(cap)?;
        let mut read = BytesMut::new();
        if self.declared() <= small {
            self.fill(&mut read, small, cap, time).await?;
            if self.body.is_none() {
                return Ok((read.freeze(), None));
            }
        }
        let place = place.await?;
        read.reserve(self.declared());
        self.fill(&mut read, cap, cap, time).await?;
        Ok((read.freeze(), Some(place)))
    }

    fn check_length(&self, cap: usize) -> Result<(), ServiceError> {
        if self.length.is_some_and(|length| length > cap as u64) { Err(too_large(cap)) } else { Ok(()) }
    }

    /// The length that the head declares, or none.
    fn declared(&self) -> usize {
        self.length.and_then(|length| usize::try_from(length).ok()).unwrap_or_default()
    }

    /// Reads to the end, after which there is no body left, or until more than `enough` bytes are read.
    async fn fill(
        &mut self,
        read: &mut BytesMut,
        enough: usize,
        cap: usize,
        time: Duration,
    ) -> Result<(), RejectedBody> {
        let Some(body) = self.body.as_mut() else { return Ok(()) };
        // From here on the client has been told to go on.
        self.awaits_continue = false;
        let some = async {
            while read.len() <= enough {
                let Some(frame) = body.frame().await else { return Ok(true) };
                let frame = frame.map_err(|_| RejectedBody {
                    error: ServiceError::InvalidArgument(
                        "the body broke off or is not framed as its headers say".into(),
                    ),
                    close: true,
                })?;
                let Ok(data) = frame.into_data() else { continue };
                if read.len() + data.len() > cap {
                    return Err(RejectedBody::from(too_large(cap)));
                }
                read.extend_from_slice(&data);
            }
            Ok(false)
        };
        let ended = tokio::time::timeout(time, some).await.unwrap_or_else(|_| {
            let late = format!("the body did not arrive within {} s", time.as_secs());
            Err(RejectedBody { error: ServiceError::InvalidArgument(late), close: true })
        });
        if matches!(ended, Ok(true) | Err(RejectedBody { close: true, .. })) {
            self.body = None;
        }
        ended.map(|_| ())
    }
}

fn too_large(cap: usize) -> ServiceError {
    ServiceError::PayloadTooLarge { what: "the body", limit: cap }
}

impl Drop for RequestBody {
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

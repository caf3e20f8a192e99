//! Replies of a service.

use std::io;

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use http::header::{CONTENT_TYPE, DATE, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::Frame;
use serde_json::Value;

use super::behaviour::Behaviour;

/// The time of services that state one: none of them goes by the clock of who asks.
const NOW: jiff::Timestamp = jiff::Timestamp::constant(784_111_777, 0);

/// The body of a reply.
pub(super) type EngineReplyBody = UnsyncBoxBody<Bytes, io::Error>;

/// A reply, before it is sent.
#[derive(Debug)]
pub(super) struct EngineReply {
    pub(super) status: u16,
    pub(super) body: Bytes,
}

impl EngineReply {
    pub(super) fn json(status: u16, body: &Value) -> Self {
        Self { status, body: body.to_string().into() }
    }

    /// A reply without a body.
    pub(super) fn empty(status: u16) -> Self {
        Self { status, body: Bytes::new() }
    }

    /// The reply as it goes over the wire.
    pub(super) fn sent(self, behaviour: &Behaviour) -> Response<EngineReplyBody> {
        let half = self.body.slice(..self.body.len() / 2);
        let body = match behaviour {
            Behaviour::ByteOrderMark => whole([b"\xef\xbb\xbf", &self.body[..]].concat().into()),
            Behaviour::NotJson => whole(Bytes::from_static(b"<!doctype html><title>Sorry</title>\n")),
            Behaviour::StallBody => StreamBody::new(begun(half).chain(stream::pending())).boxed_unsync(),
            Behaviour::CutBody => {
                let end = stream::once(async { Err(io::Error::other("cut off")) });
                StreamBody::new(begun(half).chain(end)).boxed_unsync()
            }
            _ => whole(self.body),
        };
        let mut response = Response::new(body);
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap_or_default();
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if matches!(self.status, 403 | 429) {
            say_when(response.headers_mut(), behaviour);
        }
        response
    }
}

/// Says in the headers how long to wait, where the behaviour has that.
fn say_when(headers: &mut HeaderMap, behaviour: &Behaviour) {
    match behaviour {
        Behaviour::RateLimited(Some(seconds)) => {
            headers.insert(RETRY_AFTER, (*seconds).into());
        }
        Behaviour::RateLimitedUntil(seconds) => {
            let later = NOW.checked_add(jiff::SignedDuration::from_secs(i64::from(*seconds))).unwrap_or(NOW);
            for (name, at) in [(DATE, NOW), (RETRY_AFTER, later)] {
                let date = HeaderValue::try_from(at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string());
                headers.extend(date.ok().map(|date| (name, date)));
            }
        }
        _ => {}
    }
}

fn whole(body: Bytes) -> EngineReplyBody {
    Full::new(body).map_err(|never| match never {}).boxed_unsync()
}

fn begun(half: Bytes) -> impl futures_util::Stream<Item = io::Result<Frame<Bytes>>> {
    stream::once(async { Ok(Frame::data(half)) })
}

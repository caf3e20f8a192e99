//! Bytes on a connection, for what no HTTP client sends.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};

use super::answer::CheckedExchange;
use super::context::Cx;
use crate::outcome::{NotRun, Stop};
use crate::profile::Identity;
use crate::wire::{Exchange, Request, WireEvent};

impl Cx {
    /// Sends `text` on a connection of its own, and reads answers until the deployment closes the connection, `count`
    /// is reached, or it falls silent. The request is recorded as `method` and `path` for the report.
    ///
    /// `{host}`, `{path}` (that of `path` under `base_url`) and `{key}` in the head are filled in.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no connection.
    pub async fn raw(
        &self,
        method: Method,
        path: &str,
        bytes: &[u8],
        count: usize,
    ) -> Result<Vec<CheckedExchange>, Stop> {
        let session = self.session();
        session.pacer.turn(&self.lane().id).await;
        let url = format!("{}{path}", session.profile.base_url);
        let request = Request { method, url, headers: HeaderMap::new(), body: Bytes::copy_from_slice(bytes) };
        if session.limits.read_only && !matches!(request.method, Method::GET | Method::HEAD | Method::OPTIONS) {
            return Err(Stop::NotRun(NotRun::ReadOnly));
        }
        let mut intent = self.intend(&request)?;
        let at = session.clock.now();
        let bytes = self.filled_head(&request.url, bytes);
        let answers = session.http.raw(&bytes, count).await.map_err(Stop::Error)?;
        session.http.breaker().worked();
        let mut recorded = Vec::new();
        for (status, headers, body) in answers {
            let headers = headers
                .into_iter()
                .filter_map(|(name, value)| {
                    Some((name.parse::<HeaderName>().ok()?, HeaderValue::from_bytes(&value).ok()?))
                })
                .collect();
            let request = request.clone();
            let exchange = Exchange { request, status, headers, body, at, took: Duration::ZERO };
            session.wire_log.sent(WireEvent::Answered(&exchange));
            // The bytes may be more than one request.
            let of_this = match intent.take() {
                Some(intent) => Some(intent),
                None => self.intend(&exchange.request)?,
            };
            self.made_by(of_this, &exchange)?;
            recorded.push(self.record(exchange));
        }
        Ok(recorded)
    }

    /// Sends bytes that are not well-formed HTTP, and returns the statuses of the answers: nothing else is required of
    /// such answers (AMB-45), and they are not recorded.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no connection.
    pub async fn raw_broken(&self, bytes: &[u8], count: usize) -> Result<Vec<u16>, Stop> {
        let session = self.session();
        session.pacer.turn(&self.lane().id).await;
        let answers = session.http.raw(bytes, count).await.map_err(Stop::Error)?;
        Ok(answers.into_iter().map(|(status, _, _)| status).collect())
    }

    /// The bytes with what stands for host, path and key in their head filled in.
    fn filled_head(&self, url: &str, bytes: &[u8]) -> Vec<u8> {
        const END: &[u8] = b"\r\n\r\n";
        let end = bytes.windows(END.len()).position(|window| window == END).unwrap_or(bytes.len());
        let (head, rest) = bytes.split_at(end);
        let (Ok(head), Ok(url)) = (std::str::from_utf8(head), url::Url::parse(url)) else { return bytes.to_vec() };
        let key = self.lane().keys.get(&Identity::Full).map_or("", |key| key.expose());
        let head = head
            .replace("{host}", &url[url::Position::BeforeHost..url::Position::AfterPort])
            .replace("{path}", &url[url::Position::BeforePath..url::Position::AfterQuery])
            .replace("{key}", key);
        [head.as_bytes(), rest].concat()
    }
}

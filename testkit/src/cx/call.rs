//! Requests: paced, recorded, and answered within the run's patience.

use std::time::Duration;

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde::Serialize;
use serde_json::Value;

use super::answer::CheckedExchange;
use super::context::Cx;
use crate::outcome::{Failure, NotRun, Stop};
use crate::profile::{Identity, Project};
use crate::session::CreatedWebhook;
use crate::wire::{Exchange, Request};

/// A request in the making.
#[derive(Debug, Clone)]
#[must_use = "a request is made by `send`"]
pub struct Call {
    cx: Cx,
    method: Method,
    path: String,
    headers: HeaderMap,
    body: Bytes,
    chunked: bool,
    paced: Option<String>,
    burst: bool,
    refusable: bool,
    http2: bool,
}

impl Call {
    fn new(cx: &Cx, method: Method, path: String) -> Self {
        let (headers, body) = (HeaderMap::new(), Bytes::new());
        Self {
            cx: cx.clone(),
            method,
            path,
            headers,
            body,
            chunked: false,
            paced: None,
            burst: false,
            refusable: false,
            http2: false,
        }
    }

    fn paced_as(self, project: &str) -> Self {
        Self { paced: Some(project.to_owned()), ..self }
    }

    /// With this key in place of another.
    pub fn bearer(self, key: &str) -> Self {
        self.authorization(&format!("Bearer {key}"))
    }

    /// Uses another key of the check's project.
    ///
    /// # Errors
    ///
    /// Returns an error if the profile has no such key.
    pub fn key(self, identity: Identity) -> Result<Self, Stop> {
        let cx = self.cx.clone();
        Ok(self.bearer(cx.key_of(cx.lane(), identity)?))
    }

    /// Uses a key of another project than the check's.
    ///
    /// # Errors
    ///
    /// Returns an error if the profile has no such key.
    pub fn key_of(self, project: &Project, identity: Identity) -> Result<Self, Stop> {
        let cx = self.cx.clone();
        Ok(self.bearer(cx.key_of(project, identity)?))
    }

    /// With this header `Authorization` in place of another.
    pub fn authorization(self, value: &str) -> Self {
        self.no_key().header(AUTHORIZATION.as_str(), value.as_bytes())
    }

    /// Without a key.
    pub fn no_key(mut self) -> Self {
        self.headers.remove(AUTHORIZATION);
        self
    }

    /// With one more header. What cannot be a header at all is left out.
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_bytes(value.as_ref())) {
            self.headers.append(name, value);
        }
        self
    }

    /// With a query member, encoded.
    pub fn query(mut self, name: &str, value: &str) -> Self {
        let pair: String = url::form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
        self.path = format!("{}{}{pair}", self.path, if self.path.contains('?') { '&' } else { '?' });
        self
    }

    /// With a JSON body.
    pub fn json(self, body: &impl Serialize) -> Self {
        let body = serde_json::to_vec(body).unwrap_or_default();
        self.bytes(body).content_type("application/json")
    }

    /// With these bytes as body, in no media type.
    pub fn bytes(self, body: impl Into<Bytes>) -> Self {
        Self { body: body.into(), ..self }
    }

    /// With this media type in place of another.
    pub fn content_type(mut self, value: &str) -> Self {
        self.headers.remove(CONTENT_TYPE);
        self.header(CONTENT_TYPE.as_str(), value)
    }

    /// Sends the body in chunks, without `Content-Length`.
    pub fn chunked(self) -> Self {
        Self { chunked: true, ..self }
    }

    /// Goes over HTTP/2, on a connection that speaks nothing else.
    pub fn http2(self) -> Self {
        Self { http2: true, ..self }
    }

    /// Is about the request budget itself: not paced, and a 429 is an answer like any other.
    pub fn burst(self) -> Self {
        Self { burst: true, refusable: true, ..self }
    }

    /// Is about a budget other than the request budget: paced, and a 429 is an answer like any other.
    pub fn counted(self) -> Self {
        Self { refusable: true, ..self }
    }

    /// Makes the request.
    ///
    /// # Errors
    ///
    /// Returns an error if no answer comes, or the deployment refuses twice for its request budget.
    pub async fn send(self) -> Result<CheckedExchange, Stop> {
        let answer = self.once().await?;
        if answer.status != 429 || self.refusable {
            return Ok(answer);
        }
        if let Some(daily) = daily_budget(&answer) {
            return Err(Stop::NotRun(NotRun::DailyBudget(daily)));
        }
        // A refused `HEAD` has no body that says why.
        if !answer.is_error(429, "rate_limited") && self.method != Method::HEAD {
            return Ok(answer);
        }
        let seconds = answer.header("retry-after").and_then(|value| value.parse().ok()).unwrap_or(60_u64).min(120);
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        let again = self.once().await?;
        if again.is_error(429, "rate_limited") {
            // Both budgets have this code. A request that counts against the request budget alone tells them apart.
            let project = self.paced.clone().unwrap_or_else(|| self.cx.lane().id.clone());
            let path = format!("/projects/{project}/credential");
            let looked = Self { path, method: Method::GET, body: Bytes::new(), ..self };
            if looked.once().await?.status == 200 {
                let refused =
                    format!("{} {} is refused, and GET /credential is not", again.request.method, again.request.url);
                return Err(Stop::NotRun(NotRun::DailyBudget(refused)));
            }
            return Err(Stop::Error("the request budget was used up, and still was after Retry-After".to_owned()));
        }
        Ok(again)
    }

    async fn once(&self) -> Result<CheckedExchange, Stop> {
        let session = self.cx.session();
        if let (Some(project), false) = (&self.paced, self.burst) {
            session.pacer.turn(project).await;
        }
        let url = format!("{}{}", session.profile.base_url, self.path);
        let request =
            Request { method: self.method.clone(), url, headers: self.headers.clone(), body: self.body.clone() };
        let reads = matches!(request.method, Method::GET | Method::HEAD | Method::OPTIONS);
        if session.limits.read_only && !reads {
            return Err(Stop::NotRun(NotRun::ReadOnly));
        }
        let intent = self.cx.intend(&request)?;
        let now = session.clock.now();
        let sent = match self.http2 {
            true => session.http.send_by_http2(&request, now).await,
            false => session.http.send(&request, self.chunked, now).await,
        };
        let exchange = sent.map_err(Stop::Error)?;
        self.cx.made_by(intent, &exchange)?;
        Ok(self.cx.record(exchange))
    }
}

/// The refusal of a write for a daily budget (§8), if it says that it is one.
fn daily_budget(answer: &CheckedExchange) -> Option<String> {
    let body: Value = serde_json::from_slice(&answer.body).ok()?;
    let code = body["error"].as_str()?;
    let resets = body["details"]["resetsAt"].as_str();
    let named = matches!(code, "capture_quota_exceeded" | "import_quota_exceeded" | "run_quota_exceeded");
    (named || resets.is_some()).then(|| {
        let resets = resets.map(|time| format!("; it is reset at {time}")).unwrap_or_default();
        format!("{} {} answered 429 {code}{resets}", answer.request.method, answer.request.url)
    })
}

impl Cx {
    /// A request of a path under the check's project, with its key `full`.
    pub fn call(&self, method: Method, path: &str) -> Call {
        self.call_on(self.lane(), method, path)
    }

    /// A request of a path under a project, with its key `full`.
    pub fn call_on(&self, project: &Project, method: Method, path: &str) -> Call {
        let call = Call::new(self, method, format!("/projects/{}{path}", project.id)).paced_as(&project.id);
        match project.keys.get(&Identity::Full) {
            Some(key) => call.bearer(key.expose()),
            None => call,
        }
    }

    /// A request of a path under `base_url`, without a key.
    pub fn at(&self, method: Method, path: &str) -> Call {
        Call::new(self, method, path.to_owned())
    }

    /// `GET` under the check's project.
    pub fn get(&self, path: &str) -> Call {
        self.call(Method::GET, path)
    }

    /// `POST` under the check's project.
    pub fn post(&self, path: &str) -> Call {
        self.call(Method::POST, path)
    }

    /// `PATCH` under the check's project.
    pub fn patch(&self, path: &str) -> Call {
        self.call(Method::PATCH, path)
    }

    /// `PUT` under the check's project.
    pub fn put(&self, path: &str) -> Call {
        self.call(Method::PUT, path)
    }

    /// `DELETE` under the check's project.
    pub fn delete(&self, path: &str) -> Call {
        self.call(Method::DELETE, path)
    }

    /// Notes in the journal that a request may make something, before it is sent.
    pub(super) fn intend(&self, request: &Request) -> Result<Option<u64>, Stop> {
        let session = self.session();
        let noted = session.journal.intend(request, session.clock.now());
        noted.map_err(|error| {
            Stop::Error(format!("cannot write the journal {}: {error}", session.journal.path().display()))
        })
    }

    /// Notes what it made, for the clean-up.
    pub(super) fn made_by(&self, intent: Option<u64>, exchange: &Exchange) -> Result<(), Stop> {
        let Some(intent) = intent else { return Ok(()) };
        let made = CreatedWebhook::of(exchange);
        let noted = self.session().journal.answered(intent, made.as_ref());
        self.remove_later(made);
        noted.map_err(|error| Stop::Error(format!("cannot write the journal: {error}")))
    }

    /// Adds an exchange to the record.
    pub(super) fn record(&self, exchange: Exchange) -> CheckedExchange {
        let place = self.keep(exchange.clone());
        CheckedExchange { cx: self.clone(), place, exchange }
    }

    /// A deviation seen in an answer.
    pub(crate) fn deviation(expected: impl Into<String>, actual: impl Into<String>) -> Stop {
        Stop::Fail(Box::new(Failure { case: None, expected: expected.into(), actual: actual.into(), exchange: None }))
    }
}

//! The answers of a receiver.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::header::LOCATION;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use tokio_util::sync::CancellationToken;

use super::Delivery;

/// An answer to a delivery.
#[derive(Debug, Clone)]
#[must_use]
pub struct Answer {
    pub(super) head: Option<(StatusCode, HeaderMap)>,
    pub(super) body: AnswerBody,
    pub(super) delay: Duration,
    pub(super) gate: Option<Gate>,
}

/// The body of an answer.
#[derive(Debug, Clone)]
pub(super) enum AnswerBody {
    Bytes(Bytes),
    /// So many zeros, with `Content-Length`.
    Zeros(u64),
    /// A byte at a time, without an end.
    Drip(Duration),
}

impl Answer {
    /// 200 without a body.
    pub fn ok() -> Self {
        Self::status(StatusCode::OK)
    }

    /// This status without a body.
    pub fn status(status: StatusCode) -> Self {
        Self {
            head: Some((status, HeaderMap::new())),
            body: AnswerBody::Bytes(Bytes::new()),
            delay: Duration::ZERO,
            gate: None,
        }
    }

    /// This status, and `location` as the header `Location`.
    pub fn redirect(status: StatusCode, location: HeaderValue) -> Self {
        Self::status(status).header(LOCATION, location)
    }

    /// Closes the connection without an answer.
    pub fn close() -> Self {
        Self { head: None, ..Self::ok() }
    }

    /// Never answers, and keeps the connection open.
    pub fn silence() -> Self {
        Self::ok().held(&Gate::closed())
    }

    /// With one more header.
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        if let Some((_, headers)) = &mut self.head {
            headers.append(name, value);
        }
        self
    }

    /// With this body.
    pub fn body(self, body: impl Into<Bytes>) -> Self {
        Self { body: AnswerBody::Bytes(body.into()), ..self }
    }

    /// With a body of `length` bytes, which is made while it is sent.
    pub fn huge(self, length: u64) -> Self {
        Self { body: AnswerBody::Zeros(length), ..self }
    }

    /// With a body of one byte after every `pause`, without an end.
    pub fn drip(self, pause: Duration) -> Self {
        Self { body: AnswerBody::Drip(pause), ..self }
    }

    /// Not before so much time has passed since the delivery came; its head waits as well.
    pub fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// Not before `gate` is open.
    pub fn held(self, gate: &Gate) -> Self {
        Self { gate: Some(gate.clone()), ..self }
    }
}

/// Holds answers back until it is opened. Clones are the same gate.
#[derive(Debug, Clone)]
pub struct Gate(CancellationToken);

impl Gate {
    /// A gate that is closed.
    #[must_use]
    pub fn closed() -> Self {
        Self(CancellationToken::new())
    }

    /// Lets every answer out that it holds, and every later one. It does not close again.
    pub fn open(&self) {
        self.0.cancel();
    }

    pub(super) async fn opened(&self) {
        self.0.cancelled().await;
    }
}

/// The source of the answers to deliveries on one path.
#[derive(Clone)]
pub(super) enum Script {
    /// The next is last of the list.
    InTurn(Vec<Answer>),
    By(Arc<dyn Fn(&Delivery) -> Answer + Send + Sync>),
}

impl Script {
    pub(super) fn in_turn(mut answers: Vec<Answer>) -> Self {
        answers.reverse();
        Self::InTurn(answers)
    }
}

/// The script of each path.
#[derive(Default)]
pub(super) struct Scripts(Mutex<HashMap<String, Script>>);

impl Scripts {
    pub(super) fn set(&self, path: &str, script: Script) {
        self.lock().insert(path.to_owned(), script);
    }

    pub(super) fn answer(&self, delivery: &Delivery) -> Answer {
        let choose = match self.lock().get_mut(delivery.uri.path()) {
            None => return Answer::ok(),
            Some(Script::InTurn(answers)) if answers.len() > 1 => return answers.pop().unwrap_or_else(Answer::ok),
            Some(Script::InTurn(answers)) => return answers.first().cloned().unwrap_or_else(Answer::ok),
            Some(Script::By(choose)) => Arc::clone(choose),
        };
        // Without the lock: it is the test's code, and may set another script.
        choose(delivery)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Script>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Scripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.lock().keys()).finish()
    }
}

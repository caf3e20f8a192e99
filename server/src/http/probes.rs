//! `/livez` and `/readyz`: what a process manager and a load balancer ask. They lie outside the API, need no key, and count
//! against no budget.

use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use serde_json::json;
use tokio::sync::Mutex;

use super::Gate;
use crate::service::Service;
use crate::store::readiness::NotReady;

/// Answers as long as the process runs its tasks.
pub(super) const LIVE_PATH: &str = "/livez";
/// Answers 200 while requests can be served.
pub(super) const READY_PATH: &str = "/readyz";

/// Lifetime of an answer of the datastore: more frequent questions cost it nothing.
const ANSWER_LASTS: Duration = Duration::from_secs(1);
/// A process that has begun no write for as long, while the file is locked, does not get to write.
const LOCKED_FOR: Duration = Duration::from_secs(15);

/// The last look at the datastore.
#[derive(Default)]
pub(super) struct Readiness(Mutex<Option<DatastoreCheck>>);

/// The time of a look at the datastore, and the reason why it took no requests, if it took none.
type DatastoreCheck = (Instant, Option<NotReady>);

impl Readiness {
    /// The reason why the datastore takes no requests, if it takes none.
    async fn look(&self, service: &Service) -> Option<NotReady> {
        let mut last = self.0.lock().await;
        if let Some((at, answer)) = *last
            && at.elapsed() < ANSWER_LASTS
        {
            return answer;
        }
        let answer = service.store.ready(LOCKED_FOR).await.err();
        *last = Some((Instant::now(), answer));
        answer
    }
}

pub(super) async fn live() -> Response {
    answer(StatusCode::OK, &json!({"status": "ok"}))
}

pub(super) async fn ready(State(gate): State<Gate>) -> Response {
    let why = if gate.service.draining.is_cancelled() {
        Some("draining")
    } else {
        gate.readiness.look(&gate.service).await.map(NotReady::as_str)
    };
    match why {
        None => answer(StatusCode::OK, &json!({"status": "ok"})),
        Some(reason) => {
            let body = json!({"status": "not_ready", "reason": reason});
            let mut response = answer(StatusCode::SERVICE_UNAVAILABLE, &body);
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("5"));
            response
        }
    }
}

fn answer(status: StatusCode, body: &serde_json::Value) -> Response {
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    (status, headers, body.to_string()).into_response()
}

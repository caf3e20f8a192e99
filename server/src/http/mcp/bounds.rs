//! Bounds on the requests of agents, so that none takes from others what they need.
//!
//! Whoever has no key gets no further than the key's check, which counts failures by address as the API does; nothing of the
//! body is read. The calls that a request makes count against the project's budgets. The bounds here are about the requests
//! themselves: some make no call, and some wait for a minute.

use crate::clock::Timestamp;
use crate::domain::{Caller, ServiceError};
use crate::http::concurrency::{ConcurrencyLimiter, ConcurrencyPermit};
use crate::request_windows::{LocalWindows, OverBudget};

/// Requests of one workspace that are under way, of which each may wait for a run or a person. No bound holds for all
/// workspaces together but that of connections: a bound that waiting requests exhaust would be a way to lock others out.
const OF_ONE_WORKSPACE: usize = 16;

/// Requests with large bodies that are under way, and those of one workspace. Each takes some times its body in memory, and no
/// more than a small body is read of one that has no place yet.
const LARGE: usize = 16;
const LARGE_OF_ONE_WORKSPACE: usize = 2;

/// Most values in a body. A value takes up to 600 bytes once it is read; the largest call, a report of 500 keys, has 4,000.
const MOST_VALUES: usize = 50_000;

/// Requests of a project in a window, for each request that its budget takes: a client asks for the list of tools, or begins
/// anew, besides calling tools.
const FOR_EACH_OF_THE_BUDGET: u32 = 2;

/// The bounds, and what is under way.
#[derive(Debug)]
pub(super) struct McpBounds {
    windows: LocalWindows,
    all: ConcurrencyLimiter<String>,
    large: ConcurrencyLimiter<String>,
}

/// A place for a request; it is free again when this is dropped.
pub(super) type RequestPermit = ConcurrencyPermit<String>;

impl McpBounds {
    pub(super) fn new(requests_per_minute: u32) -> Self {
        Self {
            windows: LocalWindows::new(requests_per_minute.saturating_mul(FOR_EACH_OF_THE_BUDGET)),
            all: ConcurrencyLimiter::new(tokio::sync::Semaphore::MAX_PERMITS, OF_ONE_WORKSPACE),
            large: ConcurrencyLimiter::new(LARGE, LARGE_OF_ONE_WORKSPACE),
        }
    }

    /// Lets a request in whose key is valid.
    ///
    /// # Errors
    ///
    /// 429 where the project has sent too many, or the workspace has too many under way.
    pub(super) async fn admit(&self, caller: &Caller, now: Timestamp) -> Result<RequestPermit, ServiceError> {
        self.windows.count(&caller.project, now).map_err(|OverBudget| {
            ServiceError::RateLimited("the project's agents send too many requests: wait 60 seconds".into())
        })?;
        self.all.take(caller.workspace.to_string()).await
    }

    /// A place for a large body, before it is read; it waits for one for some seconds.
    ///
    /// # Errors
    ///
    /// 429 and 503 where too many large ones are under way.
    pub(super) async fn admit_large(&self, caller: &Caller) -> Result<RequestPermit, ServiceError> {
        self.large.take(caller.workspace.to_string()).await
    }
}

/// Looks at a body that has been read.
///
/// # Errors
///
/// 400 for a body that is made to take memory.
pub(super) fn check_body(body: &[u8]) -> Result<(), ServiceError> {
    if values(body) > MOST_VALUES {
        return Err(ServiceError::InvalidArgument(format!(
            "the body has more than {MOST_VALUES} values: split it into several calls"
        )));
    }
    Ok(())
}

/// Number of values in a JSON text, or one more or less; whatever in a text that is none.
fn values(json: &[u8]) -> usize {
    let (mut count, mut is_text, mut is_escaped) = (0, false, false);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b',' | b'[' | b'{' if !is_text => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_outside_of_texts() {
        for (json, count) in [
            (r#"{"a": 1, "b": [2, {"c": "d"}]}"#, 5),
            (r#"{"text": "[,,,{\"[[[,"}"#, 1),
            (r#"["\\", "\\\"[,", []]"#, 4),
            ("", 0),
            ("garbage", 0),
        ] {
            assert_eq!(values(json.as_bytes()), count, "{json}");
        }
        assert_eq!(values("[".repeat(100).as_bytes()), 100);
    }
}

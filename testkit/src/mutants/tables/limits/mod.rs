//! Limits (§8).

pub(super) mod bodies;
pub(super) mod daily;
pub(super) mod window;

use crate::mutants::exchange::ApiAnswer;

/// The answer to a request over its budget.
fn rate_limited() -> ApiAnswer {
    let mut answer = ApiAnswer::error(429, "rate_limited");
    answer.set_header("retry-after", "60");
    answer
}

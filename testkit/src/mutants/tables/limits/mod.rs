//! Limits (§8).

pub(super) mod bodies;
pub(super) mod daily;
pub(super) mod window;

use crate::mutants::ApiAnswer;

/// What a request over its budget is answered.
fn rate_limited() -> ApiAnswer {
    let mut answer = ApiAnswer::error(429, "rate_limited");
    answer.set_header("retry-after", "60");
    answer
}

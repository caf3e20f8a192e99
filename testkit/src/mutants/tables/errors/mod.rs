//! Errors (§7).

pub(super) mod absent;
pub(super) mod credits;
pub(super) mod malformed;
pub(super) mod refused;
pub(super) mod shape;

use crate::mutants::exchange::ApiAnswer;

/// Answers as a framework does, in plain text.
fn plain(answer: &mut ApiAnswer, status: u16, text: &str) {
    answer.status = status;
    answer.set_header("content-type", "text/plain; charset=utf-8");
    answer.body = text.to_owned().into();
}

//! Statuses on the page.

use crate::outcome::Status;

pub(super) fn status_class(status: Option<Status>) -> &'static str {
    match status {
        Some(Status::Pass) => "pass",
        Some(Status::Warn) => "warn",
        Some(Status::Fail) => "fail",
        Some(Status::Error) => "error",
        Some(Status::NotRun) | None => "open",
    }
}

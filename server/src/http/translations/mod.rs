//! Registering, pricing, translating and reading strings.

pub(super) mod get;
pub(super) mod sync;
pub(super) mod translate;

use l10n_api_types::translations::{Run, RunStatus};

use super::{Context, Reply};

/// The answer of a run: 202 when work was queued, of which the worker is then told.
fn answer(cx: &Context, run: Run) -> Reply<Run> {
    if run.status == RunStatus::Queued {
        cx.service.work_queued.notify_one();
        Reply::accepted(run)
    } else {
        Reply::json(run)
    }
}

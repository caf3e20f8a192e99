//! Steps that `sync`, `import`, `translate` and `check` share: upload a file, show a price, wait for a job.

mod approval;
mod formats;
mod price;
mod summary;
mod upload;
mod wait;
mod write_outcome;

pub(crate) use approval::{APPROVAL_WAIT, NotApproved, approved, obtain, request, wait_for_decision, whole_credits};
pub(crate) use formats::{FormatsState, merged, register_formats};
pub(crate) use price::{Totals, enforce_max_credits};
pub(crate) use summary::{classes, counted, print_removed, print_warnings};
pub(crate) use upload::{Upload, Uploaded, is_about_the_file, upload};
pub(crate) use wait::{JobSummary, finish, wait_for};
pub(crate) use write_outcome::{WriteOutcome, ask_outcome, made};

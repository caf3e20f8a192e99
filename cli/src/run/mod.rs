//! Steps that commands share: price, approve, run and settle paid work, wait for jobs, ask for lost answers.

mod approval;
mod decision;
mod documents;
mod flow;
mod formats;
mod held;
mod price;
mod published;
mod settle;
mod summary;
mod upload;
mod uploaded;
mod wait;
mod write_outcome;

pub(crate) use self::approval::{approved, obtain, wait_for_decision, whole_credits};
pub(crate) use self::decision::{how_to_decide, how_to_use};
pub(crate) use self::documents::{DOCUMENTS_AT_ONCE, DocumentRefused, is_about_the_document};
pub(crate) use self::flow::{Approvals, PaidWork, prepare};
pub(crate) use self::formats::{FormatsState, merged, register_formats};
pub(crate) use self::held::{MOST_HELD, may_hold_more};
pub(crate) use self::price::Totals;
pub(crate) use self::published::{print_answer, print_replayed, print_unconfirmed};
pub(crate) use self::settle::{conclude, failures, settle, settle_dry_run, settle_errors, settle_previews};
pub(crate) use self::summary::{classes, print_removed, print_warnings};
pub(crate) use self::upload::{FileOutcome, FileResult, Upload, is_about_the_file, upload, upload_all};
pub(crate) use self::uploaded::Uploaded;
pub(crate) use self::wait::JobSummary;
pub(crate) use self::write_outcome::ask_outcome;

//! Registering, pricing, translating and reading strings.
//!
//! `POST /translate` and `POST /sync` answer a real run and a dry run in one shape, [`Run`]. A run holds its estimate;
//! chunks of work charge against the hold as they finish, and the rest is released. **A quote is a bound**: with no
//! change in between, the run charges at most what the dry run said.

mod get;
mod run;
mod sync;
mod translate;

pub use get::{
    Failure, Get, GetQuery, Job, JobKind, JobStatus, JobTranslation, KeyDetail, KeyList, Progress, TranslationsAnswer,
    VersionFile, VersionFiles,
};
pub use run::{Class, Classification, HeldReason, HeldText, Item, LanguagePrice, Renamed, Run, RunStatus, WouldFail};
pub use sync::{Encoding, FileUpload, OnRemoved, SYNC_BODY_CAP, SYNC_FILE_CAP, Sync, SyncBody};
pub use translate::{RunQuery, Translate, TranslateBody};

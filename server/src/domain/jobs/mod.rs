//! Translation jobs: leased, worked on chunk by chunk, read.
//!
//! A job is a row with chunks. A worker leases it, and for each chunk, of which it may have several under way: begins (selects
//! the texts that are still wanted, under a live hold), lets the engine translate outside of any transaction, and commits translations, memory, charge,
//! renewed hold and progress at once. The commit is fenced by the lease's owner and by the chunk's status, so that a
//! worker which was away too long writes nothing, and no text is translated or charged twice: the next worker that
//! leases the job repeats the work that died between two commits.

mod chunk;
mod claimed;
mod hints;
mod items;
mod keys;
mod lease;
mod read;
mod segments;
pub(crate) mod show;

pub use chunk::{CommitOutcome, JobParts, NextStep, begin, begin_reading, commit};
pub(crate) use claimed::ChunkTranslations;
pub use claimed::{ChunkFailure, ClaimedChunk};
pub(crate) use hints::hints;
pub use lease::{Claimant, JOB_LEASE_MILLIS, Lease, NextChunk, claim, next};
pub(crate) use lease::{engines, release, release_orphans, renew, set_aside};
pub(crate) use read::{JobPage, wait};

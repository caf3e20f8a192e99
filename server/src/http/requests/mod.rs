//! Receipts of writes.

pub(super) mod read;

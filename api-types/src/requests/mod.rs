//! Receipts: the outcome of a write (§7: after a 500 it "may or may not have landed").

mod read;

pub use read::{Read, Receipt, ReceiptStatus, RequestPath, Resource};

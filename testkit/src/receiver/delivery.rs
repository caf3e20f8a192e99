//! One delivery, as it came.

use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, Method, Uri};

/// A request that arrived whole, body included.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// The number of its connection, counted from 0.
    pub connection: usize,
    /// Method.
    pub method: Method,
    /// Request target: path and query.
    pub uri: Uri,
    /// Headers.
    pub headers: HeaderMap,
    /// Body, byte for byte.
    pub body: Bytes,
    /// The time at which its head had arrived.
    pub arrived: Instant,
    /// The time at which its answer was completely written, or its connection broke; `None` while it is being answered.
    pub ended: Option<Instant>,
    /// True if its answer was completely written: the sender may nonetheless not have read it.
    pub answered: bool,
    /// Bytes of the answer's body that were handed over.
    pub sent: u64,
}

impl Delivery {
    /// A header as text; `None` where there is none, and where it is none.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns true if both were in progress at the same time.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let ends_before = |one: &Self, other: &Self| one.ended.is_some_and(|ended| ended <= other.arrived);
        !ends_before(self, other) && !ends_before(other, self)
    }
}

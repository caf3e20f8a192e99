//! The receiver under test.

use std::path::PathBuf;
use std::time::Duration;

use crate::profile::Secret;

/// A receiver, as its maker describes it.
#[derive(Debug)]
pub struct ReceiverTarget {
    /// Its URL.
    pub url: String,
    /// The secret that it verifies with.
    pub secret: Secret,
    /// Certificates that it is trusted by, in PEM, beside those that the machine trusts.
    pub ca: Option<PathBuf>,
    /// Time in addition to the specification's ten seconds, for slow machines.
    pub patience: Duration,
}

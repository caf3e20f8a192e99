//! The intervals and limits of the delivery worker.

use std::time::Duration;

/// The worker's intervals and limits. These are durations of the machine, not of the service's clock.
#[derive(Debug, Clone, Copy)]
pub struct DeliveryConfig {
    /// Interval of the search for deliveries without a hint.
    pub poll: Duration,
    /// Pause after a failure of the datastore.
    pub pause: Duration,
    /// Time for running attempts when the server is about to end; after it they are abandoned, and made again later.
    pub linger: Duration,
}

impl Default for DeliveryConfig {
    /// An attempt takes 15 seconds at most, so that none need be given up.
    fn default() -> Self {
        Self { poll: Duration::from_millis(500), pause: Duration::from_millis(500), linger: Duration::from_secs(20) }
    }
}

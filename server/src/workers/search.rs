//! Keeps the indexes of texts: that of keys whose texts have changed, and that of memory.

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use crate::domain::{memory, search};
use crate::service::Service;

/// Time after which it looks again. Translations of a job come one after the other: the key is read once for several.
const EVERY: Duration = Duration::from_secs(1);
/// The pause is as many times as long as the work before it: the languages of a large job mark its keys again and again.
const PAUSES: u32 = 4;
/// Time after which it looks for large projects whose common sequences of characters are not known.
const SAMPLES: Duration = Duration::from_mins(1);
/// Longest pause.
const LONGEST: Duration = Duration::from_secs(10);

/// Indexes until `shutdown`, one batch of each project that has something after the other.
pub(crate) async fn run(service: Service, shutdown: CancellationToken) {
    let work = async {
        let mut sampled: Option<Instant> = None;
        loop {
            let began = Instant::now();
            if sampled.is_none_or(|at| at.elapsed() >= SAMPLES) {
                sampled = Some(began);
                if let Err(error) = search::sample_all(&service.store, service.clock.now()).await {
                    tracing::warn!(?error, "cannot sample texts; searches in large projects take longer, trying again");
                }
            }
            if let Err(error) = search::index_all(&service.store).await {
                tracing::warn!(?error, "cannot index texts; searches read them instead, trying again");
            }
            if let Err(error) = memory::index_all(&service.store).await {
                tracing::warn!(?error, "cannot index texts of memory; similar ones are not found, trying again");
            }
            tokio::time::sleep((began.elapsed() * PAUSES).clamp(EVERY, LONGEST)).await;
        }
    };
    shutdown.run_until_cancelled(work).await;
}

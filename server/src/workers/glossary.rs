//! Holds what is translated against glossaries that have changed. It costs no one a pause: each step is short, and between two of
//! them the worker rests for as long as the first one took.

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use crate::domain::{ServiceError, glossary};
use crate::service::Service;
use crate::store::Store;

/// Time after which it looks again. Terms that a person changes one after the other are taken together.
const EVERY: Duration = Duration::from_secs(1);

/// Checks until `shutdown`.
pub(crate) async fn run(service: Service, shutdown: CancellationToken) {
    let work = async {
        loop {
            if let Err(error) = check_all(&service.store).await {
                tracing::warn!(?error, "cannot hold translations against a changed glossary; trying again");
            }
            tokio::time::sleep(EVERY).await;
        }
    };
    shutdown.run_until_cancelled(work).await;
}

/// Checks all that is to be checked, some keys of each project after the other.
async fn check_all(store: &Store) -> Result<(), ServiceError> {
    loop {
        let (mut last, mut is_any) = (String::new(), false);
        loop {
            let began = Instant::now();
            let Some(project) = glossary::check_some(store, &last).await? else { break };
            is_any = true;
            project.as_str().clone_into(&mut last);
            tokio::time::sleep(began.elapsed()).await;
        }
        if !is_any {
            return Ok(());
        }
    }
}

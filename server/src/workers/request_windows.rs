//! Merges what this process has counted of requests, where no request does so itself.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::request_windows::SETTLED_AT_ONCE;
use crate::service::Service;

/// Other processes may let in more than they should for so long after the last request.
const EVERY: Duration = Duration::from_secs(1);

/// Time by which the last merge may delay the server's end.
const AT_THE_END: Duration = Duration::from_secs(1);

/// Merges until `shutdown`, and once more then: another process goes on with the windows.
pub(crate) async fn run(service: Service, shutdown: CancellationToken) {
    if !service.request_windows.are_shared() {
        return;
    }
    while shutdown.run_until_cancelled(tokio::time::sleep(EVERY)).await.is_some() {
        settle(&service).await;
    }
    // What is not merged by then lets some requests pass twice.
    let _ = tokio::time::timeout(AT_THE_END, settle(&service)).await;
}

async fn settle(service: &Service) {
    loop {
        match service.request_windows.settle(service.clock.now()).await {
            Ok(SETTLED_AT_ONCE) => {}
            Ok(_) => return,
            Err(error) => return tracing::debug!(?error, "cannot merge counts of requests; trying again"),
        }
    }
}

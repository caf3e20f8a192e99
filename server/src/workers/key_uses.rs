//! Writes when keys were used last.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::service::Service;

/// People see the hour of the last use: nothing has to be written at once.
const EVERY: Duration = Duration::from_secs(30);

/// Time by which the last write may delay the server's end.
const AT_THE_END: Duration = Duration::from_secs(1);

/// Writes until `shutdown`, and once more then.
pub(crate) async fn run(service: Service, shutdown: CancellationToken) {
    while shutdown.run_until_cancelled(tokio::time::sleep(EVERY)).await.is_some() {
        write(&service).await;
    }
    let _ = tokio::time::timeout(AT_THE_END, write(&service)).await;
}

async fn write(service: &Service) {
    if let Err(error) = service.key_uses.write(&service.store).await {
        tracing::debug!(?error, "cannot write when keys were used last; their next requests tell again");
    }
}

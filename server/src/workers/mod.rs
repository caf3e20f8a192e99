//! The server's background work. Every worker may run in any number of processes at once: its work is leased or
//! idempotent in the datastore. Wake-ups within a process are hints; polling finds everything.

pub mod deliver;
pub mod expired;
pub mod glossary;
pub mod holds;
pub(crate) mod key_uses;
pub mod receipts;
pub(crate) mod request_windows;
pub mod retention;
pub mod search;
pub mod service_glossaries;
pub(crate) mod staged_runs;
pub mod translate;

use std::sync::Arc;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::service::Service;

/// Starts every worker. Each ends after `shutdown`, once the chunks that it is at are committed: join the set to wait.
#[must_use]
pub(crate) fn spawn(service: &Service, shutdown: &CancellationToken) -> JoinSet<()> {
    let mut workers = JoinSet::new();
    workers.spawn(translate::run(service.clone(), translate::WorkerConfig::default(), shutdown.clone()));
    let finished = Arc::default();
    let config = deliver::DeliveryConfig::default();
    workers.spawn(deliver::run(service.clone(), config, Arc::clone(&finished), shutdown.clone()));
    workers.spawn(deliver::run_sweep(service.clone(), finished, shutdown.clone()));
    workers.spawn(holds::run(service.clone(), shutdown.clone()));
    workers.spawn(expired::run(service.clone(), shutdown.clone()));
    workers.spawn(retention::run(service.clone(), shutdown.clone()));
    workers.spawn(receipts::run(service.clone(), shutdown.clone()));
    workers.spawn(search::run(service.clone(), shutdown.clone()));
    workers.spawn(glossary::run(service.clone(), shutdown.clone()));
    workers.spawn(service_glossaries::run(service.clone(), shutdown.clone()));
    workers.spawn(staged_runs::run(service.clone(), shutdown.clone()));
    workers.spawn(key_uses::run(service.clone(), shutdown.clone()));
    workers.spawn(request_windows::run(service.clone(), shutdown.clone()));
    workers
}

//! A person who decides about operations on the server.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use l10n_client::api::operations::{Operation, OperationStatus};
use l10n_server::domain::operations::{OperationDecision, list};
use l10n_server::service::Service;
use l10n_server::testing::decide;
use tokio::task::JoinHandle;

/// Decides about every new operation until it is dropped.
pub(crate) struct Person {
    decided: Arc<Mutex<Vec<Operation>>>,
    at_work: JoinHandle<()>,
}

impl Person {
    pub(crate) fn who_approves(service: &Service) -> Self {
        Self::who(service, true)
    }

    pub(crate) fn who_denies(service: &Service) -> Self {
        Self::who(service, false)
    }

    fn who(service: &Service, is_approved: bool) -> Self {
        let service = service.clone();
        let decided = Arc::new(Mutex::new(Vec::new()));
        let known = Arc::clone(&decided);
        let at_work = tokio::spawn(async move {
            loop {
                let more = decide_all(&service, is_approved).await;
                known.lock().unwrap().extend(more);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        Self { decided, at_work }
    }

    /// The decided operations.
    pub(crate) fn decided(&self) -> Vec<Operation> {
        self.decided.lock().unwrap().clone()
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        self.at_work.abort();
    }
}

/// Decides about all pending operations, oldest first.
pub(crate) async fn decide_all(service: &Service, is_approved: bool) -> Vec<Operation> {
    let mut tx = service.store.begin_read().await.unwrap();
    let mut waiting =
        list(&mut tx, &service.settings, service.clock.now(), None, Some(OperationStatus::Pending), 100).await.unwrap();
    drop(tx);
    waiting.sort_by(|(_, one), (_, other)| one.operation_id.cmp(&other.operation_id));
    let mut decided = Vec::new();
    for (_, operation) in waiting {
        let reason = (!is_approved).then_some("not on a Friday");
        let verdict = OperationDecision { is_approved, by: "ada", reason };
        decided.push(decide(service, operation.operation_id.as_str(), verdict).await.unwrap());
    }
    decided
}

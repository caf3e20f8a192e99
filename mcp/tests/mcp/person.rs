//! A person who decides about operations on the service.

use l10n_client::api::operations::{Operation, OperationStatus};
use l10n_server::domain::operations::{OperationDecision, list};
use l10n_server::service::Service;
use l10n_server::testing::decide;

/// The pending operations, oldest first.
pub(crate) async fn pending(service: &Service) -> Vec<Operation> {
    let mut tx = service.store.begin_read().await.unwrap();
    let now = service.clock.now();
    let mut waiting = list(&mut tx, &service.settings, now, None, Some(OperationStatus::Pending), 100).await.unwrap();
    waiting.sort_by(|(_, one), (_, other)| one.operation_id.cmp(&other.operation_id));
    waiting.into_iter().map(|(_, operation)| operation).collect()
}

/// Decides about the only pending operation.
pub(crate) async fn decide_only(service: &Service, is_approved: bool) -> Operation {
    let mut waiting = pending(service).await;
    assert_eq!(waiting.len(), 1, "{waiting:?}");
    let verdict = OperationDecision { is_approved, by: "ada", reason: (!is_approved).then_some("not on a Friday") };
    decide(service, waiting.remove(0).operation_id.as_str(), verdict).await.unwrap()
}

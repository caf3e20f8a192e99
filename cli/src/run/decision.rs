//! Tells how a person decides about an operation, and how its approval is used.

use l10n_client::api::operations::{Operation, OperationKind};

/// The ways in which a person decides.
pub(crate) fn how_to_decide(operation: &Operation) -> [String; 2] {
    [
        format!("Decide    {}", operation.approval_url),
        format!("      or  l10n-server operations approve {}   (or: deny), beside the server", operation.operation_id),
    ]
}

/// The command that uses an approval.
pub(crate) fn how_to_use(operation: &Operation) -> String {
    let id = &operation.operation_id;
    match operation.kind {
        OperationKind::Publish => format!("l10n publish --operation-id {id}"),
        OperationKind::Rollback => {
            let version = operation.version_id.as_ref().map_or("VERSION", |version| version.as_str());
            format!("l10n restore {version} --operation-id {id}")
        }
        OperationKind::Translation => format!("l10n sync PATH --operation-id {id} (or: l10n translate)"),
        _ => format!("a newer l10n, with --operation-id {id}"),
    }
}

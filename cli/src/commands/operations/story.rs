//! Describes an operation in words.

use l10n_client::api::operations::{Operation, OperationStatus};

use crate::printer::Printer;
use crate::run::{how_to_decide, how_to_use};
use crate::words::{counted, time};

/// Prints the request, its author, its status and the next step.
pub(super) fn tell(printer: &Printer, operation: &Operation) {
    printer.line(format!("{}  {}  {}", operation.operation_id, operation.status, what(operation)));
    if let Some(note) = &operation.note {
        printer.line(format!("Note      {note}"));
    }
    printer.line(format!("Asked by  {}, {}", operation.requested_by.label, time(operation.created_at)));
    if let (Some(by), Some(at)) = (&operation.decided_by, operation.decided_at) {
        let reason = operation.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        printer.line(format!("Decided   by {by}, {}{reason}", time(at)));
    }
    if let Some(request) = &operation.request_id {
        printer.line(format!("Used by   request {request}"));
    }
    match operation.status {
        OperationStatus::Pending => {
            printer.line(format!("Ends      {}, undecided", time(operation.expires_at)));
            for line in how_to_decide(operation) {
                printer.line(line);
            }
        }
        OperationStatus::Approved => {
            printer.line(format!("Ends      {}, unused", time(operation.expires_at)));
            printer.note(format!("Use it: {}", how_to_use(operation)));
        }
        _ => {}
    }
}

/// `translation of strings into de,fr for at most 5 credits`
fn what(operation: &Operation) -> String {
    let mut text = match (&operation.version_id, &operation.doc_id) {
        (Some(version), _) => format!("{} to {version}", operation.kind),
        (None, Some(document)) => format!("{} of {document}", operation.kind),
        (None, None) => format!("{} of {}", operation.kind, operation.target),
    };
    if let Some(languages) = &operation.languages {
        let codes: Vec<&str> = languages.iter().map(|code| code.as_str()).collect();
        text.push_str(&format!(", languages {}", codes.join(",")));
    }
    if let Some(most) = operation.max_credits {
        text.push_str(&format!(", at most {} credits", most.0));
    }
    if let Some(most) = operation.max_archived_keys {
        text.push_str(&format!(", archiving at most {}", counted(u64::from(most), "key")));
    }
    text
}

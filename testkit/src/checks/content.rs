//! Documents, as checks of several groups need them.

use crate::cx::{Cx, EndedRun};
use crate::outcome::Stop;

/// Pushes a new document of the profile, as a positive control, and returns its id.
pub(super) async fn a_document(cx: &Cx) -> Result<String, Stop> {
    let body = cx.filled(&cx.profile().bodies.document);
    let made = cx.post("/content").json(&body).send().await?.control("POST /content")?.json()?;
    let id = made["docId"].as_str().unwrap_or_default().to_owned();
    cx.control(!id.is_empty(), "POST /content gives docId")?;
    Ok(id)
}

/// Runs a document, as a positive control, and waits for the end of its job.
pub(super) async fn run_document(cx: &Cx, document: &str) -> Result<EndedRun, Stop> {
    let call = cx.post(&format!("/content/{document}/run")).json(&serde_json::json!({}));
    cx.run_to_its_end(cx.lane(), call, "POST /content/{docId}/run").await
}

//! Documents, as checks of several groups need them.

use serde_json::Value;

use crate::cx::Cx;
use crate::outcome::Stop;

/// Pushes a new document of the profile, as a positive control, and returns its id.
pub(super) async fn a_document(cx: &Cx) -> Result<String, Stop> {
    let body = cx.filled(&cx.profile().bodies.document);
    let made = cx.post("/content").json(&body).send().await?.control("POST /content")?.json()?;
    let id = made["docId"].as_str().unwrap_or_default().to_owned();
    cx.control(!id.is_empty(), "POST /content gives docId")?;
    Ok(id)
}

/// Waits for the end of a document's run, as a positive control, and returns the last poll of its tracking token.
pub(super) async fn run_to_its_end(cx: &Cx, document: &str) -> Result<Value, Stop> {
    let body = serde_json::json!({});
    let started = cx.post(&format!("/content/{document}/run")).json(&body).send().await?;
    let started = started.control("POST /content/{docId}/run")?.json()?;
    Ok(cx.end_of_job(cx.lane(), &started).await?.unwrap_or(started))
}

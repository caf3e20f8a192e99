//! Answers of a server that is newer than the client: a value that it does not know keeps nobody from the rest (ENV-12).

use l10n_client::api::deliveries::DeliveryErrorKind;
use l10n_client::api::translations::{HeldReason, JobStatus};
use l10n_client::api::{Check, FormatId, FormatName};
use l10n_client::{Outcome, WaitOptions};
use serde_json::json;

use crate::samples;
use crate::support::{answering, ok, project};

/// Of a later version.
fn catkeys() -> FormatName {
    FormatName::Other("catkeys".into())
}

#[tokio::test]
async fn a_format_of_a_later_version_is_named_among_those_that_are_known() {
    let mut meta = samples::meta();
    let format = |name| json!({"format": name, "extensions": ["x"], "plurals": "none", "placeholders": "brace"});
    meta["formats"] = json!([format("json"), format("catkeys")]);
    let output =
        json!({"outputFormatId": "fmt_1", "format": "catkeys", "path": "{language}.catkeys", "emptyAs": "skip"});
    meta["outputFormats"] = json!([output]);
    let server = answering([ok(meta)]).await;
    let meta = project(&server.uri()).meta().await.unwrap();
    let formats: Vec<_> = meta.formats.into_iter().map(|support| support.format).collect();
    assert_eq!(formats, [FormatId::Json.into(), catkeys()]);
    assert_eq!(meta.output_formats[0].format, catkeys());
}

/// An app reads the files that it came for, whatever others the team adds.
#[tokio::test]
async fn a_file_of_a_later_format_keeps_no_app_from_its_own() {
    let mut manifest = samples::manifest("00", 1);
    let mut later = manifest["files"][0].clone();
    later["format"] = json!("catkeys");
    let mut files = samples::version_files();
    files["files"] = json!([{"path": "en.catkeys", "language": "en", "namespace": null, "format": "catkeys",
        "encoding": "utf8", "content": "", "bytes": 0, "sha256": "00"}]);
    manifest["files"] = json!([manifest["files"][0], later]);
    let server = answering([ok(manifest), ok(files)]).await;
    let project = project(&server.uri());
    let manifest = project.delivery().manifest().await.unwrap();
    let formats: Vec<_> = manifest.files.into_iter().map(|file| file.format).collect();
    assert_eq!(formats, [FormatId::Json.into(), catkeys()]);
    let version = project.translations().version("ver_1", &Default::default()).await.unwrap();
    assert_eq!(version.files[0].format, catkeys());
}

#[tokio::test]
async fn an_issue_of_a_later_check_is_told_like_others() {
    let mut key = samples::key("a");
    let issue = |check| json!({"check": check, "severity": "warning", "message": "sounds harsh"});
    key["translations"] = json!([{"language": "de", "text": "A", "state": "translated", "stale": false,
        "origin": "machine", "issues": [issue("tone"), issue("tags")]}]);
    let mut run = samples::run();
    run["held"] = json!([{"ref": "a", "reason": "locked", "message": "somebody works on it"}]);
    let mut delivery = samples::sent();
    delivery["lastErrorKind"] = json!("quota");
    let server = answering([ok(key), ok(run), ok(json!({"deliveries": [delivery]}))]).await;
    let project = project(&server.uri());

    let key = project.translations().key("a").await.unwrap();
    let issues = &key.translations[0].issues;
    assert_eq!((issues[0].check.as_str(), issues[1].check), ("tone", Check::Tags));
    assert!(matches!(issues[0].check, Check::Unknown(name) if name.as_str() == "tone"), "{issues:?}");
    assert_eq!(issues[0].message, "sounds harsh");
    let run = project.translations().translate(&Default::default()).await.unwrap();
    assert!(matches!(run.held[0].reason, HeldReason::Unknown(name) if name.as_str() == "locked"), "{run:?}");
    let log = project.deliveries("whk_1").list().await.unwrap();
    let kind = log[0].last_error_kind;
    assert!(matches!(kind, Some(DeliveryErrorKind::Unknown(name)) if name.as_str() == "quota"), "{kind:?}");
}

/// The time of its end tells that a job has ended, if its status does not.
#[tokio::test]
async fn a_job_that_ended_in_a_later_way_is_not_waited_for() {
    let mut ended = samples::job("archived", 2);
    ended["finishedAt"] = ended["createdAt"].clone();
    let server = answering([ok(samples::job("paused", 1)), ok(ended)]).await;
    let mut told = Vec::new();
    let job = project(&server.uri()).translations().wait(&"trk_1".into(), |at| told.push(at.done)).await.unwrap();
    assert!(matches!(job.status, JobStatus::Unknown(_)), "{job:?}");
    assert_eq!((job.status.as_str(), told), ("archived", vec![1, 2]));
}

/// The same of a write: its receipt says when it ended.
#[tokio::test]
async fn a_write_that_ended_in_a_later_way_is_not_waited_for() {
    let mut ended = samples::receipt("superseded");
    ended["finishedAt"] = ended["createdAt"].clone();
    let server = answering([ok(samples::receipt("paused")), ok(ended)]).await;
    assert_eq!(project(&server.uri()).outcome_of("req_1").await.unwrap(), Outcome::Unknown);
}

/// A person who decides in a later way has decided.
#[tokio::test]
async fn an_operation_that_ended_in_a_later_way_is_returned() {
    let server = answering([ok(samples::operation("delegated"))]).await;
    let options = WaitOptions::default();
    let operation = project(&server.uri()).operations().wait("op_1", &options).await.unwrap();
    assert_eq!(operation.status.as_str(), "delegated");
}

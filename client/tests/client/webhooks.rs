//! Webhooks and deliveries: what is sent again, answers without a body, and secrets.

use std::future::Future;

use l10n_client::api::events::EventType;
use l10n_client::api::webhooks::{CreateBody, UpdateBody};
use l10n_client::{ErrorCode, Project, Result};
use wiremock::ResponseTemplate;

use crate::samples;
use crate::support::{Fault, Raw, answering, error, ok, project, raw_answer, requests};

fn body() -> CreateBody {
    CreateBody::new("https://example.com/l10n", [EventType::StringsPublished])
}

/// The end of a call that gets 503 before its answer.
#[derive(Debug, PartialEq)]
enum After503 {
    /// It was resent and succeeded.
    Resent,
    /// It was not resent, and the error tells of the 503.
    NotResent,
}

async fn after_503<T, F>(answer: ResponseTemplate, call: impl FnOnce(Project) -> F) -> After503
where
    F: Future<Output = Result<T>>,
{
    let server = answering([error(503, "unavailable"), answer]).await;
    let result = call(project(&server.uri())).await;
    let requests = requests(&server).await.len();
    match result {
        Ok(_) => {
            assert_eq!(requests, 2);
            After503::Resent
        }
        Err(error) => {
            assert_eq!((error.code(), requests), (Some(&ErrorCode::Unavailable), 1));
            After503::NotResent
        }
    }
}

/// A secret that is made twice is lost once, and a receiver must not be called twice.
#[tokio::test]
async fn what_makes_a_secret_or_calls_a_receiver_is_not_sent_again() {
    let create = after_503(ok(samples::created_webhook()), |p| async move { p.webhooks().create(&body()).await });
    assert_eq!(create.await, After503::NotResent);
    let rotate = after_503(ok(samples::rotated()), |p| async move { p.webhooks().rotate_secret("whk_1").await });
    assert_eq!(rotate.await, After503::NotResent);
    let resend = after_503(ok(samples::sent()), |p| async move { p.deliveries("whk_1").resend("dlv_1").await });
    assert_eq!(resend.await, After503::NotResent);
}

#[tokio::test]
async fn a_change_and_a_deletion_of_a_webhook_are_sent_again() {
    let update = after_503(ok(samples::webhook()), |p| async move {
        p.webhooks().update("whk_1", &UpdateBody { enabled: Some(true), ..Default::default() }).await
    });
    assert_eq!(update.await, After503::Resent);
    let delete = after_503(ResponseTemplate::new(204), |p| async move { p.webhooks().delete("whk_1").await });
    assert_eq!(delete.await, After503::Resent);
}

/// WH-DE-1: the answer to DELETE has no body.
#[tokio::test]
async fn an_answer_without_a_body_is_success() {
    let server = answering([ResponseTemplate::new(204)]).await;
    project(&server.uri()).webhooks().delete("whk_1").await.unwrap();
    assert!(requests(&server).await[0].body.is_empty());
}

/// A delete whose answer was lost has worked, although the webhook is not found the second time. A delete that finds
/// none the first time, or after a refusal that did nothing, has not.
#[tokio::test]
async fn a_delete_that_finds_nothing_left_has_worked() {
    let not_found = || error(404, "not_found");
    let delete = |first: Vec<ResponseTemplate>| async move {
        let server = answering(first).await;
        let result = project(&server.uri()).webhooks().delete("whk_1").await;
        result.map_err(|error| error.code().cloned())
    };
    assert_eq!(delete(vec![error(503, "unavailable"), not_found()]).await, Ok(()));
    assert_eq!(delete(vec![not_found()]).await, Err(Some(ErrorCode::NotFound)));
    let refused = error(429, "rate_limited").insert_header("retry-after", "0");
    assert_eq!(delete(vec![refused, not_found()]).await, Err(Some(ErrorCode::NotFound)));

    // The connection breaks in the middle of the answer.
    let broken = Fault::Write(b"HTTP/1.1 204 No Con".to_vec());
    let gone = raw_answer(
        "404 Not Found",
        "content-type: application/json\r\n",
        r#"{"error":"not_found","message":"no such webhook"}"#,
    );
    let server = Raw::start(vec![broken, Fault::Write(gone)]).await;
    project(&server.address).webhooks().delete("whk_1").await.unwrap();
    assert_eq!(server.requests(), 2);
}

/// WH-F-6: neither `Debug` of an answer nor an error shows a secret.
#[tokio::test]
async fn secrets_are_in_no_debug_output() {
    let server = answering([ok(samples::created_webhook()), ok(samples::rotated())]).await;
    let webhooks = project(&server.uri()).webhooks();
    let created = webhooks.create(&body()).await.unwrap();
    let rotated = webhooks.rotate_secret("whk_1").await.unwrap();
    assert_eq!((created.secret.as_str(), rotated.secret.as_str()), (samples::SECRET, samples::SECRET));
    assert!(!format!("{created:?} {rotated:?}").contains("whsec_"));
}

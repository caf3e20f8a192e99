//! Idempotency keys: the requests that carry them, and the retries that they allow.

use l10n_client::api::publish::{Create, Publish};
use l10n_client::api::translations::TranslateBody;
use l10n_client::api::{NoQuery, ProjectPath};
use l10n_client::{CallOptions, Error, ErrorCode, file_upload, sync_body};

use crate::samples;
use crate::support::{Fault, Raw, answering, error, ok, project, raw_answer, requests};

fn keyed() -> CallOptions {
    CallOptions::default().idempotency_key("deploy-7")
}

#[tokio::test]
async fn a_key_goes_with_writes_alone() {
    let server =
        answering([ok(samples::published()), ok(samples::run()), ok(samples::run()), ok(samples::meta())]).await;
    let project = project(&server.uri()).with(keyed());
    project.publish(&Publish::default()).await.unwrap();
    project.translations().translate(&TranslateBody::default()).await.unwrap();
    project.translations().translate_dry_run(&TranslateBody::default()).await.unwrap();
    project.meta().await.unwrap();
    let sent: Vec<_> = requests(&server)
        .await
        .iter()
        .map(|request| request.headers.get("idempotency-key").map(|key| key.to_str().unwrap().to_owned()))
        .collect();
    let key = || Some("deploy-7".to_owned());
    assert_eq!(sent, [key(), key(), None, None]);
}

/// Two calls are two, the requests of one call are one.
#[tokio::test]
async fn an_idempotent_call_has_a_key_of_its_own() {
    let server = answering([error(500, "internal"), ok(samples::published())]).await;
    let project = project(&server.uri()).with(CallOptions::default().idempotent());
    project.publish(&Publish::default()).await.unwrap();
    project.publish(&Publish::default()).await.unwrap();
    let keys: Vec<_> =
        requests(&server).await.iter().map(|request| request.headers["idempotency-key"].clone()).collect();
    assert!(keys.len() == 3 && keys[0] == keys[1] && keys[1] != keys[2], "{keys:?}");
}

#[tokio::test]
async fn what_is_no_key_is_refused_here() {
    let server = answering([ok(samples::published())]).await;
    for wrong in ["", "two words", "line\nbreak", "ä", &"k".repeat(256)] {
        let project = project(&server.uri()).with(CallOptions::default().idempotency_key(wrong));
        let failure = project.publish(&Publish::default()).await.unwrap_err();
        assert!(matches!(failure, Error::InvalidArgument(_)), "{wrong:?}: {failure:?}");
    }
    assert!(requests(&server).await.is_empty());
}

/// With a key a publish is resent although its outcome is unknown, with ids of its own, and the answer marks a replay.
#[tokio::test]
async fn a_write_with_a_key_is_sent_again_after_any_5xx() {
    for status in [500, 502, 503, 504] {
        let replay = ok(samples::published()).insert_header("idempotency-replayed", "true");
        let server = answering([error(status, "internal"), replay]).await;
        let project = project(&server.uri()).with(keyed());
        let path = ProjectPath { project_id: "prj_1".into() };
        let reply = project.reply::<Create>(&path, &NoQuery {}, &Publish::default()).await.unwrap();
        assert!(reply.replayed);
        let sent = requests(&server).await;
        let id = |at: usize| sent[at].headers["x-correlation-id"].to_str().unwrap().to_owned();
        assert_eq!((sent.len(), id(1)), (2, format!("{}.2", id(0))));
    }
}

#[tokio::test]
async fn a_write_with_a_key_is_sent_again_after_a_lost_connection() {
    let answer = raw_answer("201 Created", "content-type: application/json\r\n", &samples::published().to_string());
    let server = Raw::start(vec![Fault::Write(b"HTTP/1.1 20".to_vec()), Fault::Write(answer)]).await;
    let reply = project(&server.address).with(keyed()).publish(&Publish::default()).await.unwrap();
    assert_eq!((reply.version_id.as_str(), server.requests()), ("ver_1", 2));
}

/// ERR-503-2: not even with a key.
#[tokio::test]
async fn translate_and_sync_are_never_sent_again_after_a_503_not_even_with_a_key() {
    let server = answering([error(503, "unavailable").insert_header("retry-after", "0")]).await;
    let translations = project(&server.uri()).with(keyed()).translations();
    let file = sync_body(file_upload("en.json", b"{}").unwrap());
    let failures = [
        translations.translate(&TranslateBody::default()).await.unwrap_err(),
        translations.sync(&file).await.unwrap_err(),
    ];
    assert_eq!(requests(&server).await.len(), failures.len());
    for failure in failures {
        assert!(failure.must_rerun_from_source() && !failure.is_retryable(), "{failure:?}");
        assert!(failure.to_string().contains("again from your source files"), "{failure}");
    }
    // Any other failure says nothing about the sources: the key keeps the work from being done twice.
    let server = answering([error(502, "unavailable"), ok(samples::run())]).await;
    project(&server.uri()).with(keyed()).translations().sync(&file).await.unwrap();
    assert_eq!(requests(&server).await.len(), 2);
}

/// The first request, whose answer was lost, still runs when the second arrives.
#[tokio::test]
async fn a_request_that_still_runs_is_waited_for() {
    let server =
        answering([error(502, "unavailable"), error(409, "idempotency_in_progress"), ok(samples::published())]).await;
    project(&server.uri()).with(keyed()).publish(&Publish::default()).await.unwrap();
    let sent = requests(&server).await;
    let ids: Vec<_> = sent.iter().map(|request| &request.headers["x-correlation-id"]).collect();
    assert!(ids.len() == 3 && ids[1] != ids[2], "{ids:?}");
}

#[tokio::test]
async fn a_key_of_another_request_is_told() {
    let server = answering([error(409, "idempotency_conflict")]).await;
    let failure = project(&server.uri()).with(keyed()).publish(&Publish::default()).await.unwrap_err();
    assert_eq!((failure.code(), failure.request_id()), (Some(&ErrorCode::IdempotencyConflict), None));
    assert!(failure.to_string().contains("another idempotency key"), "{failure}");
    assert_eq!(requests(&server).await.len(), 1);
}

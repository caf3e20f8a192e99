//! Waiting for a job.

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use l10n_client::api::translations::JobStatus;
use l10n_client::{CallOptions, CancellationToken, Error, WaitOptions};
use serde_json::json;
use tokio::time::timeout;

use crate::in_process::InProcess;
use crate::samples::job;
use crate::support::{answering, builder, error, ok, project, requests};

#[tokio::test]
async fn a_wait_tells_progress_and_returns_the_job_as_it_ended() {
    let server = answering([ok(job("queued", 0)), ok(job("running", 1)), ok(job("completed", 2))]).await;
    let mut told = Vec::new();
    let ended = project(&server.uri()).translations().wait(&"trk_1".into(), |at| told.push(at.done)).await.unwrap();
    assert_eq!((ended.status, told), (JobStatus::Completed, vec![0, 1, 2]));
    for request in requests(&server).await {
        assert_eq!(request.url.query(), Some("trackingToken=trk_1&waitSeconds=2"));
    }
}

#[tokio::test]
async fn a_job_that_ended_badly_is_returned_and_no_error() {
    for status in ["partial", "failed", "canceled"] {
        let mut body = job(status, 1);
        body["failures"] = json!([{"ref": "a", "language": "de", "error": "placeholders_lost", "message": "…"}]);
        let server = answering([ok(body)]).await;
        let ended = project(&server.uri()).translations().wait(&"trk_1".into(), |_| ()).await.unwrap();
        assert_eq!((ended.status.as_str(), ended.failures.len()), (status, 1));
    }
}

#[tokio::test]
async fn a_wait_ends_in_time_with_the_job_as_last_seen() {
    let server = answering([ok(job("running", 1)), ok(job("running", 1)).set_delay(Duration::from_secs(30))]).await;
    let options = WaitOptions::default().timeout(Duration::from_secs(4));
    let begun = Instant::now();
    let translations = project(&server.uri()).translations();
    let failure = translations.wait_for_translation(&"trk_1".into(), &options, |_| ()).await.unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let Error::WaitTimeout(timeout) = &failure else { panic!("{failure:?}") };
    assert_eq!(timeout.job.as_ref().unwrap().progress.done, 1);
    assert!(failure.to_string().contains("trk_1"));
}

#[tokio::test]
async fn a_server_that_restarts_is_waited_for_within_patience() {
    let down = || error(503, "unavailable").insert_header("retry-after", "0");
    let server = answering([ok(job("running", 1)), down(), down(), down(), ok(job("completed", 2))]).await;
    let client = builder(&server.uri()).max_retries(0).build().unwrap();
    let translations = client.project("prj_1").translations();
    translations.wait(&"trk_1".into(), |_| ()).await.unwrap();

    let server = answering([down()]).await;
    let client = builder(&server.uri()).max_retries(0).build().unwrap();
    let options = WaitOptions::default().failure_tolerance(Duration::ZERO);
    let waiting = client.project("prj_1").translations();
    let failure = waiting.wait_for_translation(&"trk_1".into(), &options, |_| ()).await.unwrap_err();
    assert_eq!((failure.status(), requests(&server).await.len()), (Some(503), 1));
}

#[tokio::test]
async fn a_job_that_is_not_there_is_told_at_once() {
    let server = answering([error(404, "not_found")]).await;
    project(&server.uri()).translations().wait(&"trk_1".into(), |_| ()).await.unwrap_err();
    assert_eq!(requests(&server).await.len(), 1);
}

/// A server that does not delay its answers is not flooded: it is polled at the interval that it suggests.
#[tokio::test]
async fn a_server_that_answers_at_once_is_asked_as_often_as_it_says() {
    let mut running = job("running", 1);
    running["pollAfterMs"] = json!(300);
    let server = answering([ok(running)]).await;
    let options = WaitOptions::default().timeout(Duration::from_secs(1));
    let translations = project(&server.uri()).translations();
    translations.wait_for_translation(&"trk_1".into(), &options, |_| ()).await.unwrap_err();
    let count = requests(&server).await.len();
    assert!((1..=5).contains(&count), "{count} polls in a second");
}

/// The server may delay an answer for longer than the request timeout.
#[tokio::test]
async fn a_long_poll_has_the_time_that_it_asks_for() {
    let server = answering([ok(job("completed", 2)).set_delay(Duration::from_millis(600))]).await;
    let short = builder(&server.uri()).request_timeout(Duration::from_millis(300)).max_retries(0).build().unwrap();
    let translations = short.project("prj_1").translations();
    translations.job_after(&"trk_1".into(), 5).await.unwrap();
    let failure = translations.job(&"trk_1".into()).await.unwrap_err();
    assert!(matches!(failure, Error::Transport(_)), "{failure:?}");
}

/// A pause that would exceed the tolerance is not begun, however long the server wants it.
#[tokio::test]
async fn a_server_that_is_down_for_longer_than_is_tolerated_ends_the_wait_at_once() {
    let down = error(503, "unavailable").insert_header("retry-after", "3600");
    let server = answering([ok(job("running", 1)), down]).await;
    let client = builder(&server.uri()).max_retries(0).build().unwrap();
    let translations = client.project("prj_1").translations();
    let token = "trk_1".into();
    let waiting = translations.wait(&token, |_| ());
    let failure = timeout(Duration::from_secs(60), waiting).await.unwrap().unwrap_err();
    assert_eq!((failure.status(), requests(&server).await.len()), (Some(503), 2));
}

/// A client without retries does not wait for a 429, in a wait or elsewhere.
#[tokio::test]
async fn a_client_without_retries_waits_out_no_rate_limit_between_polls() {
    let limited = || error(429, "rate_limited").insert_header("retry-after", "0");
    for (retries, polls) in [(0, 2), (1, 3)] {
        let server = answering([ok(job("running", 1)), limited(), ok(job("completed", 2))]).await;
        let client = builder(&server.uri()).max_retries(retries).build().unwrap();
        let ended = client.project("prj_1").translations().wait(&"trk_1".into(), |_| ()).await;
        assert_eq!(ended.is_ok(), retries > 0, "{ended:?}");
        assert_eq!(requests(&server).await.len(), polls);
    }
}

/// A token that is canceled ends a pause of the wait, and no further poll is sent.
#[tokio::test]
async fn a_canceled_wait_ends_within_its_pause() {
    let canceled = CancellationToken::new();
    let token = canceled.clone();
    let service = InProcess::answering(move |_, _| {
        token.cancel();
        async { (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", "3600")]).into_response() }
    });
    let client = service.builder().max_retries(0).build().unwrap();
    let project = client.project("prj_1").with(CallOptions::default().canceled_by(canceled));
    let (translations, token) = (project.translations(), "trk_1".into());
    let patient = WaitOptions::default().timeout(Duration::from_secs(7_200)).failure_tolerance(Duration::MAX);
    let waiting = translations.wait_for_translation(&token, &patient, |_| ());
    let failure = timeout(Duration::from_secs(60), waiting).await.unwrap().unwrap_err();
    assert!(matches!(failure, Error::Canceled { .. }), "{failure:?}");
    assert_eq!(service.requests(), 1);
}

//! Retries, counted at the server.

use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use l10n_client::api::capture::CreateBody as CaptureBody;
use l10n_client::api::publish::Publish;
use l10n_client::api::translations::{SyncBody, TranslateBody};
use l10n_client::{CallOptions, CancellationToken, Error, ErrorCode, Project, Result, file_upload, reqwest, sync_body};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpSocket;
use wiremock::ResponseTemplate;

use crate::samples;
use crate::support::{Fault, Names, Raw, answering, builder, error, ok, project, raw_answer, read_request, requests};

fn file() -> SyncBody {
    sync_body(file_upload("en.json", b"{}").unwrap())
}

/// The end of a call, and the number of requests that the server got.
#[derive(Debug, PartialEq)]
enum Ended {
    Done { requests: usize },
    Failed { status: Option<u16>, requests: usize },
}

/// A call that was resent once and succeeded.
const DONE_WHEN_RESENT: Ended = Ended::Done { requests: 2 };

/// A call that was not resent.
fn failed_at_once(status: u16) -> Ended {
    Ended::Failed { status: Some(status), requests: 1 }
}

/// Makes a call that gets the answer `first`, and `success` if it is resent.
async fn call<T, F>(first: ResponseTemplate, success: ResponseTemplate, call: impl FnOnce(Project) -> F) -> Ended
where
    F: Future<Output = Result<T>>,
{
    let server = answering([first, success]).await;
    let result = call(project(&server.uri())).await;
    let requests = requests(&server).await.len();
    match result {
        Ok(_) => Ended::Done { requests },
        Err(error) => Ended::Failed { status: error.status(), requests },
    }
}

/// ERR-503-2: after a 503 from translate or sync the same request is never resent, dry runs included, and the error
/// says to run again from the source files.
#[tokio::test]
async fn translate_and_sync_are_never_sent_again_after_a_503() {
    let server = answering([error(503, "unavailable").insert_header("retry-after", "0")]).await;
    let translations = project(&server.uri()).translations();
    let body = TranslateBody::default();
    let failures = [
        translations.translate(&body).await.unwrap_err(),
        translations.translate_dry_run(&body).await.unwrap_err(),
        translations.sync(&file()).await.unwrap_err(),
        translations.sync_dry_run(&file()).await.unwrap_err(),
    ];
    assert_eq!(requests(&server).await.len(), failures.len());
    for failure in failures {
        assert_eq!(failure.code(), Some(&ErrorCode::Unavailable));
        assert!(failure.must_rerun_from_source() && !failure.is_retryable(), "{failure:?}");
        assert!(failure.to_string().contains("again from your source files"), "{failure}");
    }
}

/// ERR-503-2. Webhooks have their own tests.
#[tokio::test]
async fn after_502_503_504_reads_and_idempotent_writes_are_sent_again() {
    for status in [502, 503, 504] {
        let broken = || ResponseTemplate::new(status).set_body_string("<html>");

        let read = call(broken(), ok(samples::meta()), |p| async move { p.meta().await });
        assert_eq!(read.await, DONE_WHEN_RESENT);

        let add = call(broken(), ok(samples::added_languages()), |p| async move { p.languages().add(["de"]).await });
        assert_eq!(add.await, DONE_WHEN_RESENT);

        let set =
            call(broken(), ok(samples::output_formats_set()), |p| async move { p.output_formats().set(vec![]).await });
        assert_eq!(set.await, DONE_WHEN_RESENT);

        let capture =
            call(broken(), ok(samples::captured()), |p| async move { p.capture(&CaptureBody::default()).await });
        assert_eq!(capture.await, DONE_WHEN_RESENT);
    }
}

/// ERR-503-2
#[tokio::test]
async fn after_502_503_504_other_writes_are_not_sent_again() {
    for status in [502, 503, 504] {
        let broken = || ResponseTemplate::new(status).set_body_string("<html>");

        let translate = call(broken(), ok(samples::run()), |p| async move {
            p.translations().translate(&TranslateBody::default()).await
        });
        assert_eq!(translate.await, failed_at_once(status));

        let sync = call(broken(), ok(samples::run()), |p| async move { p.translations().sync(&file()).await });
        assert_eq!(sync.await, failed_at_once(status));

        let publish = call(broken(), ok(samples::published()), |p| async move { p.publish(&Publish::default()).await });
        assert_eq!(publish.await, failed_at_once(status));

        let restore = call(broken(), ok(samples::published()), |p| async move {
            p.versions().restore("ver_1", &Default::default()).await
        });
        assert_eq!(restore.await, failed_at_once(status));
    }
}

#[tokio::test]
async fn a_500_and_other_refusals_are_never_sent_again() {
    for (status, code) in [
        (500, "internal"),
        (400, "invalid_argument"),
        (404, "not_found"),
        (409, "version_live"),
        (429, "capture_quota_exceeded"),
    ] {
        let read = call(error(status, code), ok(samples::meta()), |p| async move { p.meta().await });
        assert_eq!(read.await, failed_at_once(status), "{code}");
    }
}

/// ERR-429-1: a 429 wrote nothing, so every call waits for it and goes on.
#[tokio::test]
async fn a_429_is_waited_for_by_every_call() {
    let limited = || error(429, "rate_limited").insert_header("retry-after", "1");
    let begun = Instant::now();
    let (read, run, publish, add) = tokio::join!(
        call(limited(), ok(samples::meta()), |p| async move { p.meta().await }),
        call(limited(), ok(samples::run()), |p| async move { p.translations().sync(&file()).await }),
        call(limited(), ok(samples::published()), |p| async move { p.publish(&Publish::default()).await }),
        call(limited(), ok(samples::added_languages()), |p| async move { p.languages().add(["de"]).await }),
    );
    for ended in [read, run, publish, add] {
        assert_eq!(ended, DONE_WHEN_RESENT);
    }
    assert!(begun.elapsed() >= Duration::from_secs(1), "they waited {:?}", begun.elapsed());
}

/// LIM-DAY-1: a publish that is refused again after a whole window has used up the day.
#[tokio::test]
async fn a_publish_waits_for_a_429_once() {
    let server = answering([error(429, "rate_limited").insert_header("retry-after", "0")]).await;
    let failure = project(&server.uri()).publish(&Publish::default()).await.unwrap_err();
    assert_eq!((failure.status(), requests(&server).await.len()), (Some(429), 2));
}

#[tokio::test]
async fn a_wait_that_outlasts_the_budget_is_not_begun() {
    for absurd in ["21", "3600", "99999999999999999999"] {
        let server = answering([error(429, "rate_limited").insert_header("retry-after", absurd)]).await;
        let begun = Instant::now();
        let failure = project(&server.uri()).meta().await.unwrap_err();
        assert!(begun.elapsed() < Duration::from_secs(10));
        assert!(failure.retry_after().unwrap() <= l10n_client::LONGEST_RETRY_AFTER && failure.is_retryable());
        assert_eq!(requests(&server).await.len(), 1);
    }
}

#[tokio::test]
async fn retries_end_and_may_be_turned_off() {
    for (retries, expected) in [(0, 1), (3, 4)] {
        let server = answering([error(503, "unavailable")]).await;
        let client = builder(&server.uri()).max_retries(retries).build().unwrap();
        let failure = client.health().await.unwrap_err();
        assert_eq!((failure.status(), requests(&server).await.len()), (Some(503), expected));
    }
}

#[tokio::test]
async fn all_requests_of_a_call_carry_one_correlation_id_and_calls_differ() {
    let server = answering([error(503, "unavailable"), error(503, "unavailable"), ok(samples::meta())]).await;
    let project = project(&server.uri());
    project.meta().await.unwrap();
    project.meta().await.unwrap();
    let ids: Vec<_> =
        requests(&server).await.iter().map(|request| request.headers["x-correlation-id"].clone()).collect();
    assert_eq!(ids.len(), 4);
    assert!(ids[0] == ids[1] && ids[1] == ids[2] && ids[2] != ids[3], "{ids:?}");
}

/// §7 rule 1 and "the write may or may not have landed": after a broken connection the outcome is unknown.
#[tokio::test]
async fn a_broken_connection_is_sent_again_only_where_twice_is_as_once() {
    let broken = || vec![Fault::Write(b"HTTP/1.1 20".to_vec())];
    let whole = raw_answer("200 OK", "content-type: application/json\r\n", &samples::meta().to_string());

    let server = Raw::start(vec![Fault::Write(Vec::new()), Fault::Write(whole)]).await;
    project(&server.address).meta().await.unwrap();
    assert_eq!(server.requests(), 2);

    let server = Raw::start(broken()).await;
    let project = project(&server.address);
    let failures = [
        project.translations().sync(&file()).await.unwrap_err(),
        project.translations().translate(&TranslateBody::default()).await.unwrap_err(),
        project.publish(&Publish::default()).await.unwrap_err(),
        project.versions().restore("ver_1", &Default::default()).await.unwrap_err(),
    ];
    assert_eq!(server.requests(), failures.len());
    for failure in &failures {
        let Error::Transport(transport) = failure else { panic!("{failure:?}") };
        assert!(transport.may_have_reached_server && failure.may_have_been_carried_out() && !failure.is_retryable());
        assert!(failure.to_string().contains("may have been carried out"), "{failure}");
    }
    assert_eq!(failures.map(|failure| failure.must_rerun_from_source()), [true, true, false, false]);
}

/// A sync that found no connection has certainly not been carried out.
#[tokio::test]
async fn a_refused_connection_is_tried_again_for_every_call() {
    // Bound and not listening: no one else gets the port, and connections are refused.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).unwrap();
    let port = socket.local_addr().unwrap().port();
    let names = Names::that_lead_to(Some(Ipv4Addr::LOCALHOST.into()));
    let mut asked = names.asked.subscribe();
    let client = builder(&format!("http://l10n.test:{port}"))
        .http_builder(reqwest::Client::builder().dns_resolver(Arc::new(names)))
        .no_proxy()
        .max_retries(u32::MAX)
        .build()
        .unwrap();
    let call = tokio::spawn(async move { client.project("prj_1").translations().sync(&file()).await });
    asked.wait_for(|count| *count >= 3).await.unwrap();
    let listener = socket.listen(8).unwrap();
    let (mut socket, _) = listener.accept().await.unwrap();
    read_request(&mut socket).await.unwrap();
    let answer = raw_answer("200 OK", "content-type: application/json\r\n", &samples::run().to_string());
    socket.write_all(&answer).await.unwrap();
    call.await.unwrap().unwrap();
}

/// A canceled call ends its pause with the error of the request that was sent, and sends nothing more.
#[tokio::test]
async fn a_canceled_call_neither_begins_nor_is_sent_again() {
    let server = answering([error(429, "rate_limited").insert_header("retry-after", "15")]).await;
    let token = CancellationToken::new();
    let project = project(&server.uri()).with(CallOptions::default().canceled_by(token.clone()));
    let (translations, body) = (project.translations(), file());
    let call = translations.sync(&body);
    let cancel = async {
        while requests(&server).await.is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        token.cancel();
    };
    let begun = Instant::now();
    let (ended, ()) = tokio::join!(call, cancel);
    assert!(begun.elapsed() < Duration::from_secs(15), "it has not waited");
    assert_eq!(ended.unwrap_err().status(), Some(429));
    let ended = translations.sync(&body).await.unwrap_err();
    assert!(matches!(ended, Error::Canceled { .. }) && !ended.may_have_been_carried_out(), "{ended:?}");
    assert_eq!(ended.to_string(), "translations::sync: the call was canceled before its request was sent");
    assert_eq!(requests(&server).await.len(), 1);
}

/// The largest durations mean that there is no bound: adding to them does not overflow.
#[tokio::test]
async fn times_without_end_are_taken_as_such() {
    let server = answering([error(503, "unavailable"), ok(samples::job("running", 1))]).await;
    let client = builder(&server.uri()).backoff(Duration::MAX, Duration::MAX).build().unwrap();
    let project = client.project("prj_1");
    // The pause does not fit into the time of the call.
    assert_eq!(project.meta().await.unwrap_err().status(), Some(503));
    let patient = project.with(CallOptions::default().extra_time(Duration::MAX));
    let job = patient.translations().job_after(&"trk_1".into(), 5).await.unwrap();
    assert_eq!(job.progress.done, 1);
}

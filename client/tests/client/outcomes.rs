//! The outcome of a write whose answer was lost.

use std::time::{Duration, Instant};

use l10n_client::api::content::{DocumentFormat, NewDocument};
use l10n_client::api::publish::Publish;
use l10n_client::api::translations::TranslateBody;
use l10n_client::api::versions::RestoreBody;
use l10n_client::{CallOptions, Error, ErrorCode, Outcome};
use tokio::time::timeout;

use crate::samples;
use crate::support::{Fault, Raw, answering, builder, error, ok, project, raw_answer, requests};

fn json_answer(status: &str, body: &serde_json::Value) -> Fault {
    Fault::Write(raw_answer(status, "content-type: application/json\r\n", &body.to_string()))
}

/// §7: a receipt says if a write landed; a running one is polled.
#[tokio::test]
async fn a_receipt_tells_what_became_of_a_write() {
    let receipt = |status| ok(samples::receipt(status));
    let outcome = |answers: Vec<_>| async move {
        let server = answering(answers).await;
        let outcome = project(&server.uri()).outcome_of("req_1").await.unwrap();
        (outcome, requests(&server).await.len())
    };
    assert!(
        matches!(outcome(vec![receipt("succeeded")]).await, (Outcome::Landed(found), 1) if found.resource.is_some())
    );
    assert!(matches!(outcome(vec![receipt("failed")]).await, (Outcome::NotLanded(_), 1)));
    assert_eq!(outcome(vec![error(404, "not_found")]).await, (Outcome::Unknown, 1));
    let running = vec![receipt("running"), receipt("running"), receipt("succeeded")];
    assert!(matches!(outcome(running).await, (Outcome::Landed(_), 3)));
}

#[tokio::test]
async fn a_request_that_goes_on_and_on_is_told_as_running() {
    let server = answering([ok(samples::receipt("running"))]).await;
    let begun = Instant::now();
    let outcome = project(&server.uri()).outcome_within("req_1", Duration::from_secs(1)).await.unwrap();
    assert!(matches!(outcome, Outcome::Running(_)), "{outcome:?}");
    assert!(begun.elapsed() < Duration::from_secs(20));
}

/// A server that went down during the request is asked again when it is back.
#[tokio::test]
async fn a_server_that_restarts_is_asked_again() {
    let down = || error(503, "unavailable").insert_header("retry-after", "0");
    let server = answering([down(), down(), down(), ok(samples::receipt("succeeded"))]).await;
    let client = builder(&server.uri()).max_retries(0).build().unwrap();
    let outcome = client.project("prj_1").outcome_of("req_1").await.unwrap();
    assert!(matches!(outcome, Outcome::Landed(_)), "{outcome:?}");
}

/// A lasting refusal is an error and no outcome.
#[tokio::test]
async fn who_may_not_ask_learns_that() {
    let server = answering([error(401, "unauthorized")]).await;
    let failure = project(&server.uri()).outcome_of("req_1").await.unwrap_err();
    assert_eq!((failure.code(), requests(&server).await.len()), (Some(&ErrorCode::Unauthorized), 1));
}

/// A failed call leads to its receipt: by the id that was sent, if no answer came.
#[tokio::test]
async fn a_failed_call_names_the_request_to_ask_for() {
    let broken = Fault::Write(b"HTTP/1.1 20".to_vec());
    let server = Raw::start(vec![broken, json_answer("200 OK", &samples::receipt("succeeded"))]).await;
    let options = CallOptions::default().correlation_id("deploy-7");
    let project = project(&server.address);
    let failure = project.with(options).publish(&Publish::default()).await.unwrap_err();
    assert_eq!((failure.request_id(), failure.correlation_id()), (Some("deploy-7"), Some("deploy-7")));
    let outcome = project.outcome_of_failed(&failure).await.unwrap();
    assert!(matches!(outcome, Some(Outcome::Landed(_))), "{outcome:?}");
}

/// Reads, dry runs, refusals and unsent requests have no receipt to ask for.
#[tokio::test]
async fn what_cannot_have_landed_has_no_request_to_ask_for() {
    let server = answering([error(503, "unavailable")]).await;
    let client = builder(&server.uri()).max_retries(0).build().unwrap();
    let there = client.project("prj_1");
    let nowhere = builder("http://127.0.0.1:1").max_retries(0).build().unwrap().project("prj_1");
    let refusing = answering([error(409, "nothing_to_publish")]).await;
    let failures = [
        there.meta().await.map(drop).unwrap_err(),
        there.translations().translate_dry_run(&TranslateBody::default()).await.map(drop).unwrap_err(),
        nowhere.publish(&Publish::default()).await.map(drop).unwrap_err(),
        project(&refusing.uri()).publish(&Publish::default()).await.map(drop).unwrap_err(),
    ];
    for failure in failures {
        assert_eq!(failure.request_id(), None, "{failure}");
        assert_eq!(there.outcome_of_failed(&failure).await.unwrap(), None);
    }
    let answered = there.publish(&Publish::default()).await.unwrap_err();
    assert!(answered.request_id().is_some() && answered.request_id() == answered.correlation_id(), "{answered}");
}

/// A write that is resent although the first request may have landed carries a new id: each request has its receipt.
/// The error lists them all.
#[tokio::test]
async fn each_request_that_may_have_landed_has_an_id_of_its_own() {
    let server = answering([error(503, "unavailable")]).await;
    let client = builder(&server.uri()).max_retries(2).correlation_ids(|| "add".into()).build().unwrap();
    let failure = client.project("prj_1").languages().add(["de"]).await.unwrap_err();
    assert_eq!(failure.request_ids(), ["add", "add.2", "add.3"]);
    assert_eq!((failure.request_id(), failure.correlation_id()), (Some("add.3"), Some("add.3")));
    let sent: Vec<_> =
        requests(&server).await.iter().map(|request| request.headers["x-correlation-id"].clone()).collect();
    assert_eq!(sent, ["add", "add.2", "add.3"]);

    // A 429 of the request budget left no receipt: the id stays.
    let limited = error(429, "rate_limited").insert_header("retry-after", "0");
    let server = answering([limited, ok(samples::published())]).await;
    let client = builder(&server.uri()).correlation_ids(|| "once".into()).build().unwrap();
    client.project("prj_1").publish(&Publish::default()).await.unwrap();
    assert!(requests(&server).await.iter().all(|request| request.headers["x-correlation-id"] == "once"));
}

/// The last request did not reach the server; the first one did, and landed.
#[tokio::test]
async fn a_call_has_landed_when_any_of_its_requests_has() {
    let (down, refused) = (error(503, "unavailable"), error(400, "invalid_argument"));
    let not_landed = || ok(samples::receipt("failed"));
    for (receipts, landed) in [
        (vec![not_landed(), ok(samples::receipt("succeeded"))], true),
        (vec![ok(samples::receipt("succeeded"))], true),
        (vec![not_landed(), not_landed()], false),
    ] {
        let answers = [down.clone(), down.clone(), refused.clone()].into_iter().chain(receipts);
        let server = answering(answers).await;
        let project = project(&server.uri());
        let failure = project.languages().add(["de"]).await.unwrap_err();
        assert_eq!(failure.status(), Some(400));
        assert!(failure.may_have_been_carried_out() && failure.request_ids().len() == 2, "{failure:?}");
        let outcome = project.outcome_of_failed(&failure).await.unwrap().unwrap();
        assert_eq!(matches!(outcome, Outcome::Landed(_)), landed, "{outcome:?}");
    }
    // A request without a receipt leaves the outcome unknown, whatever the other one's is.
    for receipts in [[error(404, "not_found"), not_landed()], [not_landed(), error(404, "not_found")]] {
        let server = answering([down.clone(), down.clone(), refused.clone()].into_iter().chain(receipts)).await;
        let project = project(&server.uri());
        let failure = project.languages().add(["de"]).await.unwrap_err();
        assert_eq!(project.outcome_of_failed(&failure).await.unwrap(), Some(Outcome::Unknown));
    }
}

/// A 2xx whose body cannot be read was carried out.
#[tokio::test]
async fn an_answer_that_cannot_be_read_names_its_request() {
    let server = answering([ok(serde_json::json!({})).insert_header("x-correlation-id", "theirs")]).await;
    let failure = project(&server.uri()).publish(&Publish::default()).await.unwrap_err();
    assert!(matches!(failure, Error::Decode(_)), "{failure:?}");
    assert_eq!(failure.request_id(), Some("theirs"));
}

/// A version of a document given to `restore` is restored all the same: the call was carried out, and its receipt is found.
#[tokio::test]
async fn an_answer_about_something_else_was_carried_out_and_names_its_request() {
    let document = || NewDocument::new(DocumentFormat::Markdown, "A");
    for nth in 0..6 {
        let answer = match nth {
            0 | 2 => samples::documents_published(),
            1 | 3 => samples::published(),
            4 => samples::documents_pushed(),
            _ => samples::document("doc_1"),
        };
        let server = answering([ok(answer).insert_header("x-correlation-id", "theirs")]).await;
        let project = project(&server.uri());
        let failure = match nth {
            0 => project.versions().restore("cvr_1", &RestoreBody::default()).await.map(drop),
            1 => project.versions().restore_document("ver_1", &RestoreBody::default()).await.map(drop),
            2 => project.publish(&Publish::default()).await.map(drop),
            3 => project.publish_content(&Publish::default()).await.map(drop),
            4 => project.content().create(&document()).await.map(drop),
            _ => project.content().create_many(vec![document()]).await.map(drop),
        };
        let failure = failure.unwrap_err();
        let Error::Decode(decode) = &failure else { panic!("{failure:?}") };
        assert_eq!((decode.status, decode.correlation_id.as_str()), (200, "theirs"));
        assert!(failure.may_have_been_carried_out(), "{failure}");
        assert_eq!(failure.request_id(), Some("theirs"), "{failure}");
    }
}

/// A server that goes down while it works on a write is not waited for beyond the time limit.
#[tokio::test]
async fn a_server_that_goes_down_for_long_leaves_the_outcome_open() {
    let down = error(503, "unavailable").insert_header("retry-after", "3600");
    let server = answering([ok(samples::receipt("running")), down]).await;
    let client = builder(&server.uri()).max_retries(0).build().unwrap();
    let project = client.project("prj_1");
    let asked = project.outcome_within("req_1", Duration::from_secs(600));
    let outcome = timeout(Duration::from_secs(60), asked).await.unwrap().unwrap();
    assert!(matches!(outcome, Outcome::Running(_)), "{outcome:?}");
    assert_eq!(requests(&server).await.len(), 2);
}

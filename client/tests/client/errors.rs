//! The errors' codes, fields and texts.

use l10n_client::api::Millicredits;
use l10n_client::api::publish::Publish;
use l10n_client::api::translations::TranslateBody;
use l10n_client::{Error, ErrorCode};
use serde_json::json;
use wiremock::ResponseTemplate;

use crate::support::{answering, builder, error, ok, project, requests};

async fn failure(answer: ResponseTemplate) -> Error {
    let server = answering([answer]).await;
    let client = builder(&server.uri()).max_retries(0).correlation_ids(|| "sent-1".into()).build().unwrap();
    client.project("prj_1").meta().await.unwrap_err()
}

/// ERR-2, ERR-402-2: codes and further fields.
#[tokio::test]
async fn an_answer_with_an_error_is_told_by_code_fields_and_id() {
    let body = json!({"error": "spend_cap_exceeded", "message": "The monthly cap is reached.", "capRemaining": 1500,
        "spendingCap": 20000, "details": {"feature": "x"}, "future": true});
    let error =
        failure(ResponseTemplate::new(402).set_body_json(body).insert_header("x-correlation-id", "their-1")).await;
    assert_eq!((error.status(), error.code()), (Some(402), Some(&ErrorCode::SpendCapExceeded)));
    assert_eq!(error.correlation_id(), Some("their-1"));
    let Error::Api(api) = &error else { panic!("{error:?}") };
    assert_eq!((api.cap_remaining(), api.spending_cap()), (Some(Millicredits(1_500)), Some(Millicredits(20_000))));
    assert_eq!(api.details().unwrap()["feature"], "x");
    assert_eq!(api.fields["future"], true);
    insta::assert_snapshot!(error, @"spend_cap_exceeded: The monthly cap is reached. (HTTP 402, meta::read); 1.500 credits are left of this month's cap; raise the workspace's monthly cap or wait for the next month (UTC) [x-correlation-id their-1]");
}

/// ERR-3: an unknown code, whatever its message.
#[tokio::test]
async fn a_code_of_the_future_is_kept() {
    let error = failure(error(409, "brand_new")).await;
    assert_eq!(error.code(), Some(&ErrorCode::Other("brand_new".into())));
    assert!(!error.is_retryable() && !error.may_have_been_carried_out());
}

#[tokio::test]
async fn a_proxys_page_is_an_api_error_in_a_few_words() {
    let page = "<html><h1>502 Bad Gateway</h1>".repeat(1_000);
    let error = failure(ResponseTemplate::new(502).set_body_raw(page, "text/html")).await;
    assert_eq!((error.status(), error.code()), (Some(502), Some(&ErrorCode::Other("http_502".into()))));
    assert_eq!(error.correlation_id(), Some("sent-1"));
    insta::assert_snapshot!(error, @"http_502: the answer (text/html) is not from this API: a proxy or another program answered in its place (HTTP 502, meta::read); the service or a proxy in front of it is down: try again later [x-correlation-id sent-1]");
}

#[tokio::test]
async fn a_503_of_a_read_and_of_a_sync_differ_in_what_to_do() {
    let server = answering([error(503, "unavailable")]).await;
    let client = builder(&server.uri()).max_retries(0).correlation_ids(|| "sent-1".into()).build().unwrap();
    let project = client.project("prj_1");
    insta::assert_snapshot!(project.meta().await.unwrap_err(), @"unavailable: about unavailable (HTTP 503, meta::read); the service or a proxy in front of it is down: try again later [x-correlation-id sent-1]");
    insta::assert_snapshot!(project.translations().translate(&TranslateBody::default()).await.unwrap_err(), @"unavailable: about unavailable (HTTP 503, translations::translate); run the translate or sync again from your source files; do not send this request again, its whole input is classified anew (a credit hold that was left behind clears by itself within about 35 minutes) [x-correlation-id sent-1]");
    insta::assert_snapshot!(project.publish(&Publish::default()).await.unwrap_err(), @"unavailable: about unavailable (HTTP 503, publish::create); it may or may not have been carried out: ask for its outcome by its correlation id (`outcome_of`) before you do it again [x-correlation-id sent-1]");
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_told_with_line_and_column() {
    let body = json!({"error": "file_unparseable", "message": "expected `,`", "details": {"line": 3, "column": 14}});
    insta::assert_snapshot!(failure(ResponseTemplate::new(400).set_body_json(body)).await, @"file_unparseable: expected `,` (HTTP 400, meta::read); line 3, column 14; fix the file at the place that `details` names [x-correlation-id sent-1]");
}

#[tokio::test]
async fn an_answer_that_is_not_as_declared_is_told_with_place_and_id() {
    for (body, media_type) in [
        ("<html>hello</html>", "text/html"),
        ("", "application/json"),
        (r#"{"projectId": 7}"#, "application/json"),
        (r#"{"projectId": "prj_1""#, "application/json"),
        ("[]", "application/json"),
        ("\u{feff}{}", "application/json"),
    ] {
        let error = failure(ResponseTemplate::new(200).set_body_raw(body, media_type)).await;
        let Error::Decode(decode) = &error else { panic!("{error:?}") };
        assert_eq!((decode.status, decode.correlation_id.as_str()), (200, "sent-1"));
        assert!(decode.problem.contains("line 1 column"), "{body}: {error}");
        assert!(!error.is_retryable());
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_not_asked_for_again() {
    let server = answering([ok(json!({}))]).await;
    project(&server.uri()).meta().await.unwrap_err();
    assert_eq!(requests(&server).await.len(), 1);
}

#[tokio::test]
async fn a_correlation_id_that_is_none_is_not_passed_on() {
    let hostile = error(404, "not_found").insert_header("x-correlation-id", "a b<script>");
    assert_eq!(failure(hostile).await.correlation_id(), Some("sent-1"));
}

/// LIM-DAY-1: `Retry-After` of a daily limit is that of the minute, and says nothing about the day.
#[tokio::test]
async fn a_daily_limit_says_when_it_resets_and_not_to_retry_in_a_minute() {
    let limited = |code: &str| {
        let details = json!({"limit": 30, "resetsAt": "2026-11-22T00:00:00.000Z"});
        ResponseTemplate::new(429)
            .set_body_json(json!({"error": code, "message": "The limit is reached.", "details": details}))
            .insert_header("retry-after", "60")
    };
    insta::assert_snapshot!(failure(limited("rate_limited")).await, @"rate_limited: The limit is reached. (HTTP 429, meta::read); the daily limit is used up: repeat it after 00:00 UTC [x-correlation-id sent-1]");
    insta::assert_snapshot!(failure(limited("run_quota_exceeded")).await, @"run_quota_exceeded: The limit is reached. (HTTP 429, meta::read); run the rest tomorrow: the limit resets at 00:00 UTC [x-correlation-id sent-1]");
    insta::assert_snapshot!(failure(limited("import_quota_exceeded")).await, @"import_quota_exceeded: The limit is reached. (HTTP 429, meta::read); push the rest tomorrow: the limit resets at 00:00 UTC [x-correlation-id sent-1]");
    let minute = error(429, "rate_limited").insert_header("retry-after", "60");
    insta::assert_snapshot!(failure(minute).await, @"rate_limited: about rate_limited (HTTP 429, meta::read); retry after 60 s; wait as long as `Retry-After` says [x-correlation-id sent-1]");
}

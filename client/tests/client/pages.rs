//! Lists in pages.

use l10n_client::Error;
use serde_json::json;

use crate::samples;
use crate::support::{answering, error, ok, project, requests};

#[tokio::test]
async fn a_list_is_read_to_its_end() {
    let server = answering([
        ok(json!({"versions": [samples::version("ver_3"), samples::version("ver_2")], "nextCursor": "c 1"})),
        error(503, "unavailable"),
        ok(json!({"versions": [samples::version("ver_1")], "nextCursor": null})),
    ])
    .await;
    let versions = project(&server.uri()).versions().list_all().await.unwrap();
    let ids: Vec<_> = versions.iter().map(|version| version.version_id.as_str()).collect();
    assert_eq!(ids, ["ver_3", "ver_2", "ver_1"]);
    let queries: Vec<_> =
        requests(&server).await.iter().map(|request| request.url.query().unwrap().to_owned()).collect();
    assert_eq!(queries, ["limit=500", "cursor=c%201&limit=500", "cursor=c%201&limit=500"]);
}

#[tokio::test]
async fn a_filter_holds_on_every_page() {
    let server = answering([
        ok(json!({"keys": [samples::key("a")], "nextCursor": "2"})),
        ok(json!({"keys": [samples::key("b")], "nextCursor": null})),
    ])
    .await;
    let query = l10n_client::api::translations::GetQuery { prefix: Some("x".into()), ..Default::default() };
    assert_eq!(project(&server.uri()).translations().list_all(query).await.unwrap().len(), 2);
    for request in requests(&server).await {
        assert!(request.url.query().unwrap().contains("prefix=x"));
    }
}

#[tokio::test]
async fn a_cursor_that_does_not_move_ends_the_list_with_an_error() {
    let server = answering([ok(json!({"keys": [], "nextCursor": "same"}))]).await;
    let failure = project(&server.uri()).translations().list_all(Default::default()).await.unwrap_err();
    assert!(matches!(failure, Error::Decode(_)), "{failure:?}");
    assert_eq!(requests(&server).await.len(), 2);
}

#[tokio::test]
async fn after_an_error_the_same_page_is_asked_for_again() {
    let server = answering([
        ok(json!({"keys": [samples::key("a")], "nextCursor": "2"})),
        error(500, "internal"),
        ok(json!({"keys": [samples::key("b")], "nextCursor": null})),
    ])
    .await;
    let mut pages = project(&server.uri()).translations().pages(Default::default());
    assert_eq!(pages.next_page().await.unwrap().unwrap()[0].r#ref, "a");
    pages.next_page().await.unwrap_err();
    assert_eq!(pages.next_page().await.unwrap().unwrap()[0].r#ref, "b");
    assert!(pages.next_page().await.unwrap().is_none());
}

#[tokio::test]
async fn pages_are_a_stream_too() {
    use futures_util::TryStreamExt as _;

    let server = answering([
        ok(json!({"versions": [samples::version("ver_2")], "nextCursor": "2"})),
        ok(json!({"versions": [samples::version("ver_1")], "nextCursor": null})),
    ])
    .await;
    let stream = project(&server.uri()).versions().pages(Default::default()).into_stream();
    let pages: Vec<_> = stream.try_collect().await.unwrap();
    assert_eq!(pages.len(), 2);
}

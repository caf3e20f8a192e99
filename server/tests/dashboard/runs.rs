//! Runs: the list, and one with its failures, without script.

use std::sync::Arc;

use http::Method;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::testing::{TestStore, sql};
use serde_json::{Value, json};

use crate::support::{HOSTILE, PickyEngine, Site, check_is_text};

both_engines!(
    a_run_is_followed_from_the_list_to_its_end,
    what_failed_is_told_with_its_text_and_reason_page_by_page,
    long_texts_that_failed_are_shown_on_several_pages,
    many_runs_are_listed_page_by_page_newest_first,
    words_of_keys_and_engines_are_shown_and_never_interpreted,
    a_run_of_a_document_names_it_and_what_failed_of_it,
    runs_of_another_project_lead_nowhere,
);

async fn a_run_is_followed_from_the_list_to_its_end(store: TestStore) {
    let site = Site::idle(&store).await;
    let mut visitor = site.as_role(Role::Viewer).await;
    visitor.get(&site.path("/runs")).await.says("No runs yet");
    let token = site.sync(&json!({ "a": "One", "b": "Two" })).await.unwrap();
    let list = visitor.get(&site.path("/runs")).await;
    list.says("Strings").says("Queued").says("0 of 4");
    let path = site.path(&format!("/runs/{token}"));
    assert!(list.html().links.contains(&path));
    let page = visitor.get(&path).await;
    page.says("Queued").says("Quoted at most").says("de").says("fr").says("0 %").says(&token);
    assert!(page.text().contains("data-refresh"), "it is not over");
    let part = visitor.once(Method::GET, &path, None, &[("l10n-fragment", "state")]).await;
    assert!(part.text().contains("Queued") && !part.text().contains("<h1"));
}

/// A project with texts of which the engine refuses some.
async fn with_failures(site: &Site, engine: &PickyEngine, texts: &Value) -> String {
    engine.refuse("Bad", "it does not like it");
    let token = site.sync(texts).await.unwrap();
    let job = site.ended(&token).await;
    assert!(matches!(job["status"].as_str(), Some("partial" | "failed")), "{job}");
    token
}

async fn what_failed_is_told_with_its_text_and_reason_page_by_page(store: TestStore) {
    let engine = Arc::default();
    let site = Site::translated_by(&store, &engine).await;
    let texts: serde_json::Map<String, Value> = (0..30)
        .map(|n| (format!("key.{n:02}"), json!(format!("Bad text {n}"))))
        .chain([("good".into(), json!("Fine"))])
        .collect();
    let token = with_failures(&site, &engine, &Value::Object(texts)).await;
    let mut visitor = site.as_role(Role::Viewer).await;
    visitor.get(&site.path("/runs")).await.says("Partly failed").says("2 of 62").says("60");
    let first = visitor.get(&site.path(&format!("/runs/{token}"))).await;
    first.says("Partly failed").says("2 of 62").says("100 %").says("Bad text 7").says("it does not like it");
    first.says("engine_refused").says("key.00").says("What each engine translated");
    assert!(!first.text().contains("data-refresh"), "what is over does not change");
    assert_eq!(first.text().matches("engine_refused").count(), 50);
    let next = first.html().links.into_iter().find(|link| link.contains("after=")).unwrap();
    let second = visitor.get(&next).await;
    assert_eq!(second.text().matches("engine_refused").count(), 10);
    for wrong in ["x", "-9", "99999999999999999999", "%00", "%3Cb%3E"] {
        let page = visitor.get(&site.path(&format!("/runs/{token}?after={wrong}"))).await;
        assert_eq!(page.status, 200, "{wrong}");
    }
    // Keys that are gone since have no text any more.
    site.sync(&json!({ "good": "Fine" })).await;
    visitor.get(&site.path(&format!("/runs/{token}"))).await.says("key.00");
}

/// Before, a page had the texts of 50 failures, however long they were.
async fn long_texts_that_failed_are_shown_on_several_pages(store: TestStore) {
    let engine = Arc::default();
    let site = Site::translated_by(&store, &engine).await;
    let token = with_failures(&site, &engine, &json!({"a": "Bad one", "b": "Bad two", "c": "Bad three"})).await;
    let longer = format!("UPDATE keys SET source = replace(source, 'Bad', '{}')", "x".repeat(1_500 * 1024));
    sql::run(&store, &longer).await;
    let mut visitor = site.as_role(Role::Viewer).await;
    let (mut next, mut shown) = (Some(site.path(&format!("/runs/{token}"))), Vec::new());
    while let Some(path) = next {
        let page = visitor.get(&path).await;
        shown.push(page.text().matches("engine_refused").count());
        next = page.html().links.into_iter().find(|link| link.contains("after="));
    }
    assert_eq!(shown, [2, 2, 2]);
}

async fn many_runs_are_listed_page_by_page_newest_first(store: TestStore) {
    let site = Site::idle(&store).await;
    let mut tokens = Vec::new();
    for number in 0..53 {
        let body = json!({"keys": [{"ref": format!("k{number}"), "text": format!("Text {number}")}]});
        let answer = site.post("/translate").json(&body).send().await;
        tokens.push(answer.json()["trackingToken"].as_str().unwrap().to_owned());
    }
    let mut visitor = site.as_role(Role::Viewer).await;
    let first = visitor.get(&site.path("/runs")).await;
    let of = |page: &crate::support::Visited| -> Vec<String> {
        let links = page.html().links;
        links.iter().filter_map(|link| link.split_once("/runs/").map(|(_, token)| token.to_owned())).collect()
    };
    let next = first.html().links.into_iter().find(|link| link.contains("after=")).unwrap();
    let second = visitor.get(&next).await;
    let mut shown = of(&first);
    assert_eq!(shown.len(), 50);
    shown.extend(of(&second));
    tokens.reverse();
    assert_eq!(shown, tokens);
    visitor.get(&format!("{}?after=%3Cb%3E", site.path("/runs"))).await.says("Queued");
}

async fn words_of_keys_and_engines_are_shown_and_never_interpreted(store: TestStore) {
    let engine: Arc<PickyEngine> = Arc::default();
    let site = Site::translated_by(&store, &engine).await;
    let mut visitor = site.as_role(Role::Manager).await;
    for (index, hostile) in HOSTILE.iter().enumerate().filter(|(_, hostile)| !hostile.contains('\0')) {
        engine.refuse("Hostile", hostile);
        let body = json!({"keys": [{"ref": format!("{index}{hostile}"), "text": format!("Hostile {hostile}")}]});
        let answer = site.post("/translate").json(&body).send().await;
        let Some(token) = answer.json()["trackingToken"].as_str().map(str::to_owned) else { continue };
        site.ended(&token).await;
        let page = visitor.get(&site.path(&format!("/runs/{token}"))).await;
        page.says("Failures");
        check_is_text(&page, hostile);
        assert!(!page.text().contains('\u{202e}'));
        check_is_text(&visitor.get(&site.path("/runs")).await, hostile);
    }
}

async fn a_run_of_a_document_names_it_and_what_failed_of_it(store: TestStore) {
    let engine: Arc<PickyEngine> = Arc::default();
    let site = Site::translated_by(&store, &engine).await;
    engine.refuse("Bad", "it does not like it");
    let body = json!({"documents": [{"externalId": "guide.md", "format": "markdown", "body": "# <i>Guide</i>\n\nBad words.\n"}]});
    let pushed = site.post("/content").json(&body).send().await;
    assert!(pushed.status < 300, "{pushed:?}");
    let id = pushed.json()["results"][0]["docId"].as_str().unwrap().to_owned();
    let run = site.post(&format!("/content/{id}/run")).json(&json!({})).send().await;
    let token = run.json()["trackingToken"].as_str().unwrap().to_owned();
    site.ended(&token).await;
    let mut visitor = site.as_role(Role::Viewer).await;
    let page = visitor.get(&site.path(&format!("/runs/{token}"))).await;
    page.says("Document").says("Bad words.").says("it does not like it").says("Guide");
    visitor.get(&site.path("")).await.says("Document");
}

async fn runs_of_another_project_lead_nowhere(store: TestStore) {
    let site = Site::idle(&store).await;
    let token = site.sync(&json!({ "a": "One" })).await.unwrap();
    let beside = site.project_beside("beside").await;
    let mut visitor = site.as_role(Role::Owner).await;
    for wrong in
        [format!("/dashboard/@acme/{}/runs/{token}", beside.slug), site.path("/runs/trk_none"), site.path("/runs/~")]
    {
        assert_eq!(visitor.get(&wrong).await.status, 404, "{wrong}");
    }
    visitor.get(&format!("/dashboard/@acme/{}/runs", beside.slug)).await.says("No runs yet");
}

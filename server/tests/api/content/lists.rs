//! The list of documents.

use std::time::Duration;

use l10n_api_types::content::{Document, Documents};
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::content::fixtures::{named, pushed, put};

both_engines!(
    documents_are_listed_in_pages_in_the_order_of_their_making,
    a_page_ends_before_its_lists_of_segments_get_long,
    a_list_is_narrowed,
);

async fn list(app: &TestApp, query: &str) -> Documents {
    let answer = app.get(&format!("/content{query}")).key(&app.project.keys.read).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.read()
}

fn names(list: &Documents) -> Vec<&str> {
    list.documents.iter().filter_map(|document| document.external_id.as_deref()).collect()
}

/// FN-6, CP-9: every document is found, whatever the size of a page.
async fn documents_are_listed_in_pages_in_the_order_of_their_making(store: TestStore) {
    let app = TestApp::on(&store).await;
    assert_eq!(list(&app, "").await, Documents { documents: Vec::new(), next_cursor: None });
    for number in 0..7 {
        pushed(&app, &named(&format!("d{}", 9 - number), "Text.")).await;
    }
    let all = list(&app, "").await;
    assert_eq!((names(&all), &all.next_cursor), (vec!["d9", "d8", "d7", "d6", "d5", "d4", "d3"], &None));
    assert!(all.documents.iter().all(|document| document.body.is_none()));
    for size in 1..=7 {
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = list(&app, &format!("?limit={size}{cursor}")).await;
            assert!(page.documents.len() <= size);
            found.extend(names(&page).into_iter().map(str::to_owned));
            let Some(next) = page.next_cursor else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(found, names(&all), "{size}");
    }
    for wrong in ["?limit=0", "?limit=501", "?cursor=x", "?state=none", "?externalId=", "?updatedSince=yesterday"] {
        assert_eq!(app.get(&format!("/content{wrong}")).send().await.outcome(), "400 invalid_argument", "{wrong}");
    }
    assert_eq!(app.get("/content").key(&app.project.keys.write).send().await.outcome(), "403 forbidden");
    let other = app.other_project("unlimited").await;
    let theirs = app.at(http::Method::GET, &format!("/v1/projects/{}/content", other.id)).key(&other.keys.read);
    assert_eq!(theirs.send().await.json()["documents"], json!([]));
}

/// CP-9: before, a page of 500 documents of many short segments filled the memory.
async fn a_page_ends_before_its_lists_of_segments_get_long(store: TestStore) {
    let app = TestApp::on(&store).await;
    pushed(&app, &named("short", "Text.")).await;
    for number in 0..5 {
        // Two lists of so many segments have room on a page, and three do not.
        let body = json!({"format": "text", "externalId": format!("long{number}"), "body": "a\n\n".repeat(40_000)});
        assert_eq!(pushed(&app, &body).await.segments.total, 40_000);
    }
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = list(&app, &format!("?limit=500{cursor}")).await;
        found.push(names(&page).join(" "));
        let missing = |document: &Document| document.languages.iter().all(|language| language.translated == 0);
        assert!(page.documents.iter().all(missing));
        let Some(next) = page.next_cursor else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(found, ["short long0 long1", "long2 long3", "long4"]);
}

async fn a_list_is_narrowed(store: TestStore) {
    let app = TestApp::on(&store).await;
    let old = pushed(&app, &named("old", "Text.")).await;
    pushed(&app, &named("empty", "")).await;
    app.clock.advance(Duration::from_secs(60));
    let new = pushed(&app, &named("new", "Other text.")).await;
    assert_eq!(names(&list(&app, "?externalId=old").await), ["old"]);
    assert!(list(&app, "?externalId=none").await.documents.is_empty());
    let since = format!("?updatedSince={}", new.updated_at);
    assert_eq!(names(&list(&app, &since).await), ["new"]);
    put(&app, old.doc_id.as_str(), &json!({"body": "Changed."})).send().await;
    assert_eq!(names(&list(&app, &since).await), ["old", "new"]);
    assert_eq!(names(&list(&app, "?state=missing").await), ["old", "new"]);
    assert_eq!(names(&list(&app, "?state=translated").await), ["empty"], "there is nothing to translate in it");
    assert!(list(&app, "?state=held").await.documents.is_empty());
}
